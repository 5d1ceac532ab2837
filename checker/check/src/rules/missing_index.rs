//! `missing-index`: a link to a folder without an index document.

use super::broken_reference::broken_reference_finding;
use super::queries::broken_references;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Reason;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-index",
    category: Category::Links,
    default: Severity::Error,
    summary: "a link points to a folder without index.html",
    why: "Static hosts serve a folder's index document. Without one they answer 404 or 403, or list the files of the \
          folder.",
    bad: r#"index.html:
  <a href="/downloads/">Downloads</a>
downloads/prices.csv:
  Basic,10"#,
    good: r#"index.html:
  <a href="/downloads/">Downloads</a>
downloads/prices.csv:
  Basic,10
downloads/index.html:
  <a href="prices.csv">Prices</a>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let links = broken_references(view)
        .filter(|(_, link, why)| link.kind.role().is_link() && *why == Reason::NoIndex);
    found.extend(links.map(|link| broken_reference_finding(&INFO, view, link, "broken link")));
}
