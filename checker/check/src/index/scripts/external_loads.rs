//! Collects what scripts load from external hosts.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::resolve::Base;
use crate::walk::FileId;
use sitegate_script::{Grade, ScriptLoad};

/// A load from an external host.
#[derive(Clone, Debug)]
pub struct ExternalLoad {
    /// The script, or the page that contains it.
    pub file: FileId,
    /// The reference there.
    pub span: Range<u32>,
    /// Host name, as the URL standard serializes it.
    pub host: Box<str>,
    /// The URL.
    pub address: Box<str>,
    /// The consequence if it is missing.
    pub grade: Grade,
}

/// Loads by location and URL.
#[derive(Default)]
pub(super) struct ExternalLoads(BTreeMap<(FileId, u32, Box<str>), ExternalLoad>);

impl ExternalLoads {
    /// Adds a load of the script that begins at `start` of a file.
    pub fn add(&mut self, (file, start): (FileId, u32), load: &ScriptLoad, (base, address): (&Base, &str)) {
        let Some(host) = base.host(address) else { return };
        let span = start + load.span.start..start + load.span.end;
        let known = self.0.entry((file, span.start, address.into())).or_insert_with(|| ExternalLoad {
            file,
            span,
            host: host.into(),
            address: address.into(),
            grade: load.grade,
        });
        known.grade = known.grade.max(load.grade);
    }

    /// Returns all loads, in the order of locations.
    pub fn sorted(self) -> Vec<ExternalLoad> {
        self.0.into_values().collect()
    }
}
