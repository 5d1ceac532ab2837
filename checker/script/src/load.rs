//! Defines the loads of scripts: the construct, the base, and the consequence if the file is missing.

use std::ops::Range;

/// The construct that loads a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LoadKind {
    /// A dependency of a module of the Asynchronous Module Definition: `define(["…"])`.
    AmdDefine,
    /// A module of the Asynchronous Module Definition: `require(["…"])`.
    AmdRequire,
    /// A file that a bundler emitted, such as an image.
    Asset,
    /// A chunk of a bundle.
    Chunk,
    /// Data for a page that a framework fetches.
    Data,
    /// `import("…")`.
    DynamicImport,
    /// `fetch("…")`.
    Fetch,
    /// A static `import`, or a re-export.
    Import,
    /// An entry of an import map.
    ImportMap,
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
    /// `document.createElement("script")` with a `src`.
    ScriptElement,
    /// The index of a search.
    SearchIndex,
    /// `navigator.serviceWorker.register("…")`.
    ServiceWorker,
    /// A `sourceMappingURL` comment.
    SourceMap,
    /// A style sheet of a chunk.
    Style,
    /// `new Worker("…")`.
    Worker,
    /// `addModule("…")` of a worklet.
    Worklet,
}

/// How a script is run (ECMAScript's goal symbols).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Goal {
    /// A classic script.
    Script,
    /// A module.
    Module,
}

/// The consequence if the file is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Unknown: the URL may not be a file of the site, such as an API.
    Uncertain,
    /// The script works without it, or handles the error.
    Optional,
    /// The importing code fails.
    Required,
}

/// The base of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelativeTo {
    /// A module specifier: first an import map applies, then the script's own URL.
    Specifier,
    /// The script's own URL.
    Script,
    /// The document that runs the script, or the worker.
    Document,
    /// Unknown: any of these, or the root of the site.
    Anywhere,
    /// The document, unless the script sets another public path at run time: then only the name of the file is known.
    MovablePath,
}

/// A file that a script makes a browser load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptLoad {
    /// The construct.
    pub kind: LoadKind,
    /// The URL as written.
    pub address: Box<str>,
    /// The base of the URL.
    pub relative_to: RelativeTo,
    /// The consequence if it is missing.
    pub grade: Grade,
    /// How it is run; `None` if it is not a script.
    pub goal: Option<Goal>,
    /// Location in bytes of the script.
    pub span: Range<u32>,
}

impl ScriptLoad {
    /// A required file, relative to the document, that is not run.
    pub(crate) fn new(kind: LoadKind, address: impl Into<Box<str>>, span: Range<u32>) -> ScriptLoad {
        let (relative_to, grade) = (RelativeTo::Document, Grade::Required);
        ScriptLoad { kind, address: address.into(), relative_to, grade, goal: None, span }
    }
}
