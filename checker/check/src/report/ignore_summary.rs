//! What was let pass, counted by who excuses it and why, as reports and seals tell it.

use std::collections::HashMap;

use super::finding::IgnoreSummary;
use super::finding_reader::FindingReader;
use super::ignored::{IgnoredBy, IgnoredRatedFinding};
use super::result::CheckResult;
use crate::contract::Contract;
use crate::raw_finding::Location;

/// Counts what was let pass: by pages first, then by the contract, then by the baseline, and each by its first finding.
pub fn tally(report: &CheckResult, contract: &Contract) -> Vec<IgnoreSummary> {
    let mut known: HashMap<(&str, &str, Option<&str>, usize), usize> = HashMap::new();
    let mut tally: Vec<(IgnoreSummary, &IgnoredRatedFinding, &Location)> = Vec::new();
    for ignored in &report.ignored {
        let (rule, kind) = (ignored.finding.raw.rule.id, ignored.by.kind());
        let entry = if let IgnoredBy::Contract(ignore) = ignored.by { ignore } else { 0 };
        let reason = ignored.by.reason(contract);
        let location = &ignored.finding.raw.location;
        let at = *known.entry((kind, rule, reason, entry)).or_insert(tally.len());
        if let Some((counted, _, last)) = tally.get_mut(at) {
            counted.findings += 1;
            counted.files += usize::from(last.document != location.document);
            *last = location;
        } else {
            let counted = IgnoreSummary {
                rule: rule.to_owned(),
                by: kind.to_owned(),
                place: String::new(),
                reason: reason.map(str::to_owned),
                findings: 1,
                files: 1,
            };
            tally.push((counted, ignored, location));
        }
    }
    let mut sources = FindingReader::new(report, contract);
    let order = |ignored: &IgnoredRatedFinding| match ignored.by {
        IgnoredBy::Page { .. } => 0,
        IgnoredBy::Contract(_) => 1,
        IgnoredBy::Baseline => 2,
    };
    tally.sort_by_key(|(_, first, _)| order(first));
    let place = |(counted, first, _): (IgnoreSummary, &IgnoredRatedFinding, &Location)| IgnoreSummary {
        place: place(first, contract, &mut sources),
        ..counted
    };
    tally.into_iter().map(place).collect()
}

/// Where a finding is excused: `index.html:12`, `sitegate.toml:31`, or the baseline's path.
fn place(ignored: &IgnoredRatedFinding, contract: &Contract, sources: &mut FindingReader<'_>) -> String {
    let location = match &ignored.by {
        IgnoredBy::Page { file, named, .. } => Location::in_file(*file, named.clone()),
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
    format!("{}:{}", sources.name(&location.document), sources.start(&location).line)
}
