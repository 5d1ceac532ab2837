//! The baseline: findings that are known, so that only new ones fail. It ends up in the seal's contract digest.
//!
//! A finding is known by its rule, its file, and the reference it is about (or else its message), as often as
//! it was met: lines may move without any of it becoming new.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::contract::{BaselineFile, Contract, FILE_NAME};
use crate::diagnostic::{Category, Cause, Diagnostic, Location, Place, Severity};
use crate::files;
use crate::report::Report;
use crate::report::sources::Sources;
use crate::rules::fixed_baseline;
use crate::rules::ruleset::Ruleset;

/// The version of the file's shape; it grows when a field is removed or changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// What marks a JSON file as a baseline.
const KIND: &str = "sitegate-baseline";

/// What a finding is known by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The file's path below the export's root, or the contract's name.
    pub file: String,
    /// The rule's id.
    pub rule: String,
    /// The reference as it is written, for a finding about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The message, for any other finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.url.as_ref().or(self.message.as_ref()).map_or("", String::as_str);
        write!(f, "{}: {} ({})", self.file, what, self.rule)
    }
}

/// Findings, and how often each is met.
pub type Counts = BTreeMap<Known, usize>;

#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    known: Known,
    count: usize,
}

#[derive(Serialize, Deserialize)]
struct BaselineDocument {
    schema_version: u32,
    kind: String,
    findings: Vec<Entry>,
}

/// What a baseline knows.
///
/// # Errors
/// When it is not there, or is not a baseline.
pub fn counts(file: &BaselineFile) -> Result<Counts, String> {
    let name = file.path().display();
    let way_out = format!("write it with `sitegate check --write-baseline {name}`");
    let bytes = file.content().map_err(|error| format!("{name}: {error}; {way_out}"))?;
    let document: BaselineDocument =
        serde_json::from_slice(bytes).map_err(|error| format!("{name}: is not a baseline: {error}"))?;
    if document.kind != KIND || document.schema_version != SCHEMA_VERSION {
        return Err(format!("{name}: is not a baseline of version {SCHEMA_VERSION}; {way_out}"));
    }
    let mut counts = Counts::new();
    for entry in document.findings {
        *counts.entry(entry.known).or_default() += entry.count;
    }
    Ok(counts)
}

/// What each finding of a report is known by, in their order.
fn known(report: &Report, contract: &Contract) -> Vec<Known> {
    let mut sources = Sources::new(report, contract);
    let know = |diagnostic: &Diagnostic| {
        let url = sources.reference(diagnostic);
        Known {
            file: match &diagnostic.location.place {
                Place::Contract | Place::Base(_) => FILE_NAME.to_owned(),
                place => sources.name(place),
            },
            rule: diagnostic.rule.id.to_owned(),
            message: url.is_none().then(|| diagnostic.message.to_string()),
            url,
        }
    };
    report.diagnostics.iter().map(know).collect()
}

/// Whether a finding can be in a baseline: those about exceptions and the baseline itself cannot.
fn is_kept(diagnostic: &Diagnostic) -> bool {
    diagnostic.rule.category != Category::Policy
}

fn count(report: &Report, contract: &Contract, counted: impl Fn(&Diagnostic) -> bool) -> Counts {
    let mut counts = Counts::new();
    for (known, diagnostic) in known(report, contract).into_iter().zip(&report.diagnostics) {
        if counted(diagnostic) {
            *counts.entry(known).or_default() += 1;
        }
    }
    counts
}

/// Counts all findings of a report.
pub fn count_all(report: &Report, contract: &Contract) -> Counts {
    count(report, contract, |_| true)
}

/// Leaves only the findings in a report that were not met before; its counts stay as they are. Gives those
/// that were met before, and are not any more.
pub fn leave_new(report: &mut Report, contract: &Contract, before: Counts) -> Counts {
    take_out(report, contract, before, |_| true)
}

/// Takes the findings that are known out of a report. Gives what is known, but was not met so often.
fn take_out(
    report: &mut Report,
    contract: &Contract,
    mut counts: Counts,
    can_be_known: impl Fn(&Diagnostic) -> bool,
) -> Counts {
    let mut keys = known(report, contract).into_iter();
    report.diagnostics.retain(|diagnostic| {
        let left = keys.next().and_then(|key| counts.get_mut(&key)).filter(|left| **left > 0);
        match left {
            Some(left) if can_be_known(diagnostic) => {
                *left -= 1;
                false
            }
            _ => true,
        }
    });
    counts.retain(|_, left| *left > 0);
    counts
}

/// Holds a report against the contract's baseline: only new findings stay, and what is fixed is reported.
pub(crate) fn apply(report: &mut Report, contract: &Contract, rules: &Ruleset) -> Result<(), String> {
    let Some(file) = &contract.baseline else { return Ok(()) };
    let before = report.diagnostics.len();
    let fixed = take_out(report, contract, counts(file)?, is_kept);
    report.summary.baselined = before - report.diagnostics.len();
    let level = rules.level(&fixed_baseline::INFO);
    if report.unread.is_empty() && level != Severity::Off {
        let name = file.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        report.diagnostics.extend(fixed.into_iter().map(|(known, times)| {
            let location = Location { place: Place::Path(name.as_str().into()), span: 0..0 };
            let times = if times == 1 { String::new() } else { format!(", {times} times") };
            let message = format!("this is fixed, but still listed{times}: {known}");
            let help = format!("write it anew: `sitegate check --write-baseline {}`", file.path().display());
            let mut diagnostic = Diagnostic::new(&fixed_baseline::INFO, location, message)
                .cause(Cause::kind("fixed"))
                .help(help);
            diagnostic.severity = level;
            diagnostic
        }));
    }
    report.recount();
    Ok(())
}

/// Writes the findings of a report as a baseline. Gives how many there are.
///
/// # Errors
/// When the file cannot be written, or holds something that is not a baseline.
pub fn write(report: &Report, contract: &Contract, path: &Path) -> Result<usize, String> {
    let old = BaselineFile::read(path);
    if path.exists() && counts(&old).is_err() {
        let name = path.display();
        return Err(format!(
            "{name}: exists and is not a baseline, so it is not replaced; choose another path"
        ));
    }
    let counts = count(report, contract, is_kept);
    let total = counts.values().sum();
    let findings = counts.into_iter().map(|(known, count)| Entry { known, count }).collect();
    let document = BaselineDocument { schema_version: SCHEMA_VERSION, kind: KIND.to_owned(), findings };
    let text = serde_json::to_string_pretty(&document).map_err(|error| error.to_string())?;
    files::write(path, |mut out| writeln!(out, "{text}"))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(total)
}
