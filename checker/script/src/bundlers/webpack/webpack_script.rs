//! Defines the facts that a script contributes to a webpack build.

use std::ops::Range;

use super::runtime::Runtime;
use crate::load::Goal;

/// A script of a webpack build: its runtimes, chunks and calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebpackScript {
    /// Globals that identify its build.
    pub(super) globals: Vec<Box<str>>,
    /// Ids of the chunks that it contains.
    pub(super) chunks: Vec<Box<str>>,
    pub(super) runtimes: Vec<Runtime>,
    pub(super) calls: Vec<RuntimeCall>,
    /// Whether it sets another public path at run time.
    pub(super) changes_public_path: bool,
}

/// A call of a runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeCall {
    pub(super) kind: CallKind,
    /// Index of the script's own runtime; `None` for the one of its build.
    pub(super) runtime: Option<usize>,
    pub(super) span: Range<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// Loads a chunk, and its style sheet.
    Chunk(Box<str>),
    /// Prefetches a chunk.
    Prefetch(Box<str>),
    /// Starts a worker that is a chunk, with its goal.
    Worker(Box<str>, Goal),
    /// Names the file of a chunk, for other uses.
    File(Box<str>),
    Asset(Box<str>),
    /// Loads WebAssembly; with the arguments that are texts.
    Wasm(Vec<Option<Box<str>>>),
}
