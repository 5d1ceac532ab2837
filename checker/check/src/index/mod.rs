//! The index: facts of all files, joined. Who defines, who uses, what leads nowhere. Findings and their words never
//! enter here.

pub(crate) mod anchors;
pub mod external_references;
pub mod hosts;
pub mod integrity;
pub(crate) mod join;
pub mod links;
pub mod loads;
pub mod needs;
pub mod pages;
pub mod quotes;
pub(crate) mod replace;
pub mod scripts;
pub mod shared;
pub mod site;
pub mod usage;
pub mod view;

use std::collections::HashMap;

use crate::parse::{Damage, InlineIgnore};
use crate::walk::FileId;
use anchors::Dangling;
use external_references::ExternalReferences;
use hosts::Hosts;
use integrity::BrokenClaim;
use loads::{Loads, Weight};
use pages::Pages;
use quotes::TextFragment;
use scripts::Scripts;
use shared::SharedValue;
use site::Site;
use usage::Usage;

/// Everything that was learnt from all files.
pub struct Index<'a> {
    /// The site.
    pub site: &'a Site<'a>,
    /// Fragments that lead nowhere.
    pub dangling: Dangling,
    /// Text fragments that quote what their pages do not say, in the order of places; only where a rule needs them.
    pub unanswered: Vec<TextFragment>,
    /// The files that pages and style sheets make a browser load; only where a rule needs them.
    pub loads: Loads,
    /// What files weigh; only those that a rule needs.
    pub weights: HashMap<FileId, Weight>,
    /// What scripts load.
    pub scripts: Scripts,
    /// Values to be compared across pages, in the order of places.
    pub shared: Vec<SharedValue>,
    /// What pages say of themselves.
    pub pages: Pages,
    /// The hosts outside the site; only where a rule needs them.
    pub hosts: Hosts,
    /// The references that lead to other hosts, and what those answered; only where somebody asks them.
    pub external: ExternalReferences,
    /// The files that are not what their names say, in order; only where a rule needs them.
    pub damaged: Vec<(FileId, Damage)>,
    /// The `integrity` attributes that do not hold, in the order of places.
    pub broken_claims: Vec<BrokenClaim>,
    /// How each file is referred to.
    pub usage: Usage,
    /// The exceptions that are written in files, in the order of places.
    pub ignores: Vec<(FileId, InlineIgnore)>,
    /// How many references were resolved.
    pub links: usize,
}

impl Index<'_> {
    /// Counts what scripts load.
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
