//! Checks an export against the contract beside it, prints the report, and ends with its exit code:
//! `cargo run --example check -- DIR [CONTRACT]`.

use std::env;
use std::error::Error;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use sitegate_check::{CheckTarget, Checker, Contract, OutputFormat, RenderOptions, write};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut args = env::args_os().skip(1);
    let export = args.next().ok_or("name the folder of the export")?;
    let contract = match args.next() {
        Some(file) => Contract::load(Path::new(&file))?,
        None => Contract::defaults(),
    };
    let report = Checker::new(&contract)?.check(CheckTarget::Export(Path::new(&export)))?;
    write(OutputFormat::Human, &report, &RenderOptions::default(), &mut io::stdout().lock())?;
    Ok(ExitCode::from(report.verdict.exit_code()))
}
