//! Writes workflow commands for GitHub Actions, which annotate files: one for each cause.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::phrases;
use super::report_view::{AnnotatedPlace, Lead, RenderOptions, View};
use crate::raw_finding::Severity;
use crate::report::Report;
use sitegate_base::plural::{count, thousands};
use sitegate_base::sanitize::visible;

/// Maximum number of annotations of one level that GitHub shows for a step.
const SHOWN: usize = 10;

/// Maximum number of commands of one level, to keep the log readable.
const WRITTEN: usize = 1_000;

/// Writes a report. Paths are relative to the root of the repository, as annotations need them.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let view = &View::new(report, options);
    for error in &report.unreadable {
        writeln!(out, "::error title=sitegate::{}", data(&format!("cannot check {}", visible(error))))?;
    }
    let (mut errors, mut warnings) = (0, 0);
    let written: Vec<Lead<'_>> = view
        .all_leads()
        .filter(|lead| {
            let written = match view.finding(lead.finding).severity {
                Severity::Error => &mut errors,
                _ => &mut warnings,
            };
            *written += 1;
            *written <= WRITTEN
        })
        .collect();
    written.iter().try_for_each(|lead| command(view, lead, out))?;
    let found = phrases::found(report);
    let found = if found.is_empty() { found } else { format!(": {found}") };
    writeln!(out, "sitegate: {}{found} ({})", phrases::verdict(report), phrases::checked(report))?;
    for ignore in report.ignores.iter().take(WRITTEN) {
        writeln!(out, "sitegate: ignored: {}", visible(&phrases::ignored(ignore)))?;
    }
    if report.ignores.len() > WRITTEN {
        let rest = count(report.ignores.len() - WRITTEN, "reason");
        writeln!(out, "sitegate: {rest} for ignored findings not listed; other formats list all")?;
    }
    for (total, word) in [(errors, "error"), (warnings, "warning")] {
        if total > WRITTEN {
            let rest = count(total - WRITTEN, "cause");
            writeln!(out, "sitegate: {rest} of {word}s not listed; other formats list all")?;
        }
        if total > SHOWN {
            let total = thousands(total);
            writeln!(
                out,
                "sitegate: GitHub shows only {SHOWN} of {total} {word} causes as annotations; this log lists more"
            )?;
        }
    }
    Ok(())
}

/// Writes one command at the source line, which a pull request shows, or else at the line in the export. The log shows
/// only the message, so the message repeats the location.
fn command(view: &View<'_>, lead: &Lead<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (report, causes) = (view.report, &view.causes);
    let finding = view.finding(lead.finding);
    let exported = report.path(finding);
    let AnnotatedPlace { path, start, end } = view.annotated_place(lead);
    let path = visible(&path);
    let mut message = format!("{path}:{}: {}", phrases::line_and_column(start), visible(&finding.message));
    for note in phrases::notes(view, lead) {
        message.push('\n');
        message.push_str(&visible(&note));
    }
    match (lead.source, causes.get(lead.group).extent_of(lead.findings, lead.documents)) {
        (Some(_), Some(extent)) => {
            let _ = write!(message, "\n{extent}, such as {}", visible(&exported));
        }
        (Some(_), None) => {
            let _ = write!(message, "\nin {}:{}", visible(&exported), phrases::position(finding));
        }
        (None, _) => {
            let more = causes.more(lead.group, &report.findings);
            message.extend(more.map(|more| format!("\nand {more}")));
        }
    }
    let (name, rule) = (finding.severity.as_str(), &finding.rule);
    write!(out, "::{name} file={},line={},col={}", property(&path), start.0, start.1)?;
    if end.0 == start.0 && end.1 > start.1 {
        write!(out, ",endColumn={}", end.1)?;
    }
    writeln!(out, ",title={}::{}", property(&format!("sitegate {}", visible(rule))), data(&message))
}

/// Escapes the message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a command's property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
