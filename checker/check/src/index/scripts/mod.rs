//! Collects what scripts load: starts at the scripts that pages run, and follows everything that they load in turn.

mod depths;
pub(crate) mod entry_points;
pub(crate) mod graph;
mod requests;
mod specifier;
pub(crate) mod speculations;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::index::site::Site;
use crate::parse::ReferenceKind;
use crate::resolve::suggestion::Suggestion;
use crate::resolve::{Reason, Route};
use crate::walk::FileId;
use sitegate_address::hashed_name::is_hashed;
use sitegate_script::Grade;

pub use requests::ExternalLoad;
pub(crate) use requests::ScriptRequest;

/// A broken load of a script.
#[derive(Clone, Debug)]
pub struct BrokenLoad {
    /// The script, or the page that contains it.
    pub file: FileId,
    /// The reference there.
    pub span: Range<u32>,
    /// The kind of reference.
    pub kind: ReferenceKind,
    /// The URL as written.
    pub address: Box<str>,
    /// The consequence if it is missing.
    pub grade: Grade,
    /// Why it is broken.
    pub reason: Reason,
    /// The path below the root that does not exist.
    pub path: String,
    /// The suggested file.
    pub suggestion: Option<Suggestion>,
    /// The chain from a page to the file: the page, and the scripts between.
    pub trail: Vec<FileId>,
}

impl BrokenLoad {
    /// Returns whether the file is needed. A name with a content hash was written by the build of the script, so its
    /// file must exist, even if the script catches the error.
    pub fn is_required(&self) -> bool {
        let is_call = matches!(
            self.kind,
            ReferenceKind::JsDynamicImport
                | ReferenceKind::JsFetch
                | ReferenceKind::JsImportScripts
                | ReferenceKind::JsScriptElement
                | ReferenceKind::JsServiceWorker
                | ReferenceKind::JsWorker
                | ReferenceKind::JsWorklet
        );
        self.grade == Grade::Required || (self.grade == Grade::Optional && is_call && is_hashed(&self.path))
    }
}

/// A fault of a script itself, or of how it is run.
#[derive(Clone, Debug)]
pub struct ScriptFault {
    /// The script, or the page that contains it.
    pub file: FileId,
    /// The location there.
    pub span: Range<u32>,
    /// The kind of fault.
    pub kind: FaultKind,
    /// The chain from a page to the script: the page, and the scripts between.
    pub trail: Vec<FileId>,
}

/// The kinds of faults of a script itself, or of how it is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It imports a name that is not in the import map of the page; and whether that map comes after a module.
    BareSpecifier(Box<str>, bool),
    /// It registers a service worker for a scope that is not below the folder of the worker.
    WideScope(Box<str>, String),
    /// It has module syntax, and runs as a classic script.
    RunAsClassic,
    /// It cannot be parsed, for this reason.
    Unreadable(String),
}

/// A URL or pattern of speculation rules that no page matches.
#[derive(Clone, Debug)]
pub struct UnmatchedSpeculation {
    /// The first page that contains it.
    pub file: FileId,
    /// Its location.
    pub span: Range<u32>,
    /// Its text.
    pub text: Box<str>,
    /// Whether it is a pattern.
    pub is_pattern: bool,
}

/// A file, the kind of its reference, the referenced file, and the route to it.
pub(crate) type ScriptUse = (FileId, ReferenceKind, (FileId, Route));

/// The result for all scripts that pages run.
#[derive(Clone, Debug, Default)]
pub struct Scripts {
    /// Broken loads, in the order of locations.
    pub broken: Vec<BrokenLoad>,
    /// Loads from external hosts, in the order of locations.
    pub external: Vec<ExternalLoad>,
    /// Faults of scripts, in the order of locations.
    pub faults: Vec<ScriptFault>,
    /// Speculation rules that no page matches, in the order of locations.
    pub unmatched_speculations: Vec<UnmatchedSpeculation>,
    /// The length of the longest load chain below each script or loaded file, in the order of files.
    /// A file only loads files of smaller depth, except in cycles.
    pub depths: Vec<(FileId, u32)>,
    /// Number of script files that were read.
    pub read: usize,
    /// Imports, and fetches of files, whose URL is computed at run time: file and offset, in the order of locations.
    pub computed: Vec<(FileId, u32)>,
    /// References of scripts, each pair of files once.
    pub(crate) used: Vec<ScriptUse>,
    /// Files that are loaded together with a file.
    pub(crate) loaded: Vec<(FileId, FileId)>,
    /// Requests, in the order of locations. Filled only if a rule needs them.
    pub(crate) requests: Arc<[ScriptRequest]>,
    /// Number of script references that were resolved.
    pub(crate) links: usize,
}

/// Adds suggestions for the missing files of broken loads.
fn add_suggestions(site: &Site<'_>, broken: &mut [BrokenLoad]) {
    let mut known: HashMap<String, Option<Suggestion>> = HashMap::new();
    let is_missing = |load: &&mut BrokenLoad| matches!(load.reason, Reason::NoFile | Reason::NoIndex);
    for load in broken.iter_mut().filter(is_missing) {
        let suggestion =
            known.entry(load.path.clone()).or_insert_with_key(|path| site.suggest(path.as_bytes()));
        load.suggestion.clone_from(suggestion);
    }
}
