//! `sitegate schema`: the JSON Schema of sitegate.toml, or of the JSON report.

use sitegate_check::internal::output::report_schema;
use sitegate_check::internal::rules::contract_schema;

use crate::terminal::{self, Outcome};

/// What there is a schema of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Described {
    /// sitegate.toml, for editors
    Contract,
    /// What `check --format json` writes, for programs that read it
    Report,
}

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Which schema
    #[arg(value_name = "WHAT", default_value = "contract")]
    what: Described,
}

pub fn run(args: &Args) -> Outcome {
    let text = match args.what {
        Described::Contract => contract_schema::text(),
        Described::Report => report_schema::text(),
    };
    terminal::print(|out| out.write_all(text.as_bytes()))?;
    Ok(0)
}
