//! `sitegate schema`: prints the JSON Schema of sitegate.toml, of the JSON report or of a review.

use crate::terminal::{self, Outcome};
use sitegate_check::{contract_schema, report_schema};

/// A document with a JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SchemaKind {
    /// sitegate.toml, for editors
    Contract,
    /// The report of `check --format json`
    Report,
    /// The review of `diff --format json`
    Review,
}

#[derive(Debug, clap::Args)]
pub struct Args {
    /// contract, report or review [default: contract]
    #[arg(
        value_name = "SCHEMA",
        default_value = "contract",
        hide_default_value = true,
        hide_possible_values = true
    )]
    schema: SchemaKind,
}

pub fn run(args: &Args) -> Outcome {
    let text = match args.schema {
        SchemaKind::Contract => contract_schema(),
        SchemaKind::Report => report_schema(),
        SchemaKind::Review => sitegate_review::output::schema(),
    };
    terminal::print(|out| out.write_all(text.as_bytes()))?;
    Ok(0)
}
