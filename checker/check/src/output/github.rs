//! Workflow commands for GitHub Actions, which become annotations on the files that they name.

use std::io::{self, Write};

use super::words::{self, visible};
use crate::contract::Contract;
use crate::diagnostic::{Diagnostic, Severity};
use crate::english::{count, thousands};
use crate::report::Report;
use crate::report::sources::Sources;

/// Annotations of one level that GitHub keeps for a step.
const SHOWN: usize = 10;

/// Commands of one level that are written: the log stays readable where GitHub shows no annotation.
const WRITTEN: usize = 1_000;

/// Writes a report. Paths are relative to the working directory, as annotations need them.
pub fn write(report: &Report, contract: &Contract, out: &mut dyn Write) -> io::Result<()> {
    let mut sources = Sources::new(report, contract);
    for error in &report.unread {
        writeln!(out, "::error title=sitegate::{}", data(&format!("cannot check {}", visible(error))))?;
    }
    let (mut errors, mut warnings) = (0, 0);
    for diagnostic in &report.diagnostics {
        let written = match diagnostic.severity {
            Severity::Error => &mut errors,
            _ => &mut warnings,
        };
        *written += 1;
        if *written <= WRITTEN {
            command(diagnostic, &mut sources, out)?;
        }
    }
    let found = words::found(report);
    let found = if found.is_empty() { found } else { format!(": {found}") };
    writeln!(out, "sitegate: {}{found} ({})", words::verdict(report), words::looked_at(report))?;
    for (found, word) in [(errors, "error"), (warnings, "warning")] {
        if found > WRITTEN {
            let rest = count(found - WRITTEN, word);
            writeln!(out, "sitegate: {rest} not listed here; another format lists all")?;
        }
        if found > SHOWN {
            let found = thousands(found);
            writeln!(
                out,
                "sitegate: GitHub annotates the first {SHOWN} of {found} {word}s only; this log has more"
            )?;
        }
    }
    Ok(())
}

/// One command. The log shows only its message, which therefore names the place once more.
fn command(diagnostic: &Diagnostic, sources: &mut Sources<'_>, out: &mut dyn Write) -> io::Result<()> {
    let start = sources.position(diagnostic);
    let path = sources.path(&diagnostic.location.place);
    let shown = visible(&path);
    let mut message = format!("{shown}:{}:{}: {}", start.line, start.column, visible(&diagnostic.message));
    if let Some(help) = &diagnostic.help {
        message.push('\n');
        message.push_str(&visible(help));
    }
    let (name, rule) = (diagnostic.severity.as_str(), diagnostic.rule.id);
    write!(out, "::{name} file={},line={},col={}", property(&path), start.line, start.column)?;
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
