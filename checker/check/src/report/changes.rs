//! What a check found beside the one before it: findings that are new, and those that are gone.

use std::collections::BTreeMap;

use super::baseline::{FindingKey, KeyCounts, finding_key};
use super::finding_reader::FindingReader;
use super::result::CheckResult;
use super::stages::RatedFinding;
use crate::contract::Contract;
use crate::raw_finding::DocumentId;
use crate::walk::FileId;

/// The findings of the last check, by documents, each with what it is known by: a document may be another by now.
#[derive(Default)]
pub struct PreviousFindings {
    documents: Option<BTreeMap<DocumentName, Vec<(RatedFinding, FindingKey)>>>,
}

/// What tells one document from another while paths come and go.
type DocumentName = (u32, Vec<u8>);

impl PreviousFindings {
    /// Leaves only the findings in a report that the last one did not have; its counts stay as they are. Gives those
    /// that the last one had and this one has not; `None` for the first, which is left whole. `is_other` says which files may hold
    /// something else than they did.
    pub fn retain_new(
        &mut self,
        report: &mut CheckResult,
        contract: &Contract,
        is_other: impl Fn(FileId) -> bool,
    ) -> Option<KeyCounts> {
        let before = self.documents.take();
        let is_first = before.is_none();
        let mut before = before.unwrap_or_default();
        let mut sources = FindingReader::new(report, contract);
        let mut gone = KeyCounts::new();
        let mut is_new = Vec::with_capacity(report.findings.len());
        let mut documents = BTreeMap::new();
        for findings in report.findings.chunk_by(|a, b| a.raw.location.document == b.raw.location.document) {
            let place = &findings[0].raw.location.document;
            let name = name(place, report);
            let old = before.remove(&name).unwrap_or_default();
            if !matches!(place, DocumentId::File(file) if is_other(*file)) && are_same(&old, findings) {
                is_new.resize(is_new.len() + findings.len(), false);
                documents.insert(name, old);
                continue;
            }
            count(old, &mut gone);
            let known = |finding: &RatedFinding| {
                let known = finding_key(finding, &mut sources);
                is_new.push(!take(&known, &mut gone));
                (finding.clone(), known)
            };
            documents.insert(name, findings.iter().map(known).collect());
        }
        before.into_values().for_each(|old| count(old, &mut gone));
        self.documents = Some(documents);
        if is_first {
            return None;
        }
        let mut is_new = is_new.into_iter();
        report.findings.retain(|_| is_new.next().unwrap_or_default());
        Some(gone)
    }
}

fn name(place: &DocumentId, report: &CheckResult) -> DocumentName {
    match place {
        DocumentId::Contract => (0, Vec::new()),
        DocumentId::Base(base) => (1 + u32::from(*base), Vec::new()),
        DocumentId::Path(path) => (u32::MAX - 1, path.as_bytes().to_vec()),
        DocumentId::File(file) => (u32::MAX, report.tree.path(*file).to_vec()),
    }
}

/// Whether the findings of a document are those it had.
fn are_same(old: &[(RatedFinding, FindingKey)], new: &[RatedFinding]) -> bool {
    let is_same = |((old, _), new): (&(RatedFinding, FindingKey), &RatedFinding)| {
        (old.raw.rule.id, old.severity, &old.raw.location.span, &old.raw.message)
            == (new.raw.rule.id, new.severity, &new.raw.location.span, &new.raw.message)
    };
    old.len() == new.len() && old.iter().zip(new).all(is_same)
}

fn count(findings: Vec<(RatedFinding, FindingKey)>, counts: &mut KeyCounts) {
    for (_, known) in findings {
        *counts.entry(known).or_default() += 1;
    }
}

/// Takes one out of the counts; whether it was there.
fn take(known: &FindingKey, counts: &mut KeyCounts) -> bool {
    let Some(left) = counts.get_mut(known) else { return false };
    *left -= 1;
    if *left == 0 {
        counts.remove(known);
    }
    true
}
