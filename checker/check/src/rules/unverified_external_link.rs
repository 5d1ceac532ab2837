//! `unverified-external-link`: an external link that could not be verified.

use super::messages::shorten;
use super::rule::Registered;
use crate::external::ExternalVerdict;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use sitegate_base::host_name::host_of;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unverified-external-link",
    category: Category::External,
    default: Severity::Warn,
    summary: "an external link could not be verified",
    why: "Some hosts block programs (401, 403, 429, 999) or do not answer in time, although the link works for \
          readers. Check such links by hand. Below `[external]`, `skip` skips URLs that are known to be blocked, and \
          `accept` lists a host's statuses that mean that the link works. Checked only with `--external`.",
    bad: r#"external:
  https://www.example.org/profile unverified it answers 403 Forbidden
example.html:
  <a href="https://www.example.org/profile">Our profile</a>"#,
    good: r#"external:
  https://www.example.org/profile there
example.html:
  <a href="https://www.example.org/profile">Our profile</a>"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for (link, url, answer) in index.external.answered() {
        let ExternalVerdict::Unverified(reason) = &answer.verdict else { continue };
        let message = format!("unverified external link: `{}`: {reason}", shorten(url.as_str()));
        found.push(RawFinding::reference(&INFO, (link.file, &link.span), message).cause(host_of(url)));
    }
}
