//! Prints a plan and its outcome, as a table or as one JSON document.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use sitegate_address::INDEX;
use sitegate_base::sanitize::visible;
use sitegate_publish::failure::Failure;
use sitegate_publish::plan::{Change, Plan};
use sitegate_publish::publication::{Publication, PublishOutcome};
use sitegate_publish::release::manifest::ObjectRole;

use crate::runtime;
use crate::terminal::{BOLD, CommandFormat, CommandFormatArgs, DIM, GREEN, YELLOW};

const RED: Style = AnsiColor::Red.on_default();

/// The version of the JSON document's schema.
const SCHEMA_VERSION: u32 = 1;

/// Maximum number of names to list for each kind of change.
const MAX_NAMES: usize = 8;

/// Prints a plan, and how it was carried out.
pub struct PlanPrinter<'t> {
    is_human: bool,
    target: &'t str,
    start: Instant,
}

#[derive(Serialize)]
struct PlanDocument<'r> {
    schema_version: u32,
    outcome: PublishOutcome,
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
}

fn changed_keys(plan: &Plan, wanted: Change) -> Vec<&str> {
    plan.writes().filter(|(_, change)| *change == wanted).map(|(object, _)| object.key.as_str()).collect()
}

impl PlanPrinter<'_> {
    /// Begins a command on a target.
    pub fn begin(output: CommandFormatArgs, target: &str) -> PlanPrinter<'_> {
        PlanPrinter { is_human: output.format == CommandFormat::Human, target, start: Instant::now() }
    }

    /// Prints the plan for people. The JSON document has it, too.
    pub fn print_plan(&self, plan: &Plan) -> Result<(), Failure> {
        if self.is_human { runtime::print(|out| write_plan(plan, self.target, out)) } else { Ok(()) }
    }

    /// Prints the result. `hint` says how to see it.
    pub fn print_result(&self, publication: &Publication, hint: &str) -> Result<(), Failure> {
        let elapsed = self.start.elapsed();
        runtime::print(|out| {
            if self.is_human {
                write_human(publication, hint, elapsed, out)
            } else {
                write_json(publication, out)
            }
        })
    }
}

/// Writes the JSON document.
fn write_json(publication: &Publication, out: &mut dyn Write) -> io::Result<()> {
    let plan = &publication.plan;
    let summary = [
        ("new", plan.count(Change::New) as u64),
        ("changed", plan.count(Change::Content) as u64),
        ("headers", plan.count(Change::Headers) as u64),
        ("unchanged", plan.count(Change::Same) as u64),
        ("deleted", plan.deletes.len() as u64),
        ("bytes", plan.bytes()),
    ];
    let document = PlanDocument {
        schema_version: SCHEMA_VERSION,
        outcome: publication.outcome,
        target: &publication.target,
        release: publication.release(),
        previous: plan.previous.as_deref(),
        resumes: plan.resumes,
        summary: summary.into(),
        new: changed_keys(plan, Change::New),
        changed: changed_keys(plan, Change::Content),
        headers: changed_keys(plan, Change::Headers),
        deleted: &plan.deletes,
        gone: &plan.gone,
        drift: &plan.drift,
        foreign: &plan.foreign,
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

/// Writes the last lines for people.
fn write_human(
    publication: &Publication,
    hint: &str,
    elapsed: Duration,
    out: &mut dyn Write,
) -> io::Result<()> {
    let seconds = elapsed.as_secs_f64();
    let name = publication.release();
    match publication.outcome {
        PublishOutcome::Planned => {
            writeln!(out, "{BOLD}planned{BOLD:#}    {DIM}nothing was written{DIM:#}")
        }
        PublishOutcome::Unchanged => {
            writeln!(out, "{GREEN}unchanged{GREEN:#}  release {name} is live  {DIM}in {seconds:.1} s{DIM:#}")
        }
        PublishOutcome::Published => {
            let sent = format_size(publication.plan.bytes());
            let done = match &publication.plan.manifest.restores {
                Some(restored) => format!("{GREEN}rolled back{GREEN:#} to {restored}, as release {name}"),
                None => format!("{GREEN}published{GREEN:#}  release {name}"),
            };
            writeln!(out, "{done}  {DIM}{sent} in {seconds:.1} s{DIM:#}\n{hint}")
        }
    }
}

/// Writes the plan for people.
fn write_plan(plan: &Plan, target: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{BOLD}{target}{BOLD:#}")?;
    if plan.resumes {
        writeln!(out, "  {YELLOW}completes{YELLOW:#} an interrupted switch")?;
    }
    let rows: [(&str, Style, Vec<&str>); 4] = [
        ("new", GREEN, changed_keys(plan, Change::New)),
        ("changed", YELLOW, changed_keys(plan, Change::Content)),
        ("headers", YELLOW, changed_keys(plan, Change::Headers)),
        ("deleted", RED, plan.deletes.iter().map(String::as_str).collect()),
    ];
    for (label, style, mut names) in rows {
        if names.is_empty() {
            continue;
        }
        let objects = names.len();
        names = without_copies(&names);
        let assets =
            |name: &&str| plan.manifest.find(name).is_some_and(|found| found.role == ObjectRole::Asset);
        names.sort_by_key(|name| assets(name));
        let both = if objects == names.len() { String::new() } else { format!("  ({objects} objects)") };
        let (files, names) = (names.len(), shown_names(&names));
        writeln!(out, "  {style}{label:9}{style:#} {files:>6}  {DIM}{names}{both}{DIM:#}")?;
    }
    let unchanged = plan.manifest.objects.iter().zip(&plan.changes);
    let unchanged = unchanged.filter(|(_, change)| **change == Change::Same).map(|(object, _)| &*object.key);
    let unchanged = without_copies(&unchanged.collect::<Vec<_>>());
    writeln!(out, "  {DIM}unchanged{DIM:#} {:>6}", unchanged.len())
}

/// Returns one key for each page. A bucket has two objects for a page in a folder: `terms` and `terms/index.html`.
fn without_copies<'k>(keys: &[&'k str]) -> Vec<&'k str> {
    let all: BTreeSet<&str> = keys.iter().copied().collect();
    let is_copy = |key: &str| all.contains(format!("{key}/{INDEX}").as_str());
    keys.iter().copied().filter(|key| !is_copy(key)).collect()
}

fn shown_names(names: &[&str]) -> String {
    let mut text = names.iter().take(MAX_NAMES).map(|name| visible(name)).collect::<Vec<_>>().join("  ");
    if names.len() > MAX_NAMES {
        text.push_str("  …");
    }
    text
}

/// Formats a number of bytes for people.
fn format_size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..10_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
