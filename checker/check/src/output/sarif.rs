//! Writes SARIF 2.1.0, the exchange format of static analysis for code scanning services and editors.
//!
//! Published crates have types for all parts of a log, which is most of a minute of build time, and hold a whole log in
//! memory. Keys are sorted, except those of the log and the run, whose results come last: they are written as a stream.

use std::io::{self, Write};

use percent_encoding::percent_encode;
use serde::Serialize;
use serde_json::{Value, json};
use url::Url;

use super::phrases;
use super::report_view::{Lead, RenderOptions, View};
use crate::raw_finding::{RuleInfo, Severity};
use crate::report::finding::{Finding, IgnoredFinding, SourceEdit, SourcePlace};
use crate::report::fingerprint::{Fingerprints, URI_PATH};
use crate::report::{Report, Verdict};
use crate::rules::RULES;
use sitegate_base::artifact::PROGRAM;
use sitegate_base::json_writer::{JsonLayout, Streamed, write_json};
use sitegate_base::plural::capitalized;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The base of paths in the export, and the base of source paths.
const EXPORT: &str = "EXPORT";
const SOURCES: &str = "%SRCROOT%";

/// Maximum number of results in a log; GitHub rejects a log with more.
const MAX_RESULTS: usize = 25_000;

#[derive(Serialize)]
struct Log<R> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [SarifRun<R>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRun<R> {
    tool: Value,
    invocations: [Value; 1],
    original_uri_base_ids: Value,
    column_kind: &'static str,
    results: R,
}

/// Writes the first [`MAX_RESULTS`] causes of a report, errors before warnings, then as many ignored findings as fit.
/// Each cause is at its certain source line, or else at its first location in the export.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let view = &View::new(report, options);
    let run = SarifRun {
        tool: json!({ "driver": driver() }),
        invocations: [invocation(view)],
        original_uri_base_ids: bases(report),
        column_kind: "unicodeCodePoints",
        results: Streamed(|| results(view)),
    };
    write_json(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] }, JsonLayout::Compact, out)
}

fn driver() -> Value {
    json!({
        "name": PROGRAM,
        "rules": RULES.iter().map(|registered| rule(registered.info)).collect::<Vec<_>>(),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "shortDescription":
            message("The gate for static sites: checks that must pass before a site goes live"),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// Returns a text, which SARIF always has in an object.
fn message(text: impl Into<String>) -> Value {
    json!({ "text": text.into() })
}

fn results<'r>(view: &'r View<'r>) -> impl Iterator<Item = Value> {
    let leads = view.leads_by_finding(MAX_RESULTS);
    let ignored = view.report.ignored.iter().take(MAX_RESULTS - leads.len()).map(Ok);
    let mut fingerprints = Fingerprints::default();
    leads.into_iter().map(Err).chain(ignored).map(move |entry| match entry {
        Err(lead) => cause_result(view, &lead, &mut fingerprints),
        Ok(finding) => ignored_result(view.report, finding, &mut fingerprints),
    })
}

/// Converts a finding to a result at its location in the export.
fn result(report: &Report, finding: &Finding, text: &str, fingerprint: &str) -> Value {
    let place = json!({ "artifactLocation": artifact(report, finding), "region": region(finding) });
    json!({
        "level": level(finding.severity),
        "locations": [{ "physicalLocation": place }],
        // Viewers create no links from `[text](url)` then (SARIF 2.1.0, 3.11.6).
        "message": message(text.replace("](", "\\](")),
        "partialFingerprints": { "sitegateFinding/v1": fingerprint },
        "ruleId": &*finding.rule,
        // `null` for a rule of another version.
        "ruleIndex": RULES.iter().position(|registered| *registered.info.id == *finding.rule),
    })
}

/// Converts a cause to a result.
fn cause_result<'r>(view: &View<'r>, lead: &Lead<'r>, fingerprints: &mut Fingerprints) -> Value {
    let (report, finding) = (view.report, view.finding(lead.finding));
    let fingerprint = view.fingerprint(lead, fingerprints);
    let mut result = result(report, finding, &phrases::cause_text(view, lead), &fingerprint);
    if lead.findings > 1 {
        result["occurrenceCount"] = lead.findings.into();
    }
    let related = |text: &str, place: Value| json!({ "message": message(text), "physicalLocation": place });
    if let Some(source) = lead.source {
        let region = region_at(finding.line, finding.column);
        let exported = json!({ "artifactLocation": artifact(report, finding), "region": region });
        result["locations"] = json!([{ "physicalLocation": in_source(source) }]);
        result["relatedLocations"] = json!([related("in the export", exported)]);
    } else if !finding.candidates.is_empty() {
        let places = finding.candidates.iter();
        result["relatedLocations"] =
            places.map(|place| related("possible source", in_source(place))).collect();
    }
    if let Some(fix) = &finding.fix {
        result["fixes"] = json!([{
            "artifactChanges": fix.edits.iter().map(artifact_change).collect::<Vec<_>>(),
            "description": message(format!("{} ({})", capitalized(&fix.reason), fix.certainty)),
        }]);
    }
    result
}

/// Converts an ignored finding to a result (SARIF 2.1.0, 3.35).
fn ignored_result(report: &Report, ignored: &IgnoredFinding, fingerprints: &mut Fingerprints) -> Value {
    let fingerprint = fingerprints.next(ignored, &ignored.message, &ignored.file);
    let text = phrases::sentence(ignored, ignored.help.as_deref());
    let mut result = result(report, ignored, &text, &fingerprint);
    result["suppressions"] = json!([{
        "justification": ignored.reason.as_deref().unwrap_or("in the baseline"),
        "kind": if ignored.by == "page" { "inSource" } else { "external" },
        "status": "accepted",
    }]);
    result
}

/// Converts an edit (SARIF 2.1.0, 3.56).
fn artifact_change(edit: &SourceEdit) -> Value {
    let (end_line, end_column) = edit.end(edit.column as usize, |text| text.chars().count());
    let end = (end_line, u32::try_from(end_column).unwrap_or(u32::MAX));
    json!({
        "artifactLocation": in_repository(edit.path.as_ref().unwrap_or(&edit.file)),
        "replacements": [{
            "deletedRegion": region_to(edit.line, edit.column, end),
            "insertedContent": message(&*edit.new),
        }],
    })
}

/// Returns a location in an authored file.
fn in_source(place: &SourcePlace) -> Value {
    let SourcePlace { line, column, length, .. } = *place;
    json!({
        "artifactLocation": in_repository(place.path()),
        "region": region_to(line, column, (line, column + length)),
    })
}

fn rule(info: &'static RuleInfo) -> Value {
    let RuleInfo { id, why, bad, good, .. } = *info;
    let summary = format!("{}.", capitalized(info.summary));
    let (bad_code, good_code) = (code_block(bad), code_block(good));
    let mut rule = json!({
        "defaultConfiguration": { "enabled": info.default != Severity::Off, "level": level(info.default) },
        "fullDescription": message(format!("{summary} {why}")),
        "help": {
            "markdown": format!("{why}\n\n**Bad**\n\n{bad_code}\n\n**Good**\n\n{good_code}"),
            "text": format!("{why}\n\nBad:\n{bad}\n\nGood:\n{good}"),
        },
        "id": id,
        "properties": { "tags": [info.category.to_string()] },
        "shortDescription": message(summary),
    });
    if let Some(page) = info.page() {
        rule["helpUri"] = page.into();
    }
    rule
}

/// Returns a fenced code block, with a fence that is longer than any in the text.
fn code_block(text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}\n{text}\n{fence}")
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warn => "warning",
        Severity::Off => "none",
    }
}

fn invocation(view: &View<'_>) -> Value {
    let report = view.report;
    let notification = |level, text: String| json!({ "level": level, "message": message(text) });
    let unreadable = report.unreadable.iter().map(|error| notification("error", phrases::unreadable(error)));
    let skipped = view.all_leads().count().saturating_sub(MAX_RESULTS);
    let skipped = (skipped > 0).then(|| {
        let text = format!(
            "{skipped} causes are left out: code scanning services accept at most {MAX_RESULTS} results. \
             Other formats list all causes."
        );
        notification("warning", text)
    });
    let external = report.external.as_ref().map(|external| {
        notification("note", format!("{}.", capitalized(&phrases::external_summary(external))))
    });
    json!({
        "executionSuccessful": report.verdict != Verdict::Incomplete,
        "exitCode": report.verdict.exit_code(),
        "toolExecutionNotifications": unreadable.chain(skipped).chain(external).collect::<Vec<_>>(),
    })
}

/// Returns the base URIs. The export's is relative to the root of the repository if possible, which readers of the log
/// map to their own checkout.
fn bases(report: &Report) -> Value {
    let root = &report.root_path;
    let sources = "The root of the repository, or the working directory of the check.";
    let mut bases = json!({ SOURCES: { "description": message(sources) } });
    if !root.is_empty() {
        let mut export = match Url::from_directory_path(root) {
            Ok(uri) => json!({ "uri": uri.as_str() }),
            Err(()) => below(&format!("{}/", encoded(root.trim_end_matches('/'))), SOURCES),
        };
        export["description"] = message("The root of the export.");
        bases[EXPORT] = export;
    }
    bases
}

fn artifact(report: &Report, finding: &Finding) -> Value {
    let document = finding.document.as_deref();
    if let Some(path) = document.and_then(|document| document.path.as_ref()) {
        return in_repository(path);
    }
    let uri = document.and_then(|document| document.uri.clone());
    let base = if report.root_path.is_empty() { SOURCES } else { EXPORT };
    below(&uri.unwrap_or_else(|| encoded(&finding.file)), base)
}

/// Returns a file in the repository, or one with an absolute path.
fn in_repository(path: &str) -> Value {
    match Url::from_file_path(path) {
        Ok(uri) => json!({ "uri": uri.as_str() }),
        Err(()) => below(&encoded(path), SOURCES),
    }
}

fn below(uri: &str, base: &str) -> Value {
    json!({ "uri": uri, "uriBaseId": base })
}

fn encoded(path: &str) -> String {
    percent_encode(path.as_bytes(), URI_PATH).to_string()
}

fn region(finding: &Finding) -> Value {
    let span = finding.span;
    if span.start == span.end {
        return json!({ "startLine": finding.line });
    }
    let mut region = region_to(finding.line, finding.column, (finding.end_line, finding.end_column));
    if !finding.utf16 {
        region["byteOffset"] = span.start.into();
        region["byteLength"] = (span.end - span.start).into();
    }
    if let Some(marked) = finding.marked() {
        region["snippet"] = message(marked);
    }
    region
}

/// Returns the rest of a line from a column. Lines and columns are counted from 1.
fn region_at(line: u32, column: u32) -> Value {
    json!({ "startColumn": column, "startLine": line })
}

/// Returns the range up to the line and the column after its last character.
fn region_to(line: u32, column: u32, (end_line, end_column): (u32, u32)) -> Value {
    json!({ "endColumn": end_column, "endLine": end_line, "startColumn": column, "startLine": line })
}
