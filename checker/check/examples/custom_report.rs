//! Writes a report in a custom format: tab-separated values, with a line for each cause.
//! `cargo run --example custom_report -- DIR`.

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use sitegate_check::{CheckTarget, Checker, Contract, Report};

fn main() -> Result<(), Box<dyn Error>> {
    let export = env::args_os().nth(1).ok_or("usage: custom_report DIR")?;
    let contract = Contract::defaults();
    let report = Checker::new(&contract)?.check(CheckTarget::Export(Path::new(&export)))?;
    write_table(&report, &mut io::stdout().lock())?;
    Ok(())
}

fn write_table(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "severity\trule\tcause\tfindings\tfiles\tfirst")?;
    for cause in &report.causes {
        let has_cause =
            |finding: &&sitegate_check::Finding| finding.rule == cause.rule && finding.cause == cause.cause;
        let first = report.findings.iter().find(has_cause);
        let first = first.map(|finding| format!("{}:{}", finding.path(), finding.line)).unwrap_or_default();
        let (severity, rule) = (cause.severity, &cause.rule);
        writeln!(out, "{severity}\t{rule}\t{}\t{}\t{}\t{first}", cause.cause, cause.findings, cause.files)?;
    }
    Ok(())
}
