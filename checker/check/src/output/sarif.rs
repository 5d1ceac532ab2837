//! Writes SARIF 2.1.0, the exchange format of static analysis for code scanning services and editors.

use std::io::{self, Write};

use percent_encoding::percent_encode;
use serde::Serialize;
use serde_json::{Value, json};
use url::Url;

use super::phrases;
use super::render_options::RenderOptions;
use super::report_view::{Lead, View};
use crate::raw_finding::{RuleInfo, Severity};
use crate::report::finding::{Finding, IgnoredFinding, SourceEdit, SourcePlace};
use crate::report::fingerprint::{Fingerprints, URI_PATH};
use crate::report::{Report, Verdict};
use crate::rules::RULES;
use sitegate_base::plural::capitalized;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The base of paths in the export, and the base of source paths.
const EXPORT: &str = "EXPORT";
const SOURCES: &str = "%SRCROOT%";

/// Maximum number of results in a log; GitHub rejects a log with more.
const MAX_RESULTS: usize = 25_000;

/// Writes the first [`MAX_RESULTS`] causes of a report, errors before warnings. Each is at its certain source line, or
/// else at its first location in the export.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let view = &View::new(report, options);
    let run = SarifRun {
        tool: json!({ "driver": {
            "name": crate::report::PROGRAM,
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "shortDescription": { "text": "The gate for static sites: checks that must pass before a site goes live" },
            "rules": RULES.iter().map(|registered| rule(registered.info)).collect::<Vec<_>>(),
        }}),
        invocations: [invocation(view)],
        original_uri_base_ids: bases(report),
        column_kind: "unicodeCodePoints",
        results: [],
    };
    let log = serde_json::to_string(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] })?;
    // `results` is the last key of the run, which is last in the log.
    let (head, tail) = log.split_at(log.len() - "]}]}".len());
    write!(out, "{head}")?;
    results(view, out)?;
    writeln!(out, "{tail}")
}

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [SarifRun; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRun {
    tool: Value,
    invocations: [Value; 1],
    original_uri_base_ids: Value,
    column_kind: &'static str,
    results: [Value; 0],
}

/// Writes the causes, then as many ignored findings as fit.
fn results(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut leads: Vec<Lead<'_>> = view.all_leads().take(MAX_RESULTS).collect();
    leads.sort_by_key(|lead| lead.finding);
    let mut fingerprints = Fingerprints::default();
    let mut is_first = true;
    let mut put = |result: Value| {
        write!(out, "{}", if std::mem::take(&mut is_first) { "" } else { "," })?;
        serde_json::to_writer(&mut *out, &result).map_err(io::Error::from)
    };
    for lead in &leads {
        let mut result = cause_result(view, lead);
        let fingerprint = view.fingerprint(lead, &mut fingerprints);
        result["partialFingerprints"] = json!({ "sitegateFinding/v1": fingerprint });
        put(result)?;
    }
    for ignored in view.report.ignored.iter().take(MAX_RESULTS - leads.len()) {
        let mut result = result(ignored, &phrases::sentence(ignored, ignored.help.as_deref()), view.report);
        result["suppressions"] = json!([suppression(ignored)]);
        let fingerprint = fingerprints.next(ignored, &ignored.message, &ignored.file);
        result["partialFingerprints"] = json!({ "sitegateFinding/v1": fingerprint });
        put(result)?;
    }
    Ok(())
}

/// Converts a finding to a result without a fingerprint.
fn result(finding: &Finding, text: &str, report: &Report) -> Value {
    json!({
        "ruleId": &*finding.rule,
        "ruleIndex": RULES.iter().position(|registered| *registered.info.id == *finding.rule),
        "level": level(finding.severity),
        "message": { "text": without_links(text) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": artifact(report, finding),
            "region": region(finding),
        }}],
        "partialFingerprints": {},
    })
}

/// Converts a cause to a result without a fingerprint.
fn cause_result(view: &View<'_>, lead: &Lead<'_>) -> Value {
    let finding = view.finding(lead.finding);
    let mut result = result(finding, &phrases::cause_text(view, lead), view.report);
    if lead.findings > 1 {
        result["occurrenceCount"] = lead.findings.into();
    }
    if let Some(source) = lead.source {
        let exported = json!({
            "artifactLocation": artifact(view.report, finding),
            "region": { "startLine": finding.line, "startColumn": finding.column },
        });
        result["locations"] = json!([{ "physicalLocation": in_source(source) }]);
        result["relatedLocations"] =
            json!([{ "physicalLocation": exported, "message": { "text": "in the export" } }]);
    } else if !finding.candidates.is_empty() {
        let places = finding.candidates.iter().map(
            |place| json!({ "physicalLocation": in_source(place), "message": { "text": "possible source" } }),
        );
        result["relatedLocations"] = places.collect();
    }
    if let Some(fix) = &finding.fix {
        result["fixes"] = json!([{
            "description": { "text": format!("{} ({})", capitalized(&fix.reason), fix.certainty) },
            "artifactChanges": fix.edits.iter().map(artifact_change).collect::<Vec<_>>(),
        }]);
    }
    result
}

/// Converts an edit (SARIF 2.1.0, 3.56).
fn artifact_change(edit: &SourceEdit) -> Value {
    let (end_line, last) = edit.last_line();
    let length = u32::try_from(last.chars().count()).unwrap_or(u32::MAX);
    let before = if end_line == edit.line { edit.column } else { 1 };
    json!({
        "artifactLocation": in_repository(edit.path.as_ref().unwrap_or(&edit.file)),
        "replacements": [{
            "deletedRegion": {
                "startLine": edit.line, "startColumn": edit.column, "endLine": end_line,
                "endColumn": before.saturating_add(length),
            },
            "insertedContent": { "text": &*edit.new },
        }],
    })
}

/// Returns a physical location in an authored file.
fn in_source(place: &SourcePlace) -> Value {
    let SourcePlace { line, column, length, .. } = place;
    json!({
        "artifactLocation": in_repository(place.path()),
        "region": { "startLine": line, "startColumn": column, "endLine": line, "endColumn": column + length },
    })
}

/// Returns the artifact of a file in the repository, or of an absolute path.
fn in_repository(path: &str) -> Value {
    match Url::from_file_path(path) {
        Ok(uri) => json!({ "uri": uri.as_str() }),
        Err(()) => {
            json!({ "uri": percent_encode(path.as_bytes(), URI_PATH).to_string(), "uriBaseId": SOURCES })
        }
    }
}

/// Returns the suppression of an ignored finding (SARIF 2.1.0, 3.35).
fn suppression(ignored: &IgnoredFinding) -> Value {
    let kind = if ignored.by == "page" { "inSource" } else { "external" };
    let why = ignored.reason.as_deref().unwrap_or("in the baseline");
    json!({ "kind": kind, "status": "accepted", "justification": why })
}

/// Escapes a message, so that viewers create no links from `[text](url)` (SARIF 2.1.0, 3.11.6).
fn without_links(text: &str) -> String {
    text.replace("](", "\\](")
}

fn rule(info: &RuleInfo) -> Value {
    let summary = format!("{}.", capitalized(info.summary));
    let mut rule = json!({
        "id": info.id,
        "shortDescription": { "text": summary },
        "fullDescription": { "text": format!("{summary} {}", info.why) },
        "help": {
            "text": format!("{}\n\nBad:\n{}\n\nGood:\n{}", info.why, info.bad, info.good),
            "markdown": format!(
                "{}\n\n**Bad**\n\n{}\n\n**Good**\n\n{}",
                info.why,
                code_block(info.bad),
                code_block(info.good)
            ),
        },
        "defaultConfiguration": {
            "level": level(info.default),
            "enabled": info.default != Severity::Off,
        },
        "properties": { "tags": [info.category.to_string()] },
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
    let notification = |level, text| json!({ "level": level, "message": { "text": text } });
    let unreadable =
        report.unreadable.iter().map(|error| notification("error", format!("Cannot check {error}")));
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
    let notifications: Vec<Value> = unreadable.chain(skipped).chain(external).collect();
    json!({
        "executionSuccessful": report.verdict != Verdict::Incomplete,
        "exitCode": report.verdict.exit_code(),
        "toolExecutionNotifications": notifications,
    })
}

/// Returns the base URIs. The export's is relative to the root of the repository if possible, which readers of the log
/// map to their own checkout.
fn bases(report: &Report) -> Value {
    let mut bases = json!({
        SOURCES: { "description": { "text": "The root of the repository, or the working directory of the check." } },
    });
    let root = &report.root_path;
    if !root.is_empty() {
        let relative = || format!("{}/", percent_encode(root.trim_end_matches('/').as_bytes(), URI_PATH));
        bases[EXPORT] = match Url::from_directory_path(root) {
            Ok(uri) => json!({ "uri": uri.as_str() }),
            Err(()) => json!({ "uri": relative(), "uriBaseId": SOURCES }),
        };
        bases[EXPORT]["description"] = json!({ "text": "The root of the export." });
    }
    bases
}

fn artifact(report: &Report, finding: &Finding) -> Value {
    let document = finding.document.as_deref();
    if let Some(path) = document.and_then(|document| document.path.as_ref()) {
        return in_repository(path);
    }
    let base = if report.root_path.is_empty() { SOURCES } else { EXPORT };
    let uri = document.and_then(|document| document.uri.clone());
    let uri = uri.unwrap_or_else(|| percent_encode(finding.file.as_bytes(), URI_PATH).to_string());
    json!({ "uri": uri, "uriBaseId": base })
}

fn region(finding: &Finding) -> Value {
    let span = finding.span;
    if span.start == span.end {
        return json!({ "startLine": finding.line });
    }
    let mut region = json!({
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
    });
    if let Some(text) = finding.marked() {
        region["snippet"] = json!({ "text": text });
    }
    if !finding.utf16 {
        region["byteOffset"] = span.start.into();
        region["byteLength"] = (span.end - span.start).into();
    }
    region
}
