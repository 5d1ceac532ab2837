//! `sitegate render`: converts a saved JSON report to another format.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sitegate_check::Report;

use crate::error::Error;
use crate::report_args::ReportFormatArgs;
use crate::terminal::Outcome;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes:\n  0  rendered, even if the report has findings\n  2  the file cannot be read or is not a report"
)]
pub struct Args {
    /// JSON report, or `-` for stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    format: ReportFormatArgs,
}

pub fn run(args: &Args) -> Outcome {
    let name = args.file.display();
    let text = read_report(&args.file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Error::usage(format!(
            "there is no report {name}; write one with: sitegate check --report json={name}"
        )),
        _ => Error::system(name.to_string())(error),
    })?;
    let report = Report::from_json(&text).map_err(|error| Error::Usage(format!("{name}: {error}")))?;
    args.format.print(&report, None)?;
    Ok(0)
}

fn read_report(file: &Path) -> io::Result<Vec<u8>> {
    if file.as_os_str() != "-" {
        return fs::read(file);
    }
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    Ok(text)
}
