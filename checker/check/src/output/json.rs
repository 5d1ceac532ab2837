//! The format for programs: one JSON document, the same bytes from run to run.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::{Serialize, Serializer};

use crate::contract::Contract;
use crate::diagnostic::Category;
use crate::diagnostic::Diagnostic;
use crate::report::sources::Sources;
use crate::report::{Report, Summary};

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
    diagnostics: Findings<'r>,
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
}

#[derive(Serialize)]
struct Span {
    start: u32,
    end: u32,
}

/// The findings, made one at a time while they are written.
struct Findings<'r> {
    diagnostics: &'r [Diagnostic],
    sources: RefCell<Sources<'r>>,
}

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.diagnostics.iter().map(|diagnostic| {
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
            }
        }))
    }
}

/// Writes a report.
pub fn write(report: &Report, contract: &Contract, out: &mut dyn Write) -> io::Result<()> {
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
        diagnostics: Findings {
            diagnostics: &report.diagnostics,
            sources: RefCell::new(Sources::new(report, contract)),
        },
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}
