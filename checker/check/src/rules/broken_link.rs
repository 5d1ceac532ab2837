//! `broken-link`: a link to a page or file that is not in the export.

use super::broken_reference::broken_reference_finding;
use super::queries::broken_references;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Reason;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-link",
    category: Category::Links,
    default: Severity::Error,
    summary: "a link points to a page or file that is not in the export",
    why: "Readers get the 404 page. The URL is resolved against the document's base URL, as the URL standard says. \
          Its path must match a name in the export byte for byte, as on hosts.",
    bad: r#"<a href="/pricng/">Pricing</a>"#,
    good: r#"<a href="/pricing/">Pricing</a>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let links = broken_references(view)
        .filter(|(_, link, _)| link.kind.role().is_link() && !link.kind.is_posted())
        .filter(|(_, _, why)| *why != Reason::NoIndex);
    found.extend(links.map(|link| broken_reference_finding(&INFO, view, link, "broken link")));
}
