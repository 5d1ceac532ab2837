//! SARIF 2.1.0, the exchange format of static analysis: code scanning services and editors read it.

use std::io::{self, Write};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde::Serialize;
use serde_json::{Value, json};
use url::Url;

use super::in_order::in_order;
use super::presentation::{Lead, Presentation};
use super::words;
use crate::contract::Contract;
use crate::diagnostic::RuleInfo;
use crate::diagnostic::{Diagnostic, Place, Severity};
use crate::report::excused::{ExcusedBy, ExcusedFinding};
use crate::report::fingerprint::Fingerprints;
use crate::report::positions::Positions;
use crate::report::sources::{Position, Sources, below, repository};
use crate::report::{Report, Verdict};
use crate::rules::RULES;
use crate::source_map::SourceLocation;
use sitegate_base::plural::capitalised;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The base that paths in the export are relative to, and the one of the sources it lies in.
const EXPORT: &str = "EXPORT";
const SOURCES: &str = "%SRCROOT%";

/// All but the unreserved characters of RFC 3986 and `/`: a `:` could make a relative path absolute.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Results that code scanning services take in one log; GitHub refuses a log with more.
const MAX_RESULTS: usize = 25_000;

/// Writes a report: the first [`MAX_RESULTS`] of its causes, errors before warnings. Each stands at its line in the sources, where that
/// is certain, or else where it is met first in the export.
pub fn write(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let report = presentation.report;
    let run = SarifRun {
        tool: json!({ "driver": {
            "name": crate::report::PROGRAM,
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "shortDescription": { "text": "The gate a static site must pass before it goes live" },
            "rules": RULES.iter().map(|registered| rule(registered.info)).collect::<Vec<_>>(),
        }}),
        invocations: [invocation(presentation)],
        original_uri_base_ids: bases(report),
        column_kind: "unicodeCodePoints",
        results: [],
    };
    let log = serde_json::to_string(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] })?;
    // The results come last in the run, and that in the log.
    let (head, tail) = log.split_at(log.len() - "]}]}".len());
    write!(out, "{head}")?;
    results(presentation, out)?;
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
fn results(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Presentation { report, contract, .. } = presentation;
    let mut leads: Vec<Lead> = presentation.all_leads().take(MAX_RESULTS).collect();
    leads.sort_by_key(|lead| lead.finding);
    let excused = &report.excused[..report.excused.len().min(MAX_RESULTS - leads.len())];
    let finding = |at: usize| match leads.get(at) {
        Some(lead) => presentation.finding(lead.finding),
        None => &excused[at - leads.len()].finding,
    };
    let examples = leads.iter().map(|lead| lead.finding);
    let positions = Positions::of(report, contract, examples.collect());
    let sources = || Sources::one_by_one(report, contract);
    let (names, mut fingerprints) = (sources(), Fingerprints::default());
    let look = |sources: &mut Sources<'_>, at: usize| {
        let result = match leads.get(at) {
            Some(lead) => of_cause(presentation, lead, &positions, sources),
            None => {
                let mut result = result(finding(at), words::sentence(finding(at)), report, sources);
                result["suppressions"] = json!([suppression(&excused[at - leads.len()], contract)]);
                result
            }
        };
        (at, result)
    };
    in_order(leads.len() + excused.len(), finding, sources, look, |(at, mut result)| {
        let fingerprint = match leads.get(at) {
            Some(lead) => presentation.fingerprint(lead, &mut fingerprints),
            None => {
                let finding = finding(at);
                fingerprints.next(finding, &finding.message, &names.name(&finding.location.place))
            }
        };
        result["partialFingerprints"] = json!({ "sitegateFinding/v1": fingerprint });
        write!(out, "{}", if at == 0 { "" } else { "," })?;
        Ok(serde_json::to_writer(&mut *out, &result)?)
    })
}

/// A finding, but for its fingerprint.
fn result(diagnostic: &Diagnostic, text: String, report: &Report, sources: &mut Sources<'_>) -> Value {
    json!({
        "ruleId": diagnostic.rule.id,
        "ruleIndex": RULES.iter().position(|registered| registered.info.id == diagnostic.rule.id),
        "level": level(diagnostic.severity),
        "message": { "text": without_links(&text) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": artifact(report, diagnostic, sources),
            "region": region(diagnostic, sources),
        }}],
        "partialFingerprints": {},
    })
}

/// A cause, but for its fingerprint.
fn of_cause(
    presentation: &Presentation<'_>,
    lead: &Lead,
    positions: &Positions,
    sources: &mut Sources<'_>,
) -> Value {
    let Presentation { report, source_map, .. } = presentation;
    let diagnostic = presentation.finding(lead.finding);
    let mut result = result(diagnostic, words::told_with_extent(presentation, lead), report, sources);
    if lead.findings > 1 {
        result["occurrenceCount"] = lead.findings.into();
    }
    if let Some(source) = lead.source {
        let Position { line, column } = positions.get(lead.finding);
        let exported = json!({
            "artifactLocation": artifact(report, diagnostic, sources),
            "region": { "startLine": line, "startColumn": column },
        });
        result["locations"] = json!([{ "physicalLocation": in_source(presentation, source) }]);
        result["relatedLocations"] =
            json!([{ "physicalLocation": exported, "message": { "text": "in the export" } }]);
    } else if let Some(written) = source_map.get(lead.finding as usize) {
        let places = written.locations.iter().map(|place| {
            let place = in_source(presentation, *place);
            json!({ "physicalLocation": place, "message": { "text": "perhaps written here" } })
        });
        result["relatedLocations"] = places.collect();
    }
    result
}

/// A place in a source.
fn in_source(presentation: &Presentation<'_>, place: SourceLocation) -> Value {
    let SourceLocation { line, column, length, .. } = place;
    json!({
        "artifactLocation": in_repository(&presentation.source_map.path(place)),
        "region": { "startLine": line, "startColumn": column, "endLine": line, "endColumn": column + length },
    })
}

/// A file of the repository, or another where its path is absolute.
fn in_repository(path: &str) -> Value {
    match Url::from_file_path(path) {
        Ok(uri) => json!({ "uri": uri.as_str() }),
        Err(()) => json!({ "uri": percent_encode(path.as_bytes(), PATH).to_string(), "uriBaseId": SOURCES }),
    }
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

fn invocation(presentation: &Presentation<'_>) -> Value {
    let report = presentation.report;
    let notification = |level, text| json!({ "level": level, "message": { "text": text } });
    let unread = report.unread.iter().map(|error| notification("error", format!("Cannot check {error}")));
    let left_out = presentation.all_leads().count().saturating_sub(MAX_RESULTS);
    let left_out = (left_out > 0).then(|| {
        let text = format!(
            "{left_out} causes are left out: a log holds {MAX_RESULTS}, as code scanning services take no more. \
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

/// Where the export lies: below the root of the repository if it can be, which the reader of the log maps to
/// wherever it has the sources.
fn bases(report: &Report) -> Value {
    let mut bases = json!({
        SOURCES: { "description": { "text": "The root of the repository, or the directory that the check ran in." } },
    });
    let root = below(report.tree.root(), &repository());
    if !root.is_empty() {
        let relative = || format!("{}/", percent_encode(root.trim_end_matches('/').as_bytes(), PATH));
        bases[EXPORT] = match Url::from_directory_path(&root) {
            Ok(uri) => json!({ "uri": uri.as_str() }),
            Err(()) => json!({ "uri": relative(), "uriBaseId": SOURCES }),
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
            return in_repository(&sources.path(place));
        }
    };
    let base = if below(report.tree.root(), &repository()).is_empty() { SOURCES } else { EXPORT };
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
