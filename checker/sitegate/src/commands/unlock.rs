//! `sitegate unlock`: frees a target from a publisher that died.

use serde_json::json;
use sitegate_publish::target_state::state::Stage;
use sitegate_publish::unlock::{self, UnlockOutcome};

use crate::store::{self, StoreArgs};
use crate::terminal::{AnswerArgs, AnswerFormat, Outcome, RED};

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    answer: AnswerArgs,
}

pub fn run(args: &Args) -> Outcome {
    store::run(async {
        let target = args.store.open().await?;
        let freed = unlock::unlock(&target).await?;
        store::print(|out| match (args.answer.format, &freed) {
            (AnswerFormat::Json, freed) => {
                let run = match freed {
                    UnlockOutcome::NotHeld => None,
                    UnlockOutcome::Run(run) => Some(run.number),
                    UnlockOutcome::Unreadable(number) => Some(*number),
                };
                writeln!(out, "{:#}", json!({"schema_version": 1, "target": target.url, "freed": run}))
            }
            (AnswerFormat::Human, UnlockOutcome::NotHeld) => writeln!(out, "nobody holds {}", target.url),
            (AnswerFormat::Human, UnlockOutcome::Run(run)) => {
                let touched = run.stage == Stage::Publishing && run.release.is_some();
                let next = if touched { "; publish again, or roll back, to end what it began" } else { "" };
                writeln!(out, "{RED}freed{RED:#} {} from run {}{next}", target.url, run.number)
            }
            (AnswerFormat::Human, UnlockOutcome::Unreadable(number)) => writeln!(
                out,
                "{RED}freed{RED:#} {} from run {number}, whose record cannot be read; `sitegate repair {}` says what \
                 else is damaged",
                target.url, target.url
            ),
        })
    })
}
