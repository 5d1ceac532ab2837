//! `sitegate status`: shows the live release, kept releases and a running publish.

use std::io::{self, Write};

use serde_json::json;
use sitegate_base::plural::count;
use sitegate_publish::release::lineage::{RollbackMark, RollbackReason};
use sitegate_publish::release::manifest::{ReleaseManifest, is_page};
use sitegate_publish::status::{self, Status};
use sitegate_publish::target_state::pending::Pending;
use sitegate_publish::target_state::state::{RunRecord, State, now};

use crate::runtime;
use crate::target_args::TargetArgs;
use crate::terminal::{BOLD, CommandFormat, CommandFormatArgs, DIM, GREEN, Outcome, YELLOW};

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
        let status = status::status(&target).await?;
        runtime::print(|out| match args.output.format {
            CommandFormat::Human => write_status(&target.url, &status, out),
            CommandFormat::Json => writeln!(out, "{:#}", json_document(&target.url, &status)),
        })
    })
}

fn page_count(manifest: &ReleaseManifest) -> usize {
    manifest.objects.iter().filter(|object| is_page(&object.path) && object.key == object.path).count()
}

/// Returns the live release, then those that a rollback can restore, each with when and why it was rolled back.
fn releases(status: &Status) -> impl Iterator<Item = (&ReleaseManifest, Option<RollbackMark>)> {
    let live = status.state.live.iter().map(|live| (live, None));
    live.chain(status.rollback_candidates.iter().map(|way| (&way.manifest, way.rolled_back)))
}

fn json_document(url: &str, status: &Status) -> serde_json::Value {
    let state = &status.state;
    let releases: Vec<serde_json::Value> = releases(status)
        .map(|(manifest, left)| {
            json!({
                "release": manifest.release,
                "created": manifest.created,
                "live": state.live.as_ref() == Some(manifest),
                "left": left,
                "restores": manifest.restores,
                "objects": manifest.objects.len(),
                "pages": page_count(manifest),
                "tree": manifest.tree,
                "contract": manifest.contract,
            })
        })
        .collect();
    let unfinished: Vec<&str> = state.unfinished.iter().map(|manifest| manifest.release.as_str()).collect();
    json!({
        "schema_version": 1,
        "target": url,
        "live": state.live.as_ref().map(|live| &live.release),
        "held": state.holder().map(|run| json!({"run": run.number, "release": run.release, "expires": now().saturating_add(seconds_left(state, run))})),
        "unfinished": unfinished,
        "pending": Some(state.pending()).filter(|pending| !pending.is_empty()),
        "runs": state.last.as_ref().map_or(0, |last| last.number),
        "locks": state.last.as_ref().map(|last| last.capabilities.create),
        "releases": releases,
    })
}

/// Returns the maximum number of seconds until the lease ends.
fn seconds_left(state: &State, run: &RunRecord) -> u64 {
    state.remaining.map_or(run.lease, |left| left.as_secs())
}

/// Formats the time since an event for people.
fn format_age(seconds: u64) -> String {
    let (number, unit) = match seconds {
        0..60 => return "just now".to_owned(),
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{} ago", count(usize::try_from(number).unwrap_or(usize::MAX), unit))
}

/// Describes when and why a release was rolled back.
fn rollback_reason(left: RollbackMark) -> String {
    let why = match left.reason {
        RollbackReason::Requested => "",
        RollbackReason::Unverified => ": the live site did not answer as published",
    };
    format!(", rolled back {}{why}", format_age(now().saturating_sub(left.at)))
}

/// Describes how to complete an interrupted switch.
fn completion_hint(unfinished: &ReleaseManifest, can_undo: bool) -> String {
    let on = match &unfinished.restores {
        Some(old) => format!("run `sitegate rollback --to {old}` again"),
        None => "publish it again".to_owned(),
    };
    if can_undo { format!("{on}, or roll back to the previous release") } else { on }
}

/// Prints the steps that the last publish did not complete.
fn write_pending(pending: &Pending, out: &mut dyn Write) -> io::Result<()> {
    if let Some(distribution) = &pending.invalidate {
        writeln!(out, "  {YELLOW}todo{YELLOW:#}  invalidate CloudFront distribution {distribution}")?;
    }
    if let Some(verify) = &pending.verify {
        let back = if verify.rollback { ", and roll back if it does not" } else { "" };
        writeln!(out, "  {YELLOW}todo{YELLOW:#}  verify that {} matches the release{back}", verify.url)?;
    }
    if !pending.is_empty() {
        writeln!(
            out,
            "        {DIM}run the same command again, or skip these steps with --drop-pending{DIM:#}"
        )?;
    }
    Ok(())
}

fn write_status(url: &str, status: &Status, out: &mut dyn Write) -> io::Result<()> {
    let state = &status.state;
    writeln!(out, "{BOLD}{url}{BOLD:#}")?;
    let Some(last) = &state.last else {
        return writeln!(out, "  nothing has been published here");
    };
    for (manifest, left) in releases(status) {
        let is_live = state.live.as_ref() == Some(manifest);
        let label = match (is_live, left) {
            (true, _) => format!("{GREEN}live{GREEN:#}"),
            (false, None) => format!("{DIM}kept{DIM:#}"),
            (false, Some(_)) => format!("{YELLOW}left{YELLOW:#}"),
        };
        let restores = manifest.restores.as_ref().map_or_else(String::new, |old| format!(", restores {old}"));
        writeln!(
            out,
            "  {label}  {}  {DIM}{}, {}, {}{restores}{}{DIM:#}",
            manifest.release,
            format_age(now().saturating_sub(manifest.created)),
            count(page_count(manifest), "page"),
            count(manifest.objects.len(), "object"),
            left.map_or_else(String::new, rollback_reason),
        )?;
    }
    for manifest in &state.unfinished {
        writeln!(
            out,
            "  {YELLOW}half{YELLOW:#}  {}  {DIM}its switch was interrupted; {}{DIM:#}",
            manifest.release,
            completion_hint(manifest, status.can_undo)
        )?;
    }
    write_pending(&state.pending(), out)?;
    if let Some(run) = state.holder() {
        let left = seconds_left(state, run);
        let release = run.release.as_deref().unwrap_or("maintenance");
        writeln!(
            out,
            "  {YELLOW}held{YELLOW:#}  run {} is working on {release}; its lease ends in {left} s or less",
            run.number
        )?;
    }
    if !last.capabilities.create {
        writeln!(out, "  {YELLOW}note{YELLOW:#}  this store has no locks: run only one publisher at a time")?;
    }
    Ok(())
}
