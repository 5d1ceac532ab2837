//! Reads and applies baselines: with one, only new findings fail the check.
//!
//! An entry identifies findings by rule, file, and reference (or else message), with their number. So findings are
//! not new if only their lines have moved. Numbers in messages and hashes in names are not compared: they change when
//! something else does, and also if the problem gets smaller. An entry by cause identifies findings by rule and cause,
//! on any page. The contract digest of a seal covers the baseline.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use serde::{Deserialize, Serialize};
use sitegate_address::hashed_name::stable_name;
use sitegate_address::relative::relative_folder;
use sitegate_base::artifact::{ArtifactRefusal, BASELINE};
use sitegate_base::atomic_file::OutputKind;
use sitegate_sources::edits::{ApplyError, RefusalReason};

use crate::contract::{BaselineFile, CONTRACT_FILE, Contract};
use crate::raw_finding::{Category, Cause, DocumentId, Location, RawFinding, RuleInfo, Severity};
use crate::report::Report;
use crate::report::document_names::below;
use crate::report::finding::Finding;
use crate::report::locator::FindingLocator;
use crate::report::result::{CheckResult, IgnoredBy};
use crate::report::stable_text::stable_message;
use crate::rules::ruleset::Ruleset;
use crate::rules::{BLOCK_PUBLISHING, invalid_ignore, known, outdated_baseline, unused_ignore};

pub(super) const OUTPUT_KIND: OutputKind =
    OutputKind { refusal: "is not a baseline", replaces: |text| BASELINE.is_beginning(text) };

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
    fn new(file: String, rule: &str, url: Option<String>, message: &str) -> FindingKey {
        FindingKey { file, rule: rule.to_owned(), message: url.is_none().then(|| message.to_owned()), url }
    }

    /// Returns the key of a finding of a check.
    pub(super) fn of_raw(finding: &RawFinding, locator: &mut FindingLocator<'_>) -> FindingKey {
        let file = match &finding.location.document {
            DocumentId::Contract | DocumentId::Base(_) | DocumentId::HostConfig => CONTRACT_FILE.to_owned(),
            document => locator.name(document),
        };
        FindingKey::new(file, finding.rule.id, locator.reference(finding), &finding.message)
    }

    /// Returns the key of a finding of a report.
    pub(super) fn of_reported(finding: &Finding) -> FindingKey {
        let file = if finding.is_in_export() { &*finding.file } else { CONTRACT_FILE };
        let url = finding.url.as_ref().map(ToString::to_string);
        FindingKey::new(file.to_owned(), &finding.rule, url, &finding.message)
    }

    /// Returns the key without the parts that change although the finding is still the same.
    pub(super) fn stable(&self) -> FindingKey {
        let without_hash = |name: &String| stable_name(name).into_owned();
        FindingKey {
            file: without_hash(&self.file),
            rule: self.rule.clone(),
            url: self.url.as_ref().map(without_hash),
            message: self.message.as_ref().map(|message| stable_message(&self.rule, message)),
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
    /// The entries with a count, by their stable keys.
    counts: BTreeMap<FindingKey, CountedEntry>,
    /// Rule and cause, whether a finding has matched, and the span of the entry.
    causes: BTreeMap<(String, String), (bool, Range<u32>)>,
}

/// An entry with a count, or several with the same stable key.
#[derive(Debug)]
struct CountedEntry {
    /// The number of findings that have not been matched yet.
    left: usize,
    /// The key as it is in the file.
    written: FindingKey,
    span: Range<u32>,
}

/// An entry of the file: a key with its count, or a cause.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Entry {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    pub rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct BaselineDocument {
    pub schema_version: u32,
    pub kind: String,
    pub findings: Vec<Entry>,
    /// The checked site. Baselines of earlier versions do not name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<BaselineSite>,
}

/// An error that keeps a baseline from being read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// The file does not exist.
    #[error("{0}: there is no such file; write it with `sitegate check --write-baseline {0}`", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is not a baseline that this program reads.
    #[error("{}: {refusal}", path.display())]
    NotRead {
        /// The file.
        path: PathBuf,
        /// The reason.
        refusal: ArtifactRefusal,
    },
    /// The baseline has other fields. The message does not quote it: it may be any file.
    #[error("{0}:{line}:{column}: this is not a baseline; name a file that `sitegate check --write-baseline FILE` wrote", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line of the error, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
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
    /// The list is that of another site.
    #[error("{0} is not changed, because it has the findings of {1}, not those of {2}", path.display(), own, checked)]
    OtherSite {
        /// The file.
        path: PathBuf,
        /// The site that the list was written for.
        own: String,
        /// The site of this check, with the way out.
        checked: String,
    },
    /// No finding of the list is from this check.
    #[error("{0} is not changed, because the export has none of its files: is `{1}` the folder that it was written for? If all these pages are removed, write it again: `sitegate check {1} --write-baseline {0}`", path.display(), root)]
    NoFile {
        /// The file.
        path: PathBuf,
        /// The folder that was checked.
        root: String,
    },
    /// The file must not be changed.
    #[error("{0} {1}", path.display(), reason)]
    Refused {
        /// The file.
        path: PathBuf,
        /// The reason, with the way out.
        reason: RefusalReason,
    },
    /// The changes cannot be written.
    #[error(transparent)]
    Apply(#[from] ApplyError),
    /// The file cannot be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// Reads the JSON document of a baseline.
pub(super) fn read_document(baseline_file: &BaselineFile) -> Result<BaselineDocument, BaselineError> {
    let path = || baseline_file.path().to_path_buf();
    let bytes = baseline_file.content().map_err(|error| {
        let source = io::Error::new(error.kind(), error.to_string());
        match error.kind() {
            io::ErrorKind::NotFound => BaselineError::Missing { path: path() },
            _ => BaselineError::Unreadable { path: path(), source },
        }
    })?;
    BASELINE.check_json(bytes).map_err(|refusal| BaselineError::NotRead { path: path(), refusal })?;
    serde_json::from_slice(bytes).map_err(|error| BaselineError::Malformed {
        path: path(),
        line: error.line(),
        column: error.column(),
    })
}

/// Reads a baseline.
fn read(baseline_file: &BaselineFile) -> Result<Baseline, BaselineError> {
    let document = read_document(baseline_file)?;
    let mut baseline = Baseline::default();
    let mut spans = entry_spans(baseline_file.bytes()).into_iter();
    for entry in document.findings {
        let span = spans.next().unwrap_or_default();
        let rule = entry.rule;
        match (entry.file, entry.cause, entry.count) {
            (Some(file), None, Some(count)) => {
                let written = FindingKey { file, rule, url: entry.url, message: entry.message };
                let counted = baseline.counts.entry(written.stable());
                let counted = counted.or_insert(CountedEntry { left: 0, written, span });
                counted.left = counted.left.saturating_add(count);
            }
            (None, Some(cause), None) if entry.url.is_none() && entry.message.is_none() => {
                baseline.causes.insert((rule, cause), (false, span));
            }
            _ => return Err(BaselineError::Entry { path: baseline_file.path().to_path_buf(), rule }),
        }
    }
    Ok(baseline)
}

/// Returns the first line of each entry in the text of a baseline: the objects in the list of the object. Takes linear
/// time, also if all entries are on one line.
fn entry_spans(text: &[u8]) -> Vec<Range<u32>> {
    let (mut spans, mut depth): (Vec<Range<u32>>, u32) = (Vec::new(), 0);
    let (mut is_quoted, mut is_escaped) = (false, false);
    // Whether the last entry goes on: up to the end of its first line, without the line of the brace.
    let mut is_open = false;
    for (at, byte) in text.iter().enumerate() {
        if is_open && let Some(span) = spans.last_mut() {
            if span.start == span.end && byte.is_ascii_whitespace() {
                *span = at as u32 + 1..at as u32 + 1;
            } else if matches!(byte, b'\n' | b'\r') {
                is_open = false;
            } else if !(*byte == b'}' && depth == 3 && !is_quoted) {
                span.end = at as u32 + 1;
            }
        }
        match byte {
            _ if std::mem::take(&mut is_escaped) => {}
            b'\\' => is_escaped = is_quoted,
            b'"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            b'{' | b'[' => {
                depth += 1;
                if depth == 3 {
                    spans.push(at as u32 + 1..at as u32 + 1);
                    is_open = true;
                }
            }
            b'}' | b']' => {
                is_open &= depth != 3;
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    spans
}

/// Returns the reason why a baseline cannot list findings of a rule: they are about ignores and the baseline, or they
/// must never go live.
pub(super) fn reason_to_leave_out(rule: &str) -> Option<&'static str> {
    if [invalid_ignore::INFO.id, unused_ignore::INFO.id].contains(&rule) {
        Some("remove or correct these ignores")
    } else if rule == outdated_baseline::INFO.id {
        Some("remove these entries")
    } else if BLOCK_PUBLISHING.contains(&rule) {
        Some("these must not go live")
    } else {
        None
    }
}

/// Removes the findings that the baseline lists, and returns them. Afterwards, `baseline.counts` has the entries that
/// matched too few findings.
fn remove_listed(
    result: &mut CheckResult,
    contract: &Contract,
    baseline: &mut Baseline,
) -> Vec<(RawFinding, IgnoredBy)> {
    let mut locator = FindingLocator::new(result, contract);
    let mut is_listed = |finding: &RawFinding| {
        if reason_to_leave_out(finding.rule.id).is_some() {
            return false;
        }
        let mut has_listed_cause = false;
        if !baseline.causes.is_empty() {
            let located = locator.locate(finding);
            let thing = finding.thing(&located);
            let cause = finding.cause_name(thing.as_deref()).to_owned();
            if let Some((is_matched, _)) = baseline.causes.get_mut(&(finding.rule.id.to_owned(), cause)) {
                *is_matched = true;
                has_listed_cause = true;
            }
        }
        match baseline.counts.get_mut(&FindingKey::of_raw(finding, &mut locator).stable()) {
            Some(entry) if entry.left > 0 => {
                entry.left -= 1;
                true
            }
            _ => has_listed_cause,
        }
    };
    let is_listed: Vec<bool> = result.findings.iter().map(&mut is_listed).collect();
    let mut is_listed = is_listed.into_iter();
    let removed = result.findings.extract_if(.., |_| is_listed.next().unwrap_or_default());
    let removed = removed.map(|finding| (finding, IgnoredBy::Baseline)).collect();
    baseline.counts.retain(|_, entry| entry.left > 0);
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
    if result.unreadable.is_empty() && result.skipped().is_empty() {
        let can_count = |rule: &str| known(rule).is_err() || rules.can_count(contract, rule);
        let counts = baseline.counts.values().filter(|entry| can_count(&entry.written.rule));
        let findings = counts.map(|CountedEntry { left, written, span }| {
            let times = if *left == 1 { String::new() } else { format!(", {left} times") };
            (format!("this finding is fixed, but still in the baseline{times}: {written}"), span)
        });
        let causes =
            baseline.causes.iter().filter(|((rule, _), (is_matched, _))| !is_matched && can_count(rule));
        let causes = causes.map(|((rule, cause), (_, span))| {
            (format!("this cause is fixed on all pages, but still in the baseline: {cause} ({rule})"), span)
        });
        result.findings.extend(findings.chain(causes).filter_map(|(message, span)| {
            let location = Location { document: DocumentId::Baseline, span: span.clone() };
            let finding = RawFinding::new(&outdated_baseline::INFO, location, message)
                .cause(Cause::kind("fixed"))
                .help("remove fixed entries: `sitegate check --prune-baseline`");
            let severity = rules.severity(&finding);
            (severity != Severity::Off).then_some(RawFinding { severity, ..finding })
        }));
    }
    result.recount();
    Ok(())
}

/// The site that a baseline is for. Paths are relative to the folder of the baseline, so that it may be in a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BaselineSite {
    /// The folder of the export, or the URL of a live site.
    root: String,
    /// The contract, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contract: Option<String>,
}

impl BaselineSite {
    /// Returns the site of a report, for a baseline.
    pub fn of(report: &Report, contract: &Contract, baseline: &Path) -> BaselineSite {
        let folder = baseline.parent().unwrap_or(Path::new(""));
        let root = Path::new(&report.root);
        let root = if is_url(&report.root) { report.root.clone() } else { relative(root, folder) };
        BaselineSite { root, contract: contract.file.as_deref().map(|file| relative(file, folder)) }
    }
}

impl fmt::Display for BaselineSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.contract {
            Some(contract) => write!(f, "`{}` with `{contract}`", self.root),
            None => write!(f, "`{}` without a contract", self.root),
        }
    }
}

/// The findings that a check could have.
pub struct CheckScope<'c> {
    /// The contract of the check.
    pub contract: &'c Contract,
    /// The report of the check.
    pub report: &'c Report,
    /// Whether all external links were requested.
    pub is_external_complete: bool,
}

impl CheckScope<'_> {
    /// Whether the check could find a finding of a rule in a file, with a URL. A rule that no longer exists finds nothing,
    /// so that its entries are fixed.
    pub(super) fn can_find(&self, rule: &str, file: Option<&str>, url: Option<&str>) -> bool {
        let Ok(info) = known(rule) else { return true };
        if self.level(info, file) == Severity::Off {
            return false;
        }
        match info.category {
            Category::External => self.is_external_complete && !self.is_unverified(url),
            Category::Live => is_url(&self.report.root),
            _ => true,
        }
    }

    /// Whether a file is in the export. A live site has no list of its files.
    pub(super) fn has_file(&self, file: &str) -> bool {
        is_url(&self.report.root) || Path::new(&self.report.root).join(file).exists()
    }

    /// Returns the level of a rule in a file, or the highest of all files.
    fn level(&self, info: &RuleInfo, file: Option<&str>) -> Severity {
        let stated = self.contract.rules.iter().find(|setting| setting.id.value == info.id);
        let default = stated.and_then(|setting| setting.level).unwrap_or(info.default);
        let html = self.contract.site.host_profile().added_html();
        let levels = self.contract.overrides.iter().filter_map(|entry| {
            let level = entry.levels.iter().rfind(|(id, _)| id.value == info.id)?.1;
            let is_of_file = match file {
                Some(file) => entry.paths.has_file(file.as_bytes(), html),
                None => level != Severity::Off,
            };
            is_of_file.then_some(level)
        });
        levels.fold(default, |_, level| level)
    }

    /// Whether the host of a URL did not answer all requests, so that a broken link may be unverified now.
    fn is_unverified(&self, url: Option<&str>) -> bool {
        let hosts = self.report.external.iter().flat_map(|external| &external.hosts);
        let mut unverified = hosts.filter(|host| host.counts.unverified > 0).peekable();
        match url {
            Some(url) => unverified.any(|host| url.contains(&host.host)),
            None => unverified.peek().is_some(),
        }
    }
}

fn is_url(root: &str) -> bool {
    root.starts_with("http://") || root.starts_with("https://")
}

/// Returns a path relative to a folder, with `/`.
fn relative(path: &Path, folder: &Path) -> String {
    let plain = |given: &Path| below(given, Path::new("/"));
    relative_folder(&plain(folder), &plain(path))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{entry_spans, relative};

    #[test]
    fn spans_of_entries_take_linear_time() {
        let lines = b"{\"findings\": [\n  {\n    \"rule\": \"a}\\\"\",\n    \"x\": 1\n  },\n  { \"rule\": \"b\" }\n]}";
        let shown = |text: &[u8]| -> Vec<String> {
            let of = |span: std::ops::Range<u32>| {
                String::from_utf8_lossy(&text[span.start as usize..span.end as usize]).into_owned()
            };
            entry_spans(text).into_iter().map(of).collect()
        };
        assert_eq!(shown(lines), ["\"rule\": \"a}\\\"\",", "\"rule\": \"b\" "]);
        // If each entry read the rest of the line, this would take hours.
        let entries =
            vec!["{\"file\":\"index.html\",\"rule\":\"broken-link\",\"count\":1}"; 400_000].join(",");
        let line = format!("{{\"findings\":[{entries}]}}");
        assert_eq!(entry_spans(line.as_bytes()).len(), 400_000);
    }

    #[test]
    fn paths_are_relative_to_the_folder_of_the_baseline() {
        for (path, folder, expected) in [
            ("dist", "", "dist"),
            ("dist/", ".", "dist"),
            ("a/dist", "a/known", "../dist"),
            (".", "", "."),
            ("/x/dist", "/y", "../x/dist"),
        ] {
            assert_eq!(relative(Path::new(path), Path::new(folder)), expected, "{path} {folder}");
        }
    }
}
