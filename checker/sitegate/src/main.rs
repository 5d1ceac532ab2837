//! Arguments in, exit code out.

mod cli;
mod commands;
mod error;
mod export;
#[cfg(feature = "network")]
mod external;
#[cfg(not(feature = "network"))]
mod external_without_network;
mod global;
#[cfg(feature = "network")]
mod live;
mod outputs;
mod plan_output;
mod progress;
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
        Err(error) => {
            global::color_unparsed();
            return terminal::answer(&error);
        }
    };
    match cli.run() {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            terminal::complain(&error.message());
            ExitCode::from(error.exit().exit_code())
        }
    }
}
