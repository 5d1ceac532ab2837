//! `missing-title`: a page without a title.

use super::rule::Registered;
use crate::index::Index;
use crate::index::pages::Untitled;
use crate::index::usage::Usage;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::walk::FileId;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-title",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "a page has no title",
    why: "Tabs, bookmarks, search results and screen readers show the title. Not checked: pages shown in a frame, an \
          application's shell (200.html), and, on a site with scripts, pages without links that no sitemap lists, \
          because scripts show them. (HTML 4.2.2, WCAG 2.4.2.)",
    bad: r#"<head><meta charset="utf-8"></head>"#,
    good: r#"<head><meta charset="utf-8"><title>Prices – Acme</title></head>"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for facts in &index.pages.entries {
        let Some(untitled) = facts.untitled else { continue };
        if is_partial(facts.file, index) {
            continue;
        }
        let (at, message) = match untitled {
            Untitled::None => (0, "this page has no title"),
            Untitled::Empty(at) => (at, "the title is empty"),
        };
        found.push(RawFinding::new(&INFO, (facts.file, at..at), message));
    }
}

/// Returns whether a page is shown inside another: in a frame, or by a script if nothing links to it.
fn is_partial(page: FileId, index: &Index<'_>) -> bool {
    let usage = &index.usage;
    let is_start = index.site.tree.home() == Some(page);
    usage.has(page, Usage::FRAMED)
        || index.site.is_shell(page)
        || (index.scripts.read > 0
            && !is_start
            && !index.site.is_not_found_page(page)
            && !usage.has(page, Usage::LINKED)
            && !usage.has(page, Usage::LISTED))
}
