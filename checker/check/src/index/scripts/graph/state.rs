//! The parts of the graph: scripts, nodes, realms, pages with AMD modules, and the remaining steps.

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use crate::index::scripts::entry_points::PageAmdLoader;
use crate::index::scripts::specifier::SpecifierMap;
use crate::resolve::{Base, Target};
use crate::walk::FileId;
use sitegate_script::{Script, ScriptLoad};

/// A script at one location.
pub(super) struct PlacedScript {
    /// The script file, or the page that contains it.
    pub file: FileId,
    /// Its offset in the file.
    pub start: u32,
    /// The base of its references.
    pub base: Base,
    pub is_inline: bool,
    /// Whether a page runs it directly.
    pub is_entry: bool,
    /// `None` until it was read.
    pub script: Option<Arc<Script>>,
    /// Loads that other scripts of its bundle state for it.
    pub bundle_loads: Vec<ScriptLoad>,
}

/// A script in a realm.
pub(super) struct Node {
    pub realm: u32,
    pub source: u32,
    /// The first script that loads it; `None` if a page does.
    pub from: Option<u32>,
    /// The first page that runs it.
    pub page: FileId,
    pub importers: Vec<u32>,
    pub is_run_as_classic: bool,
}

/// A load whose URL is relative to the document that runs the script.
pub(super) struct DocumentLoad {
    pub node: u32,
    pub load: ScriptLoad,
}

/// A set of pages or a worker in which specifiers resolve to the same URLs.
pub(super) struct Realm {
    pub specifiers: Option<SpecifierMap>,
    /// The base of document-relative references, in a worker.
    pub document: Option<Base>,
    /// Whether the entries of its import map were added.
    pub is_map_added: bool,
}

/// A page that runs a loader.
pub(super) struct AmdPage {
    pub base: Base,
    /// The node of the page itself.
    pub page: u32,
    pub loader: PageAmdLoader,
    /// The scripts of the page.
    pub entries: Vec<u32>,
    /// Modules that the loader loads: their nodes and names.
    pub modules: Vec<(u32, String)>,
    pub loaded: HashSet<String>,
    /// Dependencies with a known target: their nodes, and their offsets.
    pub resolved: HashSet<(u32, u32)>,
}

/// The pages with AMD modules.
#[derive(Default)]
pub(super) struct AmdPages {
    pub pages: Vec<AmdPage>,
    /// Dependencies that exist on some page: their sources, and their offsets.
    pub found: HashSet<(u32, u32)>,
    /// Dependencies without a file, by source and offset.
    pub missing: BTreeMap<(u32, u32), Missing>,
}

pub(super) struct Missing {
    pub node: u32,
    pub load: ScriptLoad,
    pub target: Target,
    pub base: Base,
    pub url: String,
}

/// The remaining steps.
pub(super) struct Steps {
    remaining: Cell<usize>,
    is_exceeded: Cell<bool>,
}

impl Default for Steps {
    fn default() -> Self {
        Steps { remaining: Cell::new(Steps::LIMIT), is_exceeded: Cell::new(false) }
    }
}

impl Steps {
    /// Maximum number of steps. With 10,000 scripts these are 5,000 for each.
    const LIMIT: usize = 50_000_000;

    /// Steps to add a script to a realm.
    pub const NODE: usize = 20;

    /// Steps to resolve a URL.
    pub const ADDRESS: usize = 10;

    /// Steps to compare a script with the others of its bundle.
    pub const BUNDLED: usize = 20;

    /// Spends some steps. Returns false if there are not enough.
    pub fn spend(&self, steps: usize) -> bool {
        let remaining = self.remaining.get().checked_sub(steps);
        self.remaining.set(remaining.unwrap_or(0));
        self.is_exceeded.set(self.is_exceeded.get() || remaining.is_none());
        remaining.is_some()
    }

    /// Returns a message if the limit was reached.
    pub fn limit_message(&self) -> Option<&'static str> {
        let message = "scripts load each other in too many ways; not all of them were followed";
        self.is_exceeded.get().then_some(message)
    }
}
