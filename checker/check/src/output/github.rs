//! Workflow commands for GitHub Actions, which become annotations on the files that they name: one for each cause.

use std::io::{self, Write};

use super::presentation::{Lead, Presentation};
use super::words;
use crate::diagnostic::Severity;
use crate::report::positions::Positions;
use crate::report::sources::{Position, Sources};
use sitegate_base::plural::{count, thousands};
use sitegate_base::sanitize::visible;

/// Annotations of one level that GitHub keeps for a step.
const SHOWN: usize = 10;

/// Commands of one level that are written: the log stays readable where GitHub shows no annotation.
const WRITTEN: usize = 1_000;

/// Writes a report. Paths are relative to the root of the repository, as annotations need them.
pub fn write(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Presentation { report, contract, .. } = presentation;
    for error in &report.unread {
        writeln!(out, "::error title=sitegate::{}", data(&format!("cannot check {}", visible(error))))?;
    }
    let (mut errors, mut warnings) = (0, 0);
    let written: Vec<Lead> = presentation
        .all_leads()
        .filter(|lead| {
            let written = match presentation.finding(lead.finding).severity {
                Severity::Error => &mut errors,
                _ => &mut warnings,
            };
            *written += 1;
            *written <= WRITTEN
        })
        .collect();
    let positions = Positions::of(report, contract, written.iter().map(|lead| lead.finding).collect());
    let mut sources = Sources::one_by_one(report, contract);
    for lead in &written {
        command(presentation, lead, &positions, &mut sources, out)?;
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

/// One command: at the source's line, which a pull request shows, or else at that of the export. The log shows only its message,
/// which therefore names the place once more.
fn command(
    presentation: &Presentation<'_>,
    lead: &Lead,
    positions: &Positions,
    sources: &mut Sources<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Presentation { report, source_map, .. } = presentation;
    let causes = presentation.groups();
    let diagnostic = presentation.finding(lead.finding);
    let exported = positions.get(lead.finding);
    let path = sources.path(&diagnostic.location.place);
    let (shown, start, end) = match lead.source {
        Some(source) => {
            let start = Position { line: source.line as usize, column: source.column as usize };
            let end = Position { column: start.column + source.length as usize, ..start };
            (source_map.path(source), start, end)
        }
        None => (path.clone(), exported.clone(), sources.end(diagnostic)),
    };
    let shown = visible(&shown);
    let mut message = format!("{shown}:{}:{}: {}", start.line, start.column, visible(&diagnostic.message));
    let perhaps = words::perhaps_written(source_map, lead.finding);
    for more in [diagnostic.help.as_deref(), perhaps.as_deref()].into_iter().flatten() {
        message.push('\n');
        message.push_str(&visible(more));
    }
    match (lead.source, causes.get(lead.group).extent_of(lead.findings, lead.documents)) {
        (Some(_), Some(extent)) => message.push_str(&format!("\n{extent}, such as {}", visible(&path))),
        (Some(_), None) => message.push_str(&format!("\nin {}:{}", visible(&path), words::place(exported))),
        (None, _) => message.extend(causes.more(lead.group, report).map(|more| format!("\nand {more}"))),
    }
    let (name, rule) = (diagnostic.severity.as_str(), diagnostic.rule.id);
    write!(out, "::{name} file={},line={},col={}", property(&shown), start.line, start.column)?;
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
