//! The command line: the options of every command (the log level and colors), and the list of commands. The files
//! below `commands` have their arguments and what they do.

use std::env;

use clap::error::{ContextKind, ContextValue};
use clap::{ArgAction, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use sitegate_base::nearest::nearest;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::prelude::*;

use crate::commands::{
    carry, check, diff, explain, help, host_config, init, integration, inventory, mv, publish, redirects,
    render, rollback, serve, target, verify, watch,
};
use crate::terminal::{self, Outcome};

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
    Schema(integration::SchemaArgs),
    /// Print a completion script for a shell
    Completions(integration::CompletionsArgs),
    /// Print the man page of the program or of a command
    Man(integration::ManArgs),
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
            Command::Schema(args) => integration::print_schema(args),
            Command::Completions(args) => integration::print_completions(args, Cli::command()),
            Command::Man(args) => integration::print_man_page(args, Cli::command()),
            Command::Help(args) => help::run(args, Cli::command()),
        }
    }
}

/// The options of every command.
#[derive(Debug, clap::Args)]
struct GlobalArgs {
    // Only short help, as for `--color`: with more, clap would print the long help of the program for `--help`.
    /// Log stages to stderr; -vv adds files and requests
    #[arg(long, short, global = true, action = ArgAction::Count, display_order = 990)]
    verbose: u8,
    /// Use color: auto, always or never [default: auto]
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        display_order = 991,
        value_enum,
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true
    )]
    color: ColorChoice,
}

impl GlobalArgs {
    /// Applies the options to the process.
    pub fn apply(&self) {
        set_color(self.color);
        let level = match self.verbose {
            0 => return,
            1 => LevelFilter::INFO,
            _ => LevelFilter::DEBUG,
        };
        let lines =
            fmt::layer().with_writer(terminal::stderr).with_target(false).with_timer(fmt::time::uptime());
        // Only events of this program's crates: all their names start with `sitegate`.
        tracing_subscriber::registry()
            .with(lines.with_filter(Targets::new().with_target("sitegate", level)))
            .init();
    }
}

/// Applies `--color` of a command line that cannot be parsed or requests help.
pub fn apply_color_of_unparsed() {
    let words: Vec<String> = env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let after = words.iter().position(|word| word == "--color").and_then(|at| words.get(at + 1));
    let value = words.iter().find_map(|word| word.strip_prefix("--color=")).or(after.map(String::as_str));
    set_color(value.and_then(|value| ColorChoice::from_str(value, false).ok()).unwrap_or_default());
}

fn set_color(choice: ColorChoice) {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    match choice {
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
        // anstream reads the other variables, but not `FORCE_COLOR`.
        ColorChoice::Auto if is_set("FORCE_COLOR") && !is_set("NO_COLOR") => anstream::ColorChoice::Always,
        ColorChoice::Auto => anstream::ColorChoice::Auto,
    }
    .write_global();
}
