//! SARIF 2.1.0, the exchange format of static analysis: code scanning services and editors read it.

use std::io::{self, Write};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde::Serialize;
use serde_json::{Value, json};

use super::in_order::in_order;
use super::words;
use crate::contract::Contract;
use crate::diagnostic::RuleInfo;
use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::english::capitalised;
use crate::report::excused::{ExcusedBy, ExcusedFinding};
use crate::report::fingerprint::Fingerprints;
use crate::report::sources::Sources;
use crate::report::{Report, Verdict};
use crate::rules::RULES;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The base that paths in the export are relative to, and the one of the sources it lies in.
const EXPORT: &str = "EXPORT";
const SOURCES: &str = "%SRCROOT%";

/// All but the unreserved characters of RFC 3986 and `/`: a `:` could make a relative path absolute.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Results that code scanning services take in one log; GitHub refuses a log with more.
const MAX_RESULTS: usize = 25_000;

/// Writes a report: the first [`MAX_RESULTS`] of its findings, errors before warnings.
pub fn write(report: &Report, contract: &Contract, out: &mut dyn Write) -> io::Result<()> {
    let run = SarifRun {
        tool: json!({ "driver": {
            "name": crate::report::PROGRAM,
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "shortDescription": { "text": "The gate a static site must pass before it goes live" },
            "rules": RULES.iter().map(|registered| rule(registered.info)).collect::<Vec<_>>(),
        }}),
        invocations: [invocation(report)],
        original_uri_base_ids: bases(report),
        column_kind: "unicodeCodePoints",
        results: [],
    };
    let log = serde_json::to_string(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] })?;
    // The results come last in the run, and that in the log.
    let (head, tail) = log.split_at(log.len() - "]}]}".len());
    write!(out, "{head}")?;
    results(report, contract, out)?;
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

/// Writes the findings, and those that are excused where there is room.
fn results(report: &Report, contract: &Contract, out: &mut dyn Write) -> io::Result<()> {
    let reported: Vec<&Diagnostic> = kept(report).collect();
    let room = MAX_RESULTS.saturating_sub(report.diagnostics.len());
    let excused = &report.excused[..report.excused.len().min(room)];
    let finding = |at: usize| match reported.get(at) {
        Some(reported) => *reported,
        None => &excused[at - reported.len()].finding,
    };
    let sources = || Sources::one_by_one(report, contract);
    let (names, mut fingerprints) = (sources(), Fingerprints::default());
    let look = |sources: &mut Sources<'_>, at: usize| {
        let mut result = result(finding(at), report, sources);
        if let Some(rest) = at.checked_sub(reported.len()) {
            result["suppressions"] = json!([suppression(&excused[rest], contract)]);
        }
        (at, Fingerprints::shared(finding(at), sources), result)
    };
    in_order(reported.len() + excused.len(), finding, sources, look, |(at, shared, mut result)| {
        let (fingerprint, _) = fingerprints.next_of(shared, finding(at), &names);
        result["partialFingerprints"] = json!({ "sitegateFinding/v1": fingerprint });
        write!(out, "{}", if at == 0 { "" } else { "," })?;
        Ok(serde_json::to_writer(&mut *out, &result)?)
    })
}

/// A finding, but for its fingerprint.
fn result(diagnostic: &Diagnostic, report: &Report, sources: &mut Sources<'_>) -> Value {
    json!({
        "ruleId": diagnostic.rule.id,
        "ruleIndex": RULES.iter().position(|registered| registered.info.id == diagnostic.rule.id),
        "level": level(diagnostic.severity),
        "message": { "text": without_links(&words::sentence(diagnostic)) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": artifact(report, diagnostic, sources),
            "region": region(diagnostic, sources),
        }}],
        "partialFingerprints": {},
    })
}

/// Why a finding does not count (SARIF 2.1.0, 3.35).
fn suppression(excused: &ExcusedFinding, contract: &Contract) -> Value {
    let kind = match excused.by {
        ExcusedBy::Page { .. } => "inSource",
        ExcusedBy::Contract(_) | ExcusedBy::Baseline => "external",
    };
    let why = excused.by.reason(contract).unwrap_or("known in the baseline");
    json!({ "kind": kind, "status": "accepted", "justification": why })
}

/// A message in which nothing is a link: viewers make one of `[words](address)` (SARIF 2.1.0, 3.11.6).
fn without_links(text: &str) -> String {
    text.replace("](", "\\](")
}

/// The findings that a log has room for, in the order of the report.
fn kept(report: &Report) -> impl Iterator<Item = &Diagnostic> {
    let mut errors = report.summary.errors.min(MAX_RESULTS);
    let mut others = MAX_RESULTS - errors;
    report.diagnostics.iter().filter(move |diagnostic| {
        let room = if diagnostic.severity == Severity::Error { &mut errors } else { &mut others };
        let fits = *room > 0;
        *room = room.saturating_sub(1);
        fits
    })
}

fn rule(info: &RuleInfo) -> Value {
    let summary = format!("{}.", capitalised(info.summary));
    json!({
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
    })
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

fn invocation(report: &Report) -> Value {
    let notification = |level, text| json!({ "level": level, "message": { "text": text } });
    let unread = report.unread.iter().map(|error| notification("error", format!("Cannot check {error}")));
    let left_out = report.diagnostics.len().saturating_sub(MAX_RESULTS);
    let left_out = (left_out > 0).then(|| {
        let text = format!(
            "{left_out} findings are left out: a log holds {MAX_RESULTS}, as code scanning services take no more. \
             The other formats have them all."
        );
        notification("warning", text)
    });
    let asked = report
        .elsewhere
        .as_ref()
        .map(|elsewhere| notification("note", format!("{}.", capitalised(&words::asked(elsewhere)))));
    let notifications: Vec<Value> = unread.chain(left_out).chain(asked).collect();
    json!({
        "executionSuccessful": report.verdict() != Verdict::Incomplete,
        "exitCode": report.verdict().exit_code(),
        "toolExecutionNotifications": notifications,
    })
}

/// Where the export lies: below the working directory if it can be, which the reader of the log maps to
/// wherever it has the sources.
fn bases(report: &Report) -> Value {
    let mut bases = json!({
        SOURCES: { "description": { "text": "The directory that the check ran in." } },
    });
    let root = crate::report::sources::from_here(report.tree.root());
    if !root.is_empty() {
        let uri = format!("{}/", percent_encode(root.trim_end_matches('/').as_bytes(), PATH));
        bases[EXPORT] = match uri.starts_with('/') {
            true => json!({ "uri": format!("file://{uri}") }),
            false => json!({ "uri": uri, "uriBaseId": SOURCES }),
        };
        bases[EXPORT]["description"] = json!({ "text": "The root of the export." });
    }
    bases
}

fn artifact(report: &Report, diagnostic: &Diagnostic, sources: &Sources<'_>) -> Value {
    let path = match &diagnostic.location.place {
        Place::File(file) => report.tree.path(*file),
        Place::Path(path) => path.as_bytes(),
        place @ (Place::Contract | Place::Base(_)) => {
            let path = sources.path(place);
            let uri = percent_encode(path.as_bytes(), PATH).to_string();
            return match uri.starts_with('/') {
                true => json!({ "uri": format!("file://{uri}") }),
                false => json!({ "uri": uri, "uriBaseId": SOURCES }),
            };
        }
    };
    let base =
        if crate::report::sources::from_here(report.tree.root()).is_empty() { SOURCES } else { EXPORT };
    json!({ "uri": percent_encode(path, PATH).to_string(), "uriBaseId": base })
}

fn region(diagnostic: &Diagnostic, sources: &mut Sources<'_>) -> Value {
    let span = &diagnostic.location.span;
    let start = sources.position(diagnostic);
    if span.is_empty() {
        return json!({ "startLine": start.line });
    }
    let end = sources.end(diagnostic);
    let mut region = json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    });
    if let Some(text) = sources.marked(diagnostic) {
        region["snippet"] = json!({ "text": text });
    }
    if sources.is_verbatim(&diagnostic.location.place) {
        region["byteOffset"] = span.start.into();
        region["byteLength"] = (span.end - span.start).into();
    }
    region
}
