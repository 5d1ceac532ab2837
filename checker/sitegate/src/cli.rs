//! The list of commands. Each has its own file below `commands`, with its arguments and what it does.

use clap::{CommandFactory, Parser, Subcommand};

use crate::commands::{
    check, completions, diff, edge, explain, gc, init, inventory, man, mv, plan, publish, redirects, render,
    repair, rollback, rules, schema, serve, status, unlock, verify, watch,
};
use crate::global_args::GlobalArgs;
use crate::terminal::Outcome;

/// The gate a static site must pass before it goes live.
#[derive(Debug, Parser)]
#[command(name = "sitegate", version, about, max_term_width = 79)]
pub struct Cli {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a starter sitegate.toml for an existing export
    Init(init::Args),
    /// Check an export: links, anchors, assets and the contract
    Check(Box<check::Args>),
    /// Convert a saved JSON report to another format, such as HTML
    Render(render::Args),
    /// Convert and join inventories: the addresses of sites
    Inventory(inventory::Args),
    /// Propose redirects for addresses that the site has lost
    Redirects(redirects::Args),
    /// Move a source: edit all links to it and in it, add its redirect
    Mv(mv::Args),
    /// Review what a change does to the site, by comparing two builds
    Diff(diff::Args),
    /// List the rules
    Rules(rules::Args),
    /// Explain a rule: what it finds, why it matters, how to fix it
    Explain(explain::Args),
    /// Print the JSON Schema of sitegate.toml, a report or a review
    Schema(schema::Args),
    /// Preview an export on 127.0.0.1 as its host will serve it
    Serve(serve::Args),
    /// Publish exactly the files that passed to a bucket or folder
    Publish(Box<publish::Args>),
    /// Show what `publish` would do, without writing anything
    Plan(Box<plan::Args>),
    /// Show the live release, kept releases and a running publish
    Status(status::Args),
    /// Roll back to an earlier release, using only files on the target
    Rollback(rollback::Args),
    /// Verify that a live site matches its seal
    ///
    /// Compares statuses, media types and bytes of every file, and the 404 page. Requests folders with and without a trailing
    /// slash.
    #[command(hide = !cfg!(feature = "network"))]
    Verify(verify::Args),
    /// Remove files that no kept release needs
    Gc(gc::Args),
    /// Unlock a target after its publisher died
    Unlock(unlock::Args),
    /// Find damage in the target state, and fix it with --apply
    Repair(repair::Args),
    /// Print the host configuration that the contract needs
    Edge(edge::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
    /// Print the man page of the program or of a command
    Man(man::Args),
}

impl Cli {
    /// Runs the command.
    pub fn run(&self) -> Outcome {
        self.global.apply();
        match &self.command {
            Command::Init(args) => init::run(args),
            Command::Check(args) if args.watch => watch::run(args),
            Command::Check(args) => check::run(args),
            Command::Render(args) => render::run(args),
            Command::Inventory(args) => inventory::run(args),
            Command::Redirects(args) => redirects::run(args),
            Command::Mv(args) => mv::run(args),
            Command::Diff(args) => diff::run(args),
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
