//! The format for people: grouped by page, with the source line, the place underlined and the way out.

use std::io::{self, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use super::{Excerpt, Sources};
use crate::config::Config;
use crate::diagnostic::{Diagnostic, Report, Severity, Verdict};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const BLUE: Style = AnsiColor::Blue.on_default();

/// Characters of a source line that are shown; exports are often one long line.
const WIDTH: usize = 88;

/// Writes a report with its styles; the caller's stream strips them where they do not belong.
pub fn write(report: &Report, config: &Config, elapsed: Duration, out: &mut dyn Write) -> io::Result<()> {
    let mut sources = Sources::new(report, config);
    let mut place = None;
    let gutter = gutter(report, &mut sources);
    for diagnostic in &report.diagnostics {
        if place != Some(&diagnostic.location.place) {
            place = Some(&diagnostic.location.place);
            writeln!(out, "{BOLD}{}{BOLD:#}\n", sources.name(&diagnostic.location.place))?;
        }
        finding(diagnostic, &mut sources, gutter, out)?;
    }
    for error in &report.unread {
        writeln!(out, "{RED}cannot check{RED:#} {error}")?;
    }
    if !report.unread.is_empty() {
        writeln!(out)?;
    }
    summary(report, elapsed, out)
}

/// The width of the widest position in the report, so that all findings line up.
fn gutter(report: &Report, sources: &mut Sources<'_>) -> usize {
    let widths = report.diagnostics.iter().map(|diagnostic| {
        let position = sources.position(diagnostic);
        format!("{}:{}", position.line, position.column).len()
    });
    widths.max().unwrap_or(0)
}

fn finding(
    diagnostic: &Diagnostic,
    sources: &mut Sources<'_>,
    gutter: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let style = match diagnostic.severity {
        Severity::Error => RED,
        _ => YELLOW,
    };
    let position = sources.position(diagnostic);
    let place = format!("{}:{}", position.line, position.column);
    writeln!(
        out,
        "  {BLUE}{place:>gutter$}{BLUE:#}  {style}{}{style:#}  {}  {DIM}{}{DIM:#}",
        diagnostic.severity, diagnostic.message, diagnostic.rule.id,
    )?;
    let empty = "";
    if let Some(excerpt) = sources.excerpt(diagnostic) {
        let (line, from, length) = window(&excerpt);
        writeln!(out, "  {empty:>gutter$}  {DIM}|{DIM:#} {line}")?;
        writeln!(
            out,
            "  {empty:>gutter$}  {DIM}|{DIM:#} {:from$}{style}{}{style:#}",
            "",
            "^".repeat(length)
        )?;
    }
    if let Some(help) = &diagnostic.help {
        writeln!(out, "  {empty:>gutter$}  {DIM}={DIM:#} {help}")?;
    }
    writeln!(out)
}

/// Cuts a long line down to what surrounds the mark. Gives the text, and the mark's start and length in it.
fn window(excerpt: &Excerpt) -> (String, usize, usize) {
    let chars: Vec<char> = excerpt.line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mark = excerpt.marked.clone();
    let length = mark.len().min(WIDTH);
    let room = WIDTH - length;
    let indent = chars.iter().take_while(|c| c.is_whitespace()).count().min(mark.start);
    let start = mark.start.saturating_sub(room / 2).max(indent);
    let start = if mark.start + length <= indent + WIDTH { indent } else { start };
    let end = (start + WIDTH).min(chars.len());
    let before = if start > indent { "…" } else { "" };
    let after = if end < chars.len() { "…" } else { "" };
    let text: String = chars[start..end].iter().collect();
    (format!("{before}{text}{after}"), mark.start - start + before.chars().count(), length.max(1))
}

fn summary(report: &Report, elapsed: Duration, out: &mut dyn Write) -> io::Result<()> {
    let summary = &report.summary;
    let count = |n: usize, word: &str| match n {
        1 => format!("1 {word}"),
        n => format!("{} {word}s", thousands(n)),
    };
    let mut found = Vec::new();
    if summary.errors > 0 {
        found.push(count(summary.errors, "error"));
    }
    if summary.warnings > 0 {
        found.push(count(summary.warnings, "warning"));
    }
    if summary.baselined > 0 {
        found.push(format!("{} in the baseline", thousands(summary.baselined)));
    }
    if summary.ignored > 0 {
        found.push(format!("{} ignored", thousands(summary.ignored)));
    }
    match report.verdict() {
        Verdict::Passed => write!(out, "{GREEN}passed{GREEN:#}")?,
        Verdict::Failed => write!(out, "{RED}failed{RED:#}")?,
        Verdict::Incomplete => write!(out, "{RED}could not check everything{RED:#}")?,
    }
    if !found.is_empty() {
        write!(out, "  {}", found.join(", "))?;
    }
    writeln!(
        out,
        "  {DIM}{}, {}, {} in {}{DIM:#}",
        count(summary.files, "file"),
        count(summary.pages, "page"),
        count(summary.links, "link"),
        seconds(elapsed),
    )
}

/// A number with commas between thousands.
pub(crate) fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

fn seconds(elapsed: Duration) -> String {
    match elapsed.as_millis() {
        ms @ 0..1000 => format!("{ms} ms"),
        _ => format!("{:.1} s", elapsed.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Excerpt, WIDTH, thousands, window};

    #[test]
    fn a_long_line_is_cut_around_the_mark() {
        let line = format!("{}<a href=\"/x\">{}", "é".repeat(500), "z".repeat(500));
        let (text, from, length) = window(&Excerpt { line, marked: 509..511 });
        assert!(text.starts_with('…') && text.ends_with('…'));
        assert_eq!(text.chars().count(), WIDTH + 2);
        assert_eq!(text.chars().skip(from).take(length).collect::<String>(), "/x");
    }

    #[test]
    fn a_short_line_loses_its_indent_only() {
        let excerpt = Excerpt { line: "    <a href=\"/x\">".to_owned(), marked: 13..15 };
        assert_eq!(window(&excerpt), ("<a href=\"/x\">".to_owned(), 9, 2));
    }

    #[test]
    fn numbers_have_commas() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
