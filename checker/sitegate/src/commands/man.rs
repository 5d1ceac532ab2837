//! `sitegate man`: prints the man page of the program or of a command.

use crate::error::Error;
use crate::terminal::{self, Outcome};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Name of a command, such as check
    command: Option<String>,
}

pub fn run(args: &Args, mut program: clap::Command) -> Outcome {
    // Adds the full name and the global options to each command.
    program.build();
    let command = match &args.command {
        None => &program,
        Some(name) => program.find_subcommand(name).ok_or_else(|| unknown_command(name, &program))?,
    };
    let mut page = Vec::new();
    let source = concat!("sitegate ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(command.clone()).source(source).manual("sitegate").render(&mut page)?;
    terminal::print(|out| out.write_all(&page))?;
    Ok(0)
}

fn unknown_command(name: &str, program: &clap::Command) -> Error {
    let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    Error::usage(format!("there is no command `{name}`; the commands are {}", names.join(", ")))
}
