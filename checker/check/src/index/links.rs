//! Where the references of one file lead: pairs of reference and target.

use std::collections::BTreeMap;

use crate::parse::{Facts, Reference};
use crate::resolve::Target;
use crate::resolve::near::Near;
use crate::walk::FileId;

/// Where the references of one file lead, in their order.
#[derive(Debug, Default)]
pub struct Links {
    /// One for each reference.
    pub targets: Vec<Target>,
    /// What those that lead nowhere most likely mean, by their places.
    pub near: BTreeMap<usize, Near>,
    /// The places of those that are more than the path of a file which answers it at once. Nearly every reference is no
    /// more than that, so that rules which ask how references are written, or where else they lead, see only these.
    pub unusual: Vec<u32>,
    /// How many of them were looked up.
    pub resolved: usize,
}

impl Links {
    /// The references with their targets.
    pub fn of<'f>(&'f self, facts: &'f Facts) -> impl Iterator<Item = (&'f Reference, Target)> + Clone + 'f {
        facts.references.iter().zip(self.targets.iter().copied())
    }

    /// The file that a reference leads to, by its place.
    pub fn file(&self, index: usize) -> Option<FileId> {
        match self.targets.get(index) {
            Some(Target::File { file, .. }) => Some(*file),
            _ => None,
        }
    }
}
