//! `broken-text-fragment`: a text fragment whose words are not on the target page.

use sitegate_address::percent;

use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-text-fragment",
    category: Category::Links,
    default: Severity::Off,
    summary: "a text fragment quotes words that are not on the target page",
    why: "The browser opens the page at its top and highlights nothing. Whole words are compared, ignoring case, \
          with the text of the exported HTML. Leave the rule off if scripts write the text. (WICG, URL Fragment Text \
          Directives.)",
    bad: r#"prices.html:
  <p>The first plan is free for a month.</p>
index.html:
  <a href="/prices.html#:~:text=free%20for%20ever">Free for ever</a>"#,
    good: r#"prices.html:
  <p>The first plan is free for a month.</p>
index.html:
  <a href="/prices.html#:~:text=free%20for%20a%20month">Free for a month</a>"#,
};

pub(super) static RULE: Registered =
    Registered::of_site(&INFO, check_site).needing(|needs| needs.quotes = true);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    found.extend(index.unanswered.iter().map(|fragment| {
        let quote = percent::decode_lossy(&fragment.directive);
        let page = index.site.tree.display(fragment.target);
        let message = if fragment.is_over_limit {
            format!("too many text fragments for {page}: this one and others were not checked")
        } else {
            format!("broken text fragment: {page} does not contain `{}`", shorten(&quote))
        };
        RawFinding::reference(&INFO, (fragment.file, &fragment.span), message)
    }));
}
