//! Writes GitLab's code quality report: a JSON array that merge requests show.

use std::io::{self, Write};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::phrases;
use super::report_view::{Lead, RenderOptions, ReportEntry, View};
use crate::raw_finding::Severity;
use crate::report::Report;
use crate::report::fingerprint::Fingerprints;
use sitegate_base::hex::hex;
use sitegate_base::json_writer::{JsonLayout, Streamed, write_json};

/// Writes an issue for each cause, at the source line, which a merge request shows, or else at the line in the export.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let view = &View::new(report, options);
    let issues = Streamed(|| {
        let mut fingerprints = Fingerprints::default();
        view.entries().map(move |entry| match entry {
            ReportEntry::Unreadable(error) => unreadable(error, report),
            ReportEntry::Cause(lead) => issue(view, &lead, &mut fingerprints),
        })
    });
    write_json(&issues, JsonLayout::Pretty, out)
}

#[derive(Serialize)]
struct Issue<'r> {
    description: String,
    check_name: &'r str,
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
    begin: u32,
}

/// Converts a cause to an issue.
fn issue<'r>(view: &View<'r>, lead: &Lead<'r>, fingerprints: &mut Fingerprints) -> Issue<'r> {
    let finding = view.finding(lead.finding);
    let place = view.annotated_place(lead);
    Issue {
        description: phrases::cause_text(view, lead),
        check_name: &finding.rule,
        fingerprint: view.fingerprint(lead, fingerprints),
        severity: match finding.severity {
            Severity::Error => "major",
            _ => "minor",
        },
        location: GitlabLocation { path: place.path.into_owned(), lines: Lines { begin: place.start.0 } },
    }
}

/// Returns an issue for an unreadable file. It is a blocker, because its findings are unknown.
fn unreadable(error: &str, report: &Report) -> Issue<'static> {
    Issue {
        description: phrases::unreadable(error),
        check_name: "unreadable",
        fingerprint: hex(&Sha256::digest(error)[..16]),
        severity: "blocker",
        location: GitlabLocation { path: report.root_path.clone(), lines: Lines { begin: 1 } },
    }
}
