//! `unused-ignore`: an ignore that matches no finding.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
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

pub(super) static RULE: Registered = Registered::new::<UnusedIgnore>(&INFO);

/// Reported while ignores are applied: see [`crate::report::ignores`].
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UnusedIgnore {}

impl Rule for UnusedIgnore {}
