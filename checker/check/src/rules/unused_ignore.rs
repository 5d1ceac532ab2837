//! `unused-ignore`: an ignore that matches no finding.

use super::rule::Registered;
use crate::raw_finding::{Category, RuleInfo, Severity};

pub(crate) static INFO: RuleInfo = RuleInfo {
    id: "unused-ignore",
    category: Category::Policy,
    default: Severity::Warn,
    summary: "an ignore matches no finding",
    why: "The finding was fixed, or moved. An ignore that is left in place hides the next problem of the same kind. \
          Checked: `[[ignore]]` and `[[override]]` in the contract, and `sitegate-ignore` in attributes and comments \
          of pages. Not reported if the rule is off.",
    bad: r#"<!-- sitegate-ignore broken-link: comes with version 2 -->
<a href="/pricing/">Pricing</a>"#,
    good: r#"<a href="/pricing/">Pricing</a>"#,
};

/// Its findings come from [`crate::report::ignores`].
pub(super) static RULE: Registered = Registered::of_stage(&INFO);
