//! `sitegate unlock`: unlocks a target after its publisher died.

use serde_json::json;
use sitegate_publish::target_state::state::Stage;
use sitegate_publish::unlock::{self, UnlockOutcome};

use crate::runtime;
use crate::target_args::TargetArgs;
use crate::terminal::{CommandFormat, CommandFormatArgs, Outcome, RED};

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    output: CommandFormatArgs,
}

pub fn run(args: &Args) -> Outcome {
    runtime::run(async {
        let target = args.target.open().await?;
        let freed = unlock::unlock(&target).await?;
        runtime::print(|out| match (args.output.format, &freed) {
            (CommandFormat::Json, freed) => {
                let run = match freed {
                    UnlockOutcome::NotHeld => None,
                    UnlockOutcome::Run(run) => Some(run.number),
                    UnlockOutcome::Unreadable(number) => Some(*number),
                };
                writeln!(out, "{:#}", json!({"schema_version": 1, "target": target.url, "freed": run}))
            }
            (CommandFormat::Human, UnlockOutcome::NotHeld) => writeln!(out, "{} is not locked", target.url),
            (CommandFormat::Human, UnlockOutcome::Run(run)) => {
                let changed = run.stage == Stage::Publishing && run.release.is_some();
                let next = if changed {
                    "; publish again or roll back to complete its interrupted work"
                } else {
                    ""
                };
                writeln!(out, "{RED}unlocked{RED:#} {}: it was held by run {}{next}", target.url, run.number)
            }
            (CommandFormat::Human, UnlockOutcome::Unreadable(number)) => writeln!(
                out,
                "{RED}unlocked{RED:#} {}: it was held by run {number}, whose record cannot be read; `sitegate repair {}` \
                 lists other damage",
                target.url, target.url
            ),
        })
    })
}
