//! The format for people: grouped by page, with the source line, the place underlined and what to do about it.

use std::io::{self, Write};
use std::time::Duration;

use rayon::prelude::*;

use anstyle::{AnsiColor, Style};

use super::words::{self, visible};
use crate::contract::Contract;
use crate::diagnostic::{Diagnostic, Severity};
use crate::english::{count, thousands};
use crate::report::sources::Sources;
use crate::report::target::{SharedTargets, Targets};
use crate::report::{Report, Verdict};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const BLUE: Style = AnsiColor::Blue.on_default();

/// Characters of a source line that are shown; exports are often one long line.
const WIDTH: usize = 88;

/// Pages that must share a broken reference before it is told apart, and how many such are listed.
const SHARED_BY: usize = 3;
const SHARED_TARGETS: usize = 10;

/// Documents that each thread writes before all are put in order.
const TOGETHER: usize = 32;

/// Writes a report with its styles; the caller's stream strips them where they do not belong.
pub fn write(report: &Report, contract: &Contract, elapsed: Duration, out: &mut dyn Write) -> io::Result<()> {
    let documents: Vec<&[Diagnostic]> =
        report.diagnostics.chunk_by(|a, b| a.location.place == b.location.place).collect();
    let start = || (Sources::one_by_one(report, contract), Targets::new(report));
    let gutter = documents
        .par_iter()
        .map_init(start, |(sources, _), findings| gutter(findings, sources))
        .max()
        .unwrap_or(0);
    let mut shared = SharedTargets::default();
    // All threads write into memory, a few documents each, and what they wrote goes out in order.
    for documents in documents.chunks(rayon::current_num_threads() * TOGETHER) {
        let written: Vec<_> = documents
            .par_iter()
            .map_init(start, |(sources, targets), findings| document(findings, sources, targets, gutter))
            .collect();
        for (findings, written) in documents.iter().zip(written) {
            let (text, targets) = written?;
            out.write_all(&text)?;
            for (finding, target) in findings.iter().zip(targets) {
                shared.add(finding, target);
            }
        }
    }
    shared_targets(&shared, out)?;
    for error in &report.unread {
        writeln!(out, "{RED}cannot check{RED:#} {}", visible(error))?;
    }
    if !report.unread.is_empty() {
        writeln!(out)?;
    }
    summary(report, elapsed, out)
}

/// Writes the findings of one document, and gives what each is about.
fn document(
    findings: &[Diagnostic],
    sources: &mut Sources<'_>,
    targets: &mut Targets<'_>,
    gutter: usize,
) -> io::Result<(Vec<u8>, Vec<Option<String>>)> {
    let mut text = Vec::new();
    let mut about = Vec::with_capacity(findings.len());
    if let Some(first) = findings.first() {
        writeln!(text, "{BOLD}{}{BOLD:#}\n", visible(&sources.name(&first.location.place)))?;
    }
    for diagnostic in findings {
        finding(diagnostic, sources, gutter, &mut text)?;
        about.push(targets.of(diagnostic, sources));
    }
    Ok((text, about))
}

/// The width of the widest position; all findings of a report line up.
fn gutter(findings: &[Diagnostic], sources: &mut Sources<'_>) -> usize {
    let widths = findings.iter().map(|diagnostic| {
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
        diagnostic.severity,
        visible(&diagnostic.message),
        diagnostic.rule.id,
    )?;
    let empty = "";
    if let Some(excerpt) = sources.excerpt(diagnostic) {
        let (line, from, length) = excerpt.window(WIDTH);
        writeln!(out, "  {empty:>gutter$}  {DIM}|{DIM:#} {line}")?;
        writeln!(
            out,
            "  {empty:>gutter$}  {DIM}|{DIM:#} {:from$}{style}{}{style:#}",
            "",
            "^".repeat(length)
        )?;
    }
    if let Some(help) = &diagnostic.help {
        writeln!(out, "  {empty:>gutter$}  {DIM}={DIM:#} {}", visible(help))?;
    }
    writeln!(out)
}

/// References that many pages share: each is one mistake to mend, most often in a template.
fn shared_targets(shared: &SharedTargets, out: &mut dyn Write) -> io::Result<()> {
    let most = shared.most(SHARED_TARGETS, SHARED_BY);
    if most.is_empty() {
        return Ok(());
    }
    let width = most.iter().map(|target| count(target.pages, "page").len()).max().unwrap_or(0);
    writeln!(out, "{BOLD}on many pages{BOLD:#}\n")?;
    for target in &most {
        let pages = count(target.pages, "page");
        writeln!(out, "  {pages:>width$}  {}  {DIM}{}{DIM:#}", visible(&target.name), target.rule)?;
    }
    let rest = shared.len(SHARED_BY) - most.len();
    if rest > 0 {
        writeln!(out, "  {:>width$}  {DIM}and {} more{DIM:#}", "", thousands(rest))?;
    }
    writeln!(out)
}

fn summary(report: &Report, elapsed: Duration, out: &mut dyn Write) -> io::Result<()> {
    for taken in words::taken(report) {
        writeln!(out, "{DIM}{}{DIM:#}", visible(&taken))?;
    }
    if let Some(unfollowed) = words::unfollowed(report) {
        writeln!(out, "{DIM}{unfollowed}{DIM:#}")?;
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
    writeln!(out, "  {DIM}{} in {}{DIM:#}", words::looked_at(report), words::seconds(elapsed))
}
