//! `unmatched-speculation-rule`: a speculation rule that matches no page.

use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unmatched-speculation-rule",
    category: Category::Links,
    default: Severity::Warn,
    summary: "a speculation rule has a URL or pattern that matches no page",
    why: "The browser prefetches a 404 page, or nothing, and the intended page does not load faster. (WICG \
          Speculation Rules.)",
    bad: r#"<script type="speculationrules">{"prefetch": [{"urls": ["/pricng/"]}]}</script>"#,
    good: r#"<script type="speculationrules">{"prefetch": [{"urls": ["/pricing/"]}]}</script>"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for idle in &index.scripts.unmatched_speculations {
        let what = if idle.is_pattern { "matches no page" } else { "does not exist" };
        let message = format!("ineffective speculation rule: `{}` {what}", shorten(&idle.text));
        found.push(RawFinding::new(&INFO, (idle.file, &idle.span), message));
    }
}
