//! A page to look findings through in a browser: one file that loads nothing, and says the most important
//! even without JavaScript.

use std::collections::HashMap;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use super::{markup, words};
use crate::contract::Contract;
use crate::diagnostic::{Diagnostic, Severity};
use crate::english::{capitalised, count, thousands};
use crate::parse::Format;
use crate::report::sources::Sources;
use crate::report::target::Targets;
use crate::report::{Report, Verdict};
use crate::walk::FileId;

const TEMPLATE: &str = include_str!("report.html");
const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Characters of a source line that are shown.
const WIDTH: usize = 160;

/// Findings that are there without JavaScript.
const FIRST: usize = 50;

/// Pages in each list about the link graph.
const MOST_LINKED: usize = 15;
const UNLINKED: usize = 200;

/// Writes a report.
pub fn write(report: &Report, contract: &Contract, elapsed: Duration, out: &mut dyn Write) -> io::Result<()> {
    let rules = Rules::of(report);
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
            "summary" => summary(report, elapsed, out)?,
            "overview" => {
                unread(report, out)?;
                rules.table(out)?;
                graph(report, out)?;
            }
            "shown" => shown(report, out)?,
            "first" => first(report, contract, out)?,
            "data" => data(report, contract, &rules, out)?,
            _ => {}
        }
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn summary(report: &Report, elapsed: Duration, out: &mut dyn Write) -> io::Result<()> {
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
    entry("", "Time", &words::seconds(elapsed))?;
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

/// The rules that found something, those with most findings first.
struct Rules(Vec<RuleFindings>);

#[derive(Serialize)]
struct RuleFindings {
    id: &'static str,
    findings: usize,
    #[serde(skip)]
    summary: &'static str,
    #[serde(skip)]
    severity: Severity,
}

impl Rules {
    fn of(report: &Report) -> Rules {
        let mut rules: Vec<RuleFindings> = Vec::new();
        for diagnostic in &report.diagnostics {
            match rules.iter_mut().find(|rule| rule.id == diagnostic.rule.id) {
                Some(rule) => {
                    rule.findings += 1;
                    rule.severity = rule.severity.max(diagnostic.severity);
                }
                None => rules.push(RuleFindings {
                    id: diagnostic.rule.id,
                    findings: 1,
                    summary: diagnostic.rule.summary,
                    severity: diagnostic.severity,
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
             <th class=\"number\">Findings</th></tr></thead><tbody>"
        )?;
        for rule in &self.0 {
            let (id, level) = (rule.id, rule.severity);
            let summary = escaped(&capitalised(rule.summary));
            let findings = thousands(rule.findings);
            let width = (rule.findings * 100 / most).max(1);
            writeln!(
                out,
                "<tr class=\"{level}\" data-rule=\"{id}\"><td><a href=\"#rule={id}\">{id}</a></td>\
                 <td class=\"means\">{summary}</td><td><span class=\"level\">{level}</span></td>\
                 <td class=\"number\"><span class=\"figure\">{findings}</span>\
                 <span class=\"bar\" style=\"width:{width}%\"></span></td></tr>"
            )?;
        }
        writeln!(out, "</tbody></table></section>")
    }
}

/// Which pages most others refer to, and which none does.
fn graph(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let tree = &report.tree;
    let not_found = report.whereabouts.settings.not_found_file().as_bytes();
    let inbound = |page: FileId| report.inbound.get(page as usize).copied().unwrap_or(0);
    let mut pages: Vec<FileId> =
        tree.ids().filter(|&page| Format::of(tree.path(page)) == Format::Html).collect();
    let unlinked: Vec<FileId> = pages
        .iter()
        .copied()
        .filter(|&page| {
            inbound(page) == 0 && tree.path(page) != b"index.html" && tree.path(page) != not_found
        })
        .collect();
    pages.sort_by_key(|&page| (std::cmp::Reverse(inbound(page)), page));
    pages.truncate(MOST_LINKED);
    pages.retain(|&page| inbound(page) > 0);
    let name = |page: FileId| escaped(&tree.display(page));

    let linked_note = match pages.len() {
        0 => "None: no file refers to another page",
        _ => "How many other files refer to each",
    };
    writeln!(out, "<section class=\"overview graph\">\n<div><h2>Most linked pages</h2>")?;
    writeln!(out, "<p class=\"note\">{linked_note}</p><ol class=\"ledger\">")?;
    for &page in &pages {
        let times = thousands(inbound(page) as usize);
        writeln!(
            out,
            "<li><span class=\"name\">{}</span><span class=\"figure\">{times}</span></li>",
            name(page)
        )?;
    }
    writeln!(out, "</ol></div>\n<div><h2>Pages nothing links to</h2>")?;
    let note = match unlinked.len() {
        0 => "None: every page can be reached".to_owned(),
        n => format!("{}, the front page and the 404 page left out", count(n, "page")),
    };
    writeln!(
        out,
        "<p class=\"note\">{note}</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Pages nothing links to\"><ol class=\"ledger\">"
    )?;
    for &page in unlinked.iter().take(UNLINKED) {
        writeln!(out, "<li><span class=\"name\">{}</span></li>", name(page))?;
    }
    if unlinked.len() > UNLINKED {
        writeln!(out, "<li>and {} more</li>", thousands(unlinked.len() - UNLINKED))?;
    }
    writeln!(out, "</ol></div></div>\n</section>")
}

fn shown(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let all = report.diagnostics.len();
    match all {
        0..=FIRST => write!(out, "{}", count(all, "finding")),
        _ => write!(out, "the first {FIRST} of {}", count(all, "finding")),
    }
}

/// The first findings, marked up as the script does.
fn first(report: &Report, contract: &Contract, out: &mut dyn Write) -> io::Result<()> {
    if report.diagnostics.is_empty() {
        return writeln!(out, "<p class=\"none\">Nothing was found.</p>");
    }
    let mut sources = Sources::new(report, contract);
    let first = &report.diagnostics[..report.diagnostics.len().min(FIRST)];
    for findings in first.chunk_by(|a, b| a.location.place == b.location.place) {
        let name = escaped(&sources.name(&findings[0].location.place));
        writeln!(out, "<h3 class=\"page-name\">{name}</h3>")?;
        for finding in findings {
            article(finding, &mut sources, out)?;
        }
    }
    Ok(())
}

fn article(finding: &Diagnostic, sources: &mut Sources<'_>, out: &mut dyn Write) -> io::Result<()> {
    let position = sources.position(finding);
    let (level, rule) = (finding.severity, finding.rule.id);
    writeln!(out, "<article class=\"finding {level}\">")?;
    writeln!(out, "<span class=\"at\">{}:{}</span>", position.line, position.column)?;
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

/// Every finding as eleven numbers (`FIELDS` in the script), then what they stand for.
fn data(report: &Report, contract: &Contract, rules: &Rules, out: &mut dyn Write) -> io::Result<()> {
    let mut sources = Sources::new(report, contract);
    let mut targets = Targets::new(report);
    let mut texts = Table::default();
    let mut documents: Vec<String> = Vec::new();
    let mut place = None;
    write!(out, "{{\"findings\":[")?;
    for (index, finding) in report.diagnostics.iter().enumerate() {
        if place != Some(&finding.location.place) {
            place = Some(&finding.location.place);
            documents.push(sources.name(&finding.location.place));
        }
        let position = sources.position(finding);
        let target = targets.of(finding, &mut sources);
        let window = sources.excerpt(finding).map(|excerpt| excerpt.window(WIDTH));
        let (from, length) = window.as_ref().map_or((0, 0), |(_, from, length)| (*from, *length));
        let comma = if index == 0 { "" } else { "," };
        write!(
            out,
            "{comma}{},{},{},{},{},{},{},{},{from},{length},{}",
            documents.len() - 1,
            rules.position(finding).unwrap_or(0),
            u8::from(finding.severity == Severity::Error),
            position.line,
            position.column,
            texts.number(finding.message.to_string()),
            texts.optional(finding.help.as_ref().map(|help| help.to_string())),
            texts.optional(window.map(|(line, ..)| line)),
            texts.optional(target),
        )?;
    }
    write!(out, "],\"rules\":")?;
    json(&rules.0, out)?;
    write!(out, ",\"documents\":")?;
    json(&documents, out)?;
    write!(out, ",\"texts\":")?;
    json(&texts.strings, out)?;
    write!(out, "}}")
}

/// JSON in a script element: no `<` in it can end the element or begin a comment.
fn json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let text = serde_json::to_string(value)?;
    for (index, part) in text.split('<').enumerate() {
        if index > 0 {
            out.write_all(b"\\u003c")?;
        }
        out.write_all(part.as_bytes())?;
    }
    Ok(())
}

/// Text whose backticks mark code, as messages are written.
fn prose(text: &str) -> String {
    words::with_code(text, escaped, |part| format!("<code>{}</code>", escaped(part)))
}

/// Text for HTML. Control characters become spaces: HTML allows most of them nowhere.
fn escaped(text: &str) -> String {
    markup::escaped(text, |c, safe| safe.push(if c.is_control() { ' ' } else { c }))
}
