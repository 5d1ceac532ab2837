//! GitLab's code quality report: one JSON array, shown in merge requests.

use std::cell::RefCell;
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::words;
use crate::contract::Contract;
use crate::diagnostic::{Diagnostic, Severity};
use crate::report::Report;
use crate::report::fingerprint::Fingerprints;
use crate::report::sources::Sources;

/// Writes a report.
pub fn write(report: &Report, contract: &Contract, out: &mut dyn Write) -> io::Result<()> {
    let state = RefCell::new((Sources::new(report, contract), Fingerprints::default()));
    serde_json::to_writer_pretty(&mut *out, &Issues { report, state })?;
    writeln!(out)
}

/// The findings, made one at a time while they are written.
struct Issues<'r> {
    report: &'r Report,
    state: RefCell<(Sources<'r>, Fingerprints)>,
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

impl Serialize for Issues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let unread = self.report.unread.iter().map(|error| self.unread(error));
        let found = self.report.diagnostics.iter().map(|diagnostic| self.issue(diagnostic));
        serializer.collect_seq(unread.chain(found))
    }
}

impl Issues<'_> {
    fn issue(&self, diagnostic: &Diagnostic) -> Issue {
        let (sources, fingerprints) = &mut *self.state.borrow_mut();
        Issue {
            description: words::sentence(diagnostic),
            check_name: diagnostic.rule.id,
            fingerprint: fingerprints.next(diagnostic, sources).0,
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
    fn unread(&self, error: &str) -> Issue {
        let digest: [u8; 32] = Sha256::digest(error).into();
        Issue {
            description: format!("Cannot check {error}"),
            check_name: "unread",
            fingerprint: digest[..16].iter().map(|byte| format!("{byte:02x}")).collect(),
            severity: "blocker",
            location: GitlabLocation {
                path: crate::report::sources::from_here(self.report.tree.root()),
                lines: Lines { begin: 1 },
            },
        }
    }
}
