//! Writes an HTML page with search: one self-contained file, whose most important parts work without JavaScript.

mod escape;
mod overview;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;

use super::render_options::RenderOptions;
use super::report_view::View;
use super::{phrases, tally};
use crate::raw_finding::Severity;
use crate::report::causes::{Causes, Grouping};
use crate::report::finding::{Finding, SourcePlace};
use crate::report::{Report, Verdict};
use escape::json;
use overview::{external_hosts, graph};
use sitegate_base::markup;
use sitegate_base::plural::{capitalized, count, thousands};
use sitegate_base::sanitize::visible;

const TEMPLATE: &str = include_str!("report.html");
const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// The element that identifies a report.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"sitegate\">";

/// Maximum number of characters of a source line.
const WIDTH: usize = 160;

/// Maximum number of causes without JavaScript, and of locations of each.
const FIRST: usize = 50;
const PLACES: usize = 20;

/// Maximum number of findings on the page; more make browsers slow.
const FINDINGS: usize = 250_000;

/// Writes a report.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let view = &View::new(report, options);
    let rules = Rules::from_report(report);
    for part in TEMPLATE.split("<!--sitegate:") {
        let (name, text) = part.split_once("-->").unwrap_or(("", part));
        match name {
            "title" => {
                write!(out, "{}: {}", markup::html(&report.root), phrases::verdict(report))?;
            }
            "css" => out.write_all(STYLE.as_bytes())?,
            "js" => out.write_all(SCRIPT.as_bytes())?,
            "version" => out.write_all(env!("CARGO_PKG_VERSION").as_bytes())?,
            "summary" => summary(view, out)?,
            "color" => {
                let is_passed = report.verdict == Verdict::Passed;
                out.write_all(if is_passed { b"0a6b45" } else { b"b8261a" })?;
            }
            "unreadable" => unreadable(report, out)?,
            "overview" => {
                rules.table(out)?;
                ignored(report, out)?;
                deployment(report, out)?;
                if let Some(external) = &report.external {
                    external_hosts(external, out)?;
                }
                graph(report, out)?;
            }
            "group" => {
                let is_by_page = options.group == Grouping::Page;
                out.write_all(if is_by_page { b"page" } else { b"cause" })?;
            }
            "shown" => write_shown_count(view, out)?,
            "left-out" => skipped(report, out)?,
            "first" => write_first_causes(view, out)?,
            "data" => data(view, &rules, out)?,
            _ => {}
        }
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn summary(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let report = view.report;
    let summary = &report.summary;
    let (class, verdict) = match report.verdict {
        Verdict::Passed => ("passed", "Passed"),
        Verdict::Failed => ("failed", "Failed"),
        Verdict::Incomplete => ("failed", "Incomplete"),
    };
    let root = markup::html(&report.root);
    let sentence = match report.verdict {
        Verdict::Passed if summary.warnings == 0 => "ready to publish".to_owned(),
        Verdict::Passed => format!("ready to publish, with {}", count(summary.warnings, "warning")),
        Verdict::Failed => phrases::found(report),
        Verdict::Incomplete if report.unreadable.is_empty() => "the export contains no pages".to_owned(),
        Verdict::Incomplete => "not everything could be checked".to_owned(),
    };
    writeln!(out, "<div class=\"summary {class}\">")?;
    writeln!(out, "<h1 class=\"verdict\">{verdict}</h1>")?;
    writeln!(out, "<p class=\"standfirst\"><code>{root}</code> {sentence}</p>")?;
    writeln!(out, "<dl class=\"counts\">")?;
    let mut entry = |label: &str, value: &str| writeln!(out, "<div><dt>{label}</dt><dd>{value}</dd></div>");
    if view.causes.len() < report.findings.len() {
        entry("Causes", &thousands(view.causes.len()))?;
    }
    entry("Files", &thousands(summary.files))?;
    entry("Pages", &thousands(summary.pages))?;
    if summary.scripts > 0 {
        entry("Scripts", &thousands(summary.scripts))?;
    }
    entry("Links", &thousands(summary.links))?;
    entry("Time", &phrases::elapsed(report))?;
    writeln!(out, "</dl>\n</div>")
}

fn unreadable(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.unreadable.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section class=\"unread\"><h2>Could not be checked</h2><ul>")?;
    for error in &report.unreadable {
        writeln!(out, "<li>{}</li>", markup::html(error))?;
    }
    writeln!(out, "</ul></section>")
}

/// Writes the inferred settings, and the parts of a live site that were skipped.
fn deployment(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut notes = phrases::site_notes(report).peekable();
    if notes.peek().is_none() {
        return Ok(());
    }
    writeln!(out, "<section class=\"overview\"><h2>Inferred settings</h2><ul>")?;
    notes.try_for_each(|note| writeln!(out, "<li>{}</li>", markup::html(&note)))?;
    writeln!(out, "</ul></section>")
}

/// Writes the ignored findings and their reasons, for reviewers.
fn ignored(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.ignores.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section class=\"overview ignored\"><h2>Ignored</h2><ul>")?;
    for ignore in &report.ignores {
        writeln!(out, "<li>{}</li>", markup::html_prose(&capitalized(&phrases::ignored(ignore))))?;
    }
    writeln!(out, "</ul></section>")
}

/// The rules with findings, by number of findings.
struct Rules<'r>(Vec<RuleFindings<'r>>);

#[derive(Serialize)]
struct RuleFindings<'r> {
    id: &'r str,
    findings: usize,
    #[serde(skip)]
    causes: usize,
    #[serde(skip)]
    summary: &'static str,
    #[serde(skip)]
    severity: Severity,
}

impl<'r> Rules<'r> {
    fn from_report(report: &'r Report) -> Rules<'r> {
        let mut rules: Vec<RuleFindings<'r>> = Vec::new();
        for entry in tally::by_rule(report) {
            match rules.iter_mut().find(|rule| rule.id == entry.rule) {
                Some(rule) => {
                    rule.findings += entry.findings;
                    rule.causes += entry.causes;
                }
                None => rules.push(RuleFindings {
                    id: entry.rule,
                    findings: entry.findings,
                    causes: entry.causes,
                    summary: entry.summary,
                    severity: entry.severity,
                }),
            }
        }
        rules.sort_by_key(|rule| (std::cmp::Reverse((rule.severity, rule.findings)), rule.id));
        Rules(rules)
    }

    fn position(&self, finding: &Finding) -> Option<usize> {
        self.0.iter().position(|rule| *rule.id == *finding.rule)
    }

    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(most) = self.0.iter().map(|rule| rule.findings).max() else { return Ok(()) };
        writeln!(out, "<section class=\"overview\"><h2>By rule</h2>\n<table class=\"rules\">")?;
        writeln!(
            out,
            "<thead><tr><th>Rule</th><th class=\"means\">Meaning</th><th>Level</th>\
             <th class=\"causes\">Causes</th><th class=\"number\">Findings</th></tr></thead><tbody>"
        )?;
        for rule in &self.0 {
            let (id, level) = (rule.id, rule.severity);
            let summary = markup::html(&capitalized(rule.summary));
            let (findings, causes) = (thousands(rule.findings), thousands(rule.causes));
            let width = (rule.findings * 100 / most).max(1);
            writeln!(
                out,
                "<tr class=\"{level}\" data-rule=\"{id}\"><td><a href=\"#rule={id}\">{id}</a></td>\
                 <td class=\"means\">{summary}</td><td><span class=\"level\">{level}</span></td>\
                 <td class=\"causes\"><span class=\"figure\">{causes}</span></td>\
                 <td class=\"number\"><span class=\"figure\">{findings}</span>\
                 <span class=\"bar\" style=\"width:{width}%\"></span></td></tr>"
            )?;
        }
        writeln!(out, "</tbody></table></section>")
    }
}

fn write_shown_count(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (findings, causes) = (view.report.findings.len(), view.groups().len());
    let findings = count(findings, "finding");
    match causes {
        0..=FIRST => write!(out, "{findings}, {}", count(causes, "cause")),
        _ => write!(out, "{findings}, the first {FIRST} of {}", count(causes, "cause")),
    }
}

/// Writes the number of findings that do not fit, if any.
fn skipped(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    match report.findings.len().saturating_sub(FINDINGS) {
        0 => Ok(()),
        rest => writeln!(
            out,
            "<p class=\"note\">{} of the last causes left out: this page lists at most {}, other formats list all.</p>",
            count(rest, "finding"),
            thousands(FINDINGS)
        ),
    }
}

/// Writes the first causes with the same markup as the script.
fn write_first_causes(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let causes = view.groups();
    if causes.is_empty() {
        return writeln!(out, "<p class=\"none\">No findings.</p>");
    }
    for cause in 0..causes.len().min(FIRST) {
        article(view, view.finding(view.leads(cause)[0].finding), out)?;
        let Some(more) = causes.more(cause, &view.report.findings) else { continue };
        writeln!(out, "<details class=\"group\"><summary>and {more}</summary>\n<ul class=\"places\">")?;
        for &other in causes.findings(cause).iter().take(PLACES).skip(1) {
            let other = view.finding(other);
            writeln!(out, "<li>{}</li>", location(view, other))?;
        }
        if causes.findings(cause).len() > PLACES {
            writeln!(out, "<li>and {} more</li>", thousands(causes.findings(cause).len() - PLACES))?;
        }
        writeln!(out, "</ul></details>")?;
    }
    Ok(())
}

/// Returns the location of a finding, linked to the editor.
fn location(view: &View<'_>, finding: &Finding) -> String {
    let path = view.path(finding);
    let text = format!("{}:{}", markup::html(&path), phrases::position(finding));
    match view.editor_url(&path, finding.line, finding.column) {
        Some(url) => format!("<a href=\"{}\">{text}</a>", markup::html(&url)),
        None => text,
    }
}

/// Returns the link to a source location: the URL from the contract, or else the editor, or else the file.
fn source_href<'p>(view: &View<'_>, place: &'p SourcePlace) -> Cow<'p, str> {
    match view.editor_url(&place.file, place.line, place.column) {
        Some(url) if place.link.is_none() => Cow::Owned(url),
        _ => view.href(place),
    }
}

fn article(view: &View<'_>, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let (level, rule) = (finding.severity, &finding.rule);
    writeln!(out, "<article class=\"finding {level} cause\">")?;
    writeln!(out, "<span class=\"at\">{}</span>", location(view, finding))?;
    let places = finding.source_places();
    if !places.is_empty() {
        let link = |place: &SourcePlace| {
            let name = phrases::source_location(place);
            format!("<a href=\"{}\">{}</a>", markup::html(&source_href(view, place)), markup::html(&name))
        };
        let places: Vec<String> = places.iter().map(link).collect();
        let label = if finding.certain_source().is_some() { "source" } else { "possible source" };
        writeln!(out, "<p class=\"written\">{label}: {}</p>", places.join(" or "))?;
    }
    writeln!(out, "<p class=\"what\">{}</p>", markup::html_prose(&finding.message))?;
    writeln!(out, "<span class=\"tags\"><code>{rule}</code><span class=\"level\">{level}</span></span>")?;
    if let Some(snippet) = &finding.snippet {
        let (line, from, length) = snippet.window(WIDTH);
        let cut = |start: usize, width: usize| {
            markup::html(&line.chars().skip(start).take(width).collect::<String>())
        };
        let (before, marked, after) = (cut(0, from), cut(from, length), cut(from + length, usize::MAX));
        writeln!(out, "<pre class=\"line\">{before}<mark>{marked}</mark>{after}</pre>")?;
    }
    if let Some(help) = &finding.help {
        writeln!(out, "<p class=\"help\">{}</p>", markup::html_prose(help))?;
    }
    writeln!(out, "</article>")
}

/// A table of strings. Sites repeat their mistakes, so most lines and messages occur many times.
#[derive(Default)]
struct Table(HashMap<String, usize>);

impl Table {
    fn number(&mut self, string: String) -> usize {
        let next = self.0.len();
        *self.0.entry(string).or_insert(next)
    }

    /// Returns the strings in the order of their numbers.
    fn into_strings(self) -> Vec<String> {
        let mut strings = vec![String::new(); self.0.len()];
        for (string, number) in self.0 {
            strings[number] = string;
        }
        strings
    }

    /// Returns -1 for `None`.
    fn optional(&mut self, string: Option<String>) -> i64 {
        string.map_or(-1, |string| self.number(string) as i64)
    }
}

/// Returns the findings that fit, in the order of the report: all, or those of the first causes.
fn listed_findings(causes: &Causes) -> Vec<u32> {
    let by_cause = causes.iter().flat_map(|(cause, _)| causes.findings(cause));
    let mut findings: Vec<u32> = by_cause.take(FINDINGS).copied().collect();
    findings.sort_unstable();
    findings
}

/// A table of source locations, which many findings share.
#[derive(Default)]
struct WrittenPlaces<'r> {
    numbers: HashMap<(bool, &'r [SourcePlace]), usize>,
    /// For each entry, whether it is certain, and the names and links of its locations.
    shown: Vec<(bool, Vec<[String; 2]>)>,
}

impl<'r> WrittenPlaces<'r> {
    /// Returns -1 for `None`.
    fn number(&mut self, view: &View<'r>, finding: &'r Finding) -> i64 {
        let places = finding.source_places();
        if places.is_empty() {
            return -1;
        }
        let WrittenPlaces { numbers, shown } = self;
        let next = numbers.len();
        let is_certain = finding.certain_source().is_some();
        let number = *numbers.entry((is_certain, places)).or_insert_with(|| {
            let name = |place: &SourcePlace| visible(&phrases::source_location(place)).into_owned();
            let place = |place| [name(place), source_href(view, place).into_owned()];
            shown.push((is_certain, places.iter().map(place).collect()));
            next
        });
        number as i64
    }
}

/// Writes each finding as twelve numbers (`FIELDS` in the script), then the tables that they refer to.
fn data(view: &View<'_>, rules: &Rules<'_>, out: &mut dyn Write) -> io::Result<()> {
    let causes = &view.causes;
    let mut texts = Table::default();
    let mut documents: Vec<String> = Vec::new();
    let mut last: Option<&Finding> = None;
    let mut written = WrittenPlaces::default();
    write!(out, "{{\"findings\":[")?;
    for (at, number) in listed_findings(causes).into_iter().enumerate() {
        let finding = view.finding(number);
        if !last.is_some_and(|last| last.is_in_file_of(finding)) {
            documents.push(visible(&view.path(finding)).into_owned());
        }
        last = Some(finding);
        let window = finding.snippet.as_ref().map(|snippet| snippet.window(WIDTH));
        let (from, length) = window.as_ref().map_or((0, 0), |(_, from, length)| (*from, *length));
        let comma = if at == 0 { "" } else { "," };
        write!(
            out,
            "{comma}{},{},{},{},{},{},{},{},{from},{length},{},{}",
            documents.len() - 1,
            rules.position(finding).unwrap_or(0),
            u8::from(finding.severity == Severity::Error),
            finding.line,
            finding.column,
            texts.number(visible(&finding.message).into_owned()),
            texts.optional(finding.help.as_ref().map(|help| visible(help).into_owned())),
            texts.optional(window.map(|(line, ..)| line)),
            causes.cause_of(number as usize),
            written.number(view, finding),
        )?;
    }
    let things =
        view.report.causes.iter().map(|cause| cause.thing.then(|| visible(&cause.cause).into_owned()));
    let things: Vec<i64> = things.map(|thing| texts.optional(thing)).collect();
    write!(out, "],\"rules\":")?;
    json(&rules.0, out)?;
    write!(out, ",\"things\":")?;
    json(&things, out)?;
    write!(out, ",\"written\":")?;
    json(&written.shown, out)?;
    write!(out, ",\"editor\":")?;
    json(&view.editor_template(), out)?;
    write!(out, ",\"documents\":")?;
    json(&documents, out)?;
    write!(out, ",\"texts\":")?;
    json(&texts.into_strings(), out)?;
    write!(out, "}}")
}
