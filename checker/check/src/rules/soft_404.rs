//! `soft-404`: an unknown path is not answered with 404.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::{shown, start_of_site};
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "soft-404",
    category: Category::Live,
    default: Severity::Error,
    summary: "an unknown path is not answered with 404",
    why: "Search engines take each broken link for one more page of the site, and no link checker can tell which are broken. A path \
          that nobody has must be answered with 404, or 410 (RFC 9110, 15.5.5), and with the page that says so. Asked of live \
          sites only.",
    bad: r"live:
  unknown 200
index.html:
  <h1>Prices</h1>",
    good: r"live:
  unknown 404
index.html:
  <h1>Prices</h1>",
};

pub(super) static RULE: Registered = Registered::of::<Soft404>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Soft404 {}

impl Rule for Soft404 {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let Some(live) = index.site.live() else { return };
        let Some(answer) = &live.server_behavior.unknown_path else { return };
        let message = match (&answer.leads_to, answer.status) {
            (_, 404 | 410) => return,
            (Some(to), _) => format!(
                "a path that is not there is redirected to `{}` instead of answered with 404",
                shown(to)
            ),
            (None, status) => format!("a path that is not there is answered with {status} instead of 404"),
        };
        let location = start_of_site(live, index.site.tree);
        found.push(
            RawFinding::new(&INFO, location, message)
                .help("let the server answer unknown paths with status 404 and the not-found page"),
        );
    }
}
