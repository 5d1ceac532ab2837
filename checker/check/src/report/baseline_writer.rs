//! Writes baselines, and removes fixed findings from them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io::Write;
use std::path::Path;

use sitegate_address::hashed_name::stable_name;
use sitegate_base::artifact::BASELINE;
use sitegate_base::atomic_file;
use sitegate_sources::edits::{ApplyMode, ApplyOptions, SourceChanges, apply};

use crate::contract::{BaselineFile, CONTRACT_FILE, Contract};
use crate::report::Report;
use crate::report::baseline::{
    BaselineDocument, BaselineError, BaselineSite, CheckScope, Entry, FindingKey, KeyCounts, OUTPUT_KIND,
    read_document, reason_to_leave_out,
};
use crate::report::finding::CommonCause;
use crate::report::result::IgnoredBy;

/// Returns the rules whose findings [`write_baseline`] cannot record, with their number, and what to do about them.
pub fn left_out_of_baseline(report: &Report) -> BTreeMap<&str, (usize, &'static str)> {
    let mut left_out = BTreeMap::new();
    for finding in &report.findings {
        if let Some(reason) = reason_to_leave_out(&finding.rule) {
            left_out.entry(&*finding.rule).or_insert((0, reason)).0 += 1;
        }
    }
    left_out
}

/// Writes the findings of a report as a baseline. With `by_cause`, findings whose cause is a thing, such as a missing
/// path, are recorded by their cause instead of by file. Returns the number of findings and of entries.
///
/// # Errors
/// If the file cannot be written, or exists and is not a baseline of the same site.
pub fn write_baseline(
    report: &Report,
    contract: &Contract,
    path: &Path,
    by_cause: bool,
) -> Result<(usize, usize), BaselineError> {
    prepare_baseline(path)?;
    let site = BaselineSite::of(report, contract, path);
    let present = if is_regular(path) { fs::read(path).unwrap_or_default() } else { Vec::new() };
    if let Ok(document) = serde_json::from_slice::<BaselineDocument>(&present) {
        refuse_other_site(&document, &site, path, "remove it first, or choose another file")?;
    }
    let things: HashSet<(&str, &str)> = if by_cause {
        // A fragment names no page, so that of a single page says nothing about others. A hash changes with the next
        // build, and entries by file are compared without it.
        let is_shared = |cause: &&CommonCause| {
            cause.files > 1 || !cause.cause.starts_with('#') && stable_name(&cause.cause) == *cause.cause
        };
        let things = report.causes.iter().filter(|cause| cause.thing).filter(is_shared);
        things.map(|cause| (&*cause.rule, &*cause.cause)).collect()
    } else {
        HashSet::new()
    };
    let (mut causes, mut counts, mut total) = (BTreeSet::new(), BTreeMap::new(), 0);
    for finding in report.findings.iter().filter(|finding| reason_to_leave_out(&finding.rule).is_none()) {
        total += 1;
        match (&*finding.rule, &*finding.cause) {
            cause if things.contains(&cause) => drop(causes.insert(cause)),
            _ => {
                let key = FindingKey::of_reported(finding);
                counts.entry(key.stable()).or_insert((key, 0)).1 += 1;
            }
        }
    }
    let causes = causes.into_iter().map(|(rule, cause)| Entry {
        rule: rule.to_owned(),
        cause: Some(cause.to_owned()),
        ..Entry::default()
    });
    let counts = counts.into_values().map(|(key, count)| {
        let FindingKey { file, rule, url, message } = key;
        Entry { file: Some(file), rule, url, message, count: Some(count), cause: None }
    });
    let findings: Vec<Entry> = causes.chain(counts).collect();
    let entries = findings.len();
    write_entries(path, present, findings, site)?;
    Ok((total, entries))
}

/// The result of removing fixed findings from a baseline.
#[derive(Debug, Default)]
pub struct PrunedBaseline {
    /// Number of entries that were removed.
    pub removed: usize,
    /// Number of entries that are left with a lower count.
    pub reduced: usize,
    /// Number of entries that are left.
    pub left: usize,
    /// Number of entries that are left because this check could not have found them, by rule.
    pub unchecked: BTreeMap<String, usize>,
}

/// Removes the entries of a baseline that match no finding of a report, and adds none. Entries whose findings this check
/// could not have found are left.
///
/// # Errors
/// If the file cannot be read or written, or has the findings of another site.
pub fn prune_baseline(
    baseline: &BaselineFile,
    scope: &CheckScope<'_>,
) -> Result<PrunedBaseline, BaselineError> {
    let CheckScope { contract, report, .. } = scope;
    let document = read_document(baseline)?;
    let site = BaselineSite::of(report, contract, baseline.path());
    let advice = "check that site, or if this one has replaced it, change `site` in the file";
    refuse_other_site(&document, &site, baseline.path(), advice)?;
    refuse_without_files(&document, baseline, scope)?;
    let listed = report.ignored.iter().filter(|ignored| ignored.by == IgnoredBy::Baseline.kind());
    let (mut causes, mut counts) = (HashSet::new(), KeyCounts::new());
    for finding in listed {
        causes.insert((&*finding.rule, &*finding.cause));
        *counts.entry(FindingKey::of_reported(finding).stable()).or_default() += 1;
    }
    let (mut pruned, mut left) = (PrunedBaseline::default(), Vec::new());
    for mut entry in document.findings {
        let matched = match (&entry.cause, entry.count) {
            (Some(cause), _) => usize::from(causes.contains(&(&*entry.rule, &**cause))),
            (None, count) => {
                let (file, rule) = (entry.file.clone().unwrap_or_default(), entry.rule.clone());
                let key = FindingKey { file, rule, url: entry.url.clone(), message: entry.message.clone() };
                let found = counts.entry(key.stable()).or_default();
                let matched = count.unwrap_or_default().min(*found);
                *found -= matched;
                matched
            }
        };
        let expected = if entry.cause.is_some() { 1 } else { entry.count.unwrap_or_default() };
        if matched < expected && !scope.can_find(&entry.rule, entry.file.as_deref(), entry.url.as_deref()) {
            *pruned.unchecked.entry(entry.rule.clone()).or_default() += 1;
            left.push(entry);
            continue;
        }
        pruned.removed += usize::from(matched == 0);
        pruned.reduced += usize::from(matched != expected && matched > 0);
        if matched > 0 {
            entry.count = entry.count.map(|_| matched);
            left.push(entry);
        }
    }
    pruned.left = left.len();
    if pruned.removed + pruned.reduced > 0 {
        write_entries(baseline.path(), baseline.bytes().to_vec(), left, site)?;
    }
    Ok(pruned)
}

/// Refuses a list of another site.
fn refuse_other_site(
    document: &BaselineDocument,
    checked: &BaselineSite,
    path: &Path,
    advice: &str,
) -> Result<(), BaselineError> {
    match &document.site {
        Some(own) if own != checked => Err(BaselineError::OtherSite {
            path: path.to_path_buf(),
            own: own.to_string(),
            checked: format!("{checked}; {advice}"),
        }),
        _ => Ok(()),
    }
}

/// Refuses to empty a list if none of its files is in the export: it is another one, or the build has failed.
fn refuse_without_files(
    document: &BaselineDocument,
    baseline: &BaselineFile,
    scope: &CheckScope<'_>,
) -> Result<(), BaselineError> {
    let mut files = document.findings.iter().filter_map(|entry| entry.file.as_deref());
    let mut files = files.by_ref().filter(|file| *file != CONTRACT_FILE).peekable();
    let is_matched = || scope.report.ignored.iter().any(|ignored| ignored.by == IgnoredBy::Baseline.kind());
    if files.peek().is_none() || files.any(|file| scope.has_file(file)) || is_matched() {
        return Ok(());
    }
    Err(BaselineError::NoFile { path: baseline.path().to_path_buf(), root: scope.report.root.clone() })
}

/// Checks that a baseline may be written to a file.
///
/// # Errors
/// If its folder is missing, or the file is something else.
pub fn prepare_baseline(path: &Path) -> Result<(), BaselineError> {
    atomic_file::check(path, OUTPUT_KIND)
        .map_err(|source| BaselineError::Write { path: path.to_path_buf(), source })
}

/// Whether a path is a file, and no device or pipe, which may have no end.
fn is_regular(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// Writes a baseline. A file that exists is changed as the sources are, except for the state of Git: the program is the
/// only writer of the file, and people prune a list again that they have just pruned.
fn write_entries(
    path: &Path,
    present: Vec<u8>,
    findings: Vec<Entry>,
    site: BaselineSite,
) -> Result<(), BaselineError> {
    let document = BaselineDocument {
        schema_version: BASELINE.version,
        kind: BASELINE.kind().to_owned(),
        findings,
        site: Some(site),
    };
    let write_error = |source| BaselineError::Write { path: path.to_path_buf(), source };
    let mut text = serde_json::to_vec_pretty(&document).map_err(|error| write_error(error.into()))?;
    text.push(b'\n');
    if !is_regular(path) {
        return atomic_file::write(path, OUTPUT_KIND, |mut out| out.write_all(&text)).map_err(write_error);
    }
    let mut changes = SourceChanges::default();
    changes.rewrite(path, present, text);
    let project = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let applied = apply(&changes, ApplyMode::WriteEach, &ApplyOptions { project, allow_unsaved: true })?;
    match applied.refused.into_iter().next() {
        Some(refusal) => Err(BaselineError::Refused { path: path.to_path_buf(), reason: refusal.reason }),
        None => Ok(()),
    }
}
