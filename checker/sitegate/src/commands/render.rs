//! `sitegate render`: writes a saved JSON report in other formats.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sitegate_check::internal::report::Report;

use crate::error::Error;
use crate::outputs::FormatArgs;
use crate::terminal::Outcome;

/// Exit codes: 0 rendered, 2 the file is no report.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 rendered, whatever the report says; 2 the file cannot be read or is not a report."
)]
pub struct Args {
    /// A JSON report, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    format: FormatArgs,
}

pub fn run(args: &Args) -> Outcome {
    let name = args.file.display();
    let text = read(&args.file).map_err(Error::system(name.to_string()))?;
    let report = Report::from_json(&text).map_err(|error| Error::Usage(format!("{name}: {error}")))?;
    args.format.print(&report)?;
    Ok(0)
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    if file.as_os_str() != "-" {
        return fs::read(file);
    }
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    Ok(text)
}
