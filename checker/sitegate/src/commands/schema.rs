//! `sitegate schema`: prints the JSON Schema of sitegate.toml or of the JSON report.

use sitegate_check::internal::output::report_schema;
use sitegate_check::internal::rules::contract_schema;

use crate::terminal::{self, Outcome};

/// A document with a JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SchemaKind {
    /// sitegate.toml, for editors
    Contract,
    /// The report of `check --format json`
    Report,
}

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The schema
    #[arg(value_name = "SCHEMA", default_value = "contract")]
    schema: SchemaKind,
}

pub fn run(args: &Args) -> Outcome {
    let text = match args.schema {
        SchemaKind::Contract => contract_schema::text(),
        SchemaKind::Report => report_schema::text(),
    };
    terminal::print(|out| out.write_all(text.as_bytes()))?;
    Ok(0)
}
