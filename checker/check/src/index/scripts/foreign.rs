//! What scripts load from other hosts.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::resolve::Base;
use crate::walk::FileId;
use sitegate_script::{Grade, ScriptLoad};

/// Something that a script loads from another host.
#[derive(Clone, Debug)]
pub struct ForeignLoad {
    /// The script, or the page that it stands in.
    pub file: FileId,
    /// The words there.
    pub span: Range<u32>,
    /// The host, as the URL standard writes it.
    pub host: Box<str>,
    /// What is asked for.
    pub address: Box<str>,
    /// How much depends on it.
    pub grade: Grade,
}

/// What is known so far, by places and addresses.
#[derive(Default)]
pub(super) struct ForeignLoads(BTreeMap<(FileId, u32, Box<str>), ForeignLoad>);

impl ForeignLoads {
    /// Takes in a load of the script that begins at `start` of a file.
    pub fn add(&mut self, (file, start): (FileId, u32), load: &ScriptLoad, (base, address): (&Base, &str)) {
        let Some(host) = base.host(address) else { return };
        let span = start + load.span.start..start + load.span.end;
        let known = self.0.entry((file, span.start, address.into())).or_insert_with(|| ForeignLoad {
            file,
            span,
            host: host.into(),
            address: address.into(),
            grade: load.grade,
        });
        known.grade = known.grade.max(load.grade);
    }

    /// All of them, in the order of places.
    pub fn sorted(self) -> Vec<ForeignLoad> {
        self.0.into_values().collect()
    }
}
