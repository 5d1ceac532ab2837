//! `sitegate man`: prints the man page of the program or of a command.

use crate::error::Error;
use crate::terminal::{self, Outcome};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Command, such as `check` or `target gc`
    command: Vec<String>,
}

pub fn run(args: &Args, mut program: clap::Command) -> Outcome {
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
