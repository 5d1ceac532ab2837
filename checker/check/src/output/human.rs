//! Writes the report for terminals: each cause once, with the source line, the location underlined, the fix and the
//! other locations; errors first. Omissions are stated.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::ops::Range;
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use super::phrases;
use super::render_options::RenderOptions;
use super::report_view::{Lead, View};
use super::tally::{self, RuleTally};
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

/// Maximum number of characters of a source line; exports are often one long line.
const WIDTH: usize = 88;

/// Maximum number of causes, and of their lines. The whole report has at most 200 lines.
const CAUSES: usize = 25;
const LINES: usize = 150;

/// Maximum number of causes of one rule before other rules of its level are listed.
const OF_ONE_RULE: usize = 6;

/// Maximum number of further source locations, and of locations in the export.
const OTHER_LEADS: usize = 2;
const EXPORTED: usize = 3;

/// Maximum number of rules in the tally, and of unreadable files.
const RULES: usize = 20;
const UNREAD: usize = 10;

/// Maximum number of reasons for ignored findings.
const IGNORES: usize = 5;

/// Minimum time for a host to be listed as slow, and maximum number of slow hosts.
const SLOW: Duration = Duration::from_secs(5);
const SLOW_HOSTS: usize = 5;

/// Writes a styled report. The caller's stream strips the styles if needed.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let view = &View::new(report, options);
    let causes = view.groups();
    let is_error = |cause: &usize| view.first(*cause).severity == Severity::Error;
    let errors = (0..causes.len()).take_while(is_error).count();
    let reported = if options.quiet { errors } else { causes.len() };
    let findings: usize = (0..reported).map(|cause| causes.get(cause).findings()).sum();
    if options.all {
        let all: Vec<usize> = (0..reported).collect();
        headline(findings, reported, reported, out)?;
        let mut listing = CauseList::new(view, &all);
        all.iter().try_for_each(|&cause| out.write_all(&listing.entry(cause)?))?;
    } else {
        let mut chosen = chosen(view, 0..errors, CAUSES);
        chosen.extend(self::chosen(view, errors..reported, CAUSES - chosen.len()));
        let (text, listed) = CauseList::new(view, &chosen).first(&chosen)?;
        headline(findings, reported, listed, out)?;
        out.write_all(&text)?;
        if listed < reported {
            let more = count(reported - listed, "more cause");
            writeln!(
                out,
                "{DIM}and {more}: list them with --all, or search them with --format html{DIM:#}\n"
            )?;
        }
        if listed < findings {
            by_rule(&tally::by_rule(report), options, out)?;
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

/// Chooses at most `room` causes: the first ones, but only a few of each rule while other rules have causes left.
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

/// Writes the number of findings and causes, unless each finding is listed by itself.
fn headline(findings: usize, causes: usize, listed: usize, out: &mut dyn Write) -> io::Result<()> {
    if findings == listed {
        return Ok(());
    }
    let few = match causes - listed {
        0 => String::new(),
        _ => format!("; {} listed here", thousands(listed)),
    };
    let (findings, causes) = (count(findings, "finding"), count(causes, "cause"));
    writeln!(out, "{BOLD}{findings}, {causes}{BOLD:#}{DIM}{few}{DIM:#}\n")
}

/// Writes causes, each at its source location, or else at its first location in the export.
struct CauseList<'v> {
    view: &'v View<'v>,
    /// The width of the widest position; all causes line up.
    gutter: usize,
    heading: String,
    /// The help texts that were already written.
    written_help: HashSet<(&'v str, &'v str)>,
}

impl<'v> CauseList<'v> {
    fn new(view: &'v View<'v>, causes: &[usize]) -> CauseList<'v> {
        let mut list = CauseList { view, gutter: 0, heading: String::new(), written_help: HashSet::new() };
        let widths = causes.iter().map(|cause| list.position(&view.leads(*cause)[0]).len());
        list.gutter = widths.max().unwrap_or(0);
        list
    }

    /// Returns the findings of a cause whose locations in the export are listed.
    fn places(&self, cause: usize) -> Vec<u32> {
        let groups = self.view.groups();
        if self.view.options.all {
            groups.findings(cause).to_vec()
        } else {
            groups.examples(cause, &self.view.report.findings)
        }
    }

    /// Returns line and column of a cause's main location.
    fn position(&self, lead: &Lead<'_>) -> String {
        match lead.source {
            Some(source) => phrases::line_and_column((source.line, source.column)),
            None => phrases::position(self.view.finding(lead.finding)),
        }
    }

    /// Returns the text of the first causes that fit, and their number.
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

    /// Writes the file of a cause, and the number of other files, once for consecutive causes.
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
        if let Some(help) = first.help.as_deref().filter(|help| self.written_help.insert((rule, *help))) {
            writeln!(out, "  {empty:>gutter$}  {DIM}={DIM:#} {}", visible(help))?;
        }
        if let Some(possible) = phrases::possible_source(first) {
            writeln!(out, "  {empty:>gutter$}  {DIM}={DIM:#} {}", visible(&possible))?;
        }
        Ok(())
    }

    /// Writes the other source locations of a cause, and the first location in the export of uncertain sources.
    fn other_leads(&self, others: &[Lead<'_>], out: &mut Vec<u8>) -> io::Result<()> {
        let listed = if self.view.options.all { others.len() } else { others.len().min(OTHER_LEADS) };
        let shown = others[..listed].iter().map(|lead| match lead.source {
            Some(source) => visible(&phrases::source_location(source)).into_owned(),
            None => self.exported_place(lead.finding),
        });
        self.list('+', shown.collect(), others.len() - listed, out)
    }

    /// Writes the locations in the export of findings with a certain source.
    fn exported(&self, cause: usize, leads: &[Lead<'_>], out: &mut Vec<u8>) -> io::Result<()> {
        let findings = self.view.groups().findings(cause).iter().copied();
        let certain = findings.filter(|finding| self.view.finding(*finding).certain_source().is_some());
        let listed = if self.view.options.all { usize::MAX } else { EXPORTED };
        let mut shown: Vec<String> =
            certain.take(listed).map(|finding| self.exported_place(finding)).collect();
        let all: usize = leads.iter().filter(|lead| lead.source.is_some()).map(|lead| lead.findings).sum();
        let rest = all - shown.len();
        shown.dedup();
        self.list('>', shown, rest, out)
    }

    fn exported_place(&self, finding: u32) -> String {
        let finding = self.view.finding(finding);
        format!("{}:{}", visible(&finding.file), phrases::position(finding))
    }

    /// Writes the other locations: two on a line, or each on its own line.
    fn others(&mut self, cause: usize, places: &[u32], out: &mut Vec<u8>) -> io::Result<()> {
        let [first, others @ ..] = places else { return Ok(()) };
        let first = self.view.finding(*first);
        let shown = |finding: u32| match self.view.finding(finding) {
            other if other.is_in_file_of(first) => phrases::position(other),
            _ => self.exported_place(finding),
        };
        // Findings about a whole document have the same location.
        let mut last = phrases::position(first);
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

    /// Writes locations on one line, or each on its own line with `--all`.
    fn list(&self, sign: char, places: Vec<String>, rest: usize, out: &mut Vec<u8>) -> io::Result<()> {
        let (gutter, empty) = (self.gutter, "");
        let mut shown: Vec<String> =
            places.into_iter().map(|place| format!("{BLUE}{place}{BLUE:#}")).collect();
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

/// Writes the number of findings of each rule.
fn by_rule(tally: &[RuleTally<'_>], options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let is_listed = |entry: &&RuleTally<'_>| !options.quiet || entry.severity == Severity::Error;
    let tally: Vec<&RuleTally<'_>> = tally.iter().filter(is_listed).collect();
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
    for note in phrases::site_notes(report) {
        writeln!(out, "{DIM}{}{DIM:#}", visible(&note))?;
    }
    let ignores = &report.ignores;
    let listed = if options.all { ignores.len() } else { IGNORES };
    for ignore in ignores.iter().take(listed) {
        writeln!(out, "{DIM}ignored: {}{DIM:#}", visible(&phrases::ignored(ignore)))?;
    }
    if ignores.len() > listed {
        let more = count(ignores.len() - listed, "more reason");
        writeln!(out, "{DIM}ignored: {more}; list them with --all{DIM:#}")?;
    }
    if let Some(imports) = phrases::computed_imports(report) {
        writeln!(out, "{DIM}{imports}{DIM:#}")?;
    }
    if let Some(external) = &report.external {
        external_hosts(external, options.all, out)?;
    }
    let style = match report.verdict {
        Verdict::Passed => GREEN,
        Verdict::Failed | Verdict::Incomplete => RED,
    };
    write!(out, "{style}{}{style:#}", phrases::verdict(report))?;
    let found = phrases::found(report);
    if !found.is_empty() {
        write!(out, "  {found}")?;
    }
    writeln!(out, "  {DIM}{} in {}{DIM:#}", phrases::checked(report), phrases::elapsed(report))
}

/// Writes a summary of the external links, and the slow hosts; with `all`, every host.
fn external_hosts(external: &ExternalHosts, all: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{DIM}{}{DIM:#}", phrases::external_summary(external))?;
    let mut hosts: Vec<&ExternalHost> = external.hosts.iter().collect();
    if !all {
        hosts.retain(|host| phrases::duration(host.seconds) >= SLOW);
        hosts.sort_by_key(|host| std::cmp::Reverse(phrases::duration(host.seconds)));
        hosts.truncate(SLOW_HOSTS);
    }
    hosts.into_iter().try_for_each(|host| {
        writeln!(out, "{DIM}  {}: {}{DIM:#}", visible(&host.host), phrases::external_host(host))
    })
}
