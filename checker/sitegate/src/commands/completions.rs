//! `sitegate completions`: prints a script that completes commands and flags in a shell.

use clap_complete::Shell;

use crate::terminal::{self, Outcome};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(args: &Args, mut program: clap::Command) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "sitegate", &mut script);
    terminal::print(|out| out.write_all(&script))?;
    Ok(0)
}
