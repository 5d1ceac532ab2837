//! `missing-http2`: a server speaks no HTTP/2.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::start_of_site;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-http2",
    category: Category::Live,
    default: Severity::Warn,
    summary: "a server speaks no HTTP/2",
    why: "A page and what it loads then share a few connections, one answer after the other, where HTTP/2 sends all at once (RFC 9113). Asked \
          of live sites by https only.",
    bad: r"live:
  http 1
index.html:
  <h1>Prices</h1>",
    good: r"live:
  http 2
index.html:
  <h1>Prices</h1>",
};

pub(super) static RULE: Registered = Registered::of::<MissingHttp2>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MissingHttp2 {}

impl Rule for MissingHttp2 {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let Some(live) = index.site.live() else { return };
        if live.server_behavior.speaks_http2 == Some(false) {
            let location = start_of_site(live, index.site.tree);
            found.push(RawFinding::new(&INFO, location, "the server speaks no HTTP/2"));
        }
    }
}
