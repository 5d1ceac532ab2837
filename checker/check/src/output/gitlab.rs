//! GitLab's code quality report: one JSON array, shown in merge requests.

use std::io::{self, Write};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::in_order::in_order;
use super::json::to_json;
use super::presentation::{Lead, Presentation};
use super::words;
use crate::diagnostic::Severity;
use crate::report::Report;
use crate::report::fingerprint::Fingerprints;
use crate::report::sources::{Sources, below, repository};

/// Writes a report: an issue for each cause, at the source's line, which a merge request shows, or else at that of the export.
pub fn write(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Presentation { report, contract, .. } = presentation;
    let mut is_first = true;
    let mut put = |issue: &Issue| {
        write!(out, "{}\n  ", if std::mem::take(&mut is_first) { "[" } else { "," })?;
        to_json(issue, 1, out)
    };
    report.unread.iter().try_for_each(|error| put(&unread(error, report)))?;
    let mut fingerprints = Fingerprints::default();
    let mut leads: Vec<Lead> = presentation.all_leads().collect();
    leads.sort_by_key(|lead| lead.finding);
    let found = |at: usize| presentation.finding(leads[at].finding);
    let sources = || Sources::one_by_one(report, contract);
    let look = |sources: &mut Sources<'_>, at: usize| (at, issue(presentation, &leads[at], sources));
    in_order(leads.len(), found, sources, look, |(at, mut issue)| {
        issue.fingerprint = presentation.fingerprint(&leads[at], &mut fingerprints);
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

/// A cause, but for its fingerprint.
fn issue(presentation: &Presentation<'_>, lead: &Lead, sources: &mut Sources<'_>) -> Issue {
    let diagnostic = presentation.finding(lead.finding);
    let location = match lead.source {
        Some(source) => GitlabLocation {
            path: presentation.source_map.path(source),
            lines: Lines { begin: source.line as usize },
        },
        None => GitlabLocation {
            path: sources.path(&diagnostic.location.place),
            lines: Lines { begin: sources.position(diagnostic).line },
        },
    };
    Issue {
        description: words::told_with_extent(presentation, lead),
        check_name: diagnostic.rule.id,
        fingerprint: String::new(),
        severity: match diagnostic.severity {
            Severity::Error => "major",
            _ => "minor",
        },
        location,
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
            path: below(report.tree.root(), &repository()),
            lines: Lines { begin: 1 },
        },
    }
}
