//! `missing-https-redirect`: a site does not redirect http to https.

use super::queries::start_page_location;
use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-https-redirect",
    category: Category::Live,
    default: Severity::Warn,
    summary: "the site does not redirect http to https",
    why: "Visitors who enter the host without `https://` may use an unencrypted connection, and search engines see \
          two sites. Checked on live https sites only. A server that does not answer http requests is fine.",
    bad: r"live:
  plain 200
index.html:
  <h1>Prices</h1>",
    good: r"live:
  certificate 60
index.html:
  <h1>Prices</h1>",
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let Some(live) = index.site.live() else { return };
    let Some(status) = live.server_behavior.plain_status else { return };
    let location = start_page_location(live, index.site.tree);
    let message = format!("no redirect to https: the start page answers http requests with status {status}");
    let finding = RawFinding::new(&INFO, location, message);
    found.push(finding.help("redirect every http URL to the same URL with https"));
}
