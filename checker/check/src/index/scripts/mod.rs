//! What scripts load: from what pages run, through the graph of all that scripts ask for in turn.

mod depths;
pub(crate) mod entrances;
mod foreign;
pub(crate) mod graph;
mod meant;
mod specifier;
pub(crate) mod speculations;

use std::ops::Range;

use crate::parse::ReferenceKind;
use crate::resolve::near::Near;
use crate::resolve::{Reason, Route};
use crate::walk::FileId;
use sitegate_script::Grade;

pub use foreign::ForeignLoad;

/// Something that a script loads and that is not there.
#[derive(Clone, Debug)]
pub struct DeadLoad {
    /// The script, or the page that it stands in.
    pub file: FileId,
    /// The words there.
    pub span: Range<u32>,
    /// By which words it is loaded.
    pub kind: ReferenceKind,
    /// What is asked for.
    pub address: Box<str>,
    /// How much depends on it.
    pub grade: Grade,
    /// Why it leads nowhere.
    pub reason: Reason,
    /// The path that was looked for, below the root.
    pub path: String,
    /// What was most likely meant.
    pub near: Option<Near>,
    /// How a page gets there: the page, and the scripts between it and the file.
    pub trail: Vec<FileId>,
}

/// Something that is wrong with a script itself, or with how it is run.
#[derive(Clone, Debug)]
pub struct ScriptFault {
    /// The script, or the page that it stands in.
    pub file: FileId,
    /// The place there.
    pub span: Range<u32>,
    /// What is wrong.
    pub what: FaultKind,
    /// How a page gets there: the page, and the scripts between it and the file.
    pub trail: Vec<FileId>,
}

/// What can be wrong with a script itself, or with how it is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It imports a name that no import map of the page says an address for.
    BareSpecifier(Box<str>),
    /// It has a module's syntax, and is run as a classic script.
    RunAsClassic,
    /// No parser reads it, for this reason.
    Unreadable(String),
}

/// An address or a pattern that speculation rules name, and that no page has.
#[derive(Clone, Debug)]
pub struct UnmetSpeculation {
    /// The first page that names it.
    pub file: FileId,
    /// Where.
    pub span: Range<u32>,
    /// What it names.
    pub text: Box<str>,
    /// Whether that is a pattern.
    pub is_pattern: bool,
}

/// A file, by which words it refers to another, to which, and how its host gets there.
pub(crate) type ScriptUse = (FileId, ReferenceKind, (FileId, Route));

/// What was learnt of all scripts that pages run.
#[derive(Clone, Debug, Default)]
pub struct Scripts {
    /// What is not there, in the order of places.
    pub dead: Vec<DeadLoad>,
    /// What comes from other hosts, in the order of places.
    pub foreign: Vec<ForeignLoad>,
    /// What is wrong with scripts themselves, in the order of places.
    pub faults: Vec<ScriptFault>,
    /// What speculation rules name in vain, in the order of places.
    pub idle: Vec<UnmetSpeculation>,
    /// The files that scripts are or load, with how many steps what each loads goes on: those with less depend on none of
    /// those with more, but in circles. In the order of files.
    pub depths: Vec<(FileId, u32)>,
    /// How many script files were read.
    pub read: usize,
    /// How many imports have an address that is only known when they run.
    pub computed: usize,
    /// What scripts refer to, each file of each once.
    pub(crate) used: Vec<ScriptUse>,
    /// What is loaded together with a file.
    pub(crate) loaded: Vec<(FileId, FileId)>,
    /// How many references of scripts were resolved.
    pub(crate) links: usize,
}
