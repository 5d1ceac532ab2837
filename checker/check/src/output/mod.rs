//! Writes reports in all output formats. Each format is one function of a report and its options.

mod github;
mod gitlab;
mod html;
mod human;
mod json;
mod junit;
mod markdown;
mod phrases;
mod place;
mod rdjson;
mod render_options;
pub mod report_schema;
mod report_view;
mod sarif;
mod tally;
mod wrong_setting;

pub use phrases::ignored_note;
pub use render_options::RenderOptions;

use std::io::{self, Write};

use crate::report::Report;
use sitegate_base::atomic_file::OutputKind;

/// The output formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputFormat {
    /// For people, in a terminal.
    Human,
    /// JSON, the report itself.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// `JUnit` XML.
    Junit,
    /// Annotations for GitHub Actions.
    Github,
    /// GitLab's code quality report.
    Gitlab,
    /// The Reviewdog Diagnostic Format, with suggested changes.
    Rdjson,
    /// A summary in Markdown.
    Markdown,
    /// An HTML page with search.
    Html,
}

impl OutputFormat {
    /// Returns the kind of a report in this format, by which an older one is recognized and replaced.
    pub fn output_kind(self) -> OutputKind {
        let (name, is_own): (_, fn(&str) -> bool) = match self {
            OutputFormat::Human => ("a report in the format human", human::is_report),
            OutputFormat::Json => ("a report in the format json", |text| {
                text.starts_with('{') && has_field(text, "verdict") && names_program(text)
            }),
            OutputFormat::Sarif => ("a report in the format sarif", |text| {
                text.starts_with('{') && has_field(text, "driver") && names_program(text)
            }),
            OutputFormat::Junit => ("a report in the format junit", |text| {
                text.starts_with("<?xml") && text.contains("<testsuites name=\"sitegate\"")
            }),
            OutputFormat::Github => ("a report in the format github", |text| {
                text.lines().any(|line| line.starts_with("sitegate: "))
            }),
            OutputFormat::Gitlab => ("a report in the format gitlab", |text| {
                text.trim() == "[]"
                    || text.starts_with('[')
                        && has_field(text, "check_name")
                        && has_field(text, "fingerprint")
            }),
            OutputFormat::Rdjson => ("a report in the format rdjson", |text| {
                text.starts_with('{') && has_field(text, "diagnostics") && names_program(text)
            }),
            OutputFormat::Markdown => ("a report in the format markdown", |text| {
                let first = text.lines().next().unwrap_or_default();
                first.starts_with("## ") && first.contains(" sitegate: ")
            }),
            OutputFormat::Html => ("a report in the format html", |text| text.contains(html::GENERATOR)),
        };
        OutputKind { name, is_own }
    }
}

fn has_field(text: &str, name: &str) -> bool {
    text.contains(&format!("\"{name}\":"))
}

/// Whether JSON names this program as its `tool` or `driver`.
fn names_program(text: &str) -> bool {
    let name = |spaces| format!("\"name\":{spaces}\"{}\"", crate::report::PROGRAM);
    text.contains(&name("")) || text.contains(&name(" "))
}

/// Writes a report in a format. The output depends only on the report and the options.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(
    format: OutputFormat,
    report: &Report,
    options: &RenderOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let write = match format {
        OutputFormat::Human => human::write,
        OutputFormat::Json => json::write,
        OutputFormat::Sarif => sarif::write,
        OutputFormat::Junit => junit::write,
        OutputFormat::Github => github::write,
        OutputFormat::Gitlab => gitlab::write,
        OutputFormat::Rdjson => rdjson::write,
        OutputFormat::Markdown => markdown::write,
        OutputFormat::Html => html::write,
    };
    write(report, options, out)
}
