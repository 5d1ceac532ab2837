//! `sitegate target`: shows what a target keeps, and maintains it.

mod gc;
mod repair;
mod status;
mod unlock;

use clap::Subcommand;

use crate::terminal::Outcome;

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: TargetCommand,
}

#[derive(Debug, Subcommand)]
enum TargetCommand {
    /// Show the live release, kept releases and a running publish
    Status(status::Args),
    /// Remove files that no kept release needs
    Gc(gc::Args),
    /// Unlock a target after its publisher died
    Unlock(unlock::Args),
    /// Find damage in the target state, and fix it with --apply
    Repair(repair::Args),
}

pub fn run(args: &Args) -> Outcome {
    match &args.command {
        TargetCommand::Status(args) => status::run(args),
        TargetCommand::Gc(args) => gc::run(args),
        TargetCommand::Unlock(args) => unlock::run(args),
        TargetCommand::Repair(args) => repair::run(args),
    }
}
