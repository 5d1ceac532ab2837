//! The list of commands. What each takes and does stands in its own file below `commands`.

use clap::{CommandFactory, Parser, Subcommand};

use crate::commands::{
    check, completions, edge, explain, gc, init, man, plan, publish, render, repair, rollback, rules, schema,
    serve, status, unlock, verify, watch,
};
use crate::terminal::Outcome;

/// The gate a static site must pass before it goes live.
#[derive(Debug, Parser)]
#[command(name = "sitegate", version, about, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a starter sitegate.toml from the export that is there
    Init(init::Args),
    /// Check an export: links, anchors, assets, and the contract in sitegate.toml
    Check(Box<check::Args>),
    /// Write a saved JSON report in another format, such as HTML
    Render(render::Args),
    /// List the rules
    Rules(rules::Args),
    /// Say what a rule finds, why it matters, and how to put it right
    Explain(explain::Args),
    /// Print the JSON Schema of sitegate.toml, for editors, or of the JSON report
    Schema(schema::Args),
    /// Preview an export on 127.0.0.1 as its host will answer
    Serve(serve::Args),
    /// Publish what passed the check to a bucket or a folder
    Publish(Box<publish::Args>),
    /// Show what `publish` would do, and do nothing
    Plan(Box<plan::Args>),
    /// Say which release is live, which can be rolled back to, and whether a publisher is at work
    Status(status::Args),
    /// Put an earlier release back, from what the target keeps: no local files are needed
    Rollback(rollback::Args),
    /// Ask a live site whether it answers as sealed: statuses, both spellings, types, bytes, the 404 page
    #[command(hide = !cfg!(feature = "network"))]
    Verify(verify::Args),
    /// Clear away what neither the live release nor the kept ones need
    Gc(gc::Args),
    /// Free a target from a publisher that died
    Unlock(unlock::Args),
    /// Say what is damaged of what a target remembers, and mend it with --apply
    Repair(repair::Args),
    /// Print the configuration that the contract asks of a host
    Edge(edge::Args),
    /// Print a script that completes commands and flags in a shell
    Completions(completions::Args),
    /// Print the man page of the program, or of one command
    Man(man::Args),
}

impl Cli {
    /// Runs the command.
    pub fn run(&self) -> Outcome {
        match &self.command {
            Command::Init(args) => init::run(args),
            Command::Check(args) if args.watch => watch::run(args),
            Command::Check(args) => check::run(args),
            Command::Render(args) => render::run(args),
            Command::Rules(args) => rules::run(args),
            Command::Explain(args) => explain::run(args),
            Command::Schema(args) => schema::run(args),
            Command::Serve(args) => serve::run(args),
            Command::Publish(args) => publish::run(args),
            Command::Plan(args) => plan::run(args),
            Command::Status(args) => status::run(args),
            Command::Rollback(args) => rollback::run(args),
            Command::Verify(args) => verify::run(args),
            Command::Gc(args) => gc::run(args),
            Command::Unlock(args) => unlock::run(args),
            Command::Repair(args) => repair::run(args),
            Command::Edge(args) => edge::run(args),
            Command::Completions(args) => completions::run(args, Cli::command()),
            Command::Man(args) => man::run(args, Cli::command()),
        }
    }
}
