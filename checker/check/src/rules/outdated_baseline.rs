//! `outdated-baseline`: the baseline lists a finding that no longer exists.

use super::rule::Registered;
use crate::raw_finding::{Category, RuleInfo, Severity};

pub(crate) static INFO: RuleInfo = RuleInfo {
    id: "outdated-baseline",
    category: Category::Policy,
    default: Severity::Warn,
    summary: "the baseline lists a finding that no longer exists",
    why: "A baseline should only shrink. If a fixed finding stays in it, the same problem can come back unnoticed.",
    bad: r#"sitegate.toml:
  [check]
  baseline = "baseline.json"
baseline.json:
  { "schema_version": 1, "kind": "sitegate-baseline", "findings": [
    { "file": "index.html", "rule": "broken-link", "url": "/gone", "count": 1 }
  ] }
index.html:
  <a href="/pricing/">Pricing</a>"#,
    good: r#"sitegate.toml:
  [check]
  baseline = "baseline.json"
baseline.json:
  { "schema_version": 1, "kind": "sitegate-baseline", "findings": [] }
index.html:
  <a href="/pricing/">Pricing</a>"#,
};

/// Its findings come from [`crate::report::baseline`].
pub(super) static RULE: Registered = Registered::of_stage(&INFO);
