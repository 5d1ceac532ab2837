//! What a script loads: by which construct, relative to what, and how much depends on it.

use std::ops::Range;

/// The construct that loads a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LoadKind {
    /// A file that a bundler gave an address, such as an image.
    Asset,
    /// A chunk of a bundle.
    Chunk,
    /// Data of a page that a framework fetches.
    Data,
    /// `import("…")`.
    DynamicImport,
    /// `fetch("…")`.
    Fetch,
    /// A static `import`, or a re-export.
    Import,
    /// `importScripts("…")`.
    ImportScripts,
    /// `new URL("…", import.meta.url)`.
    NewUrl,
    /// An entry of a service worker's list of files to cache.
    Precache,
    /// A file that a bundler preloads together with a chunk.
    Preload,
    /// `import.meta.resolve("…")`.
    Resolve,
    /// `navigator.serviceWorker.register("…")`.
    ServiceWorker,
    /// A `sourceMappingURL` comment.
    SourceMap,
    /// A style sheet of a chunk.
    Style,
    /// `new Worker("…")` and `addModule("…")`.
    Worker,
}

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
    pub kind: LoadKind,
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
