//! The command line, by clap's derive: help texts stand here and nowhere else.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::outputs::Outputs;

/// The gate a static site must pass before it goes live.
#[derive(Debug, Parser)]
#[command(name = "sitegate", version, about, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check an export: links, anchors, assets, and the contract in sitegate.toml
    Check(CheckArgs),
    /// List the rules
    Rules {
        /// How to print them
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Say what a rule finds, why it matters, and how to put it right
    Explain {
        /// The rule's id, such as broken-link
        rule: String,
    },
    /// Preview an export on 127.0.0.1 as an S3 website behind a CDN would answer
    Serve(ServeArgs),
}

/// Exit codes: 0 passed, 1 findings at error level, 2 could not check.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 passed, 1 findings at error level, 2 could not check.")]
pub struct CheckArgs {
    #[command(flatten)]
    pub export: ExportArgs,
    #[command(flatten)]
    pub outputs: Outputs,
    /// Where to write the seal that `publish` asks for; written only on a pass
    #[arg(long, value_name = "FILE")]
    pub seal: Option<PathBuf>,
}

/// Which export, held to which contract.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The export's folder [default: site.root of the contract]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// The contract [default: sitegate.toml in the working directory, if it is there]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Check by the default rules, even where there is a sitegate.toml
    #[arg(long)]
    pub no_config: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
}

#[derive(Debug, Args)]
pub struct ServeArgs {
    #[command(flatten)]
    pub export: ExportArgs,
    /// The port on 127.0.0.1; 0 takes any free one
    #[arg(long, value_name = "N", default_value_t = 4173)]
    pub port: u16,
    /// Stop after this many seconds
    #[arg(long = "for", value_name = "SECONDS")]
    pub limit: Option<u64>,
}
