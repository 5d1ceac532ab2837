//! A page to look findings through in a browser: one file that loads nothing, and says the most important
//! even without JavaScript.

mod overview;
mod text;

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;

use super::in_order::in_order;
use super::presentation::Presentation;
use super::{tally, words};
use crate::diagnostic::{Diagnostic, Severity};
use crate::report::causes::{Causes, Grouping};
use crate::report::positions::Positions;
use crate::report::sources::{Position, Sources};
use crate::report::{Report, Verdict};
use crate::source_map::{SourceLocation, SourceMatch};
use overview::{graph, other_hosts};
use sitegate_base::plural::{capitalised, count, thousands};
use sitegate_base::sanitize::visible;
use text::{escaped, json, prose};

const TEMPLATE: &str = include_str!("report.html");
const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Characters of a source line that are shown.
const WIDTH: usize = 160;

/// Causes that are there without JavaScript, and places of each.
const FIRST: usize = 50;
const PLACES: usize = 20;

/// Findings that a page holds; more make browsers slow.
const FINDINGS: usize = 250_000;

/// Writes a report.
pub fn write(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Presentation { report, .. } = presentation;
    let rules = Rules::of(presentation);
    for part in TEMPLATE.split("<!--sitegate:") {
        let (name, text) = part.split_once("-->").unwrap_or(("", part));
        match name {
            "title" => {
                let root = report.tree.root().display().to_string();
                write!(out, "{}: {}", escaped(&root), words::verdict(report))?;
            }
            "css" => out.write_all(STYLE.as_bytes())?,
            "js" => out.write_all(SCRIPT.as_bytes())?,
            "version" => out.write_all(env!("CARGO_PKG_VERSION").as_bytes())?,
            "summary" => summary(presentation, out)?,
            "overview" => {
                unread(report, out)?;
                let_pass(presentation, out)?;
                rules.table(out)?;
                if let Some(elsewhere) = &report.elsewhere {
                    other_hosts(elsewhere, out)?;
                }
                graph(report, out)?;
            }
            "group" => {
                let is_by_page = presentation.extent.group == Grouping::Page;
                out.write_all(if is_by_page { b"page" } else { b"cause" })?;
            }
            "shown" => shown(presentation, out)?,
            "left-out" => left_out(report, out)?,
            "first" => first(presentation, out)?,
            "data" => data(presentation, &rules, out)?,
            _ => {}
        }
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn summary(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let report = presentation.report;
    let summary = &report.summary;
    let (class, verdict) = match report.verdict() {
        Verdict::Passed => ("passed", "Passed"),
        Verdict::Failed => ("failed", "Failed"),
        Verdict::Incomplete => ("failed", "Incomplete"),
    };
    let root = escaped(&report.tree.root().display().to_string());
    let sentence = match report.verdict() {
        Verdict::Passed if summary.warnings == 0 => "nothing stands in the way of publishing it".to_owned(),
        Verdict::Passed => format!("{} to look at, none in the way", count(summary.warnings, "warning")),
        Verdict::Failed => format!("{} to mend before it goes live", words::found(report)),
        Verdict::Incomplete if report.unread.is_empty() => {
            "it has no page, so nothing can be promised".to_owned()
        }
        Verdict::Incomplete => "not everything could be read, so nothing can be promised".to_owned(),
    };
    writeln!(out, "<div class=\"summary {class}\">")?;
    writeln!(out, "<div><h1 class=\"verdict\">{verdict}</h1>")?;
    writeln!(out, "<p class=\"standfirst\"><code>{root}</code>: {sentence}.</p>")?;
    for taken in words::taken(report) {
        writeln!(out, "<p class=\"note\">{}</p>", escaped(&taken))?;
    }
    writeln!(out, "</div>")?;
    writeln!(out, "<dl class=\"bill\">")?;
    let mut entry = |class: &str, label: &str, value: &str| {
        writeln!(out, "<div{class}><dt>{label}</dt><dd>{value}</dd></div>")
    };
    entry("", "Files", &thousands(summary.files))?;
    entry("", "Pages", &thousands(summary.pages))?;
    if summary.scripts > 0 {
        entry("", "Scripts", &thousands(summary.scripts))?;
    }
    entry("", "Links", &thousands(summary.links))?;
    entry("", "Time", &words::seconds(presentation.elapsed))?;
    if presentation.causes.len() < report.diagnostics.len() {
        entry("", "Causes", &thousands(presentation.causes.len()))?;
    }
    entry("", "Warnings", &thousands(summary.warnings))?;
    entry(" class=\"total\"", "Errors", &thousands(summary.errors))?;
    writeln!(out, "</dl>\n</div>")
}

fn unread(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.unread.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section class=\"unread\"><h2>Could not be checked</h2><ul>")?;
    for error in &report.unread {
        writeln!(out, "<li>{}</li>", escaped(error))?;
    }
    writeln!(out, "</ul></section>")
}

/// What is excused, and by whom: a reviewer sees what was let pass.
fn let_pass(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    if presentation.excuses.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section class=\"overview excused\"><h2>Let pass</h2><ul>")?;
    for excuse in &presentation.excuses {
        writeln!(out, "<li>{}</li>", prose(&capitalised(&words::let_pass(excuse))))?;
    }
    writeln!(out, "</ul></section>")
}

/// The rules that found something, those with most findings first.
struct Rules(Vec<RuleFindings>);

#[derive(Serialize)]
struct RuleFindings {
    id: &'static str,
    findings: usize,
    #[serde(skip)]
    causes: usize,
    #[serde(skip)]
    summary: &'static str,
    #[serde(skip)]
    severity: Severity,
}

impl Rules {
    fn of(presentation: &Presentation<'_>) -> Rules {
        let mut rules: Vec<RuleFindings> = Vec::new();
        for entry in tally::of(presentation) {
            match rules.iter_mut().find(|rule| rule.id == entry.rule.id) {
                Some(rule) => {
                    rule.findings += entry.findings;
                    rule.causes += entry.causes;
                }
                None => rules.push(RuleFindings {
                    id: entry.rule.id,
                    findings: entry.findings,
                    causes: entry.causes,
                    summary: entry.rule.summary,
                    severity: entry.severity,
                }),
            }
        }
        rules.sort_by_key(|rule| (std::cmp::Reverse((rule.severity, rule.findings)), rule.id));
        Rules(rules)
    }

    fn position(&self, diagnostic: &Diagnostic) -> Option<usize> {
        self.0.iter().position(|rule| rule.id == diagnostic.rule.id)
    }

    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(most) = self.0.iter().map(|rule| rule.findings).max() else { return Ok(()) };
        writeln!(out, "<section class=\"overview\"><h2>By rule</h2>\n<table class=\"rules\">")?;
        writeln!(
            out,
            "<thead><tr><th>Rule</th><th class=\"means\">What it means</th><th>Level</th>\
             <th class=\"causes\">Causes</th><th class=\"number\">Findings</th></tr></thead><tbody>"
        )?;
        for rule in &self.0 {
            let (id, level) = (rule.id, rule.severity);
            let summary = escaped(&capitalised(rule.summary));
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

fn shown(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (findings, causes) = (presentation.report.diagnostics.len(), presentation.groups().len());
    let findings = count(findings, "finding");
    match causes {
        0..=FIRST => write!(out, "{findings}, {}", count(causes, "cause")),
        _ => write!(out, "{findings}, the first {FIRST} of {}", count(causes, "cause")),
    }
}

/// Says so, where not every finding has room.
fn left_out(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    match report.diagnostics.len().saturating_sub(FINDINGS) {
        0 => Ok(()),
        rest => writeln!(
            out,
            "<p class=\"note\">{} of the last causes left out: this page holds {}, other formats have all.</p>",
            count(rest, "finding"),
            thousands(FINDINGS)
        ),
    }
}

/// The first causes, marked up as the script does.
fn first(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Presentation { report, contract, .. } = presentation;
    let causes = presentation.groups();
    if causes.is_empty() {
        return writeln!(out, "<p class=\"none\">Nothing was found.</p>");
    }
    let first = causes.len().min(FIRST);
    let shown = |cause| causes.findings(cause).iter().take(PLACES).copied();
    let leads = (0..first).map(|cause| presentation.leads(cause)[0].finding);
    let positions = Positions::of(report, contract, (0..first).flat_map(shown).chain(leads).collect());
    let mut sources = Sources::one_by_one(report, contract);
    for cause in 0..first {
        let lead = presentation.leads(cause).swap_remove(0);
        article(presentation, lead.finding, positions.get(lead.finding), &mut sources, out)?;
        let Some(more) = causes.more(cause, report) else { continue };
        writeln!(out, "<details class=\"group\"><summary>and {more}</summary>\n<ul class=\"places\">")?;
        for &other in causes.findings(cause).iter().take(PLACES).skip(1) {
            let name = sources.name(&report.diagnostics[other as usize].location.place);
            writeln!(out, "<li>{}:{}</li>", escaped(&name), words::place(positions.get(other)))?;
        }
        if causes.findings(cause).len() > PLACES {
            writeln!(out, "<li>and {} more</li>", thousands(causes.findings(cause).len() - PLACES))?;
        }
        writeln!(out, "</ul></details>")?;
    }
    Ok(())
}

fn article(
    presentation: &Presentation<'_>,
    finding: u32,
    position: Position,
    sources: &mut Sources<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let written = presentation.source_map.get(finding as usize);
    let finding = presentation.finding(finding);
    let (level, rule) = (finding.severity, finding.rule.id);
    let name = escaped(&sources.name(&finding.location.place));
    writeln!(out, "<article class=\"finding {level} cause\">")?;
    writeln!(out, "<span class=\"at\">{name}:{}</span>", words::place(position))?;
    if let Some(SourceMatch { locations: places, is_certain }) = written {
        let link = |place: &SourceLocation| {
            let (name, href) =
                (words::source_place(&presentation.source_map, *place), presentation.href(*place));
            format!("<a href=\"{}\">{}</a>", escaped(&href), escaped(&name))
        };
        let places: Vec<String> = places.iter().map(link).collect();
        let perhaps = if *is_certain { "" } else { "perhaps " };
        writeln!(out, "<p class=\"written\">{perhaps}written in {}</p>", places.join(" or "))?;
    }
    writeln!(out, "<p class=\"what\">{}</p>", prose(&finding.message))?;
    writeln!(out, "<span class=\"tags\"><code>{rule}</code><span class=\"level\">{level}</span></span>")?;
    if let Some(excerpt) = sources.excerpt(finding) {
        let (line, from, length) = excerpt.window(WIDTH);
        let cut =
            |from: usize, length: usize| escaped(&line.chars().skip(from).take(length).collect::<String>());
        let (before, marked, after) = (cut(0, from), cut(from, length), cut(from + length, usize::MAX));
        writeln!(out, "<pre class=\"line\">{before}<mark>{marked}</mark>{after}</pre>")?;
    }
    if let Some(help) = &finding.help {
        writeln!(out, "<p class=\"help\">{}</p>", prose(help))?;
    }
    writeln!(out, "</article>")
}

/// Strings by number: sites repeat their mistakes, so most lines and messages are there many times.
#[derive(Default)]
struct Table {
    numbers: HashMap<String, usize>,
    strings: Vec<String>,
}

impl Table {
    fn number(&mut self, string: String) -> usize {
        if let Some(&number) = self.numbers.get(&string) {
            return number;
        }
        self.strings.push(string.clone());
        self.numbers.insert(string, self.strings.len() - 1);
        self.strings.len() - 1
    }

    /// -1 stands for none.
    fn optional(&mut self, string: Option<String>) -> i64 {
        string.map_or(-1, |string| self.number(string) as i64)
    }
}

/// The findings that there is room for, in the order of the report: all, or those of the first causes.
fn held(causes: &Causes) -> Vec<u32> {
    let by_cause = causes.iter().flat_map(|(cause, _)| causes.findings(cause));
    let mut held: Vec<u32> = by_cause.take(FINDINGS).copied().collect();
    held.sort_unstable();
    held
}

/// Where findings were written, by number: many are written in one place.
#[derive(Default)]
struct WrittenPlaces {
    numbers: HashMap<SourceMatch, usize>,
    /// For each, whether it is certain, and the names and addresses of its places.
    shown: Vec<(bool, Vec<[String; 2]>)>,
}

impl WrittenPlaces {
    /// -1 stands for none.
    fn number(&mut self, presentation: &Presentation<'_>, finding: usize) -> i64 {
        let Some(written) = presentation.source_map.get(finding) else { return -1 };
        let WrittenPlaces { numbers, shown } = self;
        let next = numbers.len();
        let number = *numbers.entry(written.clone()).or_insert_with(|| {
            let name = |place: &SourceLocation| words::source_place(&presentation.source_map, *place);
            let place = |place| [visible(&name(place)).into_owned(), presentation.href(*place)];
            shown.push((written.is_certain, written.locations.iter().map(place).collect()));
            next
        });
        number as i64
    }
}

/// Every finding as twelve numbers (`FIELDS` in the script), then what they stand for.
fn data(presentation: &Presentation<'_>, rules: &Rules, out: &mut dyn Write) -> io::Result<()> {
    let Presentation { report, contract, causes, .. } = presentation;
    let names = Sources::one_by_one(report, contract);
    let mut texts = Table::default();
    let mut documents: Vec<String> = Vec::new();
    let mut place = None;
    let mut written = WrittenPlaces::default();
    let held = held(causes);
    let of = |at: usize| &report.diagnostics[held[at] as usize];
    let look = |sources: &mut Sources<'_>, at: usize| {
        (at, sources.position(of(at)), sources.excerpt(of(at)).map(|excerpt| excerpt.window(WIDTH)))
    };
    write!(out, "{{\"findings\":[")?;
    in_order(
        held.len(),
        of,
        || Sources::one_by_one(report, contract),
        look,
        |(at, position, window)| {
            let finding = of(at);
            if place != Some(&finding.location.place) {
                place = Some(&finding.location.place);
                documents.push(visible(&names.name(&finding.location.place)).into_owned());
            }
            let (from, length) = window.as_ref().map_or((0, 0), |(_, from, length)| (*from, *length));
            let comma = if at == 0 { "" } else { "," };
            write!(
                out,
                "{comma}{},{},{},{},{},{},{},{},{from},{length},{},{}",
                documents.len() - 1,
                rules.position(finding).unwrap_or(0),
                u8::from(finding.severity == Severity::Error),
                position.line,
                position.column,
                texts.number(visible(&finding.message).into_owned()),
                texts.optional(finding.help.as_ref().map(|help| visible(help).into_owned())),
                texts.optional(window.map(|(line, ..)| line)),
                causes.cause_of(held[at] as usize),
                written.number(presentation, held[at] as usize),
            )
        },
    )?;
    let things =
        causes.iter().map(|(_, cause)| cause.thing.as_ref().map(|thing| visible(thing).into_owned()));
    let things: Vec<i64> = things.map(|thing| texts.optional(thing)).collect();
    write!(out, "],\"rules\":")?;
    json(&rules.0, out)?;
    write!(out, ",\"things\":")?;
    json(&things, out)?;
    write!(out, ",\"written\":")?;
    json(&written.shown, out)?;
    write!(out, ",\"documents\":")?;
    json(&documents, out)?;
    write!(out, ",\"texts\":")?;
    json(&texts.strings, out)?;
    write!(out, "}}")
}
