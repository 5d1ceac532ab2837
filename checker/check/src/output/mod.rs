//! Output formats: each is one function from a report to a writer. Nothing here decides what a finding weighs.

pub mod github;
pub mod gitlab;
mod hosts;
pub mod html;
pub mod human;
mod in_order;
pub mod json;
pub mod junit;
pub mod markdown;
mod markup;
pub mod presentation;
pub mod report_schema;
pub mod sarif;
mod tally;
mod words;

pub use words::seconds;

use std::io::{self, Write};

use presentation::Presentation;

/// The ways to write a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputFormat {
    /// [`human`]
    Human,
    /// [`json`]
    Json,
    /// [`sarif`]
    Sarif,
    /// [`junit`]
    Junit,
    /// [`github`]
    Github,
    /// [`gitlab`]
    Gitlab,
    /// [`markdown`]
    Markdown,
    /// [`html`]
    Html,
}

/// Writes a report in a format.
pub fn write(format: OutputFormat, presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    match format {
        OutputFormat::Human => human::write(presentation, out),
        OutputFormat::Json => json::write(presentation, out),
        OutputFormat::Sarif => sarif::write(presentation, out),
        OutputFormat::Junit => junit::write(presentation, out),
        OutputFormat::Github => github::write(presentation, out),
        OutputFormat::Gitlab => gitlab::write(presentation, out),
        OutputFormat::Markdown => markdown::write(presentation, out),
        OutputFormat::Html => html::write(presentation, out),
    }
}
