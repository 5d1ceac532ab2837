//! `sitegate repair`: finds damage in the target state, and fixes it.

use serde_json::json;

use crate::runtime;
use crate::target_args::TargetArgs;
use crate::terminal::{BOLD, CommandFormat, CommandFormatArgs, GREEN, Outcome, RED, YELLOW};

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    target: TargetArgs,
    /// Fix the damage; by default it is only reported
    #[arg(long)]
    apply: bool,
    #[command(flatten)]
    output: CommandFormatArgs,
}

pub fn run(args: &Args) -> Outcome {
    runtime::run(async {
        let target = args.target.open().await?;
        let found = sitegate_publish::repair::repair(&target, args.apply).await?;
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
            if args.apply {
                Ok(())
            } else {
                writeln!(out, "nothing was changed; --apply makes these changes")
            }
        })
    })
}
