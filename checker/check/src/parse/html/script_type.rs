//! What a script element may hold, and what is remembered from one to the next.

use std::collections::HashSet;

use sitegate_script::Goal;

/// What a script element holds, by its `type` (HTML, "prepare the script element").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScriptType {
    Run(Goal),
    ImportMap,
    SpeculationRules,
    JsonLd,
    Data,
}

/// The addresses that a page of Next.js has named so far.
#[derive(Default)]
pub(super) struct NamedChunks {
    /// The references that were looked at.
    pub(super) references: usize,
    /// The folder of Next.js' own files.
    pub(super) folder: Option<String>,
    pub(super) addresses: HashSet<String>,
}
