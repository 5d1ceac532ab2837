//! Arguments in, exit code out.

mod cli;
mod commands;
mod export;
#[cfg(feature = "network")]
mod external;
#[cfg(not(feature = "network"))]
mod external_without_network;
#[cfg(feature = "network")]
mod live;
mod outputs;
mod plan_output;
mod release;
mod store;
mod terminal;
mod watch;

use std::process::ExitCode;

use clap::Parser;

/// The static program for Linux is linked with musl, whose own allocator keeps all threads waiting for each other.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return terminal::answer(&error),
    };
    match cli.run() {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            terminal::complain(&error);
            ExitCode::from(2)
        }
    }
}
