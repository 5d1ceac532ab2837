//! `broken-link`: a link to a page or file that is not in the export.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::{dead, missing};
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Reason;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-link",
    category: Category::Links,
    default: Severity::Error,
    summary: "a link leads to a page or file that is not in the export",
    why: "Readers who follow it get the 404 page. The path is resolved as the URL standard says, against the \
          document's base URL, and compared byte for byte with the names in the export, as hosts do.",
    bad: r#"<a href="/pricng/">Pricing</a>"#,
    good: r#"<a href="/pricing/">Pricing</a>"#,
};

pub(super) static RULE: Registered = Registered::of::<BrokenLink>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BrokenLink {}

impl Rule for BrokenLink {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        let links =
            missing(view).filter(|(_, link, why)| link.kind.role().is_link() && *why != Reason::NoIndex);
        found.extend(
            links.map(|link| dead(&INFO, view, link, |link, why| format!("`{link}` leads nowhere: {why}"))),
        );
    }
}
