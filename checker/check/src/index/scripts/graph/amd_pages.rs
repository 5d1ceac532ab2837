//! Defines the pages with AMD modules, and what is known about their dependencies.

use std::collections::{BTreeMap, HashSet};

use crate::index::scripts::entry_points::PageAmdLoader;
use crate::resolve::{Base, Target};
use sitegate_script::ScriptLoad;

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
