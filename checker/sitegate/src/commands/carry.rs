//! `sitegate carry`: adds the hashed files of earlier releases to an export, for hosts that replace a site as a whole.

use std::path::PathBuf;

use clap::value_parser;
use sitegate_base::plural::count;
use sitegate_base::sanitize::visible;

use crate::carry::{self, CarryLimits};
use crate::error::Error;
use crate::export_args::{self, ContractArgs};
use crate::target_args::StoreArgs;
use crate::terminal::{self, DIM, Outcome};

#[derive(Debug, clap::Args)]
#[command(after_help = "Run it after each build, before `sitegate check --seal`.\n\n\
                  Exit codes:\n  0  the export has the files\n  2  the arguments, the export or the previous release cannot be used")]
pub struct Args {
    /// Folder of the new export
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Previous release: folder, archive, target or URL
    ///
    /// Carried are the files with a hash in their name or an `immutable` rule that its pages and scripts load, and those
    /// that it carries itself. An archive is a .tar, .tar.gz or .tgz. A target is that of `publish`, such as `s3://my-site`;
    /// `#RELEASE` at its end names an earlier release. A live site without a list of an earlier carry is crawled.
    #[arg(long, value_name = "FROM")]
    from: String,
    /// Number of releases that a file stays
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..=1000))]
    releases: u32,
    /// Number of days that a file stays
    #[arg(long, value_name = "DAYS", default_value_t = 30, value_parser = value_parser!(i64).range(1..=3650))]
    max_age: i64,
    /// Maximum size of all carried files, in MB
    ///
    /// The files of the latest releases come first.
    #[arg(long, value_name = "MB", default_value_t = 200, value_parser = value_parser!(u64).range(1..=100_000))]
    max_size: u64,
    /// Show what would be added, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    store: StoreArgs,
}

pub fn run(args: &Args) -> Outcome {
    if let Some(message) = export_args::explain_missing_folder(&args.dir) {
        return Err(Error::usage(message));
    }
    let mut contract = args.contract.load()?;
    let limits = CarryLimits {
        releases: args.releases,
        days: args.max_age,
        size: args.max_size.saturating_mul(1_000_000),
    };
    let store = args.store.options();
    let carry = carry::carry(&args.dir, &args.from, &mut contract, &store, limits, args.dry_run)?;
    for path in &carry.missing {
        terminal::print_note(&format!("not carried: {} has another content or is missing", visible(path)));
    }
    if let Some(note) = unhashed_note(&carry.unhashed) {
        terminal::print_note(&note);
    }
    terminal::print(|out| {
        for (path, asset) in carry.added.iter().filter(|_| args.dry_run) {
            let age = count(asset.releases as usize, "release");
            writeln!(out, "{}  {DIM}{} bytes, {age} old{DIM:#}", visible(path), asset.size)?;
        }
        let verb = if args.dry_run { "would add" } else { "added" };
        let added = count(carry.added.len(), "file");
        let bytes: u64 = carry.carried.values().map(|asset| asset.size).sum();
        let kept = carry.carried.len();
        let dropped = carry.dropped;
        writeln!(
            out,
            "{verb} {added} of earlier releases; the export carries {kept} ({bytes} bytes); too old or too large: {dropped}"
        )
    })?;
    Ok(0)
}

/// Returns the note on files that pages of the previous release load, and that the export does not get.
fn unhashed_note(paths: &[String]) -> Option<String> {
    let (first, second) = (paths.first()?, paths.get(1));
    let examples = second
        .map_or(visible(first).into_owned(), |second| format!("{}, {}", visible(first), visible(second)));
    let more = if paths.len() > 2 { " …" } else { "" };
    let files = count(paths.len(), "file");
    Some(format!(
        "not carried: {files} that pages of the previous release load, without a hash in the name: {examples}{more}"
    ))
}
