//! `unused-ignore`: an exception that excuses nothing any more.

use super::rule::Registered;
use crate::raw_finding::{Category, RuleInfo, Severity};

pub(crate) static INFO: RuleInfo = RuleInfo {
    id: "unused-ignore",
    category: Category::Policy,
    default: Severity::Warn,
    summary: "an exception matches nothing any more",
    why: "What it excused is put right, or has moved. Left where it is, it hides the next fault of the same \
          kind. This goes for `[[ignore]]` and `[[override]]` in the contract, and for `sitegate-ignore` in \
          attributes and comments of a page; where the rule is off, nothing is said.",
    bad: r#"<!-- sitegate-ignore broken-link: comes with version 2 -->
<a href="/pricing/">Pricing</a>"#,
    good: r#"<a href="/pricing/">Pricing</a>"#,
};

/// Its findings come from [`crate::report::ignores`].
pub(super) static RULE: Registered = Registered::of_stage(&INFO);
