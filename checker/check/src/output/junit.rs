//! JUnit XML as GitLab and Jenkins read it: a test suite for each document with findings, a failed test
//! for each error.

use std::io::{self, Write};

use super::{markup, words};
use crate::contract::Contract;
use crate::diagnostic::{Diagnostic, Severity};
use crate::report::Report;
use crate::report::fingerprint::Fingerprints;
use crate::report::sources::Sources;

/// Characters of a source line that are shown.
const WIDTH: usize = 120;

/// Writes a report. Warnings are tests that pass with output, so that the counts agree with the verdict.
pub fn write(report: &Report, contract: &Contract, out: &mut dyn Write) -> io::Result<()> {
    let mut sources = Sources::new(report, contract);
    let mut fingerprints = Fingerprints::default();
    let errors = report.unread.len();
    let tests = report.diagnostics.len() + errors.max(1);
    let failures = report.summary.errors;
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuites name=\"sitegate\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">"
    )?;
    reading(report, out)?;
    for findings in report.diagnostics.chunk_by(|a, b| a.location.place == b.location.place) {
        let failures = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        let name = escaped(&sources.name(&findings[0].location.place));
        let path = escaped(&sources.path(&findings[0].location.place));
        writeln!(
            out,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">",
            findings.len()
        )?;
        for finding in findings {
            let (_, before) = fingerprints.next(finding, &sources);
            test(finding, before, &name, &path, &mut sources, out)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// The suite that is always there, since readers take a report without any test for a broken one.
fn reading(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let errors = report.unread.len();
    writeln!(
        out,
        "  <testsuite name=\"sitegate\" tests=\"{}\" failures=\"0\" errors=\"{errors}\" skipped=\"0\">",
        errors.max(1)
    )?;
    if errors == 0 {
        writeln!(out, "    <testcase classname=\"sitegate\" name=\"every file can be read\">")?;
        writeln!(out, "      <system-out>{}</system-out>", words::looked_at(report))?;
        writeln!(out, "    </testcase>")?;
    }
    for error in &report.unread {
        let error = escaped(error);
        writeln!(out, "    <testcase classname=\"sitegate\" name=\"can be read: {error}\">")?;
        writeln!(out, "      <error message=\"cannot check {error}\" type=\"unread\"/>")?;
        writeln!(out, "    </testcase>")?;
    }
    writeln!(out, "  </testsuite>")
}

/// One finding. Its name holds no position, so that it is the same test after lines have moved; `before`
/// others of the document have the same.
fn test(
    finding: &Diagnostic,
    before: usize,
    suite: &str,
    path: &str,
    sources: &mut Sources<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let message = escaped(&finding.message);
    let rule = finding.rule.id;
    let again = if before == 0 { String::new() } else { format!(" ({})", before + 1) };
    writeln!(out, "    <testcase classname=\"{suite}\" name=\"{rule}: {message}{again}\" file=\"{path}\">")?;
    let text = escaped(&details(finding, sources));
    match finding.severity {
        Severity::Error => {
            writeln!(out, "      <failure message=\"{message}\" type=\"{rule}\">{text}</failure>")?;
        }
        _ => writeln!(out, "      <system-out>warning: {message}&#10;{text}</system-out>")?,
    }
    writeln!(out, "    </testcase>")
}

/// The place, the line with a mark under it, and what to do about it.
fn details(finding: &Diagnostic, sources: &mut Sources<'_>) -> String {
    let position = sources.position(finding);
    let path = sources.path(&finding.location.place);
    let mut text = format!("{path}:{}:{}", position.line, position.column);
    if let Some(excerpt) = sources.excerpt(finding) {
        let (line, from, length) = excerpt.window(WIDTH);
        text.push_str(&format!("\n{line}\n{}{}", " ".repeat(from), "^".repeat(length)));
    }
    if let Some(help) = &finding.help {
        text.push('\n');
        text.push_str(help);
    }
    text
}

/// Text for XML 1.0, in elements and attributes alike. Characters that XML cannot hold in any form are
/// shown by their code.
fn escaped(text: &str) -> String {
    markup::escaped(text, |c, safe| match c {
        '\t' => safe.push_str("&#9;"),
        '\n' => safe.push_str("&#10;"),
        '\r' => safe.push_str("&#13;"),
        '\0'..' ' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => safe.extend(c.escape_unicode()),
        c => safe.push(c),
    })
}
