//! `sitegate schema`: prints the JSON Schema of sitegate.toml, of the JSON report or of a review.

use sitegate_check::internal::output;
use sitegate_check::internal::rules::contract_schema;

use crate::terminal::{self, Outcome};

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
        SchemaKind::Contract => contract_schema::text(),
        SchemaKind::Report => output::report_schema(),
        SchemaKind::Review => sitegate_review::output::schema(),
    };
    terminal::print(|out| out.write_all(text.as_bytes()))?;
    Ok(0)
}
