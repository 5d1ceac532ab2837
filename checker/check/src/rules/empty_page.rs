//! `empty-page`: an empty page.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "empty-page",
    category: Category::Content,
    default: Severity::Warn,
    summary: "a page is empty",
    why: "An interrupted build leaves empty files, and hosts serve them as blank pages with status 200.",
    bad: "about.html:",
    good: r"about.html:
  <h1>About us</h1>",
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    if view.is_page() && view.facts.metadata.is_blank {
        found.push(RawFinding::new(&INFO, view.file, "this page is empty"));
    }
}
