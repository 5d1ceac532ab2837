//! `sitegate target status`: shows the live release, kept releases and a running publish.

use std::io::{self, Write};

use anstyle::Style;
use serde_json::json;
use sitegate_base::plural::count;
use sitegate_publish::maintenance::{self, Status};
use sitegate_publish::release::manifest::{ReleaseManifest, RollbackMark, RollbackReason, is_page};
use sitegate_publish::release_files;
use sitegate_publish::target_state::pending::Pending;
use sitegate_publish::target_state::state::{RunRecord, State, now};

use crate::runtime;
use crate::target_args::TargetArgs;
use crate::terminal::{BOLD, CommandFormat, CommandFormatArgs, DIM, GREEN, Outcome, YELLOW};

/// Width of the labels, in columns.
const LABEL: usize = 11;

#[derive(Debug, clap::Args)]
#[command(after_help = sitegate_publish::failure::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    target: TargetArgs,
    /// Print the inventory of the live release
    ///
    /// An inventory lists all addresses of the site: pages, anchors and redirects.
    #[arg(long, conflicts_with = "format")]
    inventory: bool,
    #[command(flatten)]
    output: CommandFormatArgs,
}

pub fn run(args: &Args) -> Outcome {
    runtime::run(async {
        let target = args.target.open().await?;
        if args.inventory {
            let inventory = release_files::live_inventory(&target).await?;
            return runtime::print(|out| out.write_all(inventory.to_text().as_bytes()));
        }
        let status = maintenance::status(&target).await?;
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
    let incomplete = status.incomplete.iter().map(|candidate| candidate.manifest.release.as_str());
    let incomplete: Vec<&str> = incomplete.collect();
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
        "incomplete": incomplete,
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
        RollbackReason::Unverified => ": the live site did not match it",
        RollbackReason::Unverifiable => ": the live site could not be verified",
    };
    format!("rolled back {}{why}", format_age(now().saturating_sub(left.at)))
}

/// Describes how to complete an interrupted switch.
fn completion_hint(unfinished: &ReleaseManifest, undo: Option<&ReleaseManifest>) -> String {
    match (&unfinished.restores, undo) {
        (Some(_), Some(live)) => {
            format!("run `sitegate rollback` again, or undo it with --to {}", live.release)
        }
        (Some(old), None) => format!("run `sitegate rollback --to {old}` again"),
        (None, Some(_)) => "publish it again, or roll back to the live release".to_owned(),
        (None, None) => "publish it again".to_owned(),
    }
}

/// Writes a row: a label, its text, and further lines below the text.
fn row(
    out: &mut dyn Write,
    style: Style,
    label: &str,
    text: &str,
    more: impl IntoIterator<Item = String>,
) -> io::Result<()> {
    writeln!(out, "  {style}{label:LABEL$}{style:#}  {text}")?;
    more.into_iter().try_for_each(|line| writeln!(out, "  {:LABEL$}  {DIM}{line}{DIM:#}", ""))
}

/// Writes a release: its name, age and size, then what it restores and why it was rolled back.
fn write_release(
    manifest: &ReleaseManifest,
    is_live: bool,
    left: Option<RollbackMark>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (style, label) = match (is_live, left) {
        (true, _) => (GREEN, "live"),
        (false, None) => (DIM, "kept"),
        (false, Some(_)) => (YELLOW, "rolled back"),
    };
    let age = format_age(now().saturating_sub(manifest.created));
    let text = format!("{}  {DIM}{age}, {}{DIM:#}", manifest.release, count(page_count(manifest), "page"));
    let restores = manifest.restores.as_ref().map(|old| format!("restores {old}"));
    row(out, style, label, &text, restores.into_iter().chain(left.map(rollback_reason)))
}

/// Writes the steps that the last publish did not complete.
fn write_pending(pending: &Pending, out: &mut dyn Write) -> io::Result<()> {
    if let Some(distribution) = &pending.invalidate {
        row(out, YELLOW, "to do", &format!("invalidate CloudFront distribution {distribution}"), [])?;
    }
    if let Some(verify) = &pending.verify {
        let text = format!("verify {}", verify.url);
        let back = match (verify.rollback, verify.rollback_unverified) {
            (false, _) => None,
            (true, false) => Some("and roll back if it does not match the release"),
            (true, true) => Some("and roll back if it does not match the release, or cannot be verified"),
        };
        let result = verify.result.clone();
        row(out, YELLOW, "to do", &text, result.into_iter().chain(back.map(str::to_owned)))?;
    }
    if pending.is_empty() {
        return Ok(());
    }
    let hint = "publish again to do it, or skip it with --drop-pending";
    writeln!(out, "  {:LABEL$}  {DIM}{hint}{DIM:#}", "")
}

fn write_status(url: &str, status: &Status, out: &mut dyn Write) -> io::Result<()> {
    let state = &status.state;
    writeln!(out, "{BOLD}{url}{BOLD:#}")?;
    let Some(last) = &state.last else {
        return writeln!(out, "  nothing has been published here");
    };
    for (manifest, left) in releases(status) {
        write_release(manifest, state.live.as_ref() == Some(manifest), left, out)?;
    }
    for candidate in &status.incomplete {
        let hint = "some of its files are not here: `sitegate rollback --to` names them";
        row(out, YELLOW, "incomplete", &candidate.manifest.release, [hint.to_owned()])?;
    }
    for manifest in &state.unfinished {
        let hint = completion_hint(manifest, state.live.as_ref().filter(|_| status.can_undo));
        let (label, what) = if state.is_unswitched(manifest) {
            ("failed", "nothing visible was changed")
        } else {
            ("interrupted", "some of its files may be live, others not")
        };
        row(out, YELLOW, label, &manifest.release, [what.to_owned(), hint])?;
    }
    write_pending(&state.pending(), out)?;
    if let Some(run) = state.holder() {
        let work = match &run.release {
            Some(release) => format!("run {} publishes {release}", run.number),
            None => format!("run {} maintains the target", run.number),
        };
        let lease = format!("its lease ends within {} s", seconds_left(state, run));
        row(out, YELLOW, "locked", &work, [lease])?;
    }
    if !last.capabilities.create {
        let why = "this store has no conditional writes".to_owned();
        row(out, YELLOW, "no locks", "run only one publisher at a time", [why])?;
    }
    Ok(())
}
