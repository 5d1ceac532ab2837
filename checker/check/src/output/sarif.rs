//! Writes SARIF 2.1.0, the exchange format of static analysis for code scanning services and editors.

use std::io::{self, Write};

use super::phrases;
use super::report_view::{Lead, RenderOptions, View};
use super::sarif_log::{
    ArtifactChange, ArtifactLocation, BaseUri, Driver, Invocation, Log, Message, MultiformatMessage,
    Notification, PartialFingerprints, PhysicalLocation, PropertyBag, Region, ReportingConfiguration,
    ReportingDescriptor, SarifFix, SarifLocation, SarifReplacement, SarifResult, SarifRun, SarifTool,
    Suppression, UriBases,
};
use crate::raw_finding::{RuleInfo, Severity};
use crate::report::finding::{Finding, IgnoredFinding, SourceEdit, SourcePlace};
use crate::report::fingerprint::Fingerprints;
use crate::report::{Report, Verdict};
use crate::rules::RULES;
use sitegate_base::artifact::PROGRAM;
use sitegate_base::json_writer::{JsonLayout, Streamed, write_json};
use sitegate_base::plural::capitalized;

/// Maximum number of results in a log; GitHub rejects a log with more.
const MAX_RESULTS: usize = 25_000;

/// Writes the first [`MAX_RESULTS`] causes of a report, errors before warnings, then as many ignored findings as fit.
/// Each cause is at its certain source line, or else at its first location in the export.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let view = &View::new(report, options);
    let run = SarifRun {
        tool: SarifTool { driver: driver() },
        invocations: [invocation(view)],
        original_uri_base_ids: bases(report),
        column_kind: "unicodeCodePoints",
        results: Streamed(|| results(view)),
    };
    write_json(&Log::new(run), JsonLayout::Compact, out)
}

fn driver() -> Driver {
    Driver {
        name: PROGRAM,
        rules: RULES.iter().map(|registered| rule(registered.info)).collect(),
        semantic_version: env!("CARGO_PKG_VERSION"),
        short_description: Message::of(
            "The gate for static sites: checks that must pass before a site goes live",
        ),
        version: env!("CARGO_PKG_VERSION"),
    }
}

fn results<'r>(view: &'r View<'r>) -> impl Iterator<Item = SarifResult<'r>> {
    let leads = view.leads_by_finding(MAX_RESULTS);
    let ignored = view.report.ignored.iter().take(MAX_RESULTS - leads.len()).map(Ok);
    let mut fingerprints = Fingerprints::default();
    leads.into_iter().map(Err).chain(ignored).map(move |entry| match entry {
        Err(lead) => cause_result(view, &lead, &mut fingerprints),
        Ok(finding) => ignored_result(view.report, finding, &mut fingerprints),
    })
}

/// Converts a finding to a result at its location in the export.
fn result<'r>(report: &'r Report, finding: &'r Finding, text: &str, fingerprint: String) -> SarifResult<'r> {
    let place = PhysicalLocation { artifact_location: artifact(report, finding), region: region(finding) };
    SarifResult {
        fixes: Vec::new(),
        level: level(finding.severity),
        locations: [SarifLocation { message: None, physical_location: place }],
        // Viewers create no links from `[text](url)` then (SARIF 2.1.0, 3.11.6).
        message: Message::of(text.replace("](", "\\](")),
        occurrence_count: None,
        partial_fingerprints: PartialFingerprints { v1: fingerprint },
        related_locations: Vec::new(),
        rule_id: &finding.rule,
        rule_index: RULES.iter().position(|registered| *registered.info.id == *finding.rule),
        suppressions: None,
    }
}

/// Converts a cause to a result.
fn cause_result<'r>(view: &View<'r>, lead: &Lead<'r>, fingerprints: &mut Fingerprints) -> SarifResult<'r> {
    let finding = view.finding(lead.finding);
    let fingerprint = view.fingerprint(lead, fingerprints);
    let mut result = result(view.report, finding, &phrases::cause_text(view, lead), fingerprint);
    result.occurrence_count = Some(lead.findings).filter(|findings| *findings > 1);
    let related =
        |text, physical_location| SarifLocation { message: Some(Message::of(text)), physical_location };
    if let Some(source) = lead.source {
        let [location] = result.locations;
        let start = Region::at(finding.line, finding.column);
        let exported = PhysicalLocation { region: start, ..location.physical_location };
        result.locations = [SarifLocation { message: None, physical_location: in_source(source) }];
        result.related_locations = vec![related("in the export", exported)];
    } else {
        let places = finding.candidates.iter();
        result.related_locations = places.map(|place| related("possible source", in_source(place))).collect();
    }
    result.fixes.extend(finding.fix.as_ref().map(|fix| SarifFix {
        artifact_changes: fix.edits.iter().map(artifact_change).collect(),
        description: Message::of(format!("{} ({})", capitalized(&fix.reason), fix.certainty)),
    }));
    result
}

/// Converts an ignored finding to a result (SARIF 2.1.0, 3.35).
fn ignored_result<'r>(
    report: &'r Report,
    ignored: &'r IgnoredFinding,
    fingerprints: &mut Fingerprints,
) -> SarifResult<'r> {
    let fingerprint = fingerprints.next(ignored, &ignored.message, &ignored.file);
    let text = phrases::sentence(ignored, ignored.help.as_deref());
    let suppression = Suppression {
        justification: ignored.reason.as_deref().unwrap_or("in the baseline"),
        kind: if ignored.by == "page" { "inSource" } else { "external" },
        status: "accepted",
    };
    SarifResult { suppressions: Some([suppression]), ..result(report, ignored, &text, fingerprint) }
}

/// Converts an edit (SARIF 2.1.0, 3.56).
fn artifact_change(edit: &SourceEdit) -> ArtifactChange {
    let (end_line, end_column) = edit.end(edit.column as usize, |text| text.chars().count());
    let end = (end_line, u32::try_from(end_column).unwrap_or(u32::MAX));
    ArtifactChange {
        artifact_location: ArtifactLocation::in_repository(edit.path.as_ref().unwrap_or(&edit.file)),
        replacements: [SarifReplacement {
            deleted_region: Region::at(edit.line, edit.column).up_to(end),
            inserted_content: Message::of(&*edit.new),
        }],
    }
}

/// Returns a location in an authored file.
fn in_source(place: &SourcePlace) -> PhysicalLocation {
    let SourcePlace { line, column, length, .. } = place;
    PhysicalLocation {
        artifact_location: ArtifactLocation::in_repository(place.path()),
        region: Region::at(*line, *column).up_to((*line, column + length)),
    }
}

fn rule(info: &'static RuleInfo) -> ReportingDescriptor {
    let RuleInfo { id, why, bad, good, .. } = *info;
    let summary = format!("{}.", capitalized(info.summary));
    let (bad_code, good_code) = (code_block(bad), code_block(good));
    ReportingDescriptor {
        default_configuration: ReportingConfiguration {
            enabled: info.default != Severity::Off,
            level: level(info.default),
        },
        full_description: Message::of(format!("{summary} {why}")),
        help: MultiformatMessage {
            markdown: format!("{why}\n\n**Bad**\n\n{bad_code}\n\n**Good**\n\n{good_code}"),
            text: format!("{why}\n\nBad:\n{bad}\n\nGood:\n{good}"),
        },
        help_uri: info.page(),
        id,
        properties: PropertyBag { tags: [info.category.to_string()] },
        short_description: Message::of(summary),
    }
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

fn invocation(view: &View<'_>) -> Invocation {
    let report = view.report;
    let notification = |level, text: String| Notification { level, message: Message::of(text) };
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
    Invocation {
        execution_successful: report.verdict != Verdict::Incomplete,
        exit_code: report.verdict.exit_code(),
        tool_execution_notifications: unreadable.chain(skipped).chain(external).collect(),
    }
}

/// Returns the base URIs. The export's is relative to the root of the repository if possible, which readers of the log
/// map to their own checkout.
fn bases(report: &Report) -> UriBases {
    let root = &report.root_path;
    let sources = "The root of the repository, or the working directory of the check.";
    UriBases {
        sources: BaseUri { description: Message::of(sources), location: None },
        export: (!root.is_empty()).then(|| BaseUri {
            description: Message::of("The root of the export."),
            location: Some(ArtifactLocation::folder_in_repository(root)),
        }),
    }
}

fn artifact(report: &Report, finding: &Finding) -> ArtifactLocation {
    let document = finding.document.as_deref();
    if let Some(path) = document.and_then(|document| document.path.as_ref()) {
        return ArtifactLocation::in_repository(path);
    }
    let uri = document.and_then(|document| document.uri.clone());
    ArtifactLocation::in_export(&finding.file, uri, report.root_path.is_empty())
}

fn region(finding: &Finding) -> Region {
    let span = finding.span;
    if span.start == span.end {
        return Region::line(finding.line);
    }
    let mut region = Region::at(finding.line, finding.column).up_to((finding.end_line, finding.end_column));
    region.byte_offset = (!finding.utf16).then_some(span.start);
    region.byte_length = (!finding.utf16).then_some(span.end - span.start);
    region.snippet = finding.marked().map(Message::of);
    region
}
