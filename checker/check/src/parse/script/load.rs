//! What a script loads: as what, by which words, and how much depends on it.

use std::ops::Range;

use crate::parse::reference_kind::ReferenceKind;

/// As what a script is run (ECMAScript's goal symbols).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Goal {
    /// A classic script.
    Script,
    /// A module.
    Module,
}

/// How much depends on a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// It is only seen: the same words may ask something that is no file of the site, such as an API.
    Seen,
    /// The script can do without, or says what to do where it fails.
    Spare,
    /// Without it, what asks for it fails.
    Needed,
}

/// What an address is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Against {
    /// A module specifier: an import map comes first, then the script's own URL.
    Specifier,
    /// The script's own URL.
    Script,
    /// The document that runs the script, or the worker.
    Document,
    /// Any of these, or the root of the site: what it is only shows when the script runs.
    Anywhere,
}

/// Something that a script makes a browser load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptLoad {
    /// By which words.
    pub kind: ReferenceKind,
    /// What is asked for.
    pub address: Box<str>,
    /// What that is relative to.
    pub against: Against,
    /// How much depends on it.
    pub grade: Grade,
    /// As what it is run; `None` where it is no script.
    pub goal: Option<Goal>,
    /// The words, in bytes of the script.
    pub span: Range<u32>,
}
