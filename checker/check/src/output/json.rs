//! The format for programs: one JSON document, the same bytes from run to run.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::presentation::Presentation;
use crate::diagnostic::Category;
use crate::report::Summary;
use crate::report::excuse_tally::ExcuseTally;
use crate::report::sources::Sources;

/// The version of this document's shape; it grows when a field is removed or changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct JsonReport<'r> {
    schema_version: u32,
    tool: JsonTool,
    root: String,
    summary: Summary,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    taken: BTreeMap<&'static str, JsonTaken<'r>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    unread: &'r [String],
    causes: JsonCauses<'r>,
    diagnostics: Findings<'r>,
    #[serde(skip_serializing_if = "<[ExcuseTally]>::is_empty")]
    excuses: &'r [ExcuseTally],
    #[serde(skip_serializing_if = "ExcusedFindings::is_empty")]
    excused: ExcusedFindings<'r>,
}

#[derive(Serialize)]
struct JsonTool {
    name: &'static str,
    version: &'static str,
}

/// A setting of the contract's `[site]` that it leaves open, and what the export says of it.
#[derive(Serialize)]
struct JsonTaken<'r> {
    value: &'r str,
    evidence: &'r str,
}

#[derive(Serialize)]
struct Finding<'d> {
    rule: &'static str,
    category: Category,
    severity: &'static str,
    message: &'d str,
    file: String,
    line: usize,
    column: usize,
    span: Span,
    url: Option<String>,
    help: Option<&'d str>,
    cause: &'d str,
}

/// What findings have in common. Its rule, its severity and its name tell it from all others, from run to run.
#[derive(Serialize)]
struct JsonCause<'c> {
    rule: &'static str,
    severity: &'static str,
    cause: &'c str,
    findings: usize,
    files: usize,
}

/// The causes, most important first.
struct JsonCauses<'r>(&'r Presentation<'r>);

impl Serialize for JsonCauses<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Presentation { report, causes, .. } = self.0;
        serializer.collect_seq(causes.iter().map(|(cause, common)| {
            let first = causes.first(cause, report);
            JsonCause {
                rule: first.rule.id,
                severity: first.severity.as_str(),
                cause: causes.name(cause, report),
                findings: common.findings(),
                files: common.documents,
            }
        }))
    }
}

#[derive(Serialize)]
struct Span {
    start: u32,
    end: u32,
}

/// The findings, made one at a time while they are written.
struct Findings<'r> {
    presentation: &'r Presentation<'r>,
    sources: RefCell<Sources<'r>>,
}

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Presentation { report, causes, .. } = self.presentation;
        serializer.collect_seq(report.diagnostics.iter().enumerate().map(|(finding, diagnostic)| {
            let mut sources = self.sources.borrow_mut();
            let position = sources.position(diagnostic);
            Finding {
                rule: diagnostic.rule.id,
                category: diagnostic.rule.category,
                severity: diagnostic.severity.as_str(),
                message: &diagnostic.message,
                file: sources.name(&diagnostic.location.place),
                line: position.line,
                column: position.column,
                span: Span { start: diagnostic.location.span.start, end: diagnostic.location.span.end },
                url: sources.reference(diagnostic),
                help: diagnostic.help.as_deref(),
                cause: causes.name(causes.cause_of(finding), report),
            }
        }))
    }
}

/// A finding that was let pass.
#[derive(Serialize)]
struct JsonExcused<'d> {
    rule: &'static str,
    severity: &'static str,
    message: &'d str,
    file: String,
    line: usize,
    column: usize,
    url: Option<String>,
    by: &'static str,
    reason: Option<&'d str>,
}

/// The findings that were let pass, made one at a time as well.
struct ExcusedFindings<'r> {
    presentation: &'r Presentation<'r>,
    sources: RefCell<Sources<'r>>,
}

impl ExcusedFindings<'_> {
    fn is_empty(&self) -> bool {
        self.presentation.report.excused.is_empty()
    }
}

impl Serialize for ExcusedFindings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Presentation { report, contract, .. } = self.presentation;
        serializer.collect_seq(report.excused.iter().map(|excused| {
            let mut sources = self.sources.borrow_mut();
            let finding = &excused.finding;
            let position = sources.position(finding);
            JsonExcused {
                rule: finding.rule.id,
                severity: finding.severity.as_str(),
                message: &finding.message,
                file: sources.name(&finding.location.place),
                line: position.line,
                column: position.column,
                url: sources.reference(finding),
                by: excused.by.kind(),
                reason: excused.by.reason(contract),
            }
        }))
    }
}

/// Writes a report.
pub fn write(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Presentation { report, contract, .. } = presentation;
    let document = JsonReport {
        schema_version: SCHEMA_VERSION,
        tool: JsonTool { name: crate::report::PROGRAM, version: env!("CARGO_PKG_VERSION") },
        root: report.tree.root().display().to_string(),
        summary: report.summary,
        taken: report
            .whereabouts
            .taken
            .iter()
            .map(|taken| (taken.key, JsonTaken { value: &taken.value, evidence: &taken.evidence }))
            .collect(),
        unread: &report.unread,
        causes: JsonCauses(presentation),
        diagnostics: Findings { presentation, sources: RefCell::new(Sources::new(report, contract)) },
        excuses: &presentation.excuses,
        excused: ExcusedFindings {
            presentation,
            sources: RefCell::new(Sources::one_by_one(report, contract)),
        },
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}
