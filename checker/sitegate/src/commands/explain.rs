//! `sitegate explain`: prints what a rule finds, why it matters, and how to fix it.

use std::io::{self, Write};

use sitegate_base::plural::capitalized;
use sitegate_check::{RuleInfo, Severity, find_rule, suggest_rule};

use crate::error::Error;
use crate::terminal::{self, BOLD, DIM, Outcome};

/// Maximum number of characters in a line of text.
const WIDTH: usize = 88;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of the rule, such as broken-link
    rule: String,
}

pub fn run(args: &Args) -> Outcome {
    let id = &args.rule;
    let Some(rule) = find_rule(id) else {
        let near = suggest_rule(id).map(|near| format!("; did you mean `{near}`?"));
        let near = near.unwrap_or_else(|| "; `sitegate rules` lists all rules".to_owned());
        return Err(Error::usage(format!("there is no rule `{id}`{near}")));
    };
    terminal::print(|out| write_rule(rule, out))?;
    Ok(0)
}

fn write_rule(rule: &RuleInfo, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{}, {} by default{DIM:#}\n", rule.id, rule.category, rule.default)?;
    writeln!(out, "{}.\n", capitalized(rule.summary))?;
    writeln!(out, "{}\n", wrap(rule.why, WIDTH))?;
    for (label, example) in [("Bad", rule.bad), ("Good", rule.good)] {
        writeln!(out, "{BOLD}{label}{BOLD:#}")?;
        for line in example.lines() {
            writeln!(out, "    {line}")?;
        }
    }
    let others = match rule.default {
        Severity::Error => "\"warn\"   # or \"off\"",
        Severity::Warn => "\"error\"   # or \"off\"",
        Severity::Off => "\"error\"   # or \"warn\"",
    };
    writeln!(out, "\n{BOLD}In sitegate.toml{BOLD:#}\n    [rules]\n    {} = {others}", rule.id)?;
    rule.page().map_or(Ok(()), |page| writeln!(out, "\n{DIM}{page}{DIM:#}"))
}

/// Breaks text into lines of at most `width` characters.
fn wrap(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}
