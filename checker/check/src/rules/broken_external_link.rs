//! `broken-external-link`: another host says that an address is not there.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::external::ExternalVerdict;
use crate::index::Index;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-external-link",
    category: Category::External,
    default: Severity::Error,
    summary: "another host says that an address is not there",
    why: "Readers who follow the link meet an error page, or nothing at all: the page was removed, the host \
          is gone, or its certificate does not hold. What may pass, such as a lost connection, was tried again before. Asked only with \
          `--external`.",
    bad: r#"elsewhere:
  https://www.example.org/guide broken it answers 404 Not Found
example.html:
  <a href="https://www.example.org/guide">The guide</a>"#,
    good: r#"elsewhere:
  https://www.example.org/guide there
example.html:
  <a href="https://www.example.org/guide">The guide</a>"#,
};

pub(super) static RULE: Registered = Registered::of::<BrokenExternalLink>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct BrokenExternalLink {}

impl Rule for BrokenExternalLink {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        for (link, url, answer) in index.external.answered() {
            let ExternalVerdict::Broken(reason) = &answer.verdict else { continue };
            let location = Location::in_file(link.file, link.span.clone());
            let message = format!("`{}` leads nowhere: {reason}", shown(url.as_str()));
            found.push(RawFinding::reference(&INFO, location, message));
        }
    }
}
