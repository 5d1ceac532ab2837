//! The index: the joined facts of all files. It knows which file defines and uses what, and which references are
//! broken.
//! It contains no findings and no messages.

pub mod external_references;
pub mod file_claims;
pub(crate) mod fragments;
pub(crate) mod inventory;
pub(crate) mod join;
pub mod loads;
pub mod needs;
pub mod pages;
pub mod policies;
pub mod relative;
pub mod scripts;
pub mod site;
pub mod text_fragments;
pub mod usage;
pub mod view;

use std::collections::BTreeMap;

use crate::parse::{Damage, InlineIgnore};
use crate::walk::FileId;
use external_references::{ExternalReferences, Hosts};
use file_claims::{BrokenIntegrity, WrongImage};
use fragments::{Anchors, BrokenFragments};
use inventory::InventoryFacts;
use loads::{FileSize, Loads};
use pages::{Pages, SharedValue};
use policies::PolicyViolations;
use relative::RelativeReference;
use scripts::Scripts;
use site::Site;
use text_fragments::TextFragment;
use usage::Usage;

/// The joined facts of a site.
pub struct Index<'a> {
    /// The site.
    pub site: &'a Site<'a>,
    /// The ids of all pages.
    pub(crate) anchors: &'a Anchors,
    /// References with a missing fragment.
    pub dangling: BrokenFragments,
    /// Text fragments whose page does not contain the text, in the order of locations. Filled only if a rule needs
    /// them.
    pub unanswered: Vec<TextFragment>,
    /// Files that pages and style sheets make a browser load. Filled only if a rule needs them.
    pub loads: Loads,
    /// Sizes of the files that a rule needs.
    pub sizes: BTreeMap<FileId, FileSize>,
    /// Scripts and what they load.
    pub scripts: Scripts,
    /// Values to compare across pages, in the order of locations.
    pub shared: Vec<SharedValue>,
    /// Properties of pages.
    pub pages: Pages,
    /// Relative references of pages that links may open at addresses in other folders, in the order of locations.
    pub relative: Vec<RelativeReference>,
    /// External hosts. Filled only if a rule needs them.
    pub hosts: Hosts,
    /// References to external URLs, and their answers. Filled only if external links are checked.
    pub external: ExternalReferences,
    /// Files whose content does not match their extension, in order. Filled only if a rule needs them.
    pub damaged: Vec<(FileId, Damage)>,
    /// `integrity` values that do not match, in the order of locations.
    pub integrity_mismatches: Vec<BrokenIntegrity>,
    /// Images that are not what their readers need, in the order of locations.
    pub wrong_images: Vec<WrongImage>,
    /// Violations of policies. Filled only if a rule needs them.
    pub policies: PolicyViolations,
    /// Usage of each file.
    pub usage: Usage,
    /// Comments in files that ignore findings, in the order of locations.
    pub ignores: Vec<(FileId, InlineIgnore)>,
    /// Number of references that were resolved.
    pub links: usize,
    /// The facts of an inventory. Filled only if one is needed.
    pub(crate) inventory: InventoryFacts,
}

impl Index<'_> {
    /// Whether a page, or the page that it redirects to, has an id (decoded).
    pub(crate) fn has_anchor(&self, file: FileId, id: &str) -> bool {
        self.dangling.has_anchor(self.anchors, file, id)
    }

    /// Adds the loads of scripts to the counts.
    pub(crate) fn add_scripts(&mut self, scripts: &Scripts) {
        for (file, kind, target) in &scripts.used {
            self.usage.add_load(*file, *kind, *target);
        }
        for (file, target) in &scripts.loaded {
            self.loads.add_load(*file, *target);
        }
        self.links += scripts.links;
    }
}
