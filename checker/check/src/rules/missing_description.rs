//! `missing-description`: a page without a description.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-description",
    category: Category::Metadata,
    default: Severity::Off,
    summary: "a page has no description",
    why: "Search engines and link previews show the description under the title. Without one they pick text from the \
          page. Off by default, since documentation seldom has descriptions.",
    bad: "<title>Prices</title>",
    good: r#"<title>Prices</title>
<meta name="description" content="What each plan costs, and what it includes.">"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let about = &view.facts.metadata;
    if view.is_document() && !about.has_description && about.noindex.is_none() {
        found.push(RawFinding::new(&INFO, view.file, "this page has no description"));
    }
}
