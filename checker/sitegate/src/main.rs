//! Arguments in, exit code out.

mod cli;
mod commands;
mod contract_commands;
mod outputs;
mod plan_output;
mod publish_commands;
mod release_commands;
mod watch;
mod watch_command;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    // clap prints help and version with 0, and a wrong command line with 2.
    let cli = cli::Cli::parse();
    let result = match cli.command {
        cli::Command::Init(args) => contract_commands::init(&args),
        cli::Command::Check(args) if args.watch => watch_command::watch(&args),
        cli::Command::Check(args) => commands::check(&args),
        cli::Command::Rules { format } => commands::rules(format),
        cli::Command::Explain { rule } => commands::explain(&rule),
        cli::Command::Schema => contract_commands::schema(),
        cli::Command::Serve(args) => publish_commands::serve(&args),
        cli::Command::Publish(args) => publish_commands::publish(&args, false),
        cli::Command::Plan(args) => publish_commands::publish(&args, true),
        cli::Command::Status(args) => release_commands::status(&args),
        cli::Command::Rollback(args) => release_commands::rollback(&args),
        cli::Command::Verify(args) => release_commands::verify(&args),
        cli::Command::Gc(args) => release_commands::gc(&args),
        cli::Command::Unlock(args) => release_commands::unlock(&args),
        cli::Command::Edge(args) => release_commands::edge(&args),
        cli::Command::Completions { shell } => contract_commands::completions(shell),
        cli::Command::Man { command } => contract_commands::man(command.as_deref()),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            commands::complain(&error);
            ExitCode::from(2)
        }
    }
}
