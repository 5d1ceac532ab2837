//! The list of commands. Each has its own file below `commands`, with its arguments and what it does.

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use sitegate_base::nearest::nearest;

use crate::commands::{
    carry, check, completions, diff, explain, help, host_config, init, inventory, man, mv, publish,
    redirects, render, rollback, schema, serve, target, verify, watch,
};
use crate::global_args::GlobalArgs;
use crate::terminal::Outcome;

/// The gate a static site must pass before it goes live.
#[derive(Debug, Parser)]
#[command(name = "sitegate", version, max_term_width = 79, disable_help_subcommand = true)]
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
    /// Explain a rule and how to fix its findings, or list all rules
    Explain(explain::Args),
    /// Move a source: edit all links to it and in it, add its redirect
    Mv(mv::Args),
    /// Review what a change does to the site, by comparing two builds
    Diff(diff::Args),
    /// Propose redirects for addresses that the site has lost
    Redirects(redirects::Args),
    /// Preview an export on 127.0.0.1 as its host will serve it
    Serve(serve::Args),
    /// Add hashed files of earlier releases, for open tabs
    Carry(Box<carry::Args>),
    /// Publish exactly the files that passed to a bucket or folder
    Publish(Box<publish::Args>),
    /// Verify that a live site matches its seal
    ///
    /// Compares statuses, media types and bytes of every file, and the 404 page. Requests folders with and without a trailing
    /// slash.
    #[command(hide = !cfg!(feature = "network"))]
    Verify(verify::Args),
    /// Roll back to an earlier release, using only files on the target
    Rollback(rollback::Args),
    /// Show the releases of a target; clean, unlock or repair it
    Target(target::Args),
    /// Print the host configuration that the contract needs
    HostConfig(host_config::Args),
    /// Convert a saved JSON report to another format, such as HTML
    Render(render::Args),
    /// Convert and join inventories: the addresses of sites
    Inventory(inventory::Args),
    /// Print the JSON Schema of sitegate.toml, a report or a review
    Schema(schema::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
    /// Print the man page of the program or of a command
    Man(man::Args),
    /// List all commands, or print the help of one
    Help(help::Args),
}

/// Suggests the command for an unknown one: one with a similar name, or a command of another command. The parser also
/// suggests names that only share some letters, such as `render` for `edge`.
fn with_near_command(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidSubcommand).cloned() else {
        return error;
    };
    error.remove(ContextKind::Suggested);
    let suggested = match error.remove(ContextKind::SuggestedSubcommand) {
        Some(ContextValue::Strings(names)) => names,
        _ => Vec::new(),
    };
    let program = Cli::command();
    let outer = program.get_subcommands().find(|outer| outer.find_subcommand(&unknown).is_some());
    let near = match outer {
        Some(outer) => Some(format!("{} {unknown}", outer.get_name())),
        None => nearest(&unknown, suggested.iter().map(String::as_str)).map(str::to_owned),
    };
    if let Some(near) = near {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::String(near));
    }
    error
}

impl Cli {
    /// Parses the command line of the process.
    ///
    /// # Errors
    /// If it is invalid, or asks for help or the version.
    pub fn parse_arguments() -> Result<Cli, clap::Error> {
        let parsed = help::with_command_groups(Cli::command()).try_get_matches();
        let mut matches = parsed.map_err(with_near_command)?;
        Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut Cli::command()))
    }

    /// Runs the command.
    pub fn run(&self) -> Outcome {
        self.global.apply();
        match &self.command {
            Command::Init(args) => init::run(args),
            Command::Check(args) if args.watch => watch::run(args),
            Command::Check(args) => check::run(args),
            Command::Explain(args) => explain::run(args),
            Command::Mv(args) => mv::run(args),
            Command::Diff(args) => diff::run(args),
            Command::Redirects(args) => redirects::run(args),
            Command::Serve(args) => serve::run(args),
            Command::Carry(args) => carry::run(args),
            Command::Publish(args) => publish::run(args),
            Command::Verify(args) => verify::run(args),
            Command::Rollback(args) => rollback::run(args),
            Command::Target(args) => target::run(args),
            Command::HostConfig(args) => host_config::run(args),
            Command::Render(args) => render::run(args),
            Command::Inventory(args) => inventory::run(args),
            Command::Schema(args) => schema::run(args),
            Command::Completions(args) => completions::run(args, Cli::command()),
            Command::Man(args) => man::run(args, Cli::command()),
            Command::Help(args) => help::run(args, Cli::command()),
        }
    }
}
