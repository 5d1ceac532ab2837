//! How a plan and its outcome are printed: a table that is read in ten seconds, or one JSON document.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use sitegate_publish::plan::{Change, Plan};
use sitegate_publish::release::manifest::Role;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const RED: Style = AnsiColor::Red.on_default();

/// The version of the JSON document's shape.
const SCHEMA_VERSION: u32 = 1;

/// Names that are shown of each kind before the rest is only counted.
const SHOWN: usize = 8;

/// How far a command went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Nothing was done.
    Planned,
    /// Everything was in place already.
    Unchanged,
    /// The release is live.
    Published,
}

/// What is printed in the end.
pub struct Result<'r> {
    /// The target's URL.
    pub target: &'r str,
    /// The plan.
    pub plan: &'r Plan,
    /// How far it went.
    pub outcome: Outcome,
    /// Where to look at the site.
    pub look: &'r str,
    /// How many operations were asked of the store.
    pub requests: usize,
    /// How long it took.
    pub elapsed: std::time::Duration,
}

#[derive(Serialize)]
struct Document<'r> {
    schema_version: u32,
    outcome: Outcome,
    target: &'r str,
    release: &'r str,
    previous: Option<&'r str>,
    resumes: bool,
    summary: BTreeMap<&'static str, u64>,
    new: Vec<&'r str>,
    changed: Vec<&'r str>,
    headers: Vec<&'r str>,
    deleted: &'r [String],
    gone: &'r [String],
    drift: &'r [String],
    foreign: &'r [String],
    requests: usize,
}

fn keys(plan: &Plan, wanted: Change) -> Vec<&str> {
    plan.writes().filter(|(_, change)| *change == wanted).map(|(object, _)| object.key.as_str()).collect()
}

/// The live release's name: a publish without changes makes no new one.
fn release<'r>(result: &'r Result<'_>) -> &'r str {
    match (&result.outcome, &result.plan.previous) {
        (Outcome::Unchanged, Some(previous)) => previous,
        _ => &result.plan.manifest.release,
    }
}

/// Writes the JSON document.
pub fn json(result: &Result<'_>, out: &mut dyn Write) -> io::Result<()> {
    let plan = result.plan;
    let summary = [
        ("new", plan.count(Change::New) as u64),
        ("changed", plan.count(Change::Content) as u64),
        ("headers", plan.count(Change::Headers) as u64),
        ("unchanged", plan.count(Change::Same) as u64),
        ("deleted", plan.deletes.len() as u64),
        ("bytes", plan.bytes()),
    ];
    let document = Document {
        schema_version: SCHEMA_VERSION,
        outcome: result.outcome,
        target: result.target,
        release: release(result),
        previous: plan.previous.as_deref(),
        resumes: plan.resumes,
        summary: summary.into(),
        new: keys(plan, Change::New),
        changed: keys(plan, Change::Content),
        headers: keys(plan, Change::Headers),
        deleted: &plan.deletes,
        gone: &plan.gone,
        drift: &plan.drift,
        foreign: &plan.foreign,
        requests: result.requests,
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

/// Writes the plan for people.
pub fn plan(plan: &Plan, target: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{BOLD}{target}{BOLD:#}")?;
    if plan.resumes {
        writeln!(out, "  {YELLOW}completes{YELLOW:#} a switch that was interrupted")?;
    }
    let rows: [(&str, Style, Vec<&str>); 4] = [
        ("new", GREEN, keys(plan, Change::New)),
        ("changed", YELLOW, keys(plan, Change::Content)),
        ("headers", YELLOW, keys(plan, Change::Headers)),
        ("deleted", RED, plan.deletes.iter().map(String::as_str).collect()),
    ];
    for (label, style, mut names) in rows {
        if names.is_empty() {
            continue;
        }
        let assets = |name: &&str| plan.manifest.find(name).is_some_and(|found| found.role == Role::Asset);
        names.sort_by_key(|name| assets(name));
        writeln!(out, "  {style}{label:9}{style:#} {:>6}  {DIM}{}{DIM:#}", names.len(), some(&names))?;
    }
    writeln!(out, "  {DIM}unchanged{DIM:#} {:>6}", plan.count(Change::Same))
}

fn some(names: &[&str]) -> String {
    let mut text = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join("  ");
    if names.len() > SHOWN {
        text.push_str("  …");
    }
    text
}

/// Writes the last lines for people.
pub fn outcome(result: &Result<'_>, out: &mut dyn Write) -> io::Result<()> {
    let seconds = result.elapsed.as_secs_f64();
    let name = release(result);
    match result.outcome {
        Outcome::Planned => writeln!(out, "{BOLD}planned{BOLD:#}    {DIM}nothing was written{DIM:#}"),
        Outcome::Unchanged => {
            writeln!(out, "{GREEN}unchanged{GREEN:#}  release {name} is live  {DIM}in {seconds:.1} s{DIM:#}")
        }
        Outcome::Published => {
            let sent = size(result.plan.bytes());
            writeln!(
                out,
                "{GREEN}published{GREEN:#}  release {name}  {DIM}{sent} in {seconds:.1} s{DIM:#}\n{}",
                result.look
            )
        }
    }
}

/// A number of bytes as people say it.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..10_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
