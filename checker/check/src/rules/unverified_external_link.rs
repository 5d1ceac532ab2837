//! `unverified-external-link`: whether an address elsewhere is there cannot be told from here.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::external::{ExternalVerdict, host_of};
use crate::index::Index;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unverified-external-link",
    category: Category::External,
    default: Severity::Warn,
    summary: "whether an address elsewhere is there cannot be told",
    why: "Some hosts keep programs out (401, 403, 429, 999), and some do not answer in time, although readers may well get \
          there. So this says nothing against the link; a look by hand does. Below `[external]`, `skip` leaves out what is known \
          to be so, and `accept` names statuses of a host that mean that all is well. Asked only with `--external`.",
    bad: r#"elsewhere:
  https://www.example.org/profile unverified it answers 403 Forbidden
example.html:
  <a href="https://www.example.org/profile">Our profile</a>"#,
    good: r#"elsewhere:
  https://www.example.org/profile there
example.html:
  <a href="https://www.example.org/profile">Our profile</a>"#,
};

pub(super) static RULE: Registered = Registered::of::<UnverifiedExternalLink>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct UnverifiedExternalLink {}

impl Rule for UnverifiedExternalLink {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        for (link, url, answer) in index.external.answered() {
            let ExternalVerdict::Unverified(reason) = &answer.verdict else { continue };
            let location = Location::in_file(link.file, link.span.clone());
            let message = format!("whether `{}` is there cannot be told: {reason}", shown(url.as_str()));
            found.push(RawFinding::reference(&INFO, location, message).cause(host_of(url)));
        }
    }
}
