//! `broken-external-anchor`: a page elsewhere has no such place.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::contract::pattern::Pattern;
use crate::index::Index;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-external-anchor",
    category: Category::External,
    default: Severity::Warn,
    summary: "a page elsewhere has no such place",
    why: "The page is there, but nothing in it has the id that the fragment names, so that readers land at its top. Where \
          scripts write the whole page, where the fragment is a route (`#/`, `#!`) or where the host is known to make it by a \
          script, nobody can tell, and nothing is said. For others that a script makes, the option `ignore` takes regular \
          expressions of fragments that are not looked up. Asked only with `--external`.",
    bad: r#"elsewhere:
  https://www.example.org/guide without #install
example.html:
  <a href="https://www.example.org/guide#install">How to install it</a>"#,
    good: r#"elsewhere:
  https://www.example.org/guide there
example.html:
  <a href="https://www.example.org/guide#install">How to install it</a>"#,
};

pub(super) static RULE: Registered = Registered::of::<BrokenExternalAnchor>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct BrokenExternalAnchor {
    /// Fragments, as URLs write them and without `#`, that are not looked up.
    ignore: Vec<Pattern>,
}

impl Rule for BrokenExternalAnchor {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        for (link, url, answer) in index.external.answered() {
            let Some(fragment) = url.fragment().filter(|asked| answer.missing.contains(*asked)) else {
                continue;
            };
            if self.ignore.iter().any(|pattern| pattern.is_match(fragment)) {
                continue;
            }
            let location = Location::in_file(link.file, link.span.clone());
            let message = format!(
                "nothing in the page has the id `{}`, which `{}` asks for",
                shown(fragment),
                shown(url.as_str())
            );
            found.push(RawFinding::reference(&INFO, location, message));
        }
    }
}
