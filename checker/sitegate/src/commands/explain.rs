//! `sitegate explain`: what a rule finds, why it matters, and how to put it right.

use std::io::{self, Write};

use sitegate_base::plural::capitalised;
use sitegate_check::internal::raw_finding::{RuleInfo, Severity};
use sitegate_check::internal::rules;

use crate::error::Error;
use crate::terminal::{self, BOLD, DIM, Outcome};

/// Characters in a line of running text.
const WIDTH: usize = 88;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rule's id, such as broken-link
    rule: String,
}

pub fn run(args: &Args) -> Outcome {
    let id = &args.rule;
    let Some(rule) = rules::find(id) else {
        let near = rules::suggest(id).map(|near| format!("; did you mean `{near}`?"));
        let near = near.unwrap_or_else(|| "; `sitegate rules` lists them".to_owned());
        return Err(Error::usage(format!("there is no rule `{id}`{near}")));
    };
    terminal::print(|out| write(rule, out))?;
    Ok(0)
}

fn write(rule: &RuleInfo, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{}, {} by default{DIM:#}\n", rule.id, rule.category, rule.default)?;
    writeln!(out, "{}.\n", capitalised(rule.summary))?;
    writeln!(out, "{}\n", wrapped(rule.why, WIDTH))?;
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

/// Breaks running text into lines of at most `width` characters.
fn wrapped(text: &str, width: usize) -> String {
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
