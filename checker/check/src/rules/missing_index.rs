//! `missing-index`: a link to a directory that has no index document.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::{dead, missing};
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Reason;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-index",
    category: Category::Links,
    default: Severity::Error,
    summary: "a link leads to a directory that has no index.html",
    why: "A static host serves a directory by its index document; without one it answers 404, or 403, or a \
          listing that nobody wanted to publish.",
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

pub(super) static RULE: Registered = Registered::of::<MissingIndex>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MissingIndex {}

impl Rule for MissingIndex {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        let links =
            missing(view).filter(|(_, link, why)| link.kind.role().is_link() && *why == Reason::NoIndex);
        found.extend(links.map(|link| {
            dead(&INFO, view, link, |link, _| format!("`{link}` is a directory without index.html"))
        }));
    }
}
