//! `invalid-ignore`: an ignore in a page that has no effect: incomplete, or not allowed in pages.

use super::rule::Registered;
use crate::raw_finding::{Category, RuleInfo, Severity};

pub(crate) static INFO: RuleInfo = RuleInfo {
    id: "invalid-ignore",
    category: Category::Policy,
    default: Severity::Error,
    summary: "an ignore in a page lacks a rule or a reason, or is not allowed in pages",
    why: "It has no effect. An ignore must name its rules and a reason, so that the next reader can judge whether it \
          still applies: `rule other-rule: reason` in `data-sitegate-ignore` or in a comment, or the reason in \
          `data-sitegate-reason`. Pages can ignore security rules and rules of the contract only if `inline-ignores` \
          below `[check]` lists them. With `inline-ignores = false`, pages can ignore nothing.",
    bad: r#"<a href="/beta" data-sitegate-ignore="broken-links">Beta</a>"#,
    good: r#"<a href="/beta" data-sitegate-ignore="broken-link: another app answers it">Beta</a>"#,
};

/// Its findings come from [`crate::report::ignores`].
pub(super) static RULE: Registered = Registered::of_stage(&INFO);
