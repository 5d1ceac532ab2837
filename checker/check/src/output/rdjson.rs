//! Writes the Reviewdog Diagnostic Format (`rdjson`): diagnostics with suggested changes, which reviewdog turns into review
//! comments. Columns count bytes of UTF-8.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::phrases;
use super::render_options::RenderOptions;
use super::report_view::{Lead, View};
use crate::raw_finding::{Certainty, RuleInfo, Severity};
use crate::report::Report;
use crate::report::finding::{Finding, SourceEdit};
use crate::rules;

/// Writes a diagnostic for each cause at each source line, or else at its first location in the export.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let view = View::new(report, options);
    let source =
        json!({ "name": report.tool.name, "url": report.tool.documentation.as_deref().unwrap_or_default() });
    writeln!(out, "{{\"source\":{source},\"diagnostics\":[")?;
    let mut is_first = true;
    let mut put = |diagnostic: &Value| {
        write!(out, "{}{diagnostic}", if std::mem::take(&mut is_first) { "" } else { ",\n" })
    };
    report.unreadable.iter().try_for_each(|error| put(&unreadable(error, report)))?;
    let mut leads: Vec<Lead<'_>> = view.all_leads().collect();
    leads.sort_by_key(|lead| lead.finding);
    leads.iter().try_for_each(|lead| put(&diagnostic(&view, lead)))?;
    writeln!(out, "\n]}}")
}

/// Converts a cause to a diagnostic.
fn diagnostic(view: &View<'_>, lead: &Lead<'_>) -> Value {
    let finding = view.finding(lead.finding);
    let edits = certain_edits(finding);
    let (path, range) = match (edits, lead.source) {
        ([edit], _) => (edit_path(edit).to_owned(), edit_range(edit)),
        (_, Some(source)) => (source.path().to_owned(), line_range(source.line)),
        _ => (view.report.path(finding), line_range(finding.line)),
    };
    let page = rules::find_rule(&finding.rule).and_then(RuleInfo::page);
    let mut diagnostic = json!({
        "message": phrases::cause_text(view, lead),
        "severity": if finding.severity == Severity::Error { "ERROR" } else { "WARNING" },
        "location": { "path": path, "range": range },
        "code": { "value": &*finding.rule },
    });
    if let Some(page) = page {
        diagnostic["code"]["url"] = page.into();
    }
    if !edits.is_empty() {
        diagnostic["suggestions"] =
            edits.iter().map(|edit| json!({ "range": edit_range(edit), "text": &*edit.new })).collect();
    }
    diagnostic
}

fn certain_edits(finding: &Finding) -> &[SourceEdit] {
    let fix = finding.fix.as_ref().filter(|fix| fix.certainty == Certainty::Certain);
    fix.map_or(&[], |fix| &fix.edits)
}

fn edit_path(edit: &SourceEdit) -> &str {
    edit.path.as_ref().unwrap_or(&edit.file)
}

fn edit_range(edit: &SourceEdit) -> Value {
    let column = edit.start - edit.line_start + 1;
    let (end_line, last) = edit.last_line();
    let before = if end_line == edit.line { column } else { 1 };
    json!({
        "start": { "line": edit.line, "column": column },
        "end": { "line": end_line, "column": before + last.len() },
    })
}

fn line_range(line: u32) -> Value {
    json!({ "start": { "line": line } })
}

/// Returns the diagnostic of an unreadable file.
fn unreadable(error: &str, report: &Report) -> Value {
    json!({
        "message": format!("Cannot check {error}"),
        "severity": "ERROR",
        "location": { "path": report.root_path },
        "code": { "value": "unreadable" },
    })
}
