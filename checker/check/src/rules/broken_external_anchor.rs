//! `broken-external-anchor`: a page elsewhere has no such place.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::diagnostic::{Category, Diagnostic, Location, RuleInfo, Severity};
use crate::index::Index;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-external-anchor",
    category: Category::External,
    default: Severity::Warn,
    summary: "a page elsewhere has no such place",
    why: "The page is there, but nothing in it has the id that the fragment names, so that readers land at its top. A \
          script of that page may make it while it runs, which is not seen here. Asked only with `--external`.",
    bad: r##"elsewhere:
  https://www.example.org/guide without #install
example.html:
  <a href="https://www.example.org/guide#install">How to install it</a>"##,
    good: r##"elsewhere:
  https://www.example.org/guide there
example.html:
  <a href="https://www.example.org/guide#install">How to install it</a>"##,
};

pub(super) static RULE: Registered = Registered::of::<BrokenExternalAnchor>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct BrokenExternalAnchor {}

impl Rule for BrokenExternalAnchor {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<Diagnostic>) {
        for (link, url, answer) in index.elsewhere.answered() {
            let Some(fragment) = url.fragment().filter(|asked| answer.missing.contains(*asked)) else {
                continue;
            };
            let location = Location::in_file(link.file, link.span.clone());
            let message = format!(
                "nothing in the page has the id `{}`, which `{}` asks for",
                shown(fragment),
                shown(url.as_str())
            );
            found.push(Diagnostic::reference(&INFO, location, message));
        }
    }
}
