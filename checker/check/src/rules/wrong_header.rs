//! `wrong-header`: a live response lacks a header that the contract sets.

use super::messages::shorten;
use super::rule::Registered;
use crate::contract::headers::{UnlikeHeader, unlike_headers};
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "wrong-header",
    category: Category::Live,
    default: Severity::Error,
    summary: "a live response does not have the headers that the contract sets",
    why: "`[[headers]]` for security and caching have no effect if the server does not send them. Checked for every \
          response of a live site.",
    bad: r#"sitegate.toml:
  [[headers]]
  paths = ["/**"]
  set = { X-Content-Type-Options = "nosniff" }
index.html:
  <h1>Prices</h1>
live:
  ** x-frame-options: DENY"#,
    good: r#"sitegate.toml:
  [[headers]]
  paths = ["/**"]
  set = { X-Content-Type-Options = "nosniff" }
index.html:
  <h1>Prices</h1>
live:
  ** x-content-type-options: nosniff"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let Some(live) = index.site.live() else { return };
    for file in index.site.tree.ids() {
        let Some(answer) = live.files.get(index.site.tree.path(file)) else { continue };
        let set = index.site.headers_for(file);
        for UnlikeHeader { name, found: sent, wanted } in unlike_headers(&set, |name| answer.header(name)) {
            let message = match sent.as_str() {
                "" => {
                    format!("missing header: the contract sets `{name}` to `{}`", shorten(wanted))
                }
                sent => {
                    format!("wrong header: `{name}` is `{}` instead of `{}`", shorten(sent), shorten(wanted))
                }
            };
            found.push(RawFinding::new(&INFO, file, message));
        }
    }
}
