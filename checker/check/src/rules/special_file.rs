//! `special-file`: the export contains a FIFO, socket or device.

use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, DocumentId, RawFinding, RuleInfo, Severity};
use crate::walk::StrayKind;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "special-file",
    category: Category::Files,
    default: Severity::Error,
    summary: "the export contains a FIFO, socket or device",
    why: "It cannot be published, and reading it may block forever. It is not opened, and links to it are broken.",
    bad: "$ mkfifo updates",
    good: r"$ mkfifo updates
$ rm updates",
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for stray in index.site.tree.strays.iter().filter(|stray| stray.kind == StrayKind::Special) {
        let message = "not a regular file: it cannot be published";
        found.push(RawFinding::new(&INFO, DocumentId::Path(stray.path.clone()), message));
    }
}
