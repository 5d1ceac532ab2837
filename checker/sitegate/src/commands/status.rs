//! `sitegate status`: which release is live, which are kept, and who is at work.

use std::io::{self, Write};

use serde_json::json;
use sitegate_base::plural::count;
use sitegate_publish::release::lineage::{RollbackMark, RollbackReason};
use sitegate_publish::release::manifest::{ReleaseManifest, is_page};
use sitegate_publish::status::{self, Status};
use sitegate_publish::target_state::pending::Pending;
use sitegate_publish::target_state::state::{RunRecord, State, now};

use crate::store::{self, StoreArgs};
use crate::terminal::{AnswerArgs, AnswerFormat, BOLD, DIM, GREEN, Outcome, YELLOW};

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    answer: AnswerArgs,
}

pub fn run(args: &Args) -> Outcome {
    store::run(async {
        let target = args.store.open().await?;
        let status = status::status(&target).await?;
        store::print(|out| match args.answer.format {
            AnswerFormat::Human => write(&target.url, &status, out),
            AnswerFormat::Json => writeln!(out, "{:#}", document(&target.url, &status)),
        })
    })
}

fn pages(manifest: &ReleaseManifest) -> usize {
    manifest.objects.iter().filter(|object| is_page(&object.path) && object.key == object.path).count()
}

/// The releases that a rollback can name, the live one first, with when and why each was left.
fn releases(status: &Status) -> impl Iterator<Item = (&ReleaseManifest, Option<RollbackMark>)> {
    let live = status.state.live.iter().map(|live| (live, None));
    live.chain(status.rollback_candidates.iter().map(|way| (&way.manifest, way.rolled_back)))
}

fn document(url: &str, status: &Status) -> serde_json::Value {
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
                "pages": pages(manifest),
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
        "held": state.holder().map(|run| json!({"run": run.number, "release": run.release, "expires": now().saturating_add(left(state, run))})),
        "unfinished": unfinished,
        "pending": Some(state.pending()).filter(|pending| !pending.is_empty()),
        "runs": state.last.as_ref().map_or(0, |last| last.number),
        "locks": state.last.as_ref().map(|last| last.capabilities.create),
        "releases": releases,
    })
}

/// For how many seconds others wait at most, if the publisher died.
fn left(state: &State, run: &RunRecord) -> u64 {
    state.remaining.map_or(run.lease, |left| left.as_secs())
}

/// A time span as people say it.
fn ago(seconds: u64) -> String {
    let (number, unit) = match seconds {
        0..60 => return "just now".to_owned(),
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{} ago", count(usize::try_from(number).unwrap_or(usize::MAX), unit))
}

/// When and why a release was rolled away from.
fn why_left(left: RollbackMark) -> String {
    let why = match left.reason {
        RollbackReason::Requested => "",
        RollbackReason::Unverified => ": the live site did not answer as published",
    };
    format!(", rolled away from {}{why}", ago(now().saturating_sub(left.at)))
}

/// How an interrupted switch is ended.
fn way_out(unfinished: &ReleaseManifest, can_undo: bool) -> String {
    let on = match &unfinished.restores {
        Some(old) => format!("roll back --to {old} again"),
        None => "publish it again".to_owned(),
    };
    if can_undo { format!("{on}, or roll back to what was live before") } else { on }
}

/// What was asked for when the release went live and is still to be done.
fn pending(pending: &Pending, out: &mut dyn Write) -> io::Result<()> {
    if let Some(distribution) = &pending.invalidate {
        writeln!(out, "  {YELLOW}todo{YELLOW:#}  tell CloudFront distribution {distribution}")?;
    }
    if let Some(verify) = &pending.verify {
        let back = if verify.rollback { ", and roll back if it does not" } else { "" };
        writeln!(out, "  {YELLOW}todo{YELLOW:#}  ask {} whether it answers as published{back}", verify.url)?;
    }
    if !pending.is_empty() {
        writeln!(out, "        {DIM}run the same command again, or leave it out with --drop-pending{DIM:#}")?;
    }
    Ok(())
}

fn write(url: &str, status: &Status, out: &mut dyn Write) -> io::Result<()> {
    let state = &status.state;
    writeln!(out, "{BOLD}{url}{BOLD:#}")?;
    let Some(last) = &state.last else {
        return writeln!(out, "  nothing was ever published here");
    };
    for (manifest, left) in releases(status) {
        let is_live = state.live.as_ref() == Some(manifest);
        let label = match (is_live, left) {
            (true, _) => format!("{GREEN}live{GREEN:#}"),
            (false, None) => format!("{DIM}kept{DIM:#}"),
            (false, Some(_)) => format!("{YELLOW}left{YELLOW:#}"),
        };
        let restores =
            manifest.restores.as_ref().map_or_else(String::new, |old| format!(", puts {old} back"));
        writeln!(
            out,
            "  {label}  {}  {DIM}{}, {}, {}{restores}{}{DIM:#}",
            manifest.release,
            ago(now().saturating_sub(manifest.created)),
            count(pages(manifest), "page"),
            count(manifest.objects.len(), "object"),
            left.map_or_else(String::new, why_left),
        )?;
    }
    for manifest in &state.unfinished {
        writeln!(
            out,
            "  {YELLOW}half{YELLOW:#}  {}  {DIM}its switch did not end; {}{DIM:#}",
            manifest.release,
            way_out(manifest, status.can_undo)
        )?;
    }
    pending(&state.pending(), out)?;
    if let Some(run) = state.holder() {
        let left = left(state, run);
        let release = run.release.as_deref().unwrap_or("maintenance");
        writeln!(
            out,
            "  {YELLOW}held{YELLOW:#}  run {} is at work on {release}, free in {left} s at the latest",
            run.number
        )?;
    }
    if !last.capabilities.create {
        writeln!(
            out,
            "  {YELLOW}note{YELLOW:#}  this store has no locks: make sure that only one publisher runs"
        )?;
    }
    Ok(())
}
