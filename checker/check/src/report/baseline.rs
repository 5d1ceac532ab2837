//! Reads, applies and writes baselines: with one, only new findings fail the check.
//!
//! An entry identifies findings by rule, file, and reference (or else message), with their number. So findings are
//! not new if only their lines have moved. An entry by cause identifies findings by rule and cause, on any page. The
//! contract digest of a seal covers the baseline.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::contract::{BaselineFile, Contract, FILE_NAME};
use crate::raw_finding::{Category, Cause, DocumentId, Location, RawFinding, Severity};
use crate::report::Report;
use crate::report::cause_resolver::CauseResolver;
use crate::report::finding::Finding;
use crate::report::finding_reader::FindingReader;
use crate::report::ignored::{IgnoredBy, IgnoredRatedFinding};
use crate::report::result::CheckResult;
use crate::report::stages::{LocatedFinding, RatedFinding};
use crate::rules::outdated_baseline;
use crate::rules::ruleset::Ruleset;
use sitegate_base::atomic_file;

/// The schema version of baselines. It grows when a field is removed or changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// The value of `kind` that identifies a JSON file as a baseline.
const KIND: &str = "sitegate-baseline";

/// The key that identifies a finding from check to check.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FindingKey {
    /// The file's path below the export's root, or the contract's name.
    pub file: String,
    /// The rule's id.
    pub rule: String,
    /// The reference as it is written, for a finding about one.
    pub url: Option<String>,
    /// The message, for any other finding.
    pub message: Option<String>,
}

impl FindingKey {
    fn new(finding: &Finding) -> FindingKey {
        FindingKey {
            file: if finding.is_in_export() { finding.file.to_string() } else { FILE_NAME.to_owned() },
            rule: finding.rule.to_string(),
            url: finding.url.as_ref().map(ToString::to_string),
            message: finding.url.is_none().then(|| finding.message.to_string()),
        }
    }
}

impl fmt::Display for FindingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = self.url.as_ref().or(self.message.as_ref()).map_or("", String::as_str);
        write!(f, "{}: {} ({})", self.file, subject, self.rule)
    }
}

/// The number of findings with each key.
pub type KeyCounts = BTreeMap<FindingKey, usize>;

/// The entries of a baseline.
#[derive(Debug, Default)]
struct Baseline {
    /// The number of findings with each key that have not been matched yet.
    counts: KeyCounts,
    /// Rule and cause, and whether a finding has matched.
    causes: BTreeMap<(String, String), bool>,
}

/// An entry of the file: a key with its count, or a cause.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Entry {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
}

#[derive(Serialize, Deserialize)]
struct BaselineDocument {
    schema_version: u32,
    kind: String,
    findings: Vec<Entry>,
}

/// An error that keeps a baseline from being read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// The file cannot be read.
    #[error("{0}: {1}; write it with `sitegate check --write-baseline {0}`", path.display(), source)]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is not JSON, or has other fields.
    #[error("{}: this is not a baseline: {source}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: serde_json::Error,
    },
    /// The file has another version, or is another JSON document.
    #[error("{0}: this is not a baseline of version {SCHEMA_VERSION}; write it with `sitegate check --write-baseline {0}`", path.display())]
    Version {
        /// The file.
        path: PathBuf,
    },
    /// An entry has neither a file with a count nor a cause.
    #[error(
        "{0}: an entry for `{rule}` needs either `file` and `count`, or only `cause`; write it with `sitegate check --write-baseline {0}`",
        path.display()
    )]
    Entry {
        /// The file.
        path: PathBuf,
        /// The rule of the entry.
        rule: String,
    },
    /// The file to write exists and is not a baseline.
    #[error("{}: this file exists and is not a baseline, so it is not replaced; choose another path", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// Reads a baseline.
fn read(baseline_file: &BaselineFile) -> Result<Baseline, BaselineError> {
    let path = || baseline_file.path().to_path_buf();
    let bytes = baseline_file.content().map_err(|error| BaselineError::Unreadable {
        path: path(),
        source: io::Error::new(error.kind(), error.to_string()),
    })?;
    let document: BaselineDocument =
        serde_json::from_slice(bytes).map_err(|source| BaselineError::Malformed { path: path(), source })?;
    if document.kind != KIND || document.schema_version != SCHEMA_VERSION {
        return Err(BaselineError::Version { path: path() });
    }
    let mut baseline = Baseline::default();
    for entry in document.findings {
        let rule = entry.rule;
        match (entry.file, entry.cause, entry.count) {
            (Some(file), None, Some(count)) => {
                let key = FindingKey { file, rule, url: entry.url, message: entry.message };
                let total = baseline.counts.entry(key).or_default();
                *total = total.saturating_add(count);
            }
            (None, Some(cause), None) if entry.url.is_none() && entry.message.is_none() => {
                baseline.causes.insert((rule, cause), false);
            }
            _ => return Err(BaselineError::Entry { path: path(), rule }),
        }
    }
    Ok(baseline)
}

/// Returns the key of a finding.
pub(super) fn finding_key(finding: &RatedFinding, reader: &mut FindingReader<'_>) -> FindingKey {
    let url = reader.reference(finding);
    FindingKey {
        file: match &finding.raw.location.document {
            DocumentId::Contract | DocumentId::Base(_) => FILE_NAME.to_owned(),
            document => reader.name(document),
        },
        rule: finding.raw.rule.id.to_owned(),
        message: url.is_none().then(|| finding.raw.message.to_string()),
        url,
    }
}

/// Whether a baseline can list a finding. Findings about ignores and about the baseline cannot be listed.
fn can_be_listed(category: Category) -> bool {
    category != Category::Policy
}

/// Removes the findings that the baseline lists, and returns them. Afterwards, `baseline.counts` has the entries that
/// matched too few findings.
fn remove_listed(
    result: &mut CheckResult,
    contract: &Contract,
    baseline: &mut Baseline,
) -> Vec<IgnoredRatedFinding> {
    let mut reader = FindingReader::new(result, contract);
    let mut resolver = CauseResolver::new(result);
    let mut is_listed = |finding: &RatedFinding| {
        if !can_be_listed(finding.raw.rule.category) {
            return false;
        }
        let mut has_listed_cause = false;
        if !baseline.causes.is_empty() {
            let thing = resolver.thing(finding, &mut reader);
            let cause = finding.raw.cause_name(thing.as_deref()).to_owned();
            if let Some(is_matched) = baseline.causes.get_mut(&(finding.raw.rule.id.to_owned(), cause)) {
                *is_matched = true;
                has_listed_cause = true;
            }
        }
        match baseline.counts.get_mut(&finding_key(finding, &mut reader)) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => has_listed_cause,
        }
    };
    let is_listed: Vec<bool> = result.findings.iter().map(&mut is_listed).collect();
    let mut is_listed = is_listed.into_iter();
    let removed = result.findings.extract_if(.., |_| is_listed.next().unwrap_or_default());
    let removed = removed.map(|finding| IgnoredRatedFinding { finding, by: IgnoredBy::Baseline }).collect();
    baseline.counts.retain(|_, left| *left > 0);
    removed
}

/// Applies the contract's baseline: removes the findings that it lists, and reports entries that are fixed.
pub(crate) fn apply(
    result: &mut CheckResult,
    contract: &Contract,
    rules: &Ruleset,
) -> Result<(), BaselineError> {
    let Some(file) = &contract.baseline else { return Ok(()) };
    let mut baseline = read(file)?;
    let removed = remove_listed(result, contract, &mut baseline);
    result.summary.baselined = removed.len();
    result.ignored.extend(removed);
    let level = rules.level(&outdated_baseline::INFO);
    if result.unreadable.is_empty() && result.skipped().is_empty() && level != Severity::Off {
        let name = file.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let option = if baseline.causes.is_empty() { "" } else { " --by-cause" };
        let findings = baseline.counts.iter().map(|(key, left)| {
            let times = if *left == 1 { String::new() } else { format!(", {left} times") };
            format!("this finding is fixed, but still in the baseline{times}: {key}")
        });
        let causes =
            baseline.causes.iter().filter(|(_, is_matched)| !**is_matched).map(|((rule, cause), _)| {
                format!("this cause is fixed on all pages, but still in the baseline: {cause} ({rule})")
            });
        result.findings.extend(findings.chain(causes).map(|message| {
            let location = Location { document: DocumentId::Path(name.as_str().into()), span: 0..0 };
            let path = file.path().display();
            let help = format!("update the baseline: `sitegate check --write-baseline {path}{option}`");
            let finding = RawFinding::new(&outdated_baseline::INFO, location, message)
                .cause(Cause::kind("fixed"))
                .help(help);
            RatedFinding::new(LocatedFinding::from(finding), level)
        }));
    }
    result.recount();
    Ok(())
}

/// Writes the findings of a report as a baseline. With `by_cause`, findings whose cause is a thing, such as a missing
/// path, are recorded by their cause instead of by file. Returns the number of findings and of entries.
///
/// # Errors
/// If the file cannot be written, or exists and is not a baseline.
pub fn write(report: &Report, path: &Path, by_cause: bool) -> Result<(usize, usize), BaselineError> {
    let old = BaselineFile::read(path);
    if path.exists() && read(&old).is_err() {
        return Err(BaselineError::Exists { path: path.to_path_buf() });
    }
    let things: HashSet<(&str, &str)> = if by_cause {
        report.causes.iter().filter(|cause| cause.thing).map(|cause| (&*cause.rule, &*cause.cause)).collect()
    } else {
        HashSet::new()
    };
    let (mut causes, mut counts, mut total) = (BTreeSet::new(), KeyCounts::new(), 0);
    for finding in report.findings.iter().filter(|finding| can_be_listed(finding.category)) {
        total += 1;
        match (&*finding.rule, &*finding.cause) {
            cause if things.contains(&cause) => drop(causes.insert(cause)),
            _ => *counts.entry(FindingKey::new(finding)).or_default() += 1,
        }
    }
    let causes = causes.into_iter().map(|(rule, cause)| Entry {
        rule: rule.to_owned(),
        cause: Some(cause.to_owned()),
        ..Entry::default()
    });
    let counts = counts.into_iter().map(|(key, count)| {
        let FindingKey { file, rule, url, message } = key;
        Entry { file: Some(file), rule, url, message, count: Some(count), cause: None }
    });
    let findings: Vec<Entry> = causes.chain(counts).collect();
    let entries = findings.len();
    let document = BaselineDocument { schema_version: SCHEMA_VERSION, kind: KIND.to_owned(), findings };
    atomic_file::write(path, |mut out| {
        serde_json::to_writer_pretty(&mut out, &document)?;
        writeln!(out)
    })
    .map_err(|source| BaselineError::Write { path: path.to_path_buf(), source })?;
    Ok((total, entries))
}
