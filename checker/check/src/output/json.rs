//! The format for programs: one JSON document, the same bytes from run to run.

use std::collections::BTreeMap;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};

use super::hosts::JsonElsewhere;
use super::in_order::in_order;
use super::presentation::Presentation;
use crate::diagnostic::{Category, Diagnostic};
use crate::report::sources::Sources;
use crate::source_map::{SourceLocation, SourceMap, SourceMatch};

/// The version of this document's shape; it grows when a field is removed or changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// The program that wrote a report.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Tool")]
pub(super) struct JsonTool {
    /// `sitegate`.
    name: &'static str,
    /// Its version.
    version: &'static str,
}

/// A setting of the contract's `[site]` that it leaves open, and what the export says of it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Taken")]
pub(super) struct JsonTaken<'r> {
    /// What was taken, as the contract would write it.
    value: &'r str,
    /// What says so.
    evidence: &'r str,
}

/// A finding.
#[derive(Serialize, JsonSchema)]
pub(super) struct Finding<'d> {
    /// The rule's id.
    rule: &'static str,
    /// What the rule is about.
    category: Category,
    /// How much it weighs.
    #[schemars(extend("enum" = ["error", "warning"]))]
    severity: &'static str,
    /// What is wrong, in one sentence.
    message: &'d str,
    /// The file of the export, by its path there; else the contract, or the baseline.
    file: String,
    /// Its line, counted from 1.
    line: usize,
    /// Its column in characters, counted from 1.
    column: usize,
    /// The bytes that it is about.
    span: Span,
    /// The reference as it is written, where it is about one.
    url: Option<String>,
    /// The way out.
    help: Option<&'d str>,
    /// The name of what it has in common with others.
    cause: &'d str,
    /// Where it was written in the sources, where the contract names these and one place is likeliest.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<JsonSource>,
    /// Where else it may have been written, the likeliest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<JsonPlace>,
}

/// A place in the sources, its path from the working directory.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SourceLocation")]
struct JsonPlace {
    /// The file.
    file: String,
    /// Its line, counted from 1.
    line: u32,
    /// Its column in characters, counted from 1.
    column: u32,
}

/// The place in the sources where a finding was written; where that is not certain, the likeliest of the candidates.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Source")]
struct JsonSource {
    #[serde(flatten)]
    place: JsonPlace,
    /// Whether it was written there and nowhere else.
    certain: bool,
}

/// What findings have in common. Its rule, its severity and its name tell it from all others, from run to run.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Cause")]
pub(super) struct JsonCause<'c> {
    /// The rule's id.
    rule: &'static str,
    /// How much its findings weigh.
    #[schemars(extend("enum" = ["error", "warning"]))]
    severity: &'static str,
    /// Its name, which its findings give.
    cause: &'c str,
    /// How many findings it has.
    findings: usize,
    /// In how many files.
    files: usize,
}

/// The causes, most important first.
struct JsonCauses<'r>(&'r Presentation<'r>);

impl Serialize for JsonCauses<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Presentation { report, causes, .. } = self.0;
        serializer.collect_seq(causes.iter().map(|(cause, common)| {
            let first = causes.first(cause, report);
            JsonCause {
                rule: first.rule.id,
                severity: first.severity.as_str(),
                cause: causes.name(cause, report),
                findings: common.findings(),
                files: common.documents,
            }
        }))
    }
}

/// A range of bytes of a file, counted from 0.
#[derive(Serialize, JsonSchema)]
struct Span {
    /// The first.
    start: u32,
    /// The first behind it.
    end: u32,
}

/// A finding that was let pass.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ExcusedFinding")]
pub(super) struct JsonExcused<'d> {
    /// The rule's id.
    rule: &'static str,
    /// How much it would weigh.
    #[schemars(extend("enum" = ["error", "warning"]))]
    severity: &'static str,
    /// What is wrong, in one sentence.
    message: &'d str,
    /// The file of the export, by its path there.
    file: String,
    /// Its line, counted from 1.
    line: usize,
    /// Its column in characters, counted from 1.
    column: usize,
    /// The reference as it is written, where it is about one.
    url: Option<String>,
    /// Who lets it pass.
    #[schemars(extend("enum" = ["page", "contract", "baseline"]))]
    by: &'static str,
    /// Why, in the words that were given; the baseline gives none.
    reason: Option<&'d str>,
}

/// Writes a report.
pub fn write(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Presentation { report, excuses, .. } = presentation;
    let taken: BTreeMap<&str, JsonTaken<'_>> = report
        .deployment
        .inferred
        .iter()
        .map(|taken| (taken.key, JsonTaken { value: &taken.value, evidence: &taken.evidence }))
        .collect();
    write!(out, "{{")?;
    let mut entries = Entries { out, is_first: true };
    entries.entry("schema_version", &SCHEMA_VERSION)?;
    let tool = JsonTool { name: crate::report::PROGRAM, version: env!("CARGO_PKG_VERSION") };
    entries.entry("tool", &tool)?;
    entries.entry("root", &report.tree.root().display().to_string())?;
    entries.entry("summary", &report.summary)?;
    if !taken.is_empty() {
        entries.entry("taken", &taken)?;
    }
    if !report.left_out().is_empty() {
        entries.entry("left_out", &report.left_out())?;
    }
    if !report.unread.is_empty() {
        entries.entry("unread", &report.unread)?;
    }
    if let Some(elsewhere) = &report.elsewhere {
        entries.entry("external", &JsonElsewhere::of(elsewhere))?;
    }
    entries.entry("causes", &JsonCauses(presentation))?;
    let found = |index: usize| &report.diagnostics[index];
    entries.findings(
        "diagnostics",
        presentation,
        (report.diagnostics.len(), &found),
        |sources, index, text| to_json(&finding(presentation, index, sources), LIST, text),
    )?;
    if !excuses.is_empty() {
        entries.entry("excuses", excuses)?;
    }
    if !report.excused.is_empty() {
        let found = |index: usize| &report.excused[index].finding;
        entries.findings(
            "excused",
            presentation,
            (report.excused.len(), &found),
            |sources, index, text| to_json(&excused(presentation, index, sources), LIST, text),
        )?;
    }
    writeln!(out, "\n}}")
}

/// How deep the entries of the document stand in it, and those of a list among them.
const ENTRY: usize = 1;
const LIST: usize = 2;

/// Writes a value as deep in the document as it stands.
pub(super) fn to_json(value: &impl Serialize, depth: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut formatter = PrettyFormatter::new();
    (0..depth).try_for_each(|_| formatter.begin_array(&mut io::sink()))?;
    value.serialize(&mut Serializer::with_formatter(out, formatter))?;
    Ok(())
}

/// Writes the document, entry by entry.
struct Entries<'o> {
    out: &'o mut dyn Write,
    is_first: bool,
}

impl Entries<'_> {
    fn name(&mut self, name: &str) -> io::Result<()> {
        let comma = if std::mem::take(&mut self.is_first) { "" } else { "," };
        write!(self.out, "{comma}\n  \"{name}\": ")
    }

    fn entry(&mut self, name: &str, value: &impl Serialize) -> io::Result<()> {
        self.name(name)?;
        to_json(value, ENTRY, self.out)
    }

    /// A list of findings, which all threads make ready.
    fn findings<'r>(
        &mut self,
        name: &str,
        presentation: &Presentation<'r>,
        (count, found): (usize, &dyn Fn(usize) -> &'r Diagnostic),
        make: impl Fn(&mut Sources<'_>, usize, &mut Vec<u8>) -> io::Result<()> + Sync + Send,
    ) -> io::Result<()> {
        self.name(name)?;
        let Presentation { report, contract, .. } = presentation;
        let make = |sources: &mut Sources<'_>, index: usize| {
            let mut text = if index == 0 { b"\n    ".to_vec() } else { b",\n    ".to_vec() };
            make(sources, index, &mut text).map(|()| text)
        };
        write!(self.out, "[")?;
        let sources = || Sources::one_by_one(report, contract);
        in_order(count, found, sources, make, |text: io::Result<Vec<u8>>| self.out.write_all(&text?))?;
        write!(self.out, "{}]", if count == 0 { "" } else { "\n  " })
    }
}

fn finding<'p>(presentation: &'p Presentation<'_>, index: usize, sources: &mut Sources<'_>) -> Finding<'p> {
    let Presentation { report, causes, .. } = presentation;
    let diagnostic = &report.diagnostics[index];
    let position = sources.position(diagnostic);
    let (source, candidates) = written(&presentation.source_map, index);
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
        cause: causes.name(causes.cause_of(index), report),
        source,
        candidates,
    }
}

/// Where a finding was written, and where it may have been where that is not certain.
fn written(source_map: &SourceMap, finding: usize) -> (Option<JsonSource>, Vec<JsonPlace>) {
    let Some(SourceMatch { locations: places, is_certain }) = source_map.get(finding) else {
        return (None, Vec::new());
    };
    let shown = |place: &SourceLocation| JsonPlace {
        file: source_map.name(*place),
        line: place.line,
        column: place.column,
    };
    let first = places.first().map(|place| JsonSource { place: shown(place), certain: *is_certain });
    let candidates = if *is_certain { Vec::new() } else { places.iter().map(shown).collect() };
    (first, candidates)
}

fn excused<'p>(
    presentation: &'p Presentation<'_>,
    index: usize,
    sources: &mut Sources<'_>,
) -> JsonExcused<'p> {
    let Presentation { report, contract, .. } = presentation;
    let excused = &report.excused[index];
    let finding = &excused.finding;
    let position = sources.position(finding);
    JsonExcused {
        rule: finding.rule.id,
        severity: finding.severity.as_str(),
        message: &finding.message,
        file: sources.name(&finding.location.place),
        line: position.line,
        column: position.column,
        url: sources.reference(finding),
        by: excused.by.kind(),
        reason: excused.by.reason(contract),
    }
}
