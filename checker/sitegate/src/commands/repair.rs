//! `sitegate repair`: says what is damaged of what a target remembers, and mends it.

use serde_json::json;

use crate::store::{self, StoreArgs};
use crate::terminal::{AnswerArgs, AnswerFormat, BOLD, GREEN, Outcome, RED, YELLOW};

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// Fix the damage; without it, it is only reported
    #[arg(long)]
    apply: bool,
    #[command(flatten)]
    answer: AnswerArgs,
}

pub fn run(args: &Args) -> Outcome {
    store::run(async {
        let target = args.store.open().await?;
        let found = sitegate_publish::repair::repair(&target, args.apply).await?;
        store::print(|out| {
            if args.answer.format == AnswerFormat::Json {
                let document = json!({
                    "schema_version": 1,
                    "target": target.url,
                    "damaged": found.damaged,
                    "steps": found.steps,
                    "applied": args.apply && !found.damaged.is_empty(),
                });
                return writeln!(out, "{document:#}");
            }
            writeln!(out, "{BOLD}{}{BOLD:#}", target.url)?;
            if found.damaged.is_empty() {
                return writeln!(out, "  nothing is damaged");
            }
            for damaged in &found.damaged {
                writeln!(out, "  {RED}damaged{RED:#}  {damaged}")?;
            }
            for step in &found.steps {
                if args.apply {
                    writeln!(out, "  {GREEN}done{GREEN:#}     {step}")?;
                } else {
                    writeln!(out, "  {YELLOW}would{YELLOW:#}    {step}")?;
                }
            }
            if args.apply { Ok(()) } else { writeln!(out, "nothing was changed; --apply does it") }
        })
    })
}
