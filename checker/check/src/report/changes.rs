//! Compares a check with the previous one: which findings are new, and which are fixed.

use std::collections::BTreeMap;

use super::baseline::{FindingKey, KeyCounts};
use super::locator::FindingLocator;
use super::result::CheckResult;
use crate::contract::Contract;
use crate::raw_finding::{DocumentId, RawFinding};
use crate::walk::FileId;

/// The findings of the last check, by document, each with its key, because the document may have changed since.
#[derive(Default)]
pub struct PreviousFindings {
    documents: Option<BTreeMap<DocumentKey, Vec<(RawFinding, FindingKey)>>>,
}

/// A document's identity from check to check. File ids change when paths are added or removed.
type DocumentKey = (u32, Vec<u8>);

impl PreviousFindings {
    /// Removes the findings from a result that the last one had too; its counts stay the same. Returns the findings
    /// that are fixed; `None` for the first check, from which nothing is removed. `may_differ` returns whether a file
    /// may have changed.
    pub fn retain_new(
        &mut self,
        result: &mut CheckResult,
        contract: &Contract,
        may_differ: impl Fn(FileId) -> bool,
    ) -> Option<KeyCounts> {
        let is_first = self.documents.is_none();
        let mut previous = self.documents.take().unwrap_or_default();
        let mut locator = FindingLocator::new(result, contract);
        let mut fixed = KeyCounts::new();
        let mut is_new = Vec::with_capacity(result.findings.len());
        let mut documents = BTreeMap::new();
        for findings in result.findings.chunk_by(|a, b| a.location.document == b.location.document) {
            let document = &findings[0].location.document;
            let document_key = document_key(document, result);
            let old = previous.remove(&document_key).unwrap_or_default();
            if !matches!(document, DocumentId::File(file) if may_differ(*file)) && are_same(&old, findings) {
                is_new.resize(is_new.len() + findings.len(), false);
                documents.insert(document_key, old);
                continue;
            }
            add_counts(old, &mut fixed);
            let with_key = |finding: &RawFinding| {
                let key = FindingKey::of_raw(finding, &mut locator);
                is_new.push(!remove_one(&key, &mut fixed));
                (finding.clone(), key)
            };
            documents.insert(document_key, findings.iter().map(with_key).collect());
        }
        for old in previous.into_values() {
            add_counts(old, &mut fixed);
        }
        self.documents = Some(documents);
        if is_first {
            return None;
        }
        let mut is_new = is_new.into_iter();
        result.findings.retain(|_| is_new.next().unwrap_or_default());
        Some(fixed)
    }
}

fn document_key(document: &DocumentId, result: &CheckResult) -> DocumentKey {
    match document {
        DocumentId::Contract => (0, Vec::new()),
        DocumentId::Base(base) => (1 + u32::from(*base), Vec::new()),
        DocumentId::HostConfig => (u32::MAX - 3, Vec::new()),
        DocumentId::Baseline => (u32::MAX - 2, Vec::new()),
        DocumentId::Path(path) => (u32::MAX - 1, path.as_bytes().to_vec()),
        DocumentId::File(file) => (u32::MAX, result.tree.path(*file).to_vec()),
    }
}

/// Whether a document has the same findings as before.
fn are_same(old: &[(RawFinding, FindingKey)], new: &[RawFinding]) -> bool {
    let is_same = |((before, _), now): (&(RawFinding, FindingKey), &RawFinding)| {
        (before.rule.id, before.severity, &before.location.span, &before.message)
            == (now.rule.id, now.severity, &now.location.span, &now.message)
    };
    old.len() == new.len() && old.iter().zip(new).all(is_same)
}

fn add_counts(findings: Vec<(RawFinding, FindingKey)>, counts: &mut KeyCounts) {
    for (_, key) in findings {
        *counts.entry(key).or_default() += 1;
    }
}

/// Decrements the count of a key. Returns whether it had one.
fn remove_one(key: &FindingKey, counts: &mut KeyCounts) -> bool {
    let Some(left) = counts.get_mut(key) else { return false };
    *left -= 1;
    if *left == 0 {
        counts.remove(key);
    }
    true
}
