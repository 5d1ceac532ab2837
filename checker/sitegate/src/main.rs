//! Arguments in, exit code out.

mod cli;
mod commands;
mod export;
mod outputs;
mod plan_output;
mod release;
mod store;
mod terminal;
mod watch;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    // clap prints help and version with 0, and a wrong command line with 2.
    match cli::Cli::parse().run() {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            terminal::complain(&error);
            ExitCode::from(2)
        }
    }
}
