//! Output formats: each is one function from a report to a writer. Nothing here decides what a finding weighs.

pub mod github;
pub mod gitlab;
pub mod html;
pub mod human;
pub mod json;
pub mod junit;
pub mod markdown;
mod markup;
pub mod sarif;
mod words;

use std::io::{self, Write};
use std::time::Duration;

use crate::contract::Contract;
use crate::report::Report;

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

/// Writes a report in a format. `elapsed` is shown by those that people read at leisure.
pub fn write(
    format: OutputFormat,
    report: &Report,
    contract: &Contract,
    elapsed: Duration,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        OutputFormat::Human => human::write(report, contract, elapsed, out),
        OutputFormat::Json => json::write(report, contract, out),
        OutputFormat::Sarif => sarif::write(report, contract, out),
        OutputFormat::Junit => junit::write(report, contract, out),
        OutputFormat::Github => github::write(report, contract, out),
        OutputFormat::Gitlab => gitlab::write(report, contract, out),
        OutputFormat::Markdown => markdown::write(report, contract, out),
        OutputFormat::Html => html::write(report, contract, elapsed, out),
    }
}
