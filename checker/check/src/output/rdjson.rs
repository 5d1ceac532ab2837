//! Writes the Reviewdog Diagnostic Format (`rdjson`): diagnostics with suggested changes, which reviewdog turns into review
//! comments. Columns count bytes of UTF-8.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

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
    let source = json!({ "name": report.tool.name, "url": url });
    write_json(&DiagnosticResult { source, diagnostics }, JsonLayout::Entries, out)
}

#[derive(Serialize)]
struct DiagnosticResult<L> {
    source: Value,
    diagnostics: L,
}

/// Converts a cause to a diagnostic.
fn diagnostic<'r>(view: &View<'r>, lead: &Lead<'r>) -> Value {
    let finding = view.finding(lead.finding);
    let edits = certain_edits(finding);
    let location = if let [edit] = edits {
        json!({ "path": &**edit.path.as_ref().unwrap_or(&edit.file), "range": edit_range(edit) })
    } else {
        let place = view.annotated_place(lead);
        json!({ "path": place.path, "range": { "start": { "line": place.start.0 } } })
    };
    let mut diagnostic = json!({
        "code": { "value": &*finding.rule },
        "location": location,
        "message": phrases::cause_text(view, lead),
        "severity": if finding.severity == Severity::Error { "ERROR" } else { "WARNING" },
    });
    if let Some(page) = rules::find_rule(&finding.rule).and_then(RuleInfo::page) {
        diagnostic["code"]["url"] = page.into();
    }
    if !edits.is_empty() {
        let suggestion = |edit| json!({ "range": edit_range(edit), "text": &*edit.new });
        diagnostic["suggestions"] = edits.iter().map(suggestion).collect();
    }
    diagnostic
}

fn certain_edits(finding: &Finding) -> &[SourceEdit] {
    let fix = finding.fix.as_ref().filter(|fix| fix.certainty == Certainty::Certain);
    fix.map_or(&[], |fix| &fix.edits)
}

fn edit_range(edit: &SourceEdit) -> Value {
    let column = edit.start - edit.line_start + 1;
    let (end_line, end_column) = edit.end(column, str::len);
    json!({
        "end": { "column": end_column, "line": end_line },
        "start": { "column": column, "line": edit.line },
    })
}

/// Returns the diagnostic of an unreadable file.
fn unreadable(error: &str, report: &Report) -> Value {
    json!({
        "code": { "value": "unreadable" },
        "location": { "path": report.root_path },
        "message": phrases::unreadable(error),
        "severity": "ERROR",
    })
}
