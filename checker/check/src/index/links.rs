//! Pairs the references of one file with their targets.

use std::collections::BTreeMap;

use crate::parse::{Facts, Reference};
use crate::resolve::Target;
use crate::resolve::suggestion::Suggestion;
use crate::walk::FileId;

/// The targets of the references of one file, in their order.
#[derive(Debug, Default)]
pub struct Links {
    /// One target for each reference.
    pub targets: Vec<Target>,
    /// Suggestions for broken references, by index.
    pub suggestions: BTreeMap<usize, Suggestion>,
    /// Indexes of the references that are not simply the path of an existing file.
    /// Nearly all references are, so rules about unusual references only read these.
    pub unusual: Vec<u32>,
    /// Number of references that were resolved.
    pub resolved: usize,
}

impl Links {
    /// Returns the references with their targets.
    pub fn with_targets<'f>(
        &'f self,
        facts: &'f Facts,
    ) -> impl Iterator<Item = (&'f Reference, Target)> + Clone + 'f {
        facts.references.iter().zip(self.targets.iter().copied())
    }

    /// Returns the file that a reference resolves to, by its index.
    pub fn file(&self, index: usize) -> Option<FileId> {
        match self.targets.get(index) {
            Some(Target::File { file, .. }) => Some(*file),
            _ => None,
        }
    }
}
