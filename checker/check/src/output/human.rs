//! Writes the report for terminals: each cause once, with its location, the source line, the fix and the other
//! locations; errors first. Locations are paths from the working directory, so that terminals and editors can open
//! them. Omissions are stated.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use super::human_summary::{
    BLUE, BOLD, CAUSES, DIM, RED, SUMMARIZED, WARNINGS_OF_ONE_RULE, YELLOW, by_rule, next_steps, summary,
};
use super::phrases::{self, Place, hyperlink};
use super::report_view::{Lead, RenderOptions, View, tally_by_rule};
use super::wrong_setting::WrongSetting;
use crate::raw_finding::Severity;
use crate::report::Report;
use crate::report::finding::Finding;
use sitegate_base::plural::{count, thousands};
use sitegate_base::sanitize::visible;

/// Maximum number of lines of causes, and of those if there are no errors. One error of each rule is listed even if it
/// needs more lines. With the table and the summary, a report has about 100 lines.
const LINES: usize = 64;
const WARNING_LINES: usize = 30;

/// Warnings about a missing file that are not listed if an element of a page loads it, too: Docusaurus preloads images,
/// and names them in its scripts.
const FOLLOWING_MISSING: [&str; 2] = ["missing-lazy-asset", "missing-optional-import"];

/// Maximum number of further source locations, and of locations in the export.
const OTHER_LEADS: usize = 2;
const EXPORTED: usize = 3;

/// Range of widths of a source line, in columns. Exports are often one long line.
const NARROWEST: usize = 30;
const WIDEST: usize = 160;

/// Maximum number of wrong settings, of which only symbolic links can be many.
const SETTINGS: usize = 5;

/// Maximum number of unreadable files.
const UNREAD: usize = 10;

/// Writes a styled report. The caller's stream strips the styles if needed.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    unreadable(report, options, out)?;
    let view = &View::new(report, options);
    let causes = &view.causes;
    let is_error = |cause: &usize| view.first(*cause).severity == Severity::Error;
    let errors = (0..causes.len()).take_while(is_error).count();
    let reported = if options.quiet { errors } else { causes.len() };
    let findings: usize = (0..reported).map(|cause| causes.get(cause).findings()).sum();
    let mut omitted = 0;
    if options.all {
        headline(findings, reported, reported, out)?;
        (0..reported).try_for_each(|cause| entry(view, cause, out))?;
    } else {
        let settings = WrongSetting::find(view, errors);
        let (text, listed) = first_entries(view, errors, reported, &settings)?;
        headline(findings, reported, listed, out)?;
        out.write_all(&text)?;
        omitted = reported - listed;
        if listed < findings {
            by_rule(&tally_by_rule(report), options, out)?;
        }
    }
    summary(view, out)?;
    next_steps(view, omitted, out)
}

/// Writes the errors for everything that could not be read.
fn unreadable(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let listed = if options.all { report.unreadable.len() } else { UNREAD };
    for error in report.unreadable.iter().take(listed) {
        writeln!(out, "{RED}cannot check{RED:#} {}", visible(error))?;
    }
    if report.unreadable.len() > listed {
        writeln!(out, "{DIM}and {} more{DIM:#}", thousands(report.unreadable.len() - listed))?;
    }
    if report.unreadable.is_empty() { Ok(()) } else { writeln!(out) }
}

/// Returns the text of the causes to list, as many as fit, and their number. The causes of each wrong setting are one
/// entry at the top.
fn first_entries(
    view: &View<'_>,
    errors: usize,
    reported: usize,
    settings: &[WrongSetting],
) -> io::Result<(Vec<u8>, usize)> {
    let folded: HashSet<usize> = settings.iter().flat_map(|setting| &setting.causes).copied().collect();
    let mut causes = chosen_errors(view, (0..errors).filter(|cause| !folded.contains(cause)));
    causes.extend(chosen_warnings(view, errors..reported, CAUSES - causes.len()));
    let written = causes.into_iter().map(|cause| {
        let mut text = Vec::new();
        entry(view, cause, &mut text).map(|()| (cause, text))
    });
    let mut entries = written.collect::<io::Result<Vec<(usize, Vec<u8>)>>>()?;
    let limit = if errors > 0 { LINES } else { WARNING_LINES };
    let line_count = |listed: &[(usize, Vec<u8>)]| -> usize {
        listed.iter().map(|(_, text)| memchr::memchr_iter(b'\n', text).count()).sum()
    };
    while line_count(&entries) > limit {
        let Some(last) = least_important(view, &entries, errors) else { break };
        entries.remove(last);
    }
    let mut text = Vec::new();
    let mut listed = entries.len();
    for setting in settings.iter().take(SETTINGS) {
        wrong_setting(view, setting, &mut text)?;
        listed += setting.causes.len();
    }
    text.extend(entries.into_iter().flat_map(|(_, entry)| entry));
    Ok((text, listed))
}

/// Returns the entry to leave out: the last warning, or else the last error of the rule with the most entries. `None` if
/// each rule with errors has only one.
fn least_important(view: &View<'_>, entries: &[(usize, Vec<u8>)], errors: usize) -> Option<usize> {
    let last = entries.len().checked_sub(1)?;
    if entries[last].0 >= errors {
        return Some(last);
    }
    let mut of_rule = HashMap::new();
    let ranks = entries.iter().map(|(cause, _)| count_rule(view, *cause, &mut of_rule));
    ranks.enumerate().max_by_key(|(_, rank)| *rank).filter(|(_, rank)| *rank > 1).map(|(at, _)| at)
}

/// Chooses errors: the first of each rule, then the second of each rule, and so on.
fn chosen_errors(view: &View<'_>, of: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut of_rule = HashMap::new();
    let mut ranked: Vec<(usize, usize)> =
        of.map(|cause| (count_rule(view, cause, &mut of_rule), cause)).collect();
    ranked.sort_unstable();
    ranked.truncate(CAUSES);
    let mut chosen: Vec<usize> = ranked.into_iter().map(|(_, cause)| cause).collect();
    chosen.sort_unstable();
    chosen
}

/// Chooses the first warnings, but only a few of each rule, none of the rules that the table summarizes, and none about
/// a file that an error is about.
fn chosen_warnings(view: &View<'_>, of: Range<usize>, room: usize) -> Vec<usize> {
    let summarized = summarized_rules(view.report);
    let missing: HashSet<&str> = (0..of.start)
        .map(|cause| view.first(cause))
        .filter(|error| &*error.rule == "missing-asset")
        .map(|error| &*error.cause)
        .collect();
    let is_about_missing =
        |warning: &Finding| FOLLOWING_MISSING.contains(&&*warning.rule) && missing.contains(&*warning.cause);
    let mut of_rule = HashMap::new();
    of.filter(|&cause| !summarized.contains(&&*view.first(cause).rule))
        .filter(|&cause| !is_about_missing(view.first(cause)))
        .filter(|&cause| count_rule(view, cause, &mut of_rule) <= WARNINGS_OF_ONE_RULE)
        .take(room)
        .collect()
}

/// Returns the rules whose warnings are only a line of the table.
fn summarized_rules(report: &Report) -> Vec<&'static str> {
    let is_summarized = |&(rule, few): &(&str, usize)| {
        let causes = report.causes.iter().filter(|cause| &*cause.rule == rule);
        causes.filter(|cause| cause.severity == Severity::Warn).count() > few
    };
    SUMMARIZED.into_iter().filter(is_summarized).map(|(rule, _)| rule).collect()
}

/// Counts a cause of a rule, and returns the rule's causes so far.
fn count_rule<'r>(view: &View<'r>, cause: usize, of_rule: &mut HashMap<&'r str, usize>) -> usize {
    let of_rule = of_rule.entry(&view.first(cause).rule).or_default();
    *of_rule += 1;
    *of_rule
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

/// Writes the causes of a wrong setting as one entry, at the main location of the first.
fn wrong_setting(view: &View<'_>, setting: &WrongSetting, out: &mut dyn Write) -> io::Result<()> {
    let mut rules: Vec<String> =
        setting.causes.iter().map(|&cause| rule_link(view, &view.first(cause).rule)).collect();
    rules.sort_unstable();
    rules.dedup();
    writeln!(out, "{RED}error[{}]{RED:#}: {BOLD}{}{BOLD:#}", rules.join(", "), setting.message)?;
    details(view, setting.causes[0], Some(setting), out)?;
    writeln!(out)
}

/// Returns a rule's id, as a link to its page if the terminal supports links.
fn rule_link(view: &View<'_>, rule: &str) -> String {
    match view.options.hyperlinks.then(|| crate::rules::find_rule(rule)?.page()).flatten() {
        Some(page) => hyperlink(&page, rule),
        None => rule.to_owned(),
    }
}

/// Writes a cause at its main location.
fn entry(view: &View<'_>, cause: usize, out: &mut dyn Write) -> io::Result<()> {
    let first = view.finding(view.leads(cause)[0].finding);
    let style = if first.severity == Severity::Error { RED } else { YELLOW };
    let rule = rule_link(view, &first.rule);
    let (level, message) = (first.severity, visible(message(first)));
    writeln!(out, "{style}{level}[{rule}]{style:#}: {BOLD}{message}{BOLD:#}")?;
    details(view, cause, None, out)?;
    writeln!(out)
}

/// Returns the message of a finding, without the name of its rule.
fn message(finding: &Finding) -> &str {
    let title = format!("{}: ", finding.rule.replace('-', " "));
    finding.message.strip_prefix(&title).unwrap_or(&finding.message)
}

/// Writes the location, the source line, the fix and the other locations of a cause; and its message, if its title is a
/// wrong setting.
fn details(
    view: &View<'_>,
    cause: usize,
    setting: Option<&WrongSetting>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let leads = view.leads(cause);
    let lead = &leads[0];
    let first = view.finding(lead.finding);
    let style = if first.severity == Severity::Error { RED } else { YELLOW };
    let common = view.causes.get(cause);
    let extent = match lead.source {
        Some(_) => common.extent_of(lead.findings, lead.documents),
        None => common.more_documents().map(|more| format!("and {more}")),
    };
    let extent = extent.map_or_else(String::new, |extent| format!(" {DIM}({extent}){DIM:#}"));
    writeln!(out, "  {BLUE}-->{BLUE:#} {}{extent}", Place::of_lead(view, lead).shown(view))?;
    if let Some(snippet) = first.shown_snippet() {
        let room = view.options.width.saturating_sub(7).clamp(NARROWEST, WIDEST);
        let (line, from, length) = match snippet.window(room) {
            // Wide characters take two columns.
            window if window.0.width() > room + 2 => snippet.window(room / 2),
            window => window,
        };
        let columns = |chars: Range<usize>| -> usize {
            let chars: String = line.chars().skip(chars.start).take(chars.len()).collect();
            chars.width()
        };
        let (indent, mark) = (" ".repeat(columns(0..from)), "^".repeat(columns(from..from + length).max(1)));
        writeln!(out, "   {BLUE}|{BLUE:#} {line}")?;
        writeln!(out, "   {BLUE}|{BLUE:#} {indent}{style}{mark}{style:#}")?;
    }
    let is_new = |title: &WrongSetting| !title.message.starts_with(message(first));
    let message = setting.filter(|title| is_new(title)).map(|_| message(first));
    let help =
        setting.and_then(|setting| setting.help.as_deref().map(Cow::Borrowed)).or_else(|| view.help(lead));
    let source = phrases::possible_source(first);
    let fix = first.fix.as_ref().filter(|_| help.is_none()).and_then(|fix| fix.edits.first());
    let fix = fix.map(|edit| format!("fix: write `{}`", edit.new));
    let notes = [message, help.as_deref(), fix.as_deref(), source.as_deref()];
    for note in notes.into_iter().flatten() {
        writeln!(out, "   {BLUE}={BLUE:#} {}", visible(note))?;
    }
    if lead.source.is_none() {
        others(view, cause, out)
    } else {
        other_leads(view, cause, &leads[1..], out)?;
        exported(view, cause, &leads, out)
    }
}

/// Writes the other source locations of a cause, and the locations in the export of uncertain sources.
fn other_leads(view: &View<'_>, cause: usize, others: &[Lead<'_>], out: &mut dyn Write) -> io::Result<()> {
    let sources = others.iter().filter(|lead| lead.source.is_some());
    let mut places: Vec<Place> = sources.map(|lead| Place::of_lead(view, lead)).collect();
    let is_uncertain = |at: &&u32| view.finding(**at).certain_source().is_none();
    let uncertain = view.causes.findings(cause).iter().filter(is_uncertain);
    places.extend(uncertain.map(|at| Place::in_export(view, *at)));
    // Findings about a whole document have the same location.
    places.dedup();
    let listed = if view.options.all { places.len() } else { places.len().min(OTHER_LEADS) };
    let rest = places.len() - listed;
    places.truncate(listed);
    list(view, "also at", places, rest, out)
}

/// Writes the locations in the export of findings with a certain source.
fn exported(view: &View<'_>, cause: usize, leads: &[Lead<'_>], out: &mut dyn Write) -> io::Result<()> {
    let findings = view.causes.findings(cause).iter().copied();
    let certain = findings.filter(|finding| view.finding(*finding).certain_source().is_some());
    let listed = if view.options.all { usize::MAX } else { EXPORTED };
    let mut shown: Vec<Place> = certain.take(listed).map(|finding| Place::in_export(view, finding)).collect();
    let all: usize = leads.iter().filter(|lead| lead.source.is_some()).map(|lead| lead.findings).sum();
    let rest = all - shown.len();
    shown.dedup();
    list(view, "in the export:", shown, rest, out)
}

/// Writes the other locations of a cause without a certain source.
fn others(view: &View<'_>, cause: usize, out: &mut dyn Write) -> io::Result<()> {
    let groups = &view.causes;
    let findings = groups.findings(cause);
    let examples =
        if view.options.all { findings.to_vec() } else { groups.examples(cause, &view.report.findings) };
    let mut shown: Vec<Place> = examples.iter().map(|&finding| Place::in_export(view, finding)).collect();
    let rest = if view.options.all { 0 } else { findings.len() - shown.len() };
    // Findings about a whole document have the same location.
    shown.dedup();
    shown.remove(0);
    list(view, "also at", shown, rest, out)
}

/// Writes locations on one line, as many as fit in it, or each on its own line with `--all`.
fn list(
    view: &View<'_>,
    label: &str,
    mut places: Vec<Place>,
    mut rest: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    if view.options.all {
        let mut places = places.iter();
        return places
            .try_for_each(|place| writeln!(out, "   {BLUE}={BLUE:#} {label} {}", place.shown(view)));
    }
    let room = view.options.width.saturating_sub(5 + label.len() + " and 1,000 more places".len());
    while places.len() > 1 && places.iter().map(|place| place.text().width() + 2).sum::<usize>() > room {
        places.pop();
        rest += 1;
    }
    let mut shown: Vec<String> = places.iter().map(|place| place.shown(view)).collect();
    if rest > 0 {
        shown.push(count(rest, "more place"));
    }
    let Some(last) = shown.pop() else { return Ok(()) };
    let and = if shown.is_empty() { "" } else { " and " };
    writeln!(out, "   {BLUE}={BLUE:#} {label} {}{and}{last}", shown.join(", "))
}
