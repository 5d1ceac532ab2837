//! Defines the facts of a script.

use std::ops::Range;
use std::sync::Arc;

use super::amd::AmdScript;
use super::bundlers::webpack::webpack_script::WebpackScript;
use super::load::ScriptLoad;

/// The loads of a script, and other facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Loads, by position.
    pub loads: Vec<ScriptLoad>,
    /// Imports with a computed URL, in bytes of the script.
    pub computed: Vec<Range<u32>>,
    /// Service workers that are registered for a scope.
    pub worker_scopes: Vec<WorkerScope>,
    /// The first syntax that is only valid in a module.
    pub module_syntax: Option<Range<u32>>,
    /// The error, if the script cannot be parsed.
    pub unreadable: Option<ScriptError>,
    /// AMD modules and their configuration.
    pub(crate) amd: Option<Box<AmdScript>>,
    /// Facts for other scripts of the same bundle.
    pub(crate) bundle_facts: Vec<BundleFact>,
}

/// A service worker that is registered for a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerScope {
    /// The URL of its script, as written.
    pub script: Box<str>,
    /// The URL of its scope, as written.
    pub scope: Box<str>,
    /// Location of the scope, in bytes of the script.
    pub span: Range<u32>,
}

impl Script {
    /// Returns the AMD modules of the script and their configuration.
    pub fn amd(&self) -> Option<&AmdScript> {
        self.amd.as_deref()
    }

    /// Whether an import with a computed URL is that of a search by Pagefind.
    pub fn imports_search(&self, import: &Range<u32>) -> bool {
        self.bundle_facts.iter().any(|fact| match fact {
            BundleFact::Pagefind(PagefindPart::Interface, span) => {
                import.start <= span.start && span.end <= import.end
            }
            _ => false,
        })
    }

    /// Whether it is a part of a bundle. Then [`loads_of_bundles`](crate::loads_of_bundles) may find more of its
    /// loads.
    pub fn is_in_bundle(&self) -> bool {
        !self.bundle_facts.is_empty()
    }
}

/// The reason why a script cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// Parsing it would take more stack than [`STACK_SIZE`](crate::STACK_SIZE).
    #[error("it is nested too deeply to be read")]
    TooDeep {
        /// Offset of the nesting, in bytes of the script.
        offset: u32,
    },
    /// It is not a script, or has syntax that the parser does not support.
    #[error("{reason}")]
    Syntax {
        /// The parser's message.
        reason: String,
        /// Offset of the error, in bytes of the script.
        offset: u32,
    },
}

impl ScriptError {
    /// Returns the offset of the error, in bytes of the script.
    pub fn offset(&self) -> u32 {
        match self {
            ScriptError::TooDeep { offset } | ScriptError::Syntax { offset, .. } => *offset,
        }
    }
}

/// A fact that a script contributes to its bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BundleFact {
    /// A part of a search by Pagefind.
    Pagefind(PagefindPart, Range<u32>),
    /// A partial path of a Next.js file, to be appended to its folder.
    NextPath(Box<str>, Range<u32>),
    /// A chunk of Stencil's components.
    StencilChunk(Box<str>, Range<u32>),
    /// The runtime of Stencil, which imports the chunks.
    StencilRuntime,
    /// An entry of a Vite list, to be appended to the base.
    ViteEntry(Box<str>, Range<u32>),
    /// The base of a Vite bundle.
    ViteBase(Box<str>),
    /// Facts about a webpack build; at most one per script.
    Webpack(Box<WebpackScript>),
}

/// The part of a search that a script is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PagefindPart {
    /// The interface, which imports `pagefind.js`.
    Interface,
    /// `pagefind.js`, which reads `pagefind-entry.json`.
    Engine,
    /// A setting of the folder.
    Folder(Box<str>),
}

/// A script as a part of a bundle.
pub struct BundledScript {
    /// Its facts.
    pub script: Arc<Script>,
    /// Path of its URL; for an inline script, of its page's URL.
    pub path: String,
    /// Whether a page runs it directly.
    pub is_entry: bool,
}
