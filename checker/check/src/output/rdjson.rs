//! Writes the Reviewdog Diagnostic Format (`rdjson`): diagnostics with suggested changes, which reviewdog turns into review
//! comments. Columns count bytes of UTF-8.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::phrases;
use super::report_view::{Lead, RenderOptions, ReportEntry, View};
use crate::raw_finding::{Certainty, RuleInfo, Severity};
use crate::report::Report;
use crate::report::finding::{Finding, SourceEdit};
use crate::rules;
use sitegate_base::json_writer::{JsonLayout, Streamed, write_json};

/// Writes a diagnostic for each cause at each source line, or else at its first location in the export.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let view = &View::new(report, options);
    let diagnostics = Streamed(|| {
        view.entries().map(|entry| match entry {
            ReportEntry::Unreadable(error) => unreadable(error, report),
            ReportEntry::Cause(lead) => diagnostic(view, &lead),
        })
    });
    let url = report.tool.documentation.as_deref().unwrap_or_default();
    let document =
        DiagnosticResult { source: DiagnosticSource { name: &report.tool.name, url }, diagnostics };
    write_json(&document, JsonLayout::Entries, out)
}

#[derive(Serialize)]
struct DiagnosticResult<'r, L> {
    source: DiagnosticSource<'r>,
    diagnostics: L,
}

#[derive(Serialize)]
struct DiagnosticSource<'r> {
    name: &'r str,
    url: &'r str,
}

#[derive(Serialize)]
struct Diagnostic<'r> {
    code: Code<'r>,
    location: DiagnosticLocation<'r>,
    message: String,
    severity: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<SuggestedChange<'r>>,
}

#[derive(Serialize)]
struct Code<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    value: &'r str,
}

#[derive(Serialize)]
struct DiagnosticLocation<'r> {
    path: Cow<'r, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<DiagnosticRange>,
}

#[derive(Serialize)]
struct DiagnosticRange {
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<DiagnosticPosition>,
    start: DiagnosticPosition,
}

#[derive(Serialize)]
struct DiagnosticPosition {
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    line: u32,
}

#[derive(Serialize)]
struct SuggestedChange<'r> {
    range: DiagnosticRange,
    text: &'r str,
}

/// Converts a cause to a diagnostic.
fn diagnostic<'r>(view: &View<'r>, lead: &Lead<'r>) -> Diagnostic<'r> {
    let finding = view.finding(lead.finding);
    let edits = certain_edits(finding);
    let (path, range) = if let [edit] = edits {
        (Cow::Borrowed(&**edit.path.as_ref().unwrap_or(&edit.file)), edit_range(edit))
    } else {
        let place = view.annotated_place(lead);
        let start = DiagnosticPosition { column: None, line: place.start.0 };
        (place.path, DiagnosticRange { end: None, start })
    };
    Diagnostic {
        code: Code { url: rules::find_rule(&finding.rule).and_then(RuleInfo::page), value: &finding.rule },
        location: DiagnosticLocation { path, range: Some(range) },
        message: phrases::cause_text(view, lead),
        severity: if finding.severity == Severity::Error { "ERROR" } else { "WARNING" },
        suggestions: edits
            .iter()
            .map(|edit| SuggestedChange { range: edit_range(edit), text: &edit.new })
            .collect(),
    }
}

fn certain_edits(finding: &Finding) -> &[SourceEdit] {
    let fix = finding.fix.as_ref().filter(|fix| fix.certainty == Certainty::Certain);
    fix.map_or(&[], |fix| &fix.edits)
}

fn edit_range(edit: &SourceEdit) -> DiagnosticRange {
    let column = edit.start - edit.line_start + 1;
    let (end_line, end_column) = edit.end(column, str::len);
    DiagnosticRange {
        end: Some(DiagnosticPosition { column: Some(end_column), line: end_line }),
        start: DiagnosticPosition { column: Some(column), line: edit.line },
    }
}

/// Returns the diagnostic of an unreadable file.
fn unreadable<'r>(error: &str, report: &'r Report) -> Diagnostic<'r> {
    Diagnostic {
        code: Code { url: None, value: "unreadable" },
        location: DiagnosticLocation { path: Cow::Borrowed(&report.root_path), range: None },
        message: phrases::unreadable(error),
        severity: "ERROR",
        suggestions: Vec::new(),
    }
}
