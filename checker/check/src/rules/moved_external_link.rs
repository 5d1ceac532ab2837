//! `moved-external-link`: another host says that an address has moved for good.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::external::ExternalVerdict;
use crate::index::Index;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "moved-external-link",
    category: Category::External,
    default: Severity::Warn,
    summary: "another host says that an address has moved for good",
    why: "It still leads there, by a redirect (301 or 308), which costs readers time and will not be kept for ever. \
          The host itself names the new address. Asked only with `--external`.",
    bad: r#"elsewhere:
  http://www.example.org/old moved https://www.example.org/new
example.html:
  <a href="http://www.example.org/old">The standard</a>"#,
    good: r#"elsewhere:
  https://www.example.org/new there
example.html:
  <a href="https://www.example.org/new">The standard</a>"#,
};

pub(super) static RULE: Registered = Registered::of::<MovedExternalLink>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct MovedExternalLink {}

impl Rule for MovedExternalLink {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        for (link, url, answer) in index.external.answered() {
            let ExternalVerdict::Moved(to) = &answer.verdict else { continue };
            // The fragment goes along, as browsers have it.
            let fragment = url.fragment().map(|fragment| format!("#{fragment}")).unwrap_or_default();
            let location = Location::in_file(link.file, link.span.clone());
            let message = format!("`{}` has moved for good", shown(url.as_str()));
            let help = format!("link to `{to}{fragment}`");
            found.push(RawFinding::reference(&INFO, location, message).help(help));
        }
    }
}
