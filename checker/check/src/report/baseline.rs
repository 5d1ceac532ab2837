//! The baseline: findings that are known, so that only new ones fail. It ends up in the seal's contract digest.
//!
//! A finding is known by its rule, its file, and the reference it is about (or else its message), as often as
//! it was met: lines may move without any of it becoming new. Or it is known by its rule and its cause, on every page:
//! a page more under a known broken icon is not new.

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

/// The version of the file's shape; it grows when a field is removed or changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// What marks a JSON file as a baseline.
const KIND: &str = "sitegate-baseline";

/// What a finding is known by.
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
    fn of(finding: &Finding) -> FindingKey {
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
        let what = self.url.as_ref().or(self.message.as_ref()).map_or("", String::as_str);
        write!(f, "{}: {} ({})", self.file, what, self.rule)
    }
}

/// Findings, and how often each is met.
pub type KeyCounts = BTreeMap<FindingKey, usize>;

/// What a baseline knows.
#[derive(Debug, Default)]
struct Baseline {
    counts: KeyCounts,
    /// Causes that are known wherever they are met: rule and cause, and whether they were met.
    causes: BTreeMap<(String, String), bool>,
}

/// One line of the file: a finding with its count, or a cause.
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

/// Why a baseline cannot be read or written.
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
fn read(file: &BaselineFile) -> Result<Baseline, BaselineError> {
    let path = || file.path().to_path_buf();
    let bytes = file.content().map_err(|error| BaselineError::Unreadable {
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
                let known = FindingKey { file, rule, url: entry.url, message: entry.message };
                let known = baseline.counts.entry(known).or_default();
                *known = known.saturating_add(count);
            }
            (None, Some(cause), None) if entry.url.is_none() && entry.message.is_none() => {
                baseline.causes.insert((rule, cause), false);
            }
            _ => return Err(BaselineError::Entry { path: path(), rule }),
        }
    }
    Ok(baseline)
}

/// What each finding of a report is known by, in their order.
fn known(report: &CheckResult, contract: &Contract) -> Vec<FindingKey> {
    let mut sources = FindingReader::new(report, contract);
    report.findings.iter().map(|finding| finding_key(finding, &mut sources)).collect()
}

/// What a finding is known by.
pub(super) fn finding_key(finding: &RatedFinding, sources: &mut FindingReader<'_>) -> FindingKey {
    let url = sources.reference(finding);
    FindingKey {
        file: match &finding.raw.location.document {
            DocumentId::Contract | DocumentId::Base(_) => FILE_NAME.to_owned(),
            place => sources.name(place),
        },
        rule: finding.raw.rule.id.to_owned(),
        message: url.is_none().then(|| finding.raw.message.to_string()),
        url,
    }
}

/// Whether a finding can be in a baseline: those about exceptions and the baseline itself cannot.
fn is_cached(finding: &RatedFinding) -> bool {
    finding.raw.rule.category != Category::Policy
}

/// Takes the findings that are known out of a report, and gives them. What is left of the counts was not met so often.
fn take_out(
    report: &mut CheckResult,
    contract: &Contract,
    baseline: &mut Baseline,
    can_be_known: impl Fn(&RatedFinding) -> bool,
) -> Vec<IgnoredRatedFinding> {
    let by_cause = if baseline.causes.is_empty() {
        Vec::new()
    } else {
        by_cause(report, contract, &mut baseline.causes, &can_be_known)
    };
    let mut keys = known(report, contract).into_iter();
    let mut by_cause = by_cause.into_iter();
    let mut taken = Vec::new();
    report.findings.retain(|finding| {
        let is_known_by_cause = by_cause.next().unwrap_or_default();
        let left = keys.next().and_then(|key| baseline.counts.get_mut(&key)).filter(|left| **left > 0);
        let is_known = match left {
            Some(left) if can_be_known(finding) => {
                *left -= 1;
                true
            }
            _ => is_known_by_cause,
        };
        if is_known {
            taken.push(IgnoredRatedFinding { finding: finding.clone(), by: IgnoredBy::Baseline });
        }
        !is_known
    });
    baseline.counts.retain(|_, left| *left > 0);
    taken
}

/// For each finding, whether its cause is known; notes which causes were met.
fn by_cause(
    report: &CheckResult,
    contract: &Contract,
    known: &mut BTreeMap<(String, String), bool>,
    can_be_known: impl Fn(&RatedFinding) -> bool,
) -> Vec<bool> {
    let (mut sources, mut targets) = (FindingReader::new(report, contract), CauseResolver::new(report));
    let is_known = |found: &RatedFinding| {
        let thing = targets.of(found, &mut sources);
        let key = (found.raw.rule.id.to_owned(), found.raw.cause_name(thing.as_deref()).to_owned());
        let met = known.get_mut(&key).filter(|_| can_be_known(found));
        met.is_some_and(|met| {
            *met = true;
            true
        })
    };
    report.findings.iter().map(is_known).collect()
}

/// Holds a report against the contract's baseline: only new findings stay, and what is fixed is reported.
pub(crate) fn apply(
    report: &mut CheckResult,
    contract: &Contract,
    rules: &Ruleset,
) -> Result<(), BaselineError> {
    let Some(file) = &contract.baseline else { return Ok(()) };
    let mut baseline = read(file)?;
    let taken = take_out(report, contract, &mut baseline, is_cached);
    report.summary.baselined = taken.len();
    report.ignored.extend(taken);
    let level = rules.level(&outdated_baseline::INFO);
    if report.unreadable.is_empty() && report.skipped().is_empty() && level != Severity::Off {
        let name = file.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let option = if baseline.causes.is_empty() { "" } else { " --by-cause" };
        let findings = baseline.counts.iter().map(|(known, times)| {
            let times = if *times == 1 { String::new() } else { format!(", {times} times") };
            format!("this is fixed, but still listed{times}: {known}")
        });
        let causes = baseline.causes.iter().filter(|(_, met)| !**met).map(|((rule, cause), _)| {
            format!("this is fixed everywhere, but still listed: {cause} ({rule})")
        });
        report.findings.extend(findings.chain(causes).map(|message| {
            let location = Location { document: DocumentId::Path(name.as_str().into()), span: 0..0 };
            let path = file.path().display();
            let help = format!("write it anew: `sitegate check --write-baseline {path}{option}`");
            let finding = RawFinding::new(&outdated_baseline::INFO, location, message)
                .cause(Cause::kind("fixed"))
                .help(help);
            RatedFinding::new(LocatedFinding::from(finding), level)
        }));
    }
    report.recount();
    Ok(())
}

/// Writes the findings of a report as a baseline: each by its file, or by its cause where that is something that pages
/// share, and `by_cause` asks for it. Gives how many findings and entries there are.
///
/// # Errors
/// When the file cannot be written, or holds something that is not a baseline.
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
    for finding in report.findings.iter().filter(|found| found.category != Category::Policy) {
        total += 1;
        match (&*finding.rule, &*finding.cause) {
            cause if things.contains(&cause) => drop(causes.insert(cause)),
            _ => *counts.entry(FindingKey::of(finding)).or_default() += 1,
        }
    }
    let causes = causes.into_iter().map(|(rule, cause)| Entry {
        rule: rule.to_owned(),
        cause: Some(cause.to_owned()),
        ..Entry::default()
    });
    let counts = counts.into_iter().map(|(known, count)| {
        let FindingKey { file, rule, url, message } = known;
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
