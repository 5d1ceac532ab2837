//! What was let pass, counted by who excuses it and why, as reports and seals tell it.

use std::collections::HashMap;

use super::excused::{ExcusedBy, ExcusedDiagnostic};
use super::finding::ExcuseTally;
use super::result::CheckResult;
use super::sources::Sources;
use crate::contract::Contract;
use crate::diagnostic::{Diagnostic, Location};

/// Counts what was let pass: by pages first, then by the contract, then by the baseline, and each by its first finding.
pub fn tally(report: &CheckResult, contract: &Contract) -> Vec<ExcuseTally> {
    let mut known: HashMap<(&str, &str, Option<&str>, usize), usize> = HashMap::new();
    let mut tally: Vec<(ExcuseTally, &ExcusedDiagnostic, &Location)> = Vec::new();
    for excused in &report.excused {
        let (rule, kind) = (excused.finding.rule.id, excused.by.kind());
        let entry = if let ExcusedBy::Contract(exception) = excused.by { exception } else { 0 };
        let reason = excused.by.reason(contract);
        let location = &excused.finding.location;
        let at = *known.entry((kind, rule, reason, entry)).or_insert(tally.len());
        if let Some((counted, _, last)) = tally.get_mut(at) {
            counted.findings += 1;
            counted.files += usize::from(last.place != location.place);
            *last = location;
        } else {
            let counted = ExcuseTally {
                rule: rule.to_owned(),
                by: kind.to_owned(),
                place: String::new(),
                reason: reason.map(str::to_owned),
                findings: 1,
                files: 1,
            };
            tally.push((counted, excused, location));
        }
    }
    let mut sources = Sources::new(report, contract);
    let order = |excused: &ExcusedDiagnostic| match excused.by {
        ExcusedBy::Page { .. } => 0,
        ExcusedBy::Contract(_) => 1,
        ExcusedBy::Baseline => 2,
    };
    tally.sort_by_key(|(_, first, _)| order(first));
    let place = |(counted, first, _): (ExcuseTally, &ExcusedDiagnostic, &Location)| ExcuseTally {
        place: place(first, contract, &mut sources),
        ..counted
    };
    tally.into_iter().map(place).collect()
}

/// Where a finding is excused: `index.html:12`, `sitegate.toml:31`, or the baseline's path.
fn place(excused: &ExcusedDiagnostic, contract: &Contract, sources: &mut Sources<'_>) -> String {
    let location = match &excused.by {
        ExcusedBy::Page { file, named, .. } => Location::in_file(*file, named.clone()),
        ExcusedBy::Contract(exception) => {
            let span = contract.exceptions.get(*exception).map(|exception| exception.span.clone());
            contract.located(&Location::in_contract(span.unwrap_or_default()))
        }
        ExcusedBy::Baseline => {
            return contract
                .baseline
                .as_ref()
                .map(|file| file.path().display().to_string())
                .unwrap_or_default();
        }
    };
    let stated = Diagnostic { location, noted: None, ..excused.finding.clone() };
    format!("{}:{}", sources.name(&stated.location.place), sources.position(&stated).line)
}
