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
    /// Write a starter sitegate.toml from the export that is there
    Init(InitArgs),
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
    /// Print the JSON Schema of sitegate.toml, for editors
    Schema,
    /// Preview an export on 127.0.0.1 as an S3 website behind a CDN would answer
    Serve(ServeArgs),
    /// Publish what passed the check to a bucket or a folder
    Publish(PublishArgs),
    /// Show what `publish` would do, and do nothing
    Plan(PublishArgs),
    /// Say which release is live, which can be rolled back to, and whether a publisher is at work
    Status(StatusArgs),
    /// Put the release before the live one back, from what the target keeps: no local files are needed
    Rollback(RollbackArgs),
    /// Ask a live site whether it answers as sealed: statuses, both spellings, types, bytes, the 404 page
    Verify(VerifyArgs),
    /// Clear away what neither the live release nor the kept ones need
    Gc(GcArgs),
    /// Free a target from a publisher that died
    Unlock(StatusArgs),
    /// Print the configuration that the contract asks of a host
    Edge(EdgeArgs),
    /// Print a script that completes commands and flags in a shell
    Completions {
        /// Which shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the man page of the program, or of one command
    Man {
        /// The command, such as check
        command: Option<String>,
    },
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
    /// Known findings, beside which only new ones fail [default: check.baseline of the contract]
    ///
    /// A run that passes is sealed, known findings and all: the seal's contract digest covers the baseline.
    /// `publish` goes by the contract alone, so it takes such a seal only where the contract names the same file.
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    pub baseline: Option<PathBuf>,
    /// Write every finding of this run to a baseline, and exit with 0
    #[arg(long, value_name = "FILE", help_heading = "Baseline", conflicts_with_all = ["baseline", "seal"])]
    pub write_baseline: Option<PathBuf>,
    /// Check again whenever the export or the contract changes, and print what is new and what is fixed
    #[arg(long, conflicts_with_all = ["format", "seal", "write_baseline"])]
    pub watch: bool,
}

#[derive(Debug, Args)]
pub struct InitArgs {
    /// The export's folder [default: the first of dist/client, dist, build, out, public, _site … that has pages]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Where to write the contract
    #[arg(long, value_name = "FILE", default_value = sitegate_check::contract::FILE_NAME)]
    pub config: PathBuf,
    /// Replace a contract that is there
    #[arg(long)]
    pub force: bool,
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

/// Where a release goes, and how to get there.
#[derive(Debug, Args)]
pub struct StoreArgs {
    /// s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX or file:///FOLDER
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// The store's address, where it is not the provider's own
    #[arg(long, value_name = "URL", help_heading = "Store")]
    pub endpoint: Option<String>,
    /// The store's region [default: from the environment or the profile, else us-east-1]
    #[arg(long, value_name = "NAME", help_heading = "Store")]
    pub region: Option<String>,
    /// The profile in ~/.aws to take credentials from [default: the environment, else AWS_PROFILE]
    #[arg(long, value_name = "NAME", help_heading = "Store")]
    pub profile: Option<String>,
    /// Put the bucket into the host name; without this it is part of the path
    #[arg(long, help_heading = "Store")]
    pub virtual_host: bool,
    /// Allow http without encryption to other machines than this one
    #[arg(long, help_heading = "Store")]
    pub allow_http: bool,
    /// How long a request may take, in seconds; large files get more
    #[arg(long, value_name = "SECONDS", default_value_t = 30, help_heading = "Store")]
    pub timeout: u64,
    /// How many requests run at once
    #[arg(long, value_name = "N", default_value_t = 16, help_heading = "Store")]
    pub jobs: usize,
}

/// What a publish may do without being asked again.
#[derive(Debug, Args)]
pub struct LimitArgs {
    /// How many earlier releases can be rolled back to; their hashed assets stay for open tabs
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Guards")]
    pub keep_releases: usize,
    /// How many pages and files may be deleted
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = "Guards")]
    pub max_deletes: usize,
    /// Replace objects that were changed by hand since the last publish
    #[arg(long, help_heading = "Guards")]
    pub overwrite_drift: bool,
    /// Replace objects that no publish of sitegate wrote
    #[arg(long, help_heading = "Guards")]
    pub adopt: bool,
    /// Let placeholders such as example.com go live
    #[arg(long, help_heading = "Guards")]
    pub allow_placeholders: bool,
    /// Let pages of the live release vanish
    #[arg(long, help_heading = "Guards")]
    pub allow_gone: bool,
}

#[derive(Debug, Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct PublishArgs {
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(flatten)]
    pub export: ExportArgs,
    /// The seal that `sitegate check --seal` wrote
    #[arg(long, value_name = "FILE")]
    pub seal: PathBuf,
    /// Show what would be done, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Put compressed forms beside each text, FILE.br and FILE.gz, for nginx's brotli_static and gzip_static;
    /// folders only, for buckets cannot choose between them
    #[arg(long)]
    pub precompress: bool,
    /// How to print the plan and the result
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Print what happens as it happens, one JSON object a line, to standard error
    #[arg(long)]
    pub events: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub after: AfterArgs,
    /// How long others wait for a publisher that does not stir, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120, help_heading = "Store")]
    pub lease: u64,
}

/// What follows when a release is live.
#[derive(Debug, Args)]
pub struct AfterArgs {
    /// Then invalidate this CloudFront distribution, with the credentials of the target
    #[arg(long, value_name = "ID", help_heading = "When it is live")]
    pub invalidate: Option<String>,
    /// Then ask the live site at this address whether it answers as sealed
    #[arg(long, value_name = "URL", help_heading = "When it is live")]
    pub verify: Option<String>,
    /// How long to ask again until the site answers right, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0, help_heading = "When it is live")]
    pub patience: u64,
    /// Roll back if it does not
    #[arg(long, requires = "verify", help_heading = "When it is live")]
    pub rollback: bool,
}

#[derive(Debug, Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct StatusArgs {
    #[command(flatten)]
    pub store: StoreArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct RollbackArgs {
    #[command(flatten)]
    pub store: StoreArgs,
    /// The release to put back [default: the one before the live one]
    #[arg(long, value_name = "RELEASE")]
    pub to: Option<String>,
    /// Show what would be done, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How to print the plan and the result
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// How many earlier releases stay
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub keep_releases: usize,
    /// Then invalidate this CloudFront distribution
    #[arg(long, value_name = "ID")]
    pub invalidate: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 the site answers as sealed, 8 it does not, 2 cannot begin.")]
pub struct VerifyArgs {
    /// The site's address, such as https://www.example.com
    #[arg(value_name = "URL")]
    pub url: String,
    /// The seal that `sitegate check --seal` wrote
    #[arg(long, value_name = "FILE")]
    pub seal: PathBuf,
    /// The contract [default: sitegate.toml in the working directory, if it is there]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Expect what the default rules expect, even where there is a sitegate.toml
    #[arg(long)]
    pub no_config: bool,
    /// How to print what was found
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// How long an answer may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub timeout: u64,
    /// How long to ask again until the site answers right, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    pub patience: u64,
}

#[derive(Debug, Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct GcArgs {
    #[command(flatten)]
    pub store: StoreArgs,
    /// How many earlier releases stay
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub keep_releases: usize,
    /// Only say what would be cleared away
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, Args)]
pub struct EdgeArgs {
    /// The host
    #[arg(value_enum)]
    pub host: EdgeHost,
    #[command(flatten)]
    pub export: ExportArgs,
    /// The bucket that the site is published to
    #[arg(long, value_name = "NAME", default_value = "BUCKET")]
    pub bucket: String,
    /// The prefix in it
    #[arg(long, value_name = "PREFIX", default_value = "")]
    pub prefix: String,
}

/// A host that `edge` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EdgeHost {
    /// Function, response headers policies, error responses and bucket policy, as JSON
    Cloudfront,
    /// Website configuration and policies of a bucket, as JSON
    S3Website,
    /// A server block for the exported folder
    Nginx,
}
