//! The format for people: each cause once, with the source line, the place underlined, what to do about it and where
//! else it is met; errors first. What it leaves out, it says.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::ops::Range;
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use super::options::RenderOptions;
use super::tally::{self, RuleTally};
use super::view::{Lead, View};
use super::words;
use crate::raw_finding::Severity;
use crate::report::external_hosts::{ExternalHost, ExternalHosts};
use crate::report::{Report, Verdict};
use sitegate_base::plural::{count, thousands};
use sitegate_base::sanitize::visible;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const BLUE: Style = AnsiColor::Blue.on_default();

/// Characters of a source line that are shown; exports are often one long line.
const WIDTH: usize = 88;

/// Causes that are listed, and the lines they may take: with all else, the longest report has 200 lines.
const CAUSES: usize = 25;
const LINES: usize = 150;

/// Causes of one rule that are listed before the other rules of its level had their turn.
const OF_ONE_RULE: usize = 6;

/// Places that are listed beside the first in the sources, and of those in the export.
const OTHER_LEADS: usize = 2;
const EXPORTED: usize = 3;

/// Rules in the tally, and files in the list of those that could not be read.
const RULES: usize = 20;
const UNREAD: usize = 10;

/// Reasons for which findings are let pass that are told.
const IGNORES: usize = 5;

/// A host that took so long to ask is told, and how many of them.
const SLOW: Duration = Duration::from_secs(5);
const SLOW_HOSTS: usize = 5;

/// Writes a report with its styles; the caller's stream strips them where they do not belong.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let view = &View::new(report, options);
    let causes = view.groups();
    let is_error = |cause: &usize| view.first(*cause).severity == Severity::Error;
    let errors = (0..causes.len()).take_while(is_error).count();
    let told = if options.quiet { errors } else { causes.len() };
    let findings: usize = (0..told).map(|cause| causes.get(cause).findings()).sum();
    if options.all {
        let all: Vec<usize> = (0..told).collect();
        headline(findings, told, told, out)?;
        let mut listing = CauseList::new(view, &all);
        all.iter().try_for_each(|&cause| out.write_all(&listing.entry(cause)?))?;
    } else {
        let mut chosen = chosen(view, 0..errors, CAUSES);
        chosen.extend(self::chosen(view, errors..told, CAUSES - chosen.len()));
        let (text, listed) = CauseList::new(view, &chosen).first(&chosen)?;
        headline(findings, told, listed, out)?;
        out.write_all(&text)?;
        if listed < told {
            let more = count(told - listed, "more cause");
            writeln!(out, "{DIM}and {more}: --all lists them, --format html lets you search them{DIM:#}\n")?;
        }
        if listed < findings {
            by_rule(&tally::of(report), options, out)?;
        }
    }
    let unreadable = if options.all { report.unreadable.len() } else { UNREAD };
    for error in report.unreadable.iter().take(unreadable) {
        writeln!(out, "{RED}cannot check{RED:#} {}", visible(error))?;
    }
    if report.unreadable.len() > unreadable {
        writeln!(out, "{DIM}and {} more{DIM:#}", thousands(report.unreadable.len() - unreadable))?;
    }
    if !report.unreadable.is_empty() {
        writeln!(out)?;
    }
    summary(report, options, out)
}

/// As many of these causes as there is room for: the first ones, but of each rule only a few while others wait.
fn chosen(view: &View<'_>, of: Range<usize>, room: usize) -> Vec<usize> {
    let mut of_rule: HashMap<&str, usize> = HashMap::new();
    let (mut chosen, mut waiting) = (Vec::new(), Vec::new());
    for cause in of {
        if chosen.len() == room {
            break;
        }
        let of_rule = of_rule.entry(&view.first(cause).rule).or_default();
        *of_rule += 1;
        if *of_rule <= OF_ONE_RULE {
            chosen.push(cause);
        } else if waiting.len() < room {
            waiting.push(cause);
        }
    }
    chosen.extend(waiting.into_iter().take(room - chosen.len()));
    chosen.sort_unstable();
    chosen
}

/// How much there is, where not each finding is told by itself.
fn headline(findings: usize, causes: usize, listed: usize, out: &mut dyn Write) -> io::Result<()> {
    if findings == listed {
        return Ok(());
    }
    let few = match causes - listed {
        0 => String::new(),
        _ => format!("; {} of them here", thousands(listed)),
    };
    let (findings, causes) = (count(findings, "finding"), count(causes, "cause"));
    writeln!(out, "{BOLD}{findings}, {causes}{BOLD:#}{DIM}{few}{DIM:#}\n")
}

/// Writes causes, each by the place where it was written, or else by the first of its places in the export.
struct CauseList<'v> {
    view: &'v View<'v>,
    /// The width of the widest position; all causes line up.
    gutter: usize,
    heading: String,
    /// What was said to do, and need not be repeated.
    said: HashSet<(&'v str, &'v str)>,
}

impl<'v> CauseList<'v> {
    fn new(view: &'v View<'v>, causes: &[usize]) -> CauseList<'v> {
        let mut list = CauseList { view, gutter: 0, heading: String::new(), said: HashSet::new() };
        let widths = causes.iter().map(|cause| list.position(&view.leads(*cause)[0]).len());
        list.gutter = widths.max().unwrap_or(0);
        list
    }

    /// The places of a cause in the export that are shown.
    fn places(&self, cause: usize) -> Vec<u32> {
        let groups = self.view.groups();
        if self.view.options.all {
            groups.findings(cause).to_vec()
        } else {
            groups.examples(cause, &self.view.report.findings)
        }
    }

    /// Line and column of what a cause is told by.
    fn position(&self, lead: &Lead<'_>) -> String {
        match lead.source {
            Some(source) => words::place((source.line, source.column)),
            None => words::position(self.view.finding(lead.finding)),
        }
    }

    /// The first of these causes that fit, and how many they are.
    fn first(&mut self, causes: &[usize]) -> io::Result<(Vec<u8>, usize)> {
        let (mut text, mut lines) = (Vec::new(), 0);
        for (listed, &cause) in causes.iter().enumerate() {
            let entry = self.entry(cause)?;
            lines += memchr::memchr_iter(b'\n', &entry).count();
            if lines > LINES {
                return Ok((text, listed));
            }
            text.extend(entry);
        }
        Ok((text, causes.len()))
    }

    fn entry(&mut self, cause: usize) -> io::Result<Vec<u8>> {
        let leads = self.view.leads(cause);
        let lead = &leads[0];
        let mut text = Vec::new();
        self.head(cause, lead, &mut text)?;
        self.finding(lead, &mut text)?;
        if lead.source.is_none() {
            self.others(cause, &self.places(cause), &mut text)?;
        } else {
            self.other_leads(&leads[1..], &mut text)?;
            self.exported(cause, &leads, &mut text)?;
        }
        writeln!(text)?;
        Ok(text)
    }

    /// The file that a cause is told by, and how far it reaches; once for those that follow each other.
    fn head(&mut self, cause: usize, lead: &Lead<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let common = self.view.groups().get(cause);
        let (name, extent) = if let Some(source) = lead.source {
            (&source.file, common.extent_of(lead.findings, lead.documents))
        } else {
            let more = common.more_documents().map(|more| format!("and {more}"));
            (&self.view.finding(lead.finding).file, more)
        };
        let extent = extent.map_or_else(String::new, |extent| format!(" {DIM}{extent}{DIM:#}"));
        let heading = format!("{BOLD}{}{BOLD:#}{extent}", visible(name));
        if heading != self.heading {
            writeln!(out, "{heading}\n")?;
            self.heading = heading;
        }
        Ok(())
    }

    fn finding(&mut self, lead: &Lead<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let first = self.view.finding(lead.finding);
        let style = match first.severity {
            Severity::Error => RED,
            _ => YELLOW,
        };
        let (gutter, place, empty) = (self.gutter, self.position(lead), "");
        let (level, message, rule) = (first.severity, visible(&first.message), &*first.rule);
        writeln!(
            out,
            "  {BLUE}{place:>gutter$}{BLUE:#}  {style}{level}{style:#}  {message}  {DIM}{rule}{DIM:#}"
        )?;
        if let Some(snippet) = first.shown_snippet() {
            let (line, from, length) = snippet.window(WIDTH);
            let mark = "^".repeat(length);
            writeln!(out, "  {empty:>gutter$}  {DIM}|{DIM:#} {line}")?;
            writeln!(out, "  {empty:>gutter$}  {DIM}|{DIM:#} {empty:from$}{style}{mark}{style:#}")?;
        }
        if let Some(help) = first.help.as_deref().filter(|help| self.said.insert((rule, *help))) {
            writeln!(out, "  {empty:>gutter$}  {DIM}={DIM:#} {}", visible(help))?;
        }
        if let Some(perhaps) = words::perhaps_written(first) {
            writeln!(out, "  {empty:>gutter$}  {DIM}={DIM:#} {}", visible(&perhaps))?;
        }
        Ok(())
    }

    /// The other places in sources where a cause was written, and the first in the export of what is not certain.
    fn other_leads(&self, others: &[Lead<'_>], out: &mut Vec<u8>) -> io::Result<()> {
        let told = if self.view.options.all { others.len() } else { others.len().min(OTHER_LEADS) };
        let shown = others[..told].iter().map(|lead| match lead.source {
            Some(source) => visible(&words::source_place(source)).into_owned(),
            None => self.exported_place(lead.finding),
        });
        self.list('+', shown.collect(), others.len() - told, out)
    }

    /// The places in the export of what was written at places that are certain.
    fn exported(&self, cause: usize, leads: &[Lead<'_>], out: &mut Vec<u8>) -> io::Result<()> {
        let findings = self.view.groups().findings(cause).iter().copied();
        let certain = findings.filter(|finding| self.view.finding(*finding).certain_source().is_some());
        let told = if self.view.options.all { usize::MAX } else { EXPORTED };
        let mut shown: Vec<String> = certain.take(told).map(|finding| self.exported_place(finding)).collect();
        let all: usize = leads.iter().filter(|lead| lead.source.is_some()).map(|lead| lead.findings).sum();
        let rest = all - shown.len();
        shown.dedup();
        self.list('>', shown, rest, out)
    }

    fn exported_place(&self, finding: u32) -> String {
        let finding = self.view.finding(finding);
        format!("{}:{}", visible(&finding.file), words::position(finding))
    }

    /// The other places: two on a line, or each on a line of its own.
    fn others(&mut self, cause: usize, places: &[u32], out: &mut Vec<u8>) -> io::Result<()> {
        let [first, others @ ..] = places else { return Ok(()) };
        let first = self.view.finding(*first);
        let shown = |finding: u32| match self.view.finding(finding) {
            other if other.is_in_file_of(first) => words::position(other),
            _ => self.exported_place(finding),
        };
        // Findings about a document as a whole have the same place.
        let mut last = words::position(first);
        let shown = others.iter().map(|&finding| shown(finding)).filter(|place| {
            let is_new = *place != last;
            last.clone_from(place);
            is_new
        });
        let shown: Vec<String> = shown.collect();
        let rest = if self.view.options.all {
            0
        } else {
            self.view.groups().findings(cause).len() - 1 - shown.len()
        };
        self.list('+', shown, rest, out)
    }

    /// Places in one line, or each in a line of its own where all are told.
    fn list(&self, sign: char, places: Vec<String>, rest: usize, out: &mut Vec<u8>) -> io::Result<()> {
        let (gutter, empty) = (self.gutter, "");
        let mut shown: Vec<String> = places.iter().map(|place| format!("{BLUE}{place}{BLUE:#}")).collect();
        if self.view.options.all {
            let mut shown = shown.into_iter();
            return shown
                .try_for_each(|place| writeln!(out, "  {empty:>gutter$}  {DIM}{sign}{DIM:#} {place}"));
        }
        if rest > 0 {
            shown.push(count(rest, "more place"));
        }
        match shown.pop() {
            None => Ok(()),
            Some(last) => {
                let and = if shown.is_empty() { "" } else { " and " };
                let shown = shown.join(", ");
                writeln!(out, "  {empty:>gutter$}  {DIM}{sign}{DIM:#} {shown}{and}{last}")
            }
        }
    }
}

/// What each rule found.
fn by_rule(tally: &[RuleTally<'_>], options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let told = |entry: &&RuleTally<'_>| !options.quiet || entry.severity == Severity::Error;
    let tally: Vec<&RuleTally<'_>> = tally.iter().filter(told).collect();
    let rows = &tally[..tally.len().min(RULES)];
    let widest =
        |width: fn(&RuleTally<'_>) -> usize| rows.iter().map(|entry| width(entry)).max().unwrap_or(0);
    let findings = widest(|entry| thousands(entry.findings).len());
    let level = widest(|entry| level(entry).len());
    let causes = widest(|entry| thousands(entry.causes).len());
    let name = widest(|entry| entry.rule.len());
    writeln!(out, "{BOLD}by rule{BOLD:#}\n")?;
    for entry in rows {
        let style = if entry.severity == Severity::Error { RED } else { YELLOW };
        writeln!(
            out,
            "  {:>findings$} {style}{:level$}{style:#}  {:>causes$} {:6}  {:name$}  {DIM}{}{DIM:#}",
            thousands(entry.findings),
            self::level(entry),
            thousands(entry.causes),
            if entry.causes == 1 { "cause" } else { "causes" },
            entry.rule,
            entry.summary
        )?;
    }
    if tally.len() > RULES {
        writeln!(out, "  {DIM}and {}{DIM:#}", count(tally.len() - RULES, "more rule"))?;
    }
    writeln!(out)
}

fn level(entry: &RuleTally<'_>) -> String {
    let plural = if entry.findings == 1 { "" } else { "s" };
    format!("{}{plural}", entry.severity)
}

fn summary(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    for taken in words::taken(report) {
        writeln!(out, "{DIM}{}{DIM:#}", visible(&taken))?;
    }
    let ignores = &report.ignores;
    let told = if options.all { ignores.len() } else { IGNORES };
    for ignore in ignores.iter().take(told) {
        writeln!(out, "{DIM}let pass: {}{DIM:#}", visible(&words::let_pass(ignore)))?;
    }
    if ignores.len() > told {
        let more = count(ignores.len() - told, "more reason");
        writeln!(out, "{DIM}let pass: {more}, which --all lists{DIM:#}")?;
    }
    if let Some(unfollowed) = words::unfollowed(report) {
        writeln!(out, "{DIM}{unfollowed}{DIM:#}")?;
    }
    if let Some(external) = &report.external {
        asked(external, options.all, out)?;
    }
    let style = match report.verdict {
        Verdict::Passed => GREEN,
        Verdict::Failed | Verdict::Incomplete => RED,
    };
    write!(out, "{style}{}{style:#}", words::verdict(report))?;
    let found = words::found(report);
    if !found.is_empty() {
        write!(out, "  {found}")?;
    }
    writeln!(out, "  {DIM}{} in {}{DIM:#}", words::looked_at(report), words::elapsed(report))
}

/// What other hosts said together, and which of them took long; all, where all is to be told.
fn asked(external: &ExternalHosts, all: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{DIM}{}{DIM:#}", words::asked(external))?;
    let mut told: Vec<&ExternalHost> = external.hosts.iter().collect();
    if !all {
        told.retain(|host| words::duration(host.seconds) >= SLOW);
        told.sort_by_key(|host| std::cmp::Reverse(words::duration(host.seconds)));
        told.truncate(SLOW_HOSTS);
    }
    told.into_iter().try_for_each(|host| {
        writeln!(out, "{DIM}  {}: {}{DIM:#}", visible(&host.host), words::asked_host(host))
    })
}
