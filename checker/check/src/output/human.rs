//! The format for people: each cause once, with the source line, the place underlined, what to do about it and where
//! else it is met; errors first. What it leaves out, it says.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::ops::Range;
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use super::presentation::{Extent, Presentation};
use super::tally::{self, RuleTally};
use super::words;
use crate::diagnostic::{Diagnostic, Severity};
use crate::english::{count, thousands};
use crate::report::Verdict;
use crate::report::positions::Positions;
use crate::report::sources::{Position, Sources};
use crate::visible::visible;
use crate::world::{HostTally, WorldTally};

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

/// Rules in the tally, and files in the list of those that could not be read.
const RULES: usize = 20;
const UNREAD: usize = 10;

/// Reasons for which findings are let pass that are told.
const EXCUSES: usize = 5;

/// A host that took so long to ask is told, and how many of them.
const SLOW: Duration = Duration::from_secs(5);
const SLOW_HOSTS: usize = 5;

/// Writes a report with its styles; the caller's stream strips them where they do not belong.
pub fn write(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Presentation { report, causes, extent, .. } = presentation;
    let errors =
        (0..causes.len()).take_while(|&cause| severity(presentation, cause) == Severity::Error).count();
    let told = if extent.quiet { errors } else { causes.len() };
    let findings: usize = (0..told).map(|cause| causes.get(cause).findings()).sum();
    if extent.all {
        let all: Vec<usize> = (0..told).collect();
        headline(findings, told, told, out)?;
        let mut listing = CauseList::new(presentation, &all);
        all.iter().try_for_each(|&cause| out.write_all(&listing.entry(cause)?))?;
    } else {
        let mut chosen = chosen(presentation, 0..errors, CAUSES);
        chosen.extend(self::chosen(presentation, errors..told, CAUSES - chosen.len()));
        let (text, listed) = CauseList::new(presentation, &chosen).first(&chosen)?;
        headline(findings, told, listed, out)?;
        out.write_all(&text)?;
        if listed < told {
            let more = count(told - listed, "more cause");
            writeln!(out, "{DIM}and {more}: --all lists them, --format html lets you search them{DIM:#}\n")?;
        }
        if listed < findings {
            by_rule(&tally::of(presentation), *extent, out)?;
        }
    }
    let unread = if extent.all { report.unread.len() } else { UNREAD };
    for error in report.unread.iter().take(unread) {
        writeln!(out, "{RED}cannot check{RED:#} {}", visible(error))?;
    }
    if report.unread.len() > unread {
        writeln!(out, "{DIM}and {} more{DIM:#}", thousands(report.unread.len() - unread))?;
    }
    if !report.unread.is_empty() {
        writeln!(out)?;
    }
    summary(presentation, out)
}

fn severity(presentation: &Presentation<'_>, cause: usize) -> Severity {
    presentation.causes.first(cause, presentation.report).severity
}

/// As many of these causes as there is room for: the first ones, but of each rule only a few while others wait.
fn chosen(presentation: &Presentation<'_>, of: Range<usize>, room: usize) -> Vec<usize> {
    let mut of_rule: HashMap<&str, usize> = HashMap::new();
    let (mut chosen, mut waiting) = (Vec::new(), Vec::new());
    for cause in of {
        if chosen.len() == room {
            break;
        }
        let of_rule =
            of_rule.entry(presentation.causes.first(cause, presentation.report).rule.id).or_default();
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

/// Writes causes, each by the first of its places.
struct CauseList<'p> {
    presentation: &'p Presentation<'p>,
    sources: Sources<'p>,
    positions: Positions,
    /// The width of the widest position; all causes line up.
    gutter: usize,
    heading: String,
    /// What was said to do, and need not be repeated.
    said: HashSet<(&'static str, &'p str)>,
}

impl<'p> CauseList<'p> {
    fn new(presentation: &'p Presentation<'p>, causes: &[usize]) -> CauseList<'p> {
        let Presentation { report, contract, .. } = presentation;
        let shown = causes.iter().flat_map(|&cause| CauseList::places(presentation, cause)).collect();
        let positions = Positions::of(report, contract, shown);
        let first =
            |cause: &usize| words::place(positions.get(presentation.causes.findings(*cause)[0])).len();
        let gutter = causes.iter().map(first).max().unwrap_or(0);
        let sources = Sources::one_by_one(report, contract);
        CauseList { presentation, sources, positions, gutter, heading: String::new(), said: HashSet::new() }
    }

    /// The places of a cause that are shown.
    fn places(presentation: &Presentation<'_>, cause: usize) -> Vec<u32> {
        match presentation.extent.all {
            true => presentation.causes.findings(cause).to_vec(),
            false => presentation.causes.examples(cause, presentation.report),
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
        let Presentation { report, causes, .. } = self.presentation;
        let places = CauseList::places(self.presentation, cause);
        let first = causes.first(cause, report);
        let mut text = Vec::new();
        self.head(cause, first, &mut text)?;
        self.finding(first, self.positions.get(places[0]).clone(), &mut text)?;
        self.others(cause, &places, &mut text)?;
        writeln!(text)?;
        Ok(text)
    }

    /// The document of the first place, and how many more there are; once for those that follow each other.
    fn head(&mut self, cause: usize, first: &Diagnostic, out: &mut Vec<u8>) -> io::Result<()> {
        let name = self.sources.name(&first.location.place);
        let more = match self.presentation.causes.get(cause).more_documents() {
            Some(more) => format!(" {DIM}and {more}{DIM:#}"),
            None => String::new(),
        };
        let heading = format!("{BOLD}{}{BOLD:#}{more}", visible(&name));
        if heading != self.heading {
            writeln!(out, "{heading}\n")?;
            self.heading = heading;
        }
        Ok(())
    }

    fn finding(&mut self, first: &'p Diagnostic, position: Position, out: &mut Vec<u8>) -> io::Result<()> {
        let style = match first.severity {
            Severity::Error => RED,
            _ => YELLOW,
        };
        let (gutter, place, empty) = (self.gutter, words::place(position), "");
        let (level, message, rule) = (first.severity, visible(&first.message), first.rule.id);
        writeln!(
            out,
            "  {BLUE}{place:>gutter$}{BLUE:#}  {style}{level}{style:#}  {message}  {DIM}{rule}{DIM:#}"
        )?;
        if let Some(excerpt) = self.sources.excerpt(first) {
            let (line, from, length) = excerpt.window(WIDTH);
            let mark = "^".repeat(length);
            writeln!(out, "  {empty:>gutter$}  {DIM}|{DIM:#} {line}")?;
            writeln!(out, "  {empty:>gutter$}  {DIM}|{DIM:#} {empty:from$}{style}{mark}{style:#}")?;
        }
        if let Some(help) = first.help.as_deref().filter(|help| self.said.insert((rule, *help))) {
            writeln!(out, "  {empty:>gutter$}  {DIM}={DIM:#} {}", visible(help))?;
        }
        Ok(())
    }

    /// The other places: two on a line, or each on a line of its own.
    fn others(&mut self, cause: usize, places: &[u32], out: &mut Vec<u8>) -> io::Result<()> {
        let [first, others @ ..] = places else { return Ok(()) };
        let (gutter, empty) = (self.gutter, "");
        let report = self.presentation.report;
        let document = |finding: u32| &report.diagnostics[finding as usize].location.place;
        let shown = |finding: u32| {
            let place = words::place(self.positions.get(finding));
            match document(finding) {
                here if here == document(*first) => place,
                other => format!("{}:{place}", visible(&self.sources.name(other))),
            }
        };
        // Findings about a document as a whole have the same place.
        let mut last = shown(*first);
        let shown = others.iter().map(|&finding| shown(finding)).filter(|place| {
            let is_new = *place != last;
            last.clone_from(place);
            is_new
        });
        let shown = shown.map(|place| format!("{BLUE}{place}{BLUE:#}"));
        let mut shown: Vec<String> = shown.collect();
        if self.presentation.extent.all {
            let mut shown = shown.into_iter();
            return shown.try_for_each(|place| writeln!(out, "  {empty:>gutter$}  {DIM}+{DIM:#} {place}"));
        }
        let rest = self.presentation.causes.get(cause).findings() - 1 - shown.len();
        if rest > 0 {
            shown.push(count(rest, "more place"));
        }
        match shown.pop() {
            None => Ok(()),
            Some(last) => {
                let and = if shown.is_empty() { "" } else { " and " };
                let shown = shown.join(", ");
                writeln!(out, "  {empty:>gutter$}  {DIM}+{DIM:#} {shown}{and}{last}")
            }
        }
    }
}

/// What each rule found.
fn by_rule(tally: &[RuleTally], extent: Extent, out: &mut dyn Write) -> io::Result<()> {
    let told = |entry: &&RuleTally| !extent.quiet || entry.severity == Severity::Error;
    let tally: Vec<&RuleTally> = tally.iter().filter(told).collect();
    let rows = &tally[..tally.len().min(RULES)];
    let widest = |width: fn(&RuleTally) -> usize| rows.iter().map(|entry| width(entry)).max().unwrap_or(0);
    let findings = widest(|entry| thousands(entry.findings).len());
    let level = widest(|entry| level(entry).len());
    let causes = widest(|entry| thousands(entry.causes).len());
    let name = widest(|entry| entry.rule.id.len());
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
            entry.rule.id,
            entry.rule.summary
        )?;
    }
    if tally.len() > RULES {
        writeln!(out, "  {DIM}and {}{DIM:#}", count(tally.len() - RULES, "more rule"))?;
    }
    writeln!(out)
}

fn level(entry: &RuleTally) -> String {
    let plural = if entry.findings == 1 { "" } else { "s" };
    format!("{}{plural}", entry.severity)
}

fn summary(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let report = presentation.report;
    for taken in words::taken(report) {
        writeln!(out, "{DIM}{}{DIM:#}", visible(&taken))?;
    }
    let excuses = &presentation.excuses;
    let told = if presentation.extent.all { excuses.len() } else { EXCUSES };
    for excuse in excuses.iter().take(told) {
        writeln!(out, "{DIM}let pass: {}{DIM:#}", visible(&words::let_pass(excuse)))?;
    }
    if excuses.len() > told {
        let more = count(excuses.len() - told, "more reason");
        writeln!(out, "{DIM}let pass: {more}, which --all lists{DIM:#}")?;
    }
    if let Some(unfollowed) = words::unfollowed(report) {
        writeln!(out, "{DIM}{unfollowed}{DIM:#}")?;
    }
    if let Some(elsewhere) = &report.elsewhere {
        asked(elsewhere, presentation.extent.all, out)?;
    }
    let style = match report.verdict() {
        Verdict::Passed => GREEN,
        Verdict::Failed | Verdict::Incomplete => RED,
    };
    write!(out, "{style}{}{style:#}", words::verdict(report))?;
    let found = words::found(report);
    if !found.is_empty() {
        write!(out, "  {found}")?;
    }
    writeln!(out, "  {DIM}{} in {}{DIM:#}", words::looked_at(report), words::seconds(presentation.elapsed))
}

/// What other hosts said together, and which of them took long; all, where all is to be told.
fn asked(elsewhere: &WorldTally, all: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{DIM}{}{DIM:#}", words::asked(elsewhere))?;
    let mut told: Vec<&HostTally> = elsewhere.hosts.iter().collect();
    if !all {
        told.retain(|host| host.time.wall >= SLOW);
        told.sort_by_key(|host| std::cmp::Reverse(host.time.wall));
        told.truncate(SLOW_HOSTS);
    }
    told.into_iter().try_for_each(|host| {
        writeln!(out, "{DIM}  {}: {}{DIM:#}", visible(&host.time.name), words::asked_host(host))
    })
}
