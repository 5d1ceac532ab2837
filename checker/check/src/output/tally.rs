//! Findings and causes by rule and level.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::presentation::Presentation;
use crate::diagnostic::{RuleInfo, Severity};

/// What one rule found at one level.
pub(super) struct RuleTally {
    pub rule: &'static RuleInfo,
    pub severity: Severity,
    pub findings: usize,
    pub causes: usize,
}

/// What each rule found: errors first, then those that found most.
pub(super) fn of(presentation: &Presentation<'_>) -> Vec<RuleTally> {
    let mut rules: BTreeMap<(&str, Severity), RuleTally> = BTreeMap::new();
    for (cause, common) in presentation.causes.iter() {
        let first = presentation.causes.first(cause, presentation.report);
        let (rule, severity) = (first.rule, first.severity);
        let entry =
            rules.entry((rule.id, severity)).or_insert(RuleTally { rule, severity, findings: 0, causes: 0 });
        entry.findings += common.findings();
        entry.causes += 1;
    }
    let mut tally: Vec<RuleTally> = rules.into_values().collect();
    tally.sort_by_key(|entry| (Reverse((entry.severity, entry.findings)), entry.rule.id));
    tally
}
