//! Counts findings and causes by rule and level.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::raw_finding::Severity;
use crate::report::Report;

/// The findings of one rule at one level.
pub(super) struct RuleTally<'r> {
    pub rule: &'r str,
    /// The rule's summary; empty for a rule of another version.
    pub summary: &'static str,
    pub severity: Severity,
    pub findings: usize,
    pub causes: usize,
}

/// Counts the findings of each rule: errors first, then by number of findings.
pub(super) fn by_rule(report: &Report) -> Vec<RuleTally<'_>> {
    let mut rules: BTreeMap<(&str, Severity), RuleTally<'_>> = BTreeMap::new();
    for cause in &report.causes {
        let (rule, severity) = (&*cause.rule, cause.severity);
        let entry = rules.entry((rule, severity)).or_insert_with(|| {
            let summary = crate::rules::find_rule(rule).map_or("", |info| info.summary);
            RuleTally { rule, summary, severity, findings: 0, causes: 0 }
        });
        entry.findings += cause.findings;
        entry.causes += 1;
    }
    let mut tally: Vec<RuleTally<'_>> = rules.into_values().collect();
    tally.sort_by_key(|entry| (Reverse((entry.severity, entry.findings)), entry.rule));
    tally
}
