//! Collects the requests of scripts, for content security policies.

use std::sync::Arc;

use crate::index::scripts::ScriptRequest;
use crate::parse::ReferenceKind;
use crate::resolve::{Base, Target};
use crate::walk::FileId;
use sitegate_script::ScriptLoad;

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
