//! What a script is in a build of webpack, and asks of it.

use std::ops::Range;

use super::runtime::Runtime;
use crate::load::Goal;

/// What a script is in a build, and asks of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The globals that tell its build.
    pub(super) globals: Vec<Box<str>>,
    /// The chunks that it brings, by their ids.
    pub(super) brings: Vec<Box<str>>,
    pub(super) runtimes: Vec<Runtime>,
    pub(super) asks: Vec<Ask>,
    /// Whether it sets another public path while it runs.
    pub(super) moves_public_path: bool,
}

/// Something that is asked of a runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    pub(super) what: What,
    /// Which of the script's own runtimes; `None` for the one of its build.
    pub(super) runtime: Option<usize>,
    pub(super) span: Range<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A chunk, and its style sheet.
    Chunk(Box<str>),
    /// A chunk that may be wanted later.
    Ahead(Box<str>),
    /// A worker that is a chunk, and as what it is run.
    Worker(Box<str>, Goal),
    /// The file of a chunk, for other uses.
    File(Box<str>),
    Asset(Box<str>),
    /// WebAssembly, by the arguments that are texts.
    Wasm(Vec<Option<Box<str>>>),
}
