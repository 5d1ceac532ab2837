//! Output formats: each is one function from a report to a writer. Nothing here decides what a finding weighs.

pub mod edition;
pub mod github;
pub mod gitlab;
pub mod html;
pub mod human;
pub mod json;
pub mod junit;
pub mod markdown;
mod markup;
pub mod sarif;
mod tally;
mod words;

use std::io::{self, Write};

use edition::Edition;

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
pub fn write(format: OutputFormat, edition: &Edition<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Edition { report, contract, .. } = edition;
    match format {
        OutputFormat::Human => human::write(edition, out),
        OutputFormat::Json => json::write(edition, out),
        OutputFormat::Sarif => sarif::write(report, contract, out),
        OutputFormat::Junit => junit::write(edition, out),
        OutputFormat::Github => github::write(edition, out),
        OutputFormat::Gitlab => gitlab::write(report, contract, out),
        OutputFormat::Markdown => markdown::write(edition, out),
        OutputFormat::Html => html::write(edition, out),
    }
}
