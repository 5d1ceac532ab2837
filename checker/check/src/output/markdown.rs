//! Writes a summary in GitHub's Markdown for job summaries and comments: totals, tables, then as many causes as fit.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::phrases;
use super::report_view::{RenderOptions, View, tally_by_rule};
use crate::external::{ExternalHost, ExternalHosts, HostCounts};
use crate::report::finding::{Finding, SourcePlace};
use crate::report::{Report, Verdict};
use sitegate_base::plural::{capitalized, count, seconds, thousands};
use sitegate_base::{html_writer, markdown};

/// Maximum number of bytes; GitHub rejects a summary above 1 MiB.
const LIMIT: usize = 1_000_000;

/// Maximum number of rows of a table, and of unreadable files.
const ROWS: usize = 10;

/// Maximum number of reasons for ignored findings.
const IGNORES: usize = 100;

/// Maximum number of causes, and of locations of each.
const CAUSES: usize = 10_000;
const PLACES: usize = 20;

/// Maximum number of characters of a text in a row.
const TEXT: usize = 300;

/// Writes a report.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    let mark = match report.verdict {
        Verdict::Passed => "✅",
        Verdict::Failed | Verdict::Incomplete => "❌",
    };
    let found = phrases::found(report);
    let found = if found.is_empty() { found } else { format!(": {found}") };
    let _ = writeln!(text, "## {mark} sitegate: {}{found}\n", phrases::verdict(report));
    let root = code(&report.root);
    let _ = writeln!(text, "{} in {root}.", phrases::checked(report));
    for note in phrases::site_notes(report) {
        let _ = write!(text, "\n- {}", prose(&note));
    }
    if phrases::site_notes(report).next().is_some() {
        text.push('\n');
    }
    list("Could not be checked", report.unreadable.iter().map(|error| prose(error)), ROWS, &mut text);
    if let Some(external) = &report.external {
        external_hosts(external, &mut text);
    }
    let ignores = report.ignores.iter().map(|ignore| prose(&phrases::ignored(ignore)));
    list("Ignored", ignores, IGNORES, &mut text);
    if !report.findings.is_empty() {
        by_rule(report, &mut text);
        by_page(report, &mut text);
        by_cause(&View::new(report, options), &mut text);
    }
    out.write_all(text.as_bytes())
}

/// Writes a list with a heading, unless it is empty.
fn list(heading: &str, entries: impl ExactSizeIterator<Item = String>, limit: usize, text: &mut String) {
    let all = entries.len();
    if all == 0 {
        return;
    }
    let _ = writeln!(text, "\n### {heading}\n");
    for entry in entries.take(limit) {
        let _ = writeln!(text, "- {entry}");
    }
    more(all.saturating_sub(limit), "- ", text);
}

/// Writes the external hosts with the most links.
fn external_hosts(external: &ExternalHosts, text: &mut String) {
    let _ = writeln!(text, "\n### External hosts\n\n{}.", capitalized(&phrases::external_summary(external)));
    if external.hosts.is_empty() {
        return;
    }
    text.push_str("\n| Host | Links | OK | Moved | Broken | Unverified | Time |\n");
    text.push_str("| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for ExternalHost { host, counts, seconds: wall, .. } in external.hosts.iter().take(ROWS) {
        let (name, took) = (code(host), seconds(phrases::duration(*wall)));
        let HostCounts { links, there, moved, broken, unverified, .. } = *counts;
        let [links, there, moved, broken, unverified] =
            [links, there, moved, broken, unverified].map(thousands);
        let _ = writeln!(text, "| {name} | {links} | {there} | {moved} | {broken} | {unverified} | {took} |");
    }
    more(external.hosts.len().saturating_sub(ROWS), "\n", text);
}

fn more(rest: usize, lead: &str, text: &mut String) {
    if rest > 0 {
        let _ = writeln!(text, "{lead}and {} more", thousands(rest));
    }
}

fn by_rule(report: &Report, text: &mut String) {
    text.push_str("\n| Level | Rule | Findings | Causes | Meaning |\n| --- | --- | ---: | ---: | --- |\n");
    for entry in tally_by_rule(report) {
        let (severity, id, summary) = (entry.severity, code(entry.rule), prose(entry.summary));
        let (findings, causes) = (thousands(entry.findings), thousands(entry.causes));
        let _ = writeln!(text, "| {severity} | {id} | {findings} | {causes} | {summary} |");
    }
}

fn by_page(report: &Report, text: &mut String) {
    let mut pages: Vec<_> = report.findings.chunk_by(Finding::is_in_file_of).collect();
    let all = pages.len();
    pages.sort_by_key(|findings| std::cmp::Reverse(findings.len()));
    text.push_str("\n| Page | Findings |\n| --- | ---: |\n");
    for findings in pages.iter().take(ROWS) {
        let _ = writeln!(text, "| {} | {} |", code(&findings[0].file), thousands(findings.len()));
    }
    more(all.saturating_sub(ROWS), "\n", text);
}

/// Writes causes with collapsed locations until the limit is reached.
fn by_cause(view: &View<'_>, text: &mut String) {
    /// Reserved bytes for the end of the text.
    const TAIL: usize = 200;
    let causes = &view.causes;
    let found = (count(view.report.findings.len(), "finding"), count(causes.len(), "cause"));
    let _ = writeln!(text, "\n### {}, {}\n", found.0, found.1);
    let mut shown = 0;
    for cause in 0..causes.len().min(CAUSES) {
        let entry = entry(view, cause);
        if text.len() + entry.len() + TAIL > LIMIT {
            break;
        }
        text.push_str(&entry);
        shown += 1;
    }
    more(causes.len() - shown, "\n", text);
}

/// Returns the entry of a cause: its location and message, then the other locations.
fn entry(view: &View<'_>, cause: usize) -> String {
    let causes = &view.causes;
    let leads = view.leads(cause);
    let first = view.finding(leads[0].finding);
    let findings = causes.findings(cause);
    let place = |finding: &Finding| format!("{}:{}", code(&finding.file), phrases::position(finding));
    let hint = view.help(&leads[0]);
    let hint = hint.as_deref();
    let help =
        hint.map(|help| format!("{} {}", phrases::full_stop(&first.message), capitalized(&prose(help))));
    let last = hint.unwrap_or(&first.message);
    let possible = phrases::possible_source(first);
    let possible =
        possible.map(|source| format!("{} {}", phrases::full_stop(last), capitalized(&prose(&source))));
    let possible = possible.unwrap_or_default();
    let (level, message, help) = (first.severity, prose(&first.message), help.unwrap_or_default());
    let sources: Vec<&SourcePlace> = leads.iter().filter_map(|lead| lead.source).collect();
    let mut places = findings.iter().take(PLACES).map(|&other| place(view.finding(other)));
    let rest = findings.len().saturating_sub(PLACES);
    let (at, summary) = match sources.as_slice() {
        [] => {
            let more = causes.more(cause, &view.report.findings);
            (places.next().unwrap_or_default(), more.map(|more| format!("and {more}")))
        }
        [source, ..] => (written(source), causes.get(cause).extent()),
    };
    let rule = markdown::plain(&first.rule);
    let mut text = format!("- {at} {level}: {message}{help}{possible} ({rule})\n");
    if let [_, others @ ..] = sources.as_slice()
        && !others.is_empty()
    {
        let shown: Vec<String> = others.iter().take(PLACES).map(|source| written(source)).collect();
        let unlisted = others.len().saturating_sub(PLACES);
        let unlisted =
            if unlisted > 0 { format!(" and {} more", thousands(unlisted)) } else { String::new() };
        let _ = writeln!(text, "  also in {}{unlisted}<br>", shown.join(", "));
    }
    let places: Vec<String> = places.collect();
    match summary {
        Some(summary) => {
            let rest = if rest > 0 { format!(" and {} more", thousands(rest)) } else { String::new() };
            let places = places.join(", ");
            let _ = writeln!(text, "  <details><summary>{summary}</summary>{places}{rest}</details>");
        }
        None => {
            for location in &places {
                let _ = writeln!(text, "  in {location}");
            }
        }
    }
    text
}

/// Returns a source location, as a link if the contract configures one.
fn written(place: &SourcePlace) -> String {
    let shown = format!("{}:{}:{}", code(place.path()), place.line, place.column);
    match place.web_link() {
        Some(link) => format!("<a href=\"{}\">{shown}</a>", markdown::escaped(link)),
        None => shown,
    }
}

/// Converts a message, in which backticks mark code, to Markdown.
fn prose(text: &str) -> String {
    html_writer::with_code(text, |part| markdown::plain(&shortened(part)), code)
}

fn code(text: &str) -> String {
    markdown::code(&shortened(text))
}

fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{TEXT, code, prose};

    #[test]
    fn converts_messages() {
        assert_eq!(prose("`a` is *not* `b`"), "<code>a</code> is &#42;not&#42; <code>b</code>");
        assert_eq!(prose("`a|b`c`` does not"), "<code>a&#124;b&#96;c&#96;</code> does not");
        assert_eq!(prose("`a`s and `b`"), "<code>a</code>s and <code>b</code>");
        assert_eq!(prose("`@a` and @b"), "<code><!-- -->&#64;a</code> and &#64;&#8203;b");
        assert_eq!(prose("one ` alone"), "one &#96; alone");
        assert_eq!(code(&"é".repeat(TEXT + 1)), format!("<code>{}…</code>", "é".repeat(TEXT)));
    }
}
