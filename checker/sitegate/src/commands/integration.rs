//! Prints what connects other programs to this one: `sitegate completions` for shells, `sitegate man` for the man
//! pages of the system, and `sitegate schema` for editors and scripts.

use clap_complete::Shell;
use sitegate_check::{contract_schema, report_schema};

use crate::error::Error;
use crate::terminal::{self, Outcome};

#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints a script that completes commands and flags in a shell.
pub fn print_completions(args: &CompletionsArgs, mut program: clap::Command) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "sitegate", &mut script);
    terminal::print(|out| out.write_all(&script))?;
    Ok(0)
}

#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// Command, such as `check` or `target gc`
    command: Vec<String>,
}

/// Prints the man page of the program or of a command.
pub fn print_man_page(args: &ManArgs, mut program: clap::Command) -> Outcome {
    // Adds the full name and the global options to each command.
    program.build();
    let mut command = &program;
    for name in &args.command {
        command = command.find_subcommand(name).ok_or_else(|| unknown_command(name, command))?;
    }
    let mut page = Vec::new();
    let source = concat!("sitegate ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(command.clone()).source(source).manual("sitegate").render(&mut page)?;
    terminal::print(|out| out.write_all(&page))?;
    Ok(0)
}

fn unknown_command(name: &str, parent: &clap::Command) -> Error {
    let names: Vec<&str> = parent.get_subcommands().map(clap::Command::get_name).collect();
    if names.is_empty() {
        return Error::usage(format!("`{}` has no command `{name}`", parent.get_name()));
    }
    Error::usage(format!("there is no command `{name}`; the commands are {}", names.join(", ")))
}

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
pub struct SchemaArgs {
    /// contract, report or review [default: contract]
    #[arg(
        value_name = "SCHEMA",
        default_value = "contract",
        hide_default_value = true,
        hide_possible_values = true
    )]
    schema: SchemaKind,
}

/// Prints the JSON Schema of sitegate.toml, of the JSON report or of a review.
pub fn print_schema(args: &SchemaArgs) -> Outcome {
    let text = match args.schema {
        SchemaKind::Contract => contract_schema(),
        SchemaKind::Report => report_schema(),
        SchemaKind::Review => sitegate_review::output::schema(),
    };
    terminal::print(|out| out.write_all(text.as_bytes()))?;
    Ok(0)
}
