//! `broken-external-link`: an external link that is broken.

use super::messages::shorten;
use super::rule::Registered;
use crate::external::ExternalVerdict;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-external-link",
    category: Category::External,
    default: Severity::Error,
    summary: "an external link is broken",
    why: "Readers get an error page, or no page: the page was removed, the host is gone, or its certificate is \
          invalid. Temporary failures, such as a lost connection, were retried first. Checked only with \
          `--external`.",
    bad: r#"external:
  https://www.example.org/guide broken it answers 404 Not Found
example.html:
  <a href="https://www.example.org/guide">The guide</a>"#,
    good: r#"external:
  https://www.example.org/guide there
example.html:
  <a href="https://www.example.org/guide">The guide</a>"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for (link, url, answer) in index.external.answered() {
        let ExternalVerdict::Broken(reason) = &answer.verdict else { continue };
        let message = format!("broken external link: `{}`: {reason}", shorten(url.as_str()));
        found.push(RawFinding::reference(&INFO, (link.file, &link.span), message));
    }
}
