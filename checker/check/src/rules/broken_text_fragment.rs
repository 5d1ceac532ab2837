//! `broken-text-fragment`: a text fragment that quotes words which the page it leads to does not have.

use percent_encoding::percent_decode_str;
use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::index::Index;
use crate::index::needs::Needs;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-text-fragment",
    category: Category::Links,
    default: Severity::Off,
    summary: "a text fragment quotes words that the page it leads to does not have",
    why: "The browser opens the page at its top and marks nothing. Words are compared whole, in upper or lower \
          case, against the text of the HTML as it is in the export, so leave the rule off where scripts write \
          the text. (WICG, URL Fragment Text Directives.)",
    bad: r#"prices.html:
  <p>The first plan is free for a month.</p>
index.html:
  <a href="/prices.html#:~:text=free%20for%20ever">Free for ever</a>"#,
    good: r#"prices.html:
  <p>The first plan is free for a month.</p>
index.html:
  <a href="/prices.html#:~:text=free%20for%20a%20month">Free for a month</a>"#,
};

pub(super) static RULE: Registered = Registered::of::<BrokenTextFragment>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BrokenTextFragment {}

impl Rule for BrokenTextFragment {
    fn needs(&self, needs: &mut Needs) {
        needs.quotes = true;
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        found.extend(index.unanswered.iter().map(|fragment| {
            let location = Location::in_file(fragment.file, fragment.span.clone());
            let quote = percent_decode_str(&fragment.directive).decode_utf8_lossy();
            let page = index.site.tree.display(fragment.target);
            let message = if fragment.is_over_limit {
                format!("{page} is quoted in so many ways that this one and others were not looked for")
            } else {
                format!("{page} does not say what `{}` quotes", shown(&quote))
            };
            RawFinding::reference(&INFO, location, message)
        }));
    }
}
