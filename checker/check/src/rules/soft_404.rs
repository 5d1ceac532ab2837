//! `soft-404`: the server does not answer 404 for an unknown path.

use super::messages::shorten;
use super::queries::start_page_location;
use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "soft-404",
    category: Category::Live,
    default: Severity::Error,
    summary: "the server does not answer 404 for an unknown path",
    why: "Search engines index every broken link as a page of the site, and link checkers cannot detect broken \
          links. The server must answer unknown paths with 404 or 410 (RFC 9110, 15.5.5) and the not-found page. \
          Checked on live sites only.",
    bad: r"live:
  unknown 200
index.html:
  <h1>Prices</h1>",
    good: r"live:
  unknown 404
index.html:
  <h1>Prices</h1>",
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let Some(live) = index.site.live() else { return };
    let Some(answer) = &live.server_behavior.unknown_path else { return };
    let message = match (&answer.leads_to, answer.status) {
        (_, 404 | 410) => return,
        (Some(to), _) => format!(
            "soft 404: the server redirects an unknown path to `{}` instead of answering 404",
            shorten(to)
        ),
        (None, status) => {
            format!("soft 404: the server answers an unknown path with {status} instead of 404")
        }
    };
    let location = start_page_location(live, index.site.tree);
    let finding = RawFinding::new(&INFO, location, message);
    found.push(
        finding.help("configure the server to answer unknown paths with status 404 and the not-found page"),
    );
}
