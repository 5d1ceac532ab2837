//! Collects the requests of scripts: all of them for content security policies, and those to external hosts.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use url::Url;

use crate::parse::ReferenceKind;
use crate::resolve::{Base, Target};
use crate::walk::FileId;
use sitegate_script::{Grade, ScriptLoad};

/// A request of a script, for content security policies.
#[derive(Clone, Debug)]
pub(crate) struct ScriptRequest {
    /// The script, or the page that contains it.
    pub file: FileId,
    /// The reference there.
    pub span: Range<u32>,
    /// The kind of reference.
    pub kind: ReferenceKind,
    /// The URL.
    pub url: Url,
    /// The file of the site.
    pub target: Option<FileId>,
}

/// The requests of scripts, if they are needed.
#[derive(Default)]
pub(crate) struct Requests {
    /// Whether they are needed.
    pub is_needed: bool,
    all: Vec<ScriptRequest>,
}

impl Requests {
    /// Adds a load of the script that begins at `start` of a file.
    pub(super) fn add(
        &mut self,
        (file, start): (FileId, u32),
        load: &ScriptLoad,
        target: Target,
        (base, address): (&Base, &str),
    ) {
        if !self.is_needed {
            return;
        }
        let Some(url) = base.join(address) else { return };
        let span = start + load.span.start..start + load.span.end;
        let target = match target {
            Target::File { file: requested, .. } => Some(requested),
            _ => None,
        };
        self.all.push(ScriptRequest { file, span, kind: ReferenceKind::of_script(load.kind), url, target });
    }

    /// Returns each request once, in the order of locations.
    pub(super) fn sorted(mut self) -> Arc<[ScriptRequest]> {
        self.all.sort_by(|a, b| (a.file, a.span.start, &a.url).cmp(&(b.file, b.span.start, &b.url)));
        self.all.dedup_by(|a, b| (a.file, a.span.start, &a.url) == (b.file, b.span.start, &b.url));
        self.all.into()
    }
}

/// A load from an external host.
#[derive(Clone, Debug)]
pub struct ExternalLoad {
    /// The script, or the page that contains it.
    pub file: FileId,
    /// The reference there.
    pub span: Range<u32>,
    /// The kind of reference.
    pub kind: ReferenceKind,
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
            kind: ReferenceKind::of_script(load.kind),
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
