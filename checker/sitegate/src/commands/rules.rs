//! `sitegate rules`: lists the rules.

use std::io::{self, Write};

use serde::Serialize;
use sitegate_check::{Category, RuleInfo, Severity, rules};

use crate::terminal::{self, BOLD, CommandFormat, CommandFormatArgs, DIM, Outcome};

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    output: CommandFormatArgs,
}

#[derive(Serialize)]
struct RuleList {
    rules: Vec<RuleEntry>,
}

#[derive(Serialize)]
struct RuleEntry {
    id: &'static str,
    category: Category,
    default: Severity,
    summary: &'static str,
    why: &'static str,
    bad: &'static str,
    good: &'static str,
}

impl From<&'static RuleInfo> for RuleEntry {
    fn from(rule: &'static RuleInfo) -> RuleEntry {
        let RuleInfo { id, category, default, summary, why, bad, good, .. } = *rule;
        RuleEntry { id, category, default, summary, why, bad, good }
    }
}

pub fn run(args: &Args) -> Outcome {
    terminal::print(|out| match args.output.format {
        CommandFormat::Json => {
            let rules = rules().map(RuleEntry::from).collect();
            serde_json::to_writer_pretty(&mut *out, &RuleList { rules })?;
            writeln!(out)
        }
        CommandFormat::Human => write_list(out),
    })?;
    Ok(0)
}

fn write_list(out: &mut dyn Write) -> io::Result<()> {
    let width = rules().map(|rule| rule.id.len()).max().unwrap_or(0);
    let mut category = None;
    for rule in rules() {
        if category != Some(rule.category) {
            let gap = if category.is_some() { "\n" } else { "" };
            writeln!(out, "{gap}{BOLD}{}{BOLD:#}", rule.category)?;
            category = Some(rule.category);
        }
        let level = rule.default.as_str();
        writeln!(out, "  {:width$}  {DIM}{level:7}{DIM:#}  {}", rule.id, rule.summary)?;
    }
    writeln!(out, "\n{DIM}`sitegate explain RULE` explains a rule.{DIM:#}")
}
