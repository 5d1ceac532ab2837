//! Facts of one script, as [`crate::parse::Facts`] are those of a file.

use std::ops::Range;
use std::sync::Arc;

use super::bundlers::webpack::part::Part;
use super::load::ScriptLoad;

/// What one script says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// What it loads, in the order of places.
    pub loads: Vec<ScriptLoad>,
    /// The imports whose address is only known when they run.
    pub computed: Vec<Range<u32>>,
    /// The first words that only a module may have.
    pub module_syntax: Option<Range<u32>>,
    /// Why it cannot be read, and where.
    pub unreadable: Option<(String, u32)>,
    /// What its bundler left for other scripts of the same bundle to be read by.
    pub pieces: Vec<BundlePiece>,
}

/// What a script of a bundle leaves for others of it to be read by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BundlePiece {
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
