//! `unmatched-speculation-rule`: a speculation rule that names what no page has.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::index::Index;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unmatched-speculation-rule",
    category: Category::Links,
    default: Severity::Warn,
    summary: "a speculation rule names an address or a pattern that no page has",
    why: "The browser fetches a 404 page ahead of time, or nothing at all, and the page that was meant is as slow as \
          before (WICG Speculation Rules).",
    bad: r#"<script type="speculationrules">{"prefetch": [{"urls": ["/pricng/"]}]}</script>"#,
    good: r#"<script type="speculationrules">{"prefetch": [{"urls": ["/pricing/"]}]}</script>"#,
};

pub(super) static RULE: Registered = Registered::of::<UnmatchedSpeculationRule>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UnmatchedSpeculationRule {}

impl Rule for UnmatchedSpeculationRule {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        for idle in &index.scripts.unmatched_speculations {
            let what = if idle.is_pattern { "matches no page" } else { "leads nowhere" };
            let message = format!("`{}` {what}, so this rule does nothing", shown(&idle.text));
            found.push(RawFinding::new(&INFO, Location::in_file(idle.file, idle.span.clone()), message));
        }
    }
}
