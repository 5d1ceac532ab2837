//! `invalid-ignore`: an exception in a page that has no effect: it says too little, or is not the page's to make.

use super::rule::Registered;
use crate::raw_finding::{Category, RuleInfo, Severity};

pub(crate) static INFO: RuleInfo = RuleInfo {
    id: "invalid-ignore",
    category: Category::Policy,
    default: Severity::Error,
    summary: "an exception in a page names no rule, no reason, or a rule that pages cannot excuse",
    why: "It has no effect. An exception says which rules it is about, and why they do not hold here, so that \
          the next reader can tell whether that is still true: `rule other-rule: reason` in \
          `data-sitegate-ignore` or in a comment, or the reason in `data-sitegate-reason`. From what the contract demands, and from \
          rules of security, a page excuses itself only where `inline-ignores` below `[check]` names the rule.",
    bad: r#"<a href="/beta" data-sitegate-ignore="broken-links">Beta</a>"#,
    good: r#"<a href="/beta" data-sitegate-ignore="broken-link: another app answers it">Beta</a>"#,
};

/// Its findings come from [`crate::report::ignores`].
pub(super) static RULE: Registered = Registered::of_stage(&INFO);
