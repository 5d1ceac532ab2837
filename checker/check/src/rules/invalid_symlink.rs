//! `invalid-symlink`: a symbolic link that points out of the export, to a missing file, to its own folder, or to itself.

use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, DocumentId, RawFinding, RuleInfo, Severity};
use crate::walk::StrayKind;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-symlink",
    category: Category::Files,
    default: Severity::Error,
    summary: "a symbolic link points out of the export, to a missing file, or to its own folder",
    why: "It works on the machine that built the site, and is missing or broken after the upload. Links to files \
          inside the export are followed.",
    bad: "$ ln -s ../../design/logo.svg logo.svg",
    good: "$ ln -s images/logo.svg logo.svg",
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for stray in &index.site.tree.strays {
        let (fault, help) = match stray.kind {
            StrayKind::LinkOutside => (
                "which is outside of the export, and is lost on upload",
                "replace it with a copy of its target",
            ),
            StrayKind::LinkDangling => ("which does not exist", "build its target, or remove the link"),
            StrayKind::LinkLoop => ("which loops", "point it to the file that is meant, or remove it"),
            StrayKind::LinkCycle => {
                ("which is a folder that contains it", "remove it: its paths would have no end")
            }
            StrayKind::Special => continue,
        };
        let target = stray.target.as_deref().unwrap_or("?");
        let message = format!("`{}` is a symbolic link to `{}`, {fault}", stray.path, shorten(target));
        found.push(RawFinding::new(&INFO, DocumentId::Path(stray.path.clone()), message).help(help));
    }
}
