//! `sitegate target repair`: finds damage in the target state, and fixes it.

use std::io::{self, Write};

use serde_json::json;
use sitegate_publish::repair::{self, Repair};

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
