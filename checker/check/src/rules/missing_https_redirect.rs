//! `missing-https-redirect`: a site answers by http without leading to https.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::start_of_site;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-https-redirect",
    category: Category::Live,
    default: Severity::Warn,
    summary: "a site answers by http without leading to https",
    why: "Whoever types its name without `https://` may read and send everything in the open, and search engines see two sites. Asked of live \
          sites by https only; a server that does not answer by http at all is in order.",
    bad: r"live:
  plain 200
index.html:
  <h1>Prices</h1>",
    good: r"live:
  certificate 60
index.html:
  <h1>Prices</h1>",
};

pub(super) static RULE: Registered = Registered::of::<MissingHttpsRedirect>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MissingHttpsRedirect {}

impl Rule for MissingHttpsRedirect {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let Some(live) = index.site.live() else { return };
        let Some(status) = live.server_behavior.plain_status else { return };
        let location = start_of_site(live, index.site.tree);
        let message = format!("by http the start page is answered with {status}, and nothing leads to https");
        found.push(
            RawFinding::new(&INFO, location, message)
                .help("redirect every address by http to the same one by https"),
        );
    }
}
