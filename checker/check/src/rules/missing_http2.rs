//! `missing-http2`: a server does not support HTTP/2.

use super::queries::start_page_location;
use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-http2",
    category: Category::Live,
    default: Severity::Warn,
    summary: "the server does not support HTTP/2",
    why: "Without HTTP/2 a page and its files share a few connections, one response after the other. HTTP/2 sends \
          them in parallel (RFC 9113). Checked on live https sites only.",
    bad: r"live:
  http 1
index.html:
  <h1>Prices</h1>",
    good: r"live:
  http 2
index.html:
  <h1>Prices</h1>",
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let Some(live) = index.site.live() else { return };
    if live.server_behavior.speaks_http2 == Some(false) {
        let location = start_page_location(live, index.site.tree);
        found.push(RawFinding::new(&INFO, location, "the server does not support HTTP/2"));
    }
}
