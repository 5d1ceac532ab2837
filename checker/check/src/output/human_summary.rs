//! Writes the end of a report for terminals: the findings by rule, what was checked, the verdict, and what to do next.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use super::phrases::{self, Place};
use super::report_view::{RenderOptions, RuleTally, View};
use crate::external::{ExternalHost, ExternalHosts};
use crate::raw_finding::{Certainty, Severity};
use crate::report::Verdict;
use crate::report::finding::Finding;
use sitegate_base::plural::{count, thousands};
use sitegate_base::sanitize::visible;

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const RED: Style = AnsiColor::Red.on_default().bold();
pub(super) const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
pub(super) const GREEN: Style = AnsiColor::Green.on_default().bold();
pub(super) const BLUE: Style = AnsiColor::Blue.on_default();

/// Maximum number of causes. One error of each rule is listed even if there are more.
pub(super) const CAUSES: usize = 25;

/// Maximum number of warnings of one rule.
pub(super) const WARNINGS_OF_ONE_RULE: usize = 3;

/// Rules whose warnings are only counted if there are more causes than this: links by http and titles of documentation
/// that grew for years (41 of the 50 causes of Python's, 240 of the 427 of Rust's), and the placeholders of a template.
pub(super) const SUMMARIZED: [(&str, usize); 3] =
    [("duplicate-title", WARNINGS_OF_ONE_RULE), ("insecure-link", WARNINGS_OF_ONE_RULE), ("placeholder", 2)];

/// Maximum number of rules in the tally.
const RULES: usize = 20;

/// Maximum number of reasons for ignored findings, and of imports that were not followed.
const IGNORES: usize = 5;
const IMPORTS: usize = 3;

/// Minimum time for a host to be listed as slow, and maximum number of slow hosts.
const SLOW: Duration = Duration::from_secs(5);
const SLOW_HOSTS: usize = 5;

/// Writes the number of findings of each rule.
pub(super) fn by_rule(
    tally: &[RuleTally<'_>],
    options: &RenderOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_listed = |entry: &&RuleTally<'_>| !options.quiet || entry.severity == Severity::Error;
    let tally: Vec<&RuleTally<'_>> = tally.iter().filter(is_listed).collect();
    let rows = &tally[..tally.len().min(RULES)];
    let widest =
        |width: fn(&RuleTally<'_>) -> usize| rows.iter().map(|entry| width(entry)).max().unwrap_or(0);
    let findings = widest(|entry| thousands(entry.findings).len());
    let level_width = widest(|entry| level(entry).len());
    let causes = widest(|entry| thousands(entry.causes).len());
    let name = widest(|entry| entry.rule.len());
    let room = options.width.saturating_sub(findings + level_width + causes + name + 16);
    if tally.len() < 2 && !tally.iter().any(|entry| SUMMARIZED.iter().any(|(rule, _)| *rule == entry.rule)) {
        return Ok(());
    }
    writeln!(out, "{BOLD}by rule{BOLD:#}\n")?;
    for entry in rows {
        let style = if entry.severity == Severity::Error { RED } else { YELLOW };
        writeln!(
            out,
            "  {:>findings$} {style}{:level_width$}{style:#}  {:>causes$} {:6}  {:name$}  {DIM}{}{DIM:#}",
            thousands(entry.findings),
            level(entry),
            thousands(entry.causes),
            if entry.causes == 1 { "cause" } else { "causes" },
            entry.rule,
            shortened(entry.summary, room)
        )?;
    }
    if tally.len() > RULES {
        writeln!(out, "  {DIM}and {}{DIM:#}", count(tally.len() - RULES, "more rule"))?;
    }
    writeln!(out)
}

/// Cuts a text at a word, so that it fits.
fn shortened(text: &str, room: usize) -> Cow<'_, str> {
    if text.len() <= room {
        return Cow::Borrowed(text);
    }
    let cut = text.char_indices().rfind(|(at, c)| *c == ' ' && *at < room);
    cut.map_or(Cow::Borrowed(""), |(at, _)| Cow::Owned(format!("{}…", &text[..at])))
}

fn level(entry: &RuleTally<'_>) -> String {
    let plural = if entry.findings == 1 { "" } else { "s" };
    format!("{}{plural}", entry.severity)
}

/// Writes what was checked and ignored, and the verdict.
pub(super) fn summary(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let View { report, options, .. } = *view;
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
    computed_imports(view, out)?;
    if let Some(external) = &report.external {
        external_hosts(external, options.all, out)?;
    }
    let style = match report.verdict {
        Verdict::Passed => GREEN,
        Verdict::Failed | Verdict::Incomplete => RED,
    };
    let (verdict, found) = (phrases::verdict(report), phrases::found(report));
    let checked = format!("{} in {}", phrases::checked(report), phrases::elapsed(report));
    write!(out, "{style}{verdict}{style:#}")?;
    if !found.is_empty() {
        write!(out, "  {found}")?;
    }
    let fits = verdict.len() + found.len() + checked.len() + 4 <= options.width;
    writeln!(out, "{}  {DIM}{checked}{DIM:#}", if fits { "" } else { "\n" })
}

/// Writes the number of imports that were not followed, and the locations of the first.
fn computed_imports(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Some(imports) = phrases::computed_imports(view.report) else { return Ok(()) };
    let listed = if view.options.all { usize::MAX } else { IMPORTS };
    let places = view.report.computed_imports.iter().take(listed);
    let mut places: Vec<String> = places.map(|at| Place::of_import(view, at).shown(view)).collect();
    let more = view.report.summary.computed - places.len();
    if more > 0 {
        places.push(format!("{} more", thousands(more)));
    }
    writeln!(out, "{DIM}{imports}: {}{DIM:#}", places.join(", "))
}

/// Writes what to do next: the commands and options that help with these findings.
pub(super) fn next_steps(view: &View<'_>, omitted: usize, out: &mut dyn Write) -> io::Result<()> {
    let report = view.report;
    let mut steps: Vec<(String, String)> = Vec::new();
    // While watching, only new findings are listed, but all are counted.
    let first = (!view.causes.is_empty()).then(|| view.first(0));
    if let Some(first) = first.filter(|first| crate::rules::find_rule(&first.rule).is_some())
        && report.summary.errors > 0
    {
        let explain = "explains the rule, with examples";
        steps.push((format!("sitegate explain {}", first.rule), explain.to_owned()));
    }
    let is_certain =
        |finding: &&Finding| finding.fix.as_ref().is_some_and(|fix| fix.certainty == Certainty::Certain);
    let fixes = report.findings.iter().filter(is_certain).count();
    if fixes > 0 {
        let all = count(fixes, "finding");
        let (command, effect) = match view.options.fixable.unwrap_or(fixes) {
            0 => ("--fix=diff", format!("shows how to fix {all}, and why --fix cannot yet")),
            own if own < fixes => {
                ("--fix", format!("fixes {} of {all}; --fix=diff shows all", thousands(own)))
            }
            _ => ("--fix", format!("fixes {all}; --fix=diff shows how")),
        };
        steps.push((command.to_owned(), effect));
    }
    if omitted > 0 {
        let causes = count(omitted, "more cause");
        steps.push(("--all".to_owned(), format!("lists {causes}; --format html adds search")));
    }
    if view.causes.len() > CAUSES && report.summary.errors > 0 && report.summary.baselined == 0 {
        let accept = "records these findings; --baseline FILE accepts them";
        steps.push(("--write-baseline FILE".to_owned(), accept.to_owned()));
    }
    let widest = steps.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    // Without columns if a line would be too long.
    let fits = steps.iter().all(|(_, effect)| widest + effect.len() + 4 <= view.options.width);
    let widest = if fits { widest } else { 0 };
    steps.iter().try_for_each(|(command, effect)| {
        writeln!(out, "  {BOLD}{command:widest$}{BOLD:#}  {DIM}{effect}{DIM:#}")
    })
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
