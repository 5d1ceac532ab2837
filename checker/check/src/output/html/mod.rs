//! Writes an HTML page with search: one self-contained file, whose most important parts work without JavaScript.

mod overview;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;

use super::phrases;
use super::report_view::{RenderOptions, RuleTally, View, tally_by_rule};
use crate::csp::sha256;
use crate::raw_finding::Severity;
use crate::report::causes::Causes;
use crate::report::finding::{Finding, SourcePlace};
use crate::report::{Report, Verdict};
use overview::{external_hosts, graph};
use sitegate_base::html_writer::{Html, HtmlPart, HtmlWriter, html, write_html};
use sitegate_base::plural::{capitalized, count, thousands};
use sitegate_base::sanitize::visible;

const TEMPLATE: &str = include_str!("report.html");
const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Maximum number of characters of a source line.
const WIDTH: usize = 160;

/// Maximum number of causes without JavaScript, and of locations of each.
const FIRST: usize = 50;
const PLACES: usize = 20;

/// Maximum number of findings on the page; more make browsers slow.
const FINDINGS: usize = 250_000;

/// Writes a report.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let out = &mut HtmlWriter::new(out);
    let view = &View::new(report, options);
    let rules = Rules::from_report(report);
    for part in TEMPLATE.split("<!--sitegate:") {
        let (name, text) = part.split_once("-->").unwrap_or(("", part));
        match name {
            "title" => {
                write_html!(out, Html::text(&report.root), ": ", Html::text(phrases::verdict(report)))?;
            }
            "css" => out.markup(STYLE)?,
            "js" => out.markup(SCRIPT)?,
            "css-hash" => out.part(&Html::text(sha256(STYLE)))?,
            "js-hash" => out.part(&Html::text(sha256(SCRIPT)))?,
            "version" => out.markup(env!("CARGO_PKG_VERSION"))?,
            "summary" => summary(view, out)?,
            "color" => {
                let is_passed = report.verdict == Verdict::Passed;
                out.markup(if is_passed { "0a6b45" } else { "b8261a" })?;
            }
            "unreadable" => {
                let errors = report.unreadable.iter().map(Html::text);
                list(("unread", "Could not be checked"), errors, out)?;
            }
            "overview" => {
                rules.table(out)?;
                let ignored = report.ignores.iter().map(|ignore| capitalized(&phrases::ignored(ignore)));
                list(("overview ignored", "Ignored"), ignored.map(Html::prose), out)?;
                list(("overview", "Inferred settings"), phrases::site_notes(report).map(Html::text), out)?;
                if let Some(external) = &report.external {
                    external_hosts(external, out)?;
                }
                graph(report, out)?;
            }
            "shown" => write_shown_count(view, out)?,
            "left-out" => skipped(report, out)?,
            "first" => write_first_causes(view, out)?,
            "data" => data(view, &rules, out)?,
            _ => {}
        }
        out.markup(text)?;
    }
    Ok(())
}

fn summary(view: &View<'_>, out: &mut HtmlWriter<'_>) -> io::Result<()> {
    let report = view.report;
    let summary = &report.summary;
    let (class, verdict) = match report.verdict {
        Verdict::Passed => ("passed", "Passed"),
        Verdict::Failed => ("failed", "Failed"),
        Verdict::Incomplete => ("failed", "Incomplete"),
    };
    let sentence = match report.verdict {
        Verdict::Passed if summary.warnings == 0 => "ready to publish".to_owned(),
        Verdict::Passed => format!("ready to publish, with {}", count(summary.warnings, "warning")),
        Verdict::Failed => phrases::found(report),
        Verdict::Incomplete if report.unreadable.is_empty() => "the export contains no pages".to_owned(),
        Verdict::Incomplete => "not everything could be checked".to_owned(),
    };
    let (class, verdict) = (Html::text(class), Html::text(verdict));
    write_html!(out, "<div class=\"summary ", class, "\">\n<h1 class=\"verdict\">", verdict, "</h1>\n")?;
    let (root, sentence) = (Html::code(&report.root), Html::text(sentence));
    write_html!(out, "<p class=\"standfirst\">", root, " ", sentence, "</p>\n<dl class=\"counts\">\n")?;
    let mut entry = |label: &'static str, value: &str| {
        write_html!(out, "<div><dt>", Html::text(label), "</dt><dd>", Html::text(value), "</dd></div>\n")
    };
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
    write_html!(out, "</dl>\n</div>\n")
}

/// Writes a section with a list, by its class and heading, unless the list is empty.
fn list(
    (class, heading): (&'static str, &'static str),
    entries: impl IntoIterator<Item = Html>,
    out: &mut HtmlWriter<'_>,
) -> io::Result<()> {
    let mut entries = entries.into_iter().peekable();
    if entries.peek().is_none() {
        return Ok(());
    }
    let (class, heading) = (Html::text(class), Html::text(heading));
    write_html!(out, "<section class=\"", class, "\"><h2>", heading, "</h2><ul>\n")?;
    entries.try_for_each(|entry| write_html!(out, "<li>", entry, "</li>\n"))?;
    write_html!(out, "</ul></section>\n")
}

/// The rules with findings, the most important first. Unlike in a tally, a rule with two severities is one entry.
struct Rules<'r>(Vec<RuleTally<'r>>);

/// A rule in the data of the script.
#[derive(Serialize)]
struct RuleData {
    id: String,
    findings: usize,
}

impl<'r> Rules<'r> {
    fn from_report(report: &'r Report) -> Rules<'r> {
        let mut rules: Vec<RuleTally<'r>> = Vec::new();
        for entry in tally_by_rule(report) {
            match rules.iter_mut().find(|rule| rule.rule == entry.rule) {
                Some(rule) => {
                    rule.findings += entry.findings;
                    rule.causes += entry.causes;
                }
                None => rules.push(entry),
            }
        }
        rules.sort_by_key(|rule| (std::cmp::Reverse((rule.severity, rule.findings)), rule.rule));
        Rules(rules)
    }

    fn data(&self) -> Vec<RuleData> {
        let data = |rule: &RuleTally<'_>| RuleData { id: visible(rule.rule).into(), findings: rule.findings };
        self.0.iter().map(data).collect()
    }

    fn position(&self, finding: &Finding) -> Option<usize> {
        self.0.iter().position(|rule| *rule.rule == *finding.rule)
    }

    fn table(&self, out: &mut HtmlWriter<'_>) -> io::Result<()> {
        let Some(most) = self.0.iter().map(|rule| rule.findings).max() else { return Ok(()) };
        write_html!(
            out,
            "<section class=\"overview\"><h2>By rule</h2>\n<table class=\"rules\">\n\
             <thead><tr><th>Rule</th><th class=\"means\">Meaning</th><th>Level</th>\
             <th class=\"causes\">Causes</th><th class=\"number\">Findings</th></tr></thead><tbody>\n"
        )?;
        for rule in &self.0 {
            let (id, level) = (Html::text(rule.rule), rule.severity);
            let link = html!("<a href=\"#rule=", Html::fragment(rule.rule), "\">", id, "</a>");
            let summary = Html::text(capitalized(rule.summary));
            let width = (rule.findings.saturating_mul(100) / most.max(1)).max(1);
            // A style attribute would need a policy that allows all.
            let bar = html!(
                "<svg class=\"bar\" viewBox=\"0 0 100 1\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
                 <rect x=\"",
                100_usize.saturating_sub(width),
                "\" width=\"",
                width,
                "\" height=\"1\"/></svg>"
            );
            write_html!(out, "<tr class=\"", level, "\" data-rule=\"", id, "\"><td>", link, "</td>")?;
            write_html!(out, "<td class=\"means\">", summary, "</td>")?;
            write_html!(out, "<td><span class=\"level\">", level, "</span></td>")?;
            let (findings, causes) =
                (Html::text(thousands(rule.findings)), Html::text(thousands(rule.causes)));
            write_html!(out, "<td class=\"causes\"><span class=\"figure\">", causes, "</span></td>")?;
            write_html!(
                out,
                "<td class=\"number\"><span class=\"figure\">",
                findings,
                "</span>",
                bar,
                "</td></tr>\n"
            )?;
        }
        write_html!(out, "</tbody></table></section>\n")
    }
}

/// A level is its name, which has no markup.
impl HtmlPart for Severity {
    fn write_part(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, out)
    }
}

fn write_shown_count(view: &View<'_>, out: &mut HtmlWriter<'_>) -> io::Result<()> {
    let (findings, causes) = (view.report.findings.len(), view.causes.len());
    let findings = count(findings, "finding");
    let causes = match causes {
        0..=FIRST => count(causes, "cause"),
        _ => format!("the first {FIRST} of {}", count(causes, "cause")),
    };
    write_html!(out, Html::text(findings), ", ", Html::text(causes))
}

/// Writes the number of findings that do not fit, if any.
fn skipped(report: &Report, out: &mut HtmlWriter<'_>) -> io::Result<()> {
    match report.findings.len().saturating_sub(FINDINGS) {
        0 => Ok(()),
        rest => {
            let (rest, most) = (Html::text(count(rest, "finding")), Html::text(thousands(FINDINGS)));
            write_html!(
                out,
                "<p class=\"note\">",
                rest,
                " of the last causes left out: this page lists at most "
            )?;
            write_html!(out, most, ", other formats list all.</p>\n")
        }
    }
}

/// Writes the first causes with the same markup as the script.
fn write_first_causes(view: &View<'_>, out: &mut HtmlWriter<'_>) -> io::Result<()> {
    let causes = &view.causes;
    if causes.is_empty() {
        return write_html!(out, "<p class=\"none\">No findings.</p>\n");
    }
    for cause in 0..causes.len().min(FIRST) {
        article(view, view.finding(view.leads(cause)[0].finding), out)?;
        let Some(more) = causes.more(cause, &view.report.findings) else { continue };
        let more = Html::text(more);
        write_html!(
            out,
            "<details class=\"group\"><summary>and ",
            more,
            "</summary>\n<ul class=\"places\">\n"
        )?;
        for &other in causes.findings(cause).iter().take(PLACES).skip(1) {
            let other = view.finding(other);
            write_html!(out, "<li>", location(view, other), "</li>\n")?;
        }
        if causes.findings(cause).len() > PLACES {
            let rest = Html::text(thousands(causes.findings(cause).len() - PLACES));
            write_html!(out, "<li>and ", rest, " more</li>\n")?;
        }
        write_html!(out, "</ul></details>\n")?;
    }
    Ok(())
}

/// Returns the location of a finding, linked to the editor.
fn location(view: &View<'_>, finding: &Finding) -> Html {
    let path = view.path(finding);
    let text = Html::text(format!("{path}:{}", phrases::position(finding)));
    match view.editor_url(&path, finding.line, finding.column) {
        Some(url) => html!("<a href=\"", Html::text(url), "\">", text, "</a>"),
        None => text,
    }
}

/// Returns the link to a source location: the URL from the contract, or else the editor, or else the file.
fn source_href<'p>(view: &View<'_>, place: &'p SourcePlace) -> Cow<'p, str> {
    match view.editor_url(&place.file, place.line, place.column) {
        Some(url) if place.web_link().is_none() => Cow::Owned(url),
        _ => view.href(place),
    }
}

fn article(view: &View<'_>, finding: &Finding, out: &mut HtmlWriter<'_>) -> io::Result<()> {
    let (level, rule) = (finding.severity, Html::code(&finding.rule));
    write_html!(out, "<article class=\"finding ", level, " cause\">\n")?;
    write_html!(out, "<span class=\"at\">", location(view, finding), "</span>\n")?;
    let places = finding.source_places();
    if !places.is_empty() {
        let link = |place: &SourcePlace| {
            let name = phrases::source_location(place);
            html!("<a href=\"", Html::text(source_href(view, place)), "\">", Html::text(name), "</a>")
        };
        let places = Html::joined(places.iter().map(link), " or ");
        let label = Html::text(if finding.certain_source().is_some() { "source" } else { "possible source" });
        write_html!(out, "<p class=\"written\">", label, ": ", places, "</p>\n")?;
    }
    write_html!(out, "<p class=\"what\">", Html::prose(&finding.message), "</p>\n")?;
    write_html!(out, "<span class=\"tags\">", rule, "<span class=\"level\">", level, "</span></span>\n")?;
    if let Some(snippet) = &finding.snippet {
        let (line, from, length) = snippet.window(WIDTH);
        let cut =
            |start: usize, width: usize| Html::text(line.chars().skip(start).take(width).collect::<String>());
        let (before, marked, after) = (cut(0, from), cut(from, length), cut(from + length, usize::MAX));
        write_html!(out, "<pre class=\"line\">", before, "<mark>", marked, "</mark>", after, "</pre>\n")?;
    }
    if let Some(help) = &finding.help {
        write_html!(out, "<p class=\"help\">", Html::prose(help), "</p>\n")?;
    }
    write_html!(out, "</article>\n")
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
fn data(view: &View<'_>, rules: &Rules<'_>, out: &mut HtmlWriter<'_>) -> io::Result<()> {
    let causes = &view.causes;
    let mut texts = Table::default();
    let mut documents: Vec<String> = Vec::new();
    let mut last: Option<&Finding> = None;
    let mut written = WrittenPlaces::default();
    write_html!(out, "{\"findings\":[")?;
    for (at, number) in listed_findings(causes).into_iter().enumerate() {
        let finding = view.finding(number);
        if !last.is_some_and(|last| last.is_in_file_of(finding)) {
            documents.push(visible(&view.path(finding)).into_owned());
        }
        last = Some(finding);
        let window = finding.snippet.as_ref().map(|snippet| snippet.window(WIDTH));
        let (from, length) = window.as_ref().map_or((0, 0), |(_, from, length)| (*from, *length));
        let fields: [i64; 12] = [
            documents.len() as i64 - 1,
            rules.position(finding).unwrap_or(0) as i64,
            i64::from(finding.severity == Severity::Error),
            i64::from(finding.line),
            i64::from(finding.column),
            texts.number(visible(&finding.message).into_owned()) as i64,
            texts.optional(finding.help.as_ref().map(|help| visible(help).into_owned())),
            texts.optional(window.map(|(line, ..)| line)),
            from as i64,
            length as i64,
            causes.cause_of(number as usize) as i64,
            written.number(view, finding),
        ];
        for (position, field) in fields.iter().enumerate() {
            out.markup(if at + position == 0 { "" } else { "," })?;
            out.part(field)?;
        }
    }
    let things =
        view.report.causes.iter().map(|cause| cause.thing.then(|| visible(&cause.cause).into_owned()));
    let things: Vec<i64> = things.map(|thing| texts.optional(thing)).collect();
    write_html!(out, "],\"rules\":", Html::json(&rules.data())?, ",\"things\":", Html::json(&things)?)?;
    write_html!(out, ",\"written\":", Html::json(&written.shown)?, ",\"editor\":")?;
    write_html!(out, Html::json(&view.editor_template())?, ",\"documents\":", Html::json(&documents)?)?;
    write_html!(out, ",\"texts\":", Html::json(&texts.into_strings())?, "}")
}
