//! SARIF 2.1.0, the exchange format of static analysis: code scanning services and editors read it.

use std::io::{self, Write};

use percent_encoding::percent_encode;
use serde::Serialize;
use serde_json::{Value, json};
use url::Url;

use super::options::RenderOptions;
use super::view::{Lead, View};
use super::words;
use crate::raw_finding::{RuleInfo, Severity};
use crate::report::finding::{Finding, IgnoredFinding, SourcePlace};
use crate::report::fingerprint::{Fingerprints, URI_PATH};
use crate::report::{Report, Verdict};
use crate::rules::RULES;
use sitegate_base::plural::capitalised;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The base that paths in the export are relative to, and the one of the sources it lies in.
const EXPORT: &str = "EXPORT";
const SOURCES: &str = "%SRCROOT%";

/// Results that code scanning services take in one log; GitHub refuses a log with more.
const MAX_RESULTS: usize = 25_000;

/// Writes a report: the first [`MAX_RESULTS`] of its causes, errors before warnings. Each stands at its line in the sources, where that
/// is certain, or else where it is met first in the export.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let view = &View::new(report, options);
    let run = SarifRun {
        tool: json!({ "driver": {
            "name": crate::report::PROGRAM,
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "shortDescription": { "text": "The gate a static site must pass before it goes live" },
            "rules": RULES.iter().map(|registered| rule(registered.info)).collect::<Vec<_>>(),
        }}),
        invocations: [invocation(view)],
        original_uri_base_ids: bases(report),
        column_kind: "unicodeCodePoints",
        results: [],
    };
    let log = serde_json::to_string(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] })?;
    // The results come last in the run, and that in the log.
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

/// Writes the causes, and the findings that are excused where there is room.
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
        let mut result = of_cause(view, lead);
        let fingerprint = view.fingerprint(lead, &mut fingerprints);
        result["partialFingerprints"] = json!({ "sitegateFinding/v1": fingerprint });
        put(result)?;
    }
    for ignored in view.report.ignored.iter().take(MAX_RESULTS - leads.len()) {
        let mut result = result(ignored, words::sentence(ignored), view.report);
        result["suppressions"] = json!([suppression(ignored)]);
        let fingerprint = fingerprints.next(ignored, &ignored.message, &ignored.file);
        result["partialFingerprints"] = json!({ "sitegateFinding/v1": fingerprint });
        put(result)?;
    }
    Ok(())
}

/// A finding, but for its fingerprint.
fn result(finding: &Finding, text: String, report: &Report) -> Value {
    json!({
        "ruleId": &*finding.rule,
        "ruleIndex": RULES.iter().position(|registered| *registered.info.id == *finding.rule),
        "level": level(finding.severity),
        "message": { "text": without_links(&text) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": artifact(report, finding),
            "region": region(finding),
        }}],
        "partialFingerprints": {},
    })
}

/// A cause, but for its fingerprint.
fn of_cause(view: &View<'_>, lead: &Lead<'_>) -> Value {
    let finding = view.finding(lead.finding);
    let mut result = result(finding, words::told_with_extent(view, lead), view.report);
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
        let places = finding.candidates.iter().map(|place| {
            json!({ "physicalLocation": in_source(place), "message": { "text": "perhaps written here" } })
        });
        result["relatedLocations"] = places.collect();
    }
    result
}

/// A place in a source.
fn in_source(place: &SourcePlace) -> Value {
    let SourcePlace { line, column, length, .. } = place;
    json!({
        "artifactLocation": in_repository(place.path()),
        "region": { "startLine": line, "startColumn": column, "endLine": line, "endColumn": column + length },
    })
}

/// A file of the repository, or another where its path is absolute.
fn in_repository(path: &str) -> Value {
    match Url::from_file_path(path) {
        Ok(uri) => json!({ "uri": uri.as_str() }),
        Err(()) => {
            json!({ "uri": percent_encode(path.as_bytes(), URI_PATH).to_string(), "uriBaseId": SOURCES })
        }
    }
}

/// Why a finding does not count (SARIF 2.1.0, 3.35).
fn suppression(ignored: &IgnoredFinding) -> Value {
    let kind = if ignored.by == "page" { "inSource" } else { "external" };
    let why = ignored.reason.as_deref().unwrap_or("known in the baseline");
    json!({ "kind": kind, "status": "accepted", "justification": why })
}

/// A message in which nothing is a link: viewers make one of `[words](address)` (SARIF 2.1.0, 3.11.6).
fn without_links(text: &str) -> String {
    text.replace("](", "\\](")
}

fn rule(info: &RuleInfo) -> Value {
    let summary = format!("{}.", capitalised(info.summary));
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

/// A fenced block, the fence longer than any in the text.
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
            "{skipped} causes are left out: a log holds {MAX_RESULTS}, as code scanning services take no more. \
             The other formats have them all."
        );
        notification("warning", text)
    });
    let asked = report
        .external
        .as_ref()
        .map(|external| notification("note", format!("{}.", capitalised(&words::asked(external)))));
    let notifications: Vec<Value> = unreadable.chain(skipped).chain(asked).collect();
    json!({
        "executionSuccessful": report.verdict != Verdict::Incomplete,
        "exitCode": report.verdict.exit_code(),
        "toolExecutionNotifications": notifications,
    })
}

/// Where the export lies: below the root of the repository if it can be, which the reader of the log maps to
/// wherever it has the sources.
fn bases(report: &Report) -> Value {
    let mut bases = json!({
        SOURCES: { "description": { "text": "The root of the repository, or the directory that the check ran in." } },
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
