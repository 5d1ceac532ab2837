//! Defines the types of script elements, and the state that is shared between script elements of a page.

use std::collections::HashSet;

use sitegate_script::Goal;

/// The type of a script element (HTML, "prepare the script element").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScriptType {
    Run(Goal),
    ImportMap,
    SpeculationRules,
    JsonLd,
    Data,
}

/// The chunks that a page of Next.js refers to.
#[derive(Default)]
pub(super) struct NamedChunks {
    /// Number of references that were added.
    pub(super) references: usize,
    /// The folder of Next.js' own files.
    pub(super) folder: Option<String>,
    pub(super) addresses: HashSet<String>,
}
