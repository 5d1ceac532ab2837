//! Workflow commands for GitHub Actions, which become annotations on the files that they name: one for each cause.

use std::io::{self, Write};

use super::presentation::Presentation;
use super::words;
use crate::diagnostic::Severity;
use crate::english::{count, thousands};
use crate::report::positions::Positions;
use crate::report::sources::Sources;
use crate::visible::visible;

/// Annotations of one level that GitHub keeps for a step.
const SHOWN: usize = 10;

/// Commands of one level that are written: the log stays readable where GitHub shows no annotation.
const WRITTEN: usize = 1_000;

/// Writes a report. Paths are relative to the working directory, as annotations need them.
pub fn write(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Presentation { report, contract, causes, .. } = presentation;
    for error in &report.unread {
        writeln!(out, "::error title=sitegate::{}", data(&format!("cannot check {}", visible(error))))?;
    }
    let (mut errors, mut warnings) = (0, 0);
    let written: Vec<usize> = (0..causes.len())
        .filter(|&cause| {
            let written = match causes.first(cause, report).severity {
                Severity::Error => &mut errors,
                _ => &mut warnings,
            };
            *written += 1;
            *written <= WRITTEN
        })
        .collect();
    let first = |cause: &usize| causes.findings(*cause)[0];
    let positions = Positions::of(report, contract, written.iter().map(first).collect());
    let mut sources = Sources::one_by_one(report, contract);
    for cause in written {
        command(presentation, cause, &positions, &mut sources, out)?;
    }
    let found = words::found(report);
    let found = if found.is_empty() { found } else { format!(": {found}") };
    writeln!(out, "sitegate: {}{found} ({})", words::verdict(report), words::looked_at(report))?;
    for (found, word) in [(errors, "error"), (warnings, "warning")] {
        if found > WRITTEN {
            let rest = count(found - WRITTEN, "cause");
            writeln!(out, "sitegate: {rest} of {word}s not listed here; another format lists all")?;
        }
        if found > SHOWN {
            let found = thousands(found);
            writeln!(
                out,
                "sitegate: GitHub annotates the first {SHOWN} of {found} causes of {word}s only; this log has more"
            )?;
        }
    }
    Ok(())
}

/// One command. The log shows only its message, which therefore names the place once more.
fn command(
    presentation: &Presentation<'_>,
    cause: usize,
    positions: &Positions,
    sources: &mut Sources<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let diagnostic = presentation.causes.first(cause, presentation.report);
    let start = positions.get(presentation.causes.findings(cause)[0]);
    let path = sources.path(&diagnostic.location.place);
    let shown = visible(&path);
    let mut message = format!("{shown}:{}:{}: {}", start.line, start.column, visible(&diagnostic.message));
    if let Some(help) = &diagnostic.help {
        message.push('\n');
        message.push_str(&visible(help));
    }
    if let Some(more) = presentation.causes.more(cause, presentation.report) {
        message.push_str(&format!("\nand {more}"));
    }
    let (name, rule) = (diagnostic.severity.as_str(), diagnostic.rule.id);
    write!(out, "::{name} file={},line={},col={}", property(&shown), start.line, start.column)?;
    let end = sources.end(diagnostic);
    if end.line == start.line && end.column > start.column {
        write!(out, ",endColumn={}", end.column)?;
    }
    writeln!(out, ",title={}::{}", property(&format!("sitegate {rule}")), data(&message))
}

/// Escapes the message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a command's property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
