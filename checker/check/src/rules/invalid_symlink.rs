//! `invalid-symlink`: a symbolic link in the export that leads out of it, to nothing, or to itself.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::raw_finding::{Category, DocumentId, Location, RawFinding, RuleInfo, Severity};
use crate::walk::StrayKind;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-symlink",
    category: Category::Files,
    default: Severity::Error,
    summary: "a symbolic link leads out of the export, to nothing, or round in a circle",
    why: "It works on the machine that built the site and vanishes, or breaks, on upload. Links to files \
          inside the export are followed.",
    bad: "$ ln -s ../../design/logo.svg logo.svg",
    good: "$ ln -s images/logo.svg logo.svg",
};

pub(super) static RULE: Registered = Registered::of::<InvalidSymlink>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct InvalidSymlink {}

impl Rule for InvalidSymlink {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        for stray in &index.site.tree.strays {
            let message = match stray.kind {
                StrayKind::LinkOutside => "this link leads out of the export, and vanishes on upload",
                StrayKind::LinkDangling => "this link leads to nothing",
                StrayKind::LinkCycle => "this link leads to a directory that it lies in",
                StrayKind::Special => continue,
            };
            let location = Location { document: DocumentId::Path(stray.path.clone()), span: 0..0 };
            found.push(RawFinding::new(&INFO, location, message).help("put a copy of the file in its place"));
        }
    }
}
