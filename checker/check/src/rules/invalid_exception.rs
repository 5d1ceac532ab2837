//! `invalid-exception`: an exception in a page that says too little to have an effect.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::diagnostic::{Category, RuleInfo, Severity};

pub(crate) static INFO: RuleInfo = RuleInfo {
    id: "invalid-exception",
    category: Category::Policy,
    default: Severity::Error,
    summary: "an exception in a page names no rule, an unknown one, or no reason",
    why: "It has no effect. An exception says which rules it is about, and why they do not hold here, so that \
          the next reader can tell whether that is still true: `rule other-rule: reason` in \
          `data-sitegate-ignore` or in a comment, or the reason in `data-sitegate-reason`.",
    bad: r#"<a href="/beta" data-sitegate-ignore="broken-links">Beta</a>"#,
    good: r#"<a href="/beta" data-sitegate-ignore="broken-link: another app answers it">Beta</a>"#,
};

pub(super) static RULE: Registered = Registered::of::<InvalidException>(&INFO);

/// Found where exceptions are applied: see [`crate::report::exceptions`].
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct InvalidException {}

impl Rule for InvalidException {}
