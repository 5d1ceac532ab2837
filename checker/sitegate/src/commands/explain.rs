//! `sitegate explain`: lists the rules, or prints what one finds, why it matters, and how to fix it.

use std::io::{self, Write};

use serde::Serialize;
use sitegate_base::plural::capitalized;
use sitegate_check::{Category, RuleInfo, Severity, find_rule, rules, suggest_rule};

use crate::error::Error;
use crate::terminal::{self, BOLD, CommandFormat, CommandFormatArgs, DIM, Outcome};

/// Maximum number of characters in a line, so that it fits a terminal of 80 columns.
const WIDTH: usize = 79;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of the rule, such as broken-link [default: all rules]
    rule: Option<String>,
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
    let explained = args.rule.as_deref().map(find).transpose()?;
    terminal::print(|out| match (args.output.format, explained) {
        (CommandFormat::Json, explained) => {
            let rules = rules().filter(|rule| explained.is_none_or(|explained| explained.id == rule.id));
            serde_json::to_writer_pretty(
                &mut *out,
                &RuleList { rules: rules.map(RuleEntry::from).collect() },
            )?;
            writeln!(out)
        }
        (CommandFormat::Human, Some(rule)) => write_rule(rule, out),
        (CommandFormat::Human, None) => write_list(out),
    })?;
    Ok(0)
}

fn find(id: &str) -> Result<&'static RuleInfo, Error> {
    find_rule(id).ok_or_else(|| {
        let near = suggest_rule(id).map(|near| format!("; did you mean `{near}`?"));
        let near = near.unwrap_or_else(|| "; `sitegate explain` lists all rules".to_owned());
        Error::usage(format!("there is no rule `{id}`{near}"))
    })
}

fn write_list(out: &mut dyn Write) -> io::Result<()> {
    let width = rules().map(|rule| rule.id.len()).max().unwrap_or(0);
    // The columns before the summary: two spaces, the id, two spaces, the level of up to seven characters, two spaces.
    let indent = width + 13;
    let mut category = None;
    for rule in rules() {
        if category != Some(rule.category) {
            let gap = if category.is_some() { "\n" } else { "" };
            writeln!(out, "{gap}{BOLD}{}{BOLD:#}", rule.category)?;
            category = Some(rule.category);
        }
        let level = rule.default.as_str();
        let summary = wrap(rule.summary, WIDTH - indent).replace('\n', &format!("\n{:indent$}", ""));
        writeln!(out, "  {:width$}  {DIM}{level:7}{DIM:#}  {summary}", rule.id)?;
    }
    writeln!(out, "\n{DIM}`sitegate explain RULE` explains a rule.{DIM:#}")
}

fn write_rule(rule: &RuleInfo, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{}, {} by default{DIM:#}\n", rule.id, rule.category, rule.default)?;
    writeln!(out, "{}\n", wrap(&format!("{}.", capitalized(rule.summary)), WIDTH))?;
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
