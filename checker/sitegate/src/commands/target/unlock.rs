//! `sitegate target unlock`: unlocks a target after its publisher died.

use std::io::{self, Write};

use serde_json::json;
use sitegate_base::shell_word::shell_word;
use sitegate_publish::target_state::state::Stage;
use sitegate_publish::unlock::{self, UnlockOutcome};

use crate::runtime;
use crate::target_args::TargetArgs;
use crate::terminal::{CommandFormat, CommandFormatArgs, GREEN, Outcome};

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
