//! The format for people: each cause once, with the source line, the place underlined, what to do about it and where
//! else it is met; errors first. What it leaves out, it says.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::ops::Range;
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use super::presentation::{Extent, Lead, Presentation};
use super::tally::{self, RuleTally};
use super::words;
use crate::diagnostic::Severity;
use crate::external::{HostTally, WorldTally};
use crate::report::Verdict;
use crate::report::positions::Positions;
use crate::report::sources::{Position, Sources};
use crate::source_map::{SourceExcerpts, SourceLocation};
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
const EXCUSES: usize = 5;

/// A host that took so long to ask is told, and how many of them.
const SLOW: Duration = Duration::from_secs(5);
const SLOW_HOSTS: usize = 5;

/// Writes a report with its styles; the caller's stream strips them where they do not belong.
pub fn write(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Presentation { report, extent, .. } = presentation;
    let causes = presentation.groups();
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
    presentation.groups().first(cause, presentation.report).severity
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
            of_rule.entry(presentation.groups().first(cause, presentation.report).rule.id).or_default();
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
struct CauseList<'p> {
    presentation: &'p Presentation<'p>,
    sources: Sources<'p>,
    excerpts: SourceExcerpts<'p>,
    positions: Positions,
    /// The width of the widest position; all causes line up.
    gutter: usize,
    heading: String,
    /// What was said to do, and need not be repeated.
    said: HashSet<(&'static str, &'p str)>,
}

impl<'p> CauseList<'p> {
    fn new(presentation: &'p Presentation<'p>, causes: &[usize]) -> CauseList<'p> {
        let Presentation { report, contract, source_map, .. } = presentation;
        let shown = causes.iter().flat_map(|&cause| {
            let first = |finding: &&u32| source_map.certain(**finding as usize).is_some();
            let certain = presentation.groups().findings(cause).iter().filter(first).take(EXPORTED).copied();
            let leads = presentation.leads(cause).into_iter().map(|lead| lead.finding).take(OTHER_LEADS + 1);
            CauseList::places(presentation, cause).into_iter().chain(certain).chain(leads).collect::<Vec<_>>()
        });
        let mut list = CauseList {
            presentation,
            sources: Sources::one_by_one(report, contract),
            excerpts: source_map.excerpts(),
            positions: Positions::of(report, contract, shown.collect()),
            gutter: 0,
            heading: String::new(),
            said: HashSet::new(),
        };
        let first = |&cause: &usize| list.position(&presentation.leads(cause)[0]);
        let widths = causes.iter().map(|cause| words::place(first(cause)).len());
        list.gutter = widths.max().unwrap_or(0);
        list
    }

    /// The places of a cause in the export that may be shown.
    fn places(presentation: &Presentation<'_>, cause: usize) -> Vec<u32> {
        let groups = presentation.groups();
        match presentation.extent.all {
            true => groups.findings(cause).to_vec(),
            false => groups.examples(cause, presentation.report),
        }
    }

    /// Line and column of what a cause is told by.
    fn position(&self, lead: &Lead) -> Position {
        match lead.source {
            Some(SourceLocation { line, column, .. }) => {
                Position { line: line as usize, column: column as usize }
            }
            None => self.positions.get(lead.finding),
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
        let leads = self.presentation.leads(cause);
        let lead = &leads[0];
        let mut text = Vec::new();
        self.head(cause, lead, &mut text)?;
        self.finding(lead, &mut text)?;
        match lead.source {
            None => self.others(cause, &CauseList::places(self.presentation, cause), &mut text)?,
            Some(_) => {
                self.other_leads(&leads[1..], &mut text)?;
                self.exported(cause, &leads, &mut text)?;
            }
        }
        writeln!(text)?;
        Ok(text)
    }

    /// The file that a cause is told by, and how far it reaches; once for those that follow each other.
    fn head(&mut self, cause: usize, lead: &Lead, out: &mut Vec<u8>) -> io::Result<()> {
        let Presentation { report, source_map, .. } = self.presentation;
        let common = self.presentation.groups().get(cause);
        let (name, extent) = match lead.source {
            Some(source) => (source_map.name(source), common.extent_of(lead.findings, lead.documents)),
            None => {
                let place = &report.diagnostics[lead.finding as usize].location.place;
                (self.sources.name(place), common.more_documents().map(|more| format!("and {more}")))
            }
        };
        let extent = extent.map_or_else(String::new, |extent| format!(" {DIM}{extent}{DIM:#}"));
        let heading = format!("{BOLD}{}{BOLD:#}{extent}", visible(&name));
        if heading != self.heading {
            writeln!(out, "{heading}\n")?;
            self.heading = heading;
        }
        Ok(())
    }

    fn finding(&mut self, lead: &Lead, out: &mut Vec<u8>) -> io::Result<()> {
        let Presentation { report, source_map, .. } = self.presentation;
        let first = &report.diagnostics[lead.finding as usize];
        let style = match first.severity {
            Severity::Error => RED,
            _ => YELLOW,
        };
        let (gutter, place, empty) = (self.gutter, words::place(self.position(lead)), "");
        let (level, message, rule) = (first.severity, visible(&first.message), first.rule.id);
        writeln!(
            out,
            "  {BLUE}{place:>gutter$}{BLUE:#}  {style}{level}{style:#}  {message}  {DIM}{rule}{DIM:#}"
        )?;
        let excerpt = lead.source.and_then(|source| self.excerpts.excerpt(source));
        if let Some(excerpt) = excerpt.or_else(|| self.sources.excerpt(first)) {
            let (line, from, length) = excerpt.window(WIDTH);
            let mark = "^".repeat(length);
            writeln!(out, "  {empty:>gutter$}  {DIM}|{DIM:#} {line}")?;
            writeln!(out, "  {empty:>gutter$}  {DIM}|{DIM:#} {empty:from$}{style}{mark}{style:#}")?;
        }
        if let Some(help) = first.help.as_deref().filter(|help| self.said.insert((rule, *help))) {
            writeln!(out, "  {empty:>gutter$}  {DIM}={DIM:#} {}", visible(help))?;
        }
        if let Some(perhaps) = words::perhaps_written(source_map, lead.finding) {
            writeln!(out, "  {empty:>gutter$}  {DIM}={DIM:#} {}", visible(&perhaps))?;
        }
        Ok(())
    }

    /// The other places in sources where a cause was written, and the first in the export of what is not certain.
    fn other_leads(&self, others: &[Lead], out: &mut Vec<u8>) -> io::Result<()> {
        let told = if self.presentation.extent.all { others.len() } else { others.len().min(OTHER_LEADS) };
        let shown = others[..told].iter().map(|lead| match lead.source {
            Some(source) => visible(&words::source_place(&self.presentation.source_map, source)).into_owned(),
            None => self.exported_place(lead.finding),
        });
        self.list('+', shown.collect(), others.len() - told, out)
    }

    /// The places in the export of what was written at places that are certain.
    fn exported(&self, cause: usize, leads: &[Lead], out: &mut Vec<u8>) -> io::Result<()> {
        let Presentation { extent, source_map, .. } = self.presentation;
        let findings = self.presentation.groups().findings(cause).iter().copied();
        let certain = findings.filter(|finding| source_map.certain(*finding as usize).is_some());
        let told = if extent.all { usize::MAX } else { EXPORTED };
        let mut shown: Vec<String> = certain.take(told).map(|finding| self.exported_place(finding)).collect();
        let all: usize = leads.iter().filter(|lead| lead.source.is_some()).map(|lead| lead.findings).sum();
        let rest = all - shown.len();
        shown.dedup();
        self.list('>', shown, rest, out)
    }

    fn exported_place(&self, finding: u32) -> String {
        let name = self.sources.name(&self.presentation.finding(finding).location.place);
        format!("{}:{}", visible(&name), words::place(self.positions.get(finding)))
    }

    /// The other places: two on a line, or each on a line of its own.
    fn others(&mut self, cause: usize, places: &[u32], out: &mut Vec<u8>) -> io::Result<()> {
        let [first, others @ ..] = places else { return Ok(()) };
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
        let shown: Vec<String> = shown.collect();
        let rest = match self.presentation.extent.all {
            true => 0,
            false => self.presentation.groups().findings(cause).len() - 1 - shown.len(),
        };
        self.list('+', shown, rest, out)
    }

    /// Places in one line, or each in a line of its own where all are told.
    fn list(&self, sign: char, places: Vec<String>, rest: usize, out: &mut Vec<u8>) -> io::Result<()> {
        let (gutter, empty) = (self.gutter, "");
        let mut shown: Vec<String> = places.iter().map(|place| format!("{BLUE}{place}{BLUE:#}")).collect();
        if self.presentation.extent.all {
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
