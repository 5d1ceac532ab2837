//! Writes `JUnit` XML for GitLab and Jenkins: a test suite for each rule with findings, and a failed test for each cause
//! at error level.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::{self, Write};

use super::phrases;
use super::report_view::{Lead, RenderOptions, View};
use crate::raw_finding::Severity;
use crate::report::Report;
use sitegate_base::html_writer;
use sitegate_base::plural::thousands;
use sitegate_base::sanitize::{is_unseen, visible};

/// Maximum number of characters of a source line.
const WIDTH: usize = 120;

/// Maximum number of locations in a test.
const PLACES: usize = 100;

/// Writes a report. Warnings are passing tests with output, so that the result matches the verdict.
pub fn write(report: &Report, options: &RenderOptions, out: &mut dyn Write) -> io::Result<()> {
    let view = &View::new(report, options);
    let causes = &view.causes;
    let errors = report.unreadable.len();
    let tests = causes.len() + errors.max(1) + report.ignores.len();
    let is_failure = |cause: usize| view.first(cause).severity == Severity::Error;
    let failures = (0..causes.len()).take_while(|&cause| is_failure(cause)).count();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuites name=\"sitegate\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">"
    )?;
    readability_suite(report, out)?;
    let mut suites: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (cause, _) in causes.iter() {
        suites.entry(&*view.first(cause).rule).or_default().push(cause);
    }
    let mut writer = Tests { view, named: HashMap::new() };
    for (rule, mut causes_of_rule) in suites {
        // In the order of documents.
        causes_of_rule.sort_unstable_by_key(|&cause| causes.findings(cause)[0]);
        let failures_of_rule = causes_of_rule.iter().filter(|&&cause| is_failure(cause)).count();
        let rule = escaped(&visible(rule));
        begin_suite(&rule, [causes_of_rule.len(), failures_of_rule, 0, 0], out)?;
        causes_of_rule.into_iter().try_for_each(|cause| writer.write(cause, out))?;
        writeln!(out, "  </testsuite>")?;
    }
    ignored_suite(report, &mut writer, out)?;
    writeln!(out, "</testsuites>")
}

/// Begins a suite, with its numbers of tests, failures, errors and skipped tests.
fn begin_suite(name: &str, numbers: [usize; 4], out: &mut dyn Write) -> io::Result<()> {
    let [tests, failures, errors, skipped] = numbers;
    write!(out, "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" ")?;
    writeln!(out, "errors=\"{errors}\" skipped=\"{skipped}\">")
}

/// Writes the ignored findings as skipped tests: one for each rule, reason and what ignores them.
fn ignored_suite(report: &Report, writer: &mut Tests<'_>, out: &mut dyn Write) -> io::Result<()> {
    let number = report.ignores.len();
    if number == 0 {
        return Ok(());
    }
    begin_suite("ignored", [number, 0, 0, number], out)?;
    for ignore in &report.ignores {
        let rule = escaped(&visible(&ignore.rule));
        let reason = ignore.reason.as_deref().unwrap_or("in the baseline");
        let name = writer.unique(escaped(&visible(&format!("{}: {reason}", ignore.rule))));
        writeln!(out, "    <testcase classname=\"{rule}\" name=\"{name}\">")?;
        writeln!(out, "      <skipped message=\"{}\"/>", escaped(&visible(&phrases::ignored(ignore))))?;
        writeln!(out, "    </testcase>")?;
    }
    writeln!(out, "  </testsuite>")
}

/// Writes the suite that always exists, because readers reject a report without tests.
fn readability_suite(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let errors = report.unreadable.len();
    begin_suite("sitegate", [errors.max(1), 0, errors, 0], out)?;
    if errors == 0 {
        writeln!(out, "    <testcase classname=\"sitegate\" name=\"all files are readable\">")?;
        let external =
            report.external.as_ref().map(|external| format!("\n{}", phrases::external_summary(external)));
        let (checked, external) =
            (escaped(&phrases::checked(report)), escaped(&external.unwrap_or_default()));
        writeln!(out, "      <system-out>{checked}{external}</system-out>")?;
        writeln!(out, "    </testcase>")?;
    }
    for error in &report.unreadable {
        let error = escaped(&visible(error));
        writeln!(out, "    <testcase classname=\"sitegate\" name=\"is readable: {error}\">")?;
        writeln!(out, "      <error message=\"cannot check {error}\" type=\"unread\"/>")?;
        writeln!(out, "    </testcase>")?;
    }
    writeln!(out, "  </testsuite>")
}

/// A writer of tests.
struct Tests<'v> {
    view: &'v View<'v>,
    /// The number of times that each name was used.
    named: HashMap<String, usize>,
}

impl Tests<'_> {
    /// Adds a number to a name that another test has.
    fn unique(&mut self, name: String) -> String {
        let times = self.named.entry(name.clone()).or_insert(0);
        *times += 1;
        if *times == 1 { name } else { format!("{name} ({times})") }
    }

    /// Writes one cause. Its name contains no location, so that the test keeps its name when lines move.
    fn write(&mut self, cause: usize, out: &mut dyn Write) -> io::Result<()> {
        let view = self.view;
        let leads = view.leads(cause);
        let lead = &leads[0];
        let first = view.finding(lead.finding);
        let rule = escaped(&visible(&first.rule));
        let name = format!("{}: {}", first.rule, view.first(cause).cause);
        let name = self.unique(escaped(&visible(&name)));
        let path = escaped(&visible(&view.annotated_place(lead).path));
        writeln!(out, "    <testcase classname=\"{rule}\" name=\"{name}\" file=\"{path}\">")?;
        let message = escaped(&visible(&first.message));
        let text = escaped(&self.details(cause, &leads));
        match first.severity {
            Severity::Error => {
                writeln!(out, "      <failure message=\"{message}\" type=\"{rule}\">{text}</failure>")?;
            }
            _ => writeln!(out, "      <system-out>warning: {message}&#10;{text}</system-out>")?,
        }
        writeln!(out, "    </testcase>")
    }

    /// Returns the first location, the marked line, the help, and the other locations.
    fn details(&self, cause: usize, leads: &[Lead<'_>]) -> String {
        let (causes, all) = (&self.view.causes, &self.view.report.findings);
        let lead = &leads[0];
        let first = self.view.finding(lead.finding);
        let findings = causes.findings(cause);
        let mut text = match lead.source {
            Some(source) => phrases::source_location(source),
            None => self.location(findings[0]),
        };
        if let Some(snippet) = first.shown_snippet() {
            let (line, from, length) = snippet.window(WIDTH);
            let _ = write!(text, "\n{line}\n{}{}", " ".repeat(from), "^".repeat(length));
        }
        for note in phrases::notes(self.view, lead) {
            text.push('\n');
            text.push_str(&visible(&note));
        }
        for source in leads.iter().filter_map(|other| other.source).take(PLACES).skip(1) {
            let _ = write!(text, "\n{}", phrases::source_location(source));
        }
        if lead.source.is_some() {
            let _ = write!(text, "\nin {}", self.location(findings[0]));
        }
        if let Some(more) = causes.more(cause, all) {
            let _ = write!(text, "\nand {more}:");
        }
        for &finding in findings.iter().take(PLACES).skip(1) {
            text.push('\n');
            text.push_str(&self.location(finding));
        }
        if findings.len() > PLACES {
            let _ = write!(text, "\nand {} more", thousands(findings.len() - PLACES));
        }
        text
    }

    fn location(&self, finding: u32) -> String {
        let finding = self.view.finding(finding);
        format!("{}:{}", visible(&self.view.report.path(finding)), phrases::position(finding))
    }
}

/// Escapes text for XML 1.0 elements and attributes. Characters that XML does not allow are written as their code.
fn escaped(text: &str) -> String {
    html_writer::escaped(text, |c, safe| match c {
        '\t' => safe.push_str("&#9;"),
        '\n' => safe.push_str("&#10;"),
        '\r' => safe.push_str("&#13;"),
        c if is_unseen(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.extend(c.escape_unicode()),
        c => safe.push(c),
    })
}
