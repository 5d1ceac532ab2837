//! `wrong-header`: a live answer does not have the headers that the contract sets.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::contract::headers::{UnlikeHeader, unlike};
use crate::index::Index;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "wrong-header",
    category: Category::Live,
    default: Severity::Error,
    summary: "a live answer does not have the headers that the contract sets",
    why: "What `[[headers]]` says of security and caching protects nobody if the server does not send it. Every answer of a live site is \
          compared, name by name.",
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

pub(super) static RULE: Registered = Registered::of::<WrongHeader>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WrongHeader {}

impl Rule for WrongHeader {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let Some(live) = index.site.live() else { return };
        for file in index.site.tree.ids() {
            let Some(answer) = live.files.get(index.site.tree.path(file)) else { continue };
            let set = index.site.contract.headers_for(&format!("/{}", index.site.tree.display(file)));
            for UnlikeHeader { name, found: sent, wanted } in unlike(&set, |name| answer.header(name)) {
                let message = match sent.as_str() {
                    "" => format!("there is no header `{name}`; the contract sets it to `{}`", shown(wanted)),
                    sent => {
                        format!("the header `{name}` is `{}` instead of `{}`", shown(sent), shown(wanted))
                    }
                };
                found.push(RawFinding::new(&INFO, Location::in_file(file, 0..0), message));
            }
        }
    }
}
