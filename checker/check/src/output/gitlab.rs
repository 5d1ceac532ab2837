//! GitLab's code quality report: one JSON array, shown in merge requests.

use std::io::{self, Write};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::in_order::in_order;
use super::json::to_json;
use super::words;
use crate::contract::Contract;
use crate::diagnostic::{Diagnostic, Severity};
use crate::report::Report;
use crate::report::fingerprint::Fingerprints;
use crate::report::sources::Sources;

/// Writes a report.
pub fn write(report: &Report, contract: &Contract, out: &mut dyn Write) -> io::Result<()> {
    let mut is_first = true;
    let mut put = |issue: &Issue| {
        write!(out, "{}\n  ", if std::mem::take(&mut is_first) { "[" } else { "," })?;
        to_json(issue, 1, out)
    };
    report.unread.iter().try_for_each(|error| put(&unread(error, report)))?;
    let sources = || Sources::one_by_one(report, contract);
    let (names, mut fingerprints) = (sources(), Fingerprints::default());
    let found = |index: usize| &report.diagnostics[index];
    let look = |sources: &mut Sources<'_>, index: usize| {
        (index, Fingerprints::shared(found(index), sources), issue(found(index), sources))
    };
    in_order(report.diagnostics.len(), found, sources, look, |(index, shared, mut issue)| {
        issue.fingerprint = fingerprints.next_of(shared, found(index), &names).0;
        put(&issue)
    })?;
    writeln!(out, "{}", if is_first { "[]" } else { "\n]" })
}

#[derive(Serialize)]
struct Issue {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: GitlabLocation,
}

#[derive(Serialize)]
struct GitlabLocation {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
}

/// A finding, but for its fingerprint.
fn issue(diagnostic: &Diagnostic, sources: &mut Sources<'_>) -> Issue {
    Issue {
        description: words::sentence(diagnostic),
        check_name: diagnostic.rule.id,
        fingerprint: String::new(),
        severity: match diagnostic.severity {
            Severity::Error => "major",
            _ => "minor",
        },
        location: GitlabLocation {
            path: sources.path(&diagnostic.location.place),
            lines: Lines { begin: sources.position(diagnostic).line },
        },
    }
}

/// What could not be read blocks: nothing is known of it.
fn unread(error: &str, report: &Report) -> Issue {
    let digest: [u8; 32] = Sha256::digest(error).into();
    Issue {
        description: format!("Cannot check {error}"),
        check_name: "unread",
        fingerprint: digest[..16].iter().map(|byte| format!("{byte:02x}")).collect(),
        severity: "blocker",
        location: GitlabLocation {
            path: crate::report::sources::from_here(report.tree.root()),
            lines: Lines { begin: 1 },
        },
    }
}
