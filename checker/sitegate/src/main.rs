//! The program `sitegate`: parses its arguments, runs a command and returns its exit code.

mod baseline_args;
mod carry;
mod cli;
mod commands;
mod crawl_limits;
mod edited_files;
mod error;
mod export_args;
mod external_lock;
mod facts_file;
mod fixes;
mod git;
mod inventory_file;
#[cfg(feature = "network")]
mod online;
#[cfg(not(feature = "network"))]
#[path = "offline.rs"]
mod online;
mod plan_output;
mod redirect_writer;
mod report_args;
mod runtime;
mod sorted_list;
mod target_args;
mod terminal;

use std::process::ExitCode;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The allocator of the static program for Linux. It is linked with musl, whose own allocator blocks all threads on
/// one lock.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let outcome = match cli::Cli::parse_arguments() {
        Ok(cli) => cli.run(),
        // Commands have no version of their own.
        Err(error) if is_version_option(&error) => {
            let version = cli::Cli::command().render_version();
            terminal::print(|out| write!(out, "{version}")).map(|()| 0).map_err(error::Error::Output)
        }
        Err(error) => {
            cli::apply_color_of_unparsed();
            terminal::print_clap_message(&error)
        }
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(error) => terminal::exit_with(&error),
    }
}

/// Whether the arguments of a command contain `--version`, or `-V`.
fn is_version_option(error: &clap::Error) -> bool {
    let unknown = error.get(ContextKind::InvalidArg);
    error.kind() == ErrorKind::UnknownArgument
        && matches!(unknown, Some(ContextValue::String(option)) if option == "-V" || option == "--version")
}
