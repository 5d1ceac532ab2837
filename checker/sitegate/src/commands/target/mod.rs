//! `sitegate target`: shows what a target keeps, and maintains it: removes files that no kept release needs, fixes
//! damage, and unlocks it after its publisher died.

mod status;

use std::io::{self, Write};

use clap::Subcommand;
use serde_json::json;
use sitegate_base::plural::count;
use sitegate_base::shell_word::shell_word;
use sitegate_publish::maintenance::{self, UnlockOutcome};
use sitegate_publish::repair::{self, Repair};
use sitegate_publish::target_state::state::Stage;

use crate::runtime;
use crate::target_args::TargetArgs;
use crate::terminal::{BOLD, CommandFormat, CommandFormatArgs, GREEN, Outcome, RED, YELLOW};

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
    Gc(GcArgs),
    /// Unlock a target after its publisher died
    Unlock(UnlockArgs),
    /// Find damage in the target state, and fix it with --apply
    Repair(RepairArgs),
}

/// Runs a command for a target.
pub fn run(args: &Args) -> Outcome {
    match &args.command {
        TargetCommand::Status(args) => status::run(args),
        TargetCommand::Gc(args) => collect_garbage(args),
        TargetCommand::Unlock(args) => unlock_target(args),
        TargetCommand::Repair(args) => repair_target(args),
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
struct GcArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Number of earlier releases to keep
    #[arg(long, value_name = "N", default_value_t = 5)]
    keep_releases: usize,
    /// Report what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
}

/// Removes files that neither the live release nor a kept one needs.
fn collect_garbage(args: &GcArgs) -> Outcome {
    runtime::run(async {
        let target = args.target.open().await?;
        let removed = maintenance::collect_garbage(&target, args.keep_releases, args.dry_run).await?;
        let verb = if args.dry_run { "would remove" } else { "removed" };
        let kinds = [
            count(removed.releases.len(), "release"),
            count(removed.contents, "file") + " of earlier releases",
            count(removed.records, "record") + " of earlier runs",
        ];
        let counts = [removed.releases.len(), removed.contents, removed.records];
        let parts: Vec<String> =
            kinds.into_iter().zip(counts).filter(|(_, count)| *count > 0).map(|(kind, _)| kind).collect();
        runtime::print(|out| {
            if parts.is_empty() {
                return writeln!(out, "nothing to remove");
            }
            writeln!(out, "{verb} {}", parts.join(", "))?;
            removed.releases.iter().try_for_each(|release| writeln!(out, "  {release}"))
        })
    })
}

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
struct RepairArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Fix the damage; by default it is only reported
    #[arg(long)]
    apply: bool,
    #[command(flatten)]
    output: CommandFormatArgs,
}

/// Finds damage in the target state, and fixes it.
fn repair_target(args: &RepairArgs) -> Outcome {
    runtime::run(async {
        let target = args.target.open().await?;
        let found = repair::repair(&target, args.apply).await?;
        runtime::print(|out| {
            if args.output.format == CommandFormat::Json {
                let document = json!({
                    "schema_version": 1,
                    "target": target.url,
                    "damaged": found.damaged,
                    "steps": found.steps,
                    "applied": args.apply && !found.damaged.is_empty(),
                });
                return writeln!(out, "{document:#}");
            }
            write_repair(&target.url, &found, args.apply, out)
        })
    })
}

fn write_repair(url: &str, found: &Repair, is_applied: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{BOLD}{url}{BOLD:#}")?;
    if found.damaged.is_empty() {
        return writeln!(out, "  nothing is damaged");
    }
    for damaged in &found.damaged {
        writeln!(out, "  {RED}problem{RED:#}  {damaged}")?;
    }
    let (style, label) = if is_applied { (GREEN, "done") } else { (YELLOW, "would") };
    for step in &found.steps {
        writeln!(out, "  {style}{label:7}{style:#}  {step}")?;
    }
    match (found.steps.is_empty(), is_applied) {
        (true, _) => writeln!(out, "nothing was changed: sitegate cannot fix this"),
        (false, true) => Ok(()),
        (false, false) => {
            writeln!(out, "nothing was changed; to fix it: sitegate target repair --apply {url}")
        }
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
struct UnlockArgs {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    output: CommandFormatArgs,
}

/// Unlocks a target after its publisher died.
fn unlock_target(args: &UnlockArgs) -> Outcome {
    runtime::run(async {
        let target = args.target.open().await?;
        let freed = maintenance::unlock(&target).await?;
        runtime::print(|out| match (args.output.format, &freed) {
            (CommandFormat::Json, freed) => {
                let run = match freed {
                    UnlockOutcome::NotHeld => None,
                    UnlockOutcome::Run(run) => Some(run.number),
                    UnlockOutcome::Unreadable(number) => Some(*number),
                };
                writeln!(out, "{:#}", json!({"schema_version": 1, "target": target.url, "freed": run}))
            }
            (CommandFormat::Human, freed) => write_outcome(&target.url, freed, out),
        })
    })
}

fn write_outcome(url: &str, freed: &UnlockOutcome, out: &mut dyn Write) -> io::Result<()> {
    let (by, next) = match freed {
        UnlockOutcome::NotHeld => return writeln!(out, "{url} is not locked; nothing was changed"),
        UnlockOutcome::Run(run) => {
            let was_publishing = run.stage == Stage::Publishing && run.release.is_some();
            let next = "its release may be incomplete: publish it again, or roll back";
            (format!("held by run {}", run.number), was_publishing.then(|| next.to_owned()))
        }
        UnlockOutcome::Unreadable(number) => (
            format!("held by run {number}, whose record cannot be read"),
            Some(format!("list other damage: sitegate target repair {}", shell_word(url))),
        ),
    };
    writeln!(out, "{GREEN}unlocked{GREEN:#} {url}\n  it was {by}")?;
    next.map_or(Ok(()), |next| writeln!(out, "  {next}"))
}
