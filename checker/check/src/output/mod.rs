//! Writes reports in all output formats. Each format is one function of a report and its options.

mod github;
mod gitlab;
mod html;
mod human;
mod json;
mod junit;
mod markdown;
mod markup;
mod phrases;
mod render_options;
pub mod report_schema;
mod report_view;
mod sarif;
mod tally;

pub use phrases::seconds;
pub use render_options::RenderOptions;

use std::io::{self, Write};

use crate::report::Report;

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
    /// A summary in Markdown.
    Markdown,
    /// An HTML page with search.
    Html,
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
        OutputFormat::Markdown => markdown::write,
        OutputFormat::Html => html::write,
    };
    write(report, options, out)
}
