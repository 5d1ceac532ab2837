//! Summarizes ignored findings for reports and seals: by rule, by what ignores them,
//! and by reason.

use std::collections::HashMap;

use super::finding::IgnoreSummary;
use super::locator::FindingLocator;
use super::result::{CheckResult, IgnoredBy};
use crate::contract::Contract;
use crate::raw_finding::Location;

/// Summarizes ignored findings: those that pages ignore first, then the contract, then the baseline; each in the
/// order of their first findings.
pub fn summarize(result: &CheckResult, contract: &Contract) -> Vec<IgnoreSummary> {
    let mut indices: HashMap<(&str, &str, Option<&str>, usize), usize> = HashMap::new();
    let mut summaries: Vec<(IgnoreSummary, &IgnoredBy, &Location)> = Vec::new();
    for (finding, by) in &result.ignored {
        let (rule, kind, location) = (finding.rule.id, by.kind(), &finding.location);
        let entry = if let IgnoredBy::Contract(ignore) = by { *ignore } else { 0 };
        let reason = by.reason(contract);
        let index = *indices.entry((kind, rule, reason, entry)).or_insert(summaries.len());
        if let Some((summary, _, last)) = summaries.get_mut(index) {
            summary.findings += 1;
            summary.files += usize::from(last.document != location.document);
            *last = location;
        } else {
            let summary = IgnoreSummary {
                rule: rule.to_owned(),
                by: kind.to_owned(),
                place: String::new(),
                reason: reason.map(str::to_owned),
                findings: 1,
                files: 1,
            };
            summaries.push((summary, by, location));
        }
    }
    let mut locator = FindingLocator::new(result, contract);
    let order = |by: &IgnoredBy| match by {
        IgnoredBy::Page { .. } => 0,
        IgnoredBy::Contract(_) => 1,
        IgnoredBy::Baseline => 2,
    };
    summaries.sort_by_key(|(_, first, _)| order(first));
    let with_place = |(summary, first, _): (IgnoreSummary, &IgnoredBy, &Location)| IgnoreSummary {
        place: ignore_place(first, contract, &mut locator),
        ..summary
    };
    summaries.into_iter().map(with_place).collect()
}

/// Returns the location of the ignore: `index.html:12`, `sitegate.toml:31`, or the baseline's path.
fn ignore_place(by: &IgnoredBy, contract: &Contract, locator: &mut FindingLocator<'_>) -> String {
    let location = match by {
        IgnoredBy::Page { file, rule_span, .. } => Location::in_file(*file, rule_span.clone()),
        IgnoredBy::Contract(ignore) => {
            let span = contract.ignores.get(*ignore).map(|ignore| ignore.span.clone());
            contract.located(&Location::in_contract(span.unwrap_or_default()))
        }
        IgnoredBy::Baseline => {
            return contract
                .baseline
                .as_ref()
                .map(|file| file.path().display().to_string())
                .unwrap_or_default();
        }
    };
    format!("{}:{}", locator.name(&location.document), locator.start(&location).line)
}
