//! Facts of one script.

use std::ops::Range;
use std::sync::Arc;

use super::bundlers::webpack::part::Part;
use super::load::ScriptLoad;

/// What one script loads, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// What it loads, by position.
    pub loads: Vec<ScriptLoad>,
    /// The imports whose address is only known when they run, in bytes of the script.
    pub computed: Vec<Range<u32>>,
    /// The first words that only a module may have.
    pub module_syntax: Option<Range<u32>>,
    /// Why it cannot be read.
    pub unreadable: Option<ScriptError>,
    /// What its bundler left for other scripts of the same bundle to be read by.
    pub(crate) pieces: Vec<BundlePiece>,
}

impl Script {
    /// Whether it is a part of a bundle, so that [`loads_of_bundles`](crate::loads_of_bundles) may know more of its loads.
    pub fn is_of_bundle(&self) -> bool {
        !self.pieces.is_empty()
    }
}

/// Why a script cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// Parsing it would take more stack than [`STACK_SIZE`](crate::STACK_SIZE).
    #[error("it is nested too deeply to be read")]
    TooDeep {
        /// Where it is nested too deeply, in bytes of the script.
        offset: u32,
    },
    /// It is not a script, or one whose syntax the parser does not know.
    #[error("{reason}")]
    Syntax {
        /// The parser's message.
        reason: String,
        /// Where the parser stopped, in bytes of the script.
        offset: u32,
    },
}

impl ScriptError {
    /// Where the error is, in bytes of the script.
    pub fn offset(&self) -> u32 {
        match self {
            ScriptError::TooDeep { offset } | ScriptError::Syntax { offset, .. } => *offset,
        }
    }
}

/// What a script of a bundle leaves for others of it to be read by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BundlePiece {
    /// The path of a file of Next.js, which its folder goes before.
    NextPath(Box<str>, Range<u32>),
    /// An entry of a list of Vite, which the base goes before.
    ViteEntry(Box<str>, Range<u32>),
    /// The base of a bundle of Vite.
    ViteBase(Box<str>),
    /// webpack's; a script leaves one at most.
    Webpack(Box<Part>),
}

/// A script, as a part of a bundle.
pub struct Bundled {
    /// What it says.
    pub script: Arc<Script>,
    /// The path of its URL; of its page's, where it stands in one.
    pub path: String,
    /// Whether a page runs it by itself.
    pub is_entry: bool,
}
