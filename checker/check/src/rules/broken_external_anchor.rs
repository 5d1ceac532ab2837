//! `broken-external-anchor`: a fragment that matches no element of an external page.

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::shorten;
use super::rule::{Registered, Rule};
use crate::contract::patterns::Pattern;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-external-anchor",
    category: Category::External,
    default: Severity::Warn,
    summary: "the fragment of an external link matches no element of the page",
    why: "The page exists, but no element has the id in the fragment, so readers land at its top. Not reported if \
          scripts write the whole page, if the fragment is a route (`#/`, `#!`), or if the host is known to create \
          anchors by script. The option `ignore` takes regular expressions of other fragments that scripts create. \
          Checked only with `--external`.",
    bad: r#"external:
  https://www.example.org/guide without #install
example.html:
  <a href="https://www.example.org/guide#install">How to install it</a>"#,
    good: r#"external:
  https://www.example.org/guide there
example.html:
  <a href="https://www.example.org/guide#install">How to install it</a>"#,
};

pub(super) static RULE: Registered = Registered::new::<BrokenExternalAnchor>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct BrokenExternalAnchor {
    /// Regular expressions of fragments that are not checked, as in the URL, without `#`.
    ignore: Vec<Pattern>,
}

impl Rule for BrokenExternalAnchor {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        for (link, url, answer) in index.external.answered() {
            let Some(fragment) = url.fragment().filter(|fragment| answer.missing.contains(*fragment)) else {
                continue;
            };
            // The rest is a text directive.
            let id = fragment.split(":~:").next().unwrap_or_default();
            if self.ignore.iter().any(|pattern| pattern.is_match(id)) {
                continue;
            }
            let message = format!(
                "broken anchor: no element has the id `{}` in `{}`",
                shorten(id),
                shorten(url.as_str())
            );
            found.push(RawFinding::reference(&INFO, (link.file, &link.span), message));
        }
    }
}
