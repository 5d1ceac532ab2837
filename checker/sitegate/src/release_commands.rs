//! What the commands for releases that are out already do: status, rollback, verify, gc, unlock, edge.

use std::io::Write;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use serde_json::json;
use sitegate_check::contract::Contract;
use sitegate_check::seal::Seal;
use sitegate_hosting::edge;
use sitegate_hosting::headers::STATE;
use sitegate_publish::aws::cloudfront;
use sitegate_publish::failure::{Exit, Failure};
use sitegate_publish::keeping;
use sitegate_publish::memory::lock::RunOptions;
use sitegate_publish::memory::state::{Stage, State, now};
use sitegate_publish::release::manifest::{Manifest, is_page};
use sitegate_publish::target::Target;
use sitegate_publish::verify::{self, Verified};

use crate::cli::{EdgeArgs, EdgeHost, ExportArgs, Format, GcArgs, RollbackArgs, StatusArgs, VerifyArgs};
use crate::commands;
use crate::plan_output::{self, Outcome};
use crate::publish_commands::{clear_progress, listener, print, report, run, target_options};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const RED: Style = AnsiColor::Red.on_default().bold();

/// Pause between two looks at a site that does not answer right yet.
const PAUSE: Duration = Duration::from_secs(2);

pub fn status(args: &StatusArgs) -> commands::Outcome {
    report(run(async {
        let target = Target::open(&args.store.target, &target_options(&args.store, 0), false)?;
        let memory = target.list(STATE).await?;
        let state = State::read(&target, memory.keys().map(String::as_str)).await?;
        let history = keeping::history(&target, &state).await?;
        match args.format {
            Format::Human => print(|out| write_status(&target, &state, &history, out)),
            Format::Json => print(|out| writeln!(out, "{:#}", status_document(&target, &state, &history))),
        }
    }))
}

fn pages(manifest: &Manifest) -> usize {
    manifest.objects.iter().filter(|object| is_page(&object.path) && object.key == object.path).count()
}

fn status_document(target: &Target, state: &State, history: &[Manifest]) -> serde_json::Value {
    let releases: Vec<serde_json::Value> = history
        .iter()
        .map(|manifest| {
            json!({
                "release": manifest.release,
                "created": manifest.created,
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
        "target": target.url,
        "live": state.live.as_ref().map(|live| &live.release),
        "held": state.holder().map(|run| json!({"run": run.number, "release": run.release, "expires": run.expires})),
        "unfinished": unfinished,
        "runs": state.last.as_ref().map_or(0, |last| last.number),
        "locks": state.last.as_ref().map(|last| last.promises.create),
        "releases": releases,
    })
}

/// A time span as people say it.
fn ago(seconds: u64) -> String {
    let (number, unit) = match seconds {
        0..60 => return "just now".to_owned(),
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{number} {unit}{} ago", if number == 1 { "" } else { "s" })
}

fn write_status(
    target: &Target,
    state: &State,
    history: &[Manifest],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}", target.url)?;
    let Some(last) = &state.last else {
        return writeln!(out, "  nothing was ever published here");
    };
    for (place, manifest) in history.iter().enumerate() {
        let label = if place == 0 { format!("{GREEN}live{GREEN:#}") } else { format!("{DIM}kept{DIM:#}") };
        let restores =
            manifest.restores.as_ref().map_or_else(String::new, |old| format!(", puts {old} back"));
        writeln!(
            out,
            "  {label}  {}  {DIM}{}, {} pages, {} objects{restores}{DIM:#}",
            manifest.release,
            ago(now().saturating_sub(manifest.created)),
            pages(manifest),
            manifest.objects.len(),
        )?;
    }
    for manifest in &state.unfinished {
        writeln!(
            out,
            "  {YELLOW}half{YELLOW:#}  {}  {DIM}its switch did not end; publish again, or roll back{DIM:#}",
            manifest.release
        )?;
    }
    if let Some(run) = state.holder() {
        let left = run.expires.saturating_sub(now());
        let release = run.release.as_deref().unwrap_or("maintenance");
        writeln!(
            out,
            "  {YELLOW}held{YELLOW:#}  run {} is at work on {release}, free in {left} s at the latest",
            run.number
        )?;
    }
    if !last.promises.create {
        writeln!(
            out,
            "  {YELLOW}note{YELLOW:#}  this store has no locks: see to it that only one publisher runs"
        )?;
    }
    Ok(())
}

pub fn rollback(args: &RollbackArgs) -> commands::Outcome {
    report(run(async {
        let start = Instant::now();
        let target = Target::open(&args.store.target, &target_options(&args.store, 0), false)?;
        let way = keeping::way_back(&target, args.to.as_deref(), args.keep_releases).await?;
        let human = args.format == Format::Human;
        if human {
            print(|out| plan_output::plan(&way.plan, &target.url, out))?;
        }
        let mut outcome = Outcome::Planned;
        if !args.dry_run {
            let tell = listener(false);
            let done = keeping::go_back(&target, &way, &RunOptions::default(), &tell).await;
            clear_progress(false);
            done?;
            if let Some(distribution) = &args.invalidate {
                cloudfront::invalidate(&target, distribution, &way.plan.manifest.release).await?;
            }
            outcome = Outcome::Published;
        }
        let restored = way.plan.manifest.restores.clone().unwrap_or_default();
        let result = plan_output::Result {
            target: &target.url,
            plan: &way.plan,
            outcome,
            look: &format!("the content of {restored} is live again"),
            requests: target.requests(),
            elapsed: start.elapsed(),
        };
        print(|out| if human { plan_output::outcome(&result, out) } else { plan_output::json(&result, out) })
    }))
}

pub fn verify(args: &VerifyArgs) -> commands::Outcome {
    let export = ExportArgs { dir: None, config: args.config.clone(), no_config: args.no_config };
    let config = commands::contract(&export)?;
    report(run(async {
        let seal = Seal::read(&args.seal).map_err(|error| Failure::new(Exit::Usage, error.to_string()))?;
        let timeout = Duration::from_secs(args.timeout.max(1));
        let found = ask_until(&args.url, &seal, &config, timeout, args.patience).await?;
        if args.format == Format::Json {
            print(|out| {
                writeln!(
                    out,
                    "{:#}",
                    json!({"schema_version": 1, "url": args.url, "verified": found.wrong.is_empty(), "requests": found.requests, "wrong": found.wrong})
                )
            })?;
            return if found.wrong.is_empty() { Ok(()) } else { Err(unverified(&args.url, &found)) };
        }
        if !found.wrong.is_empty() {
            return Err(unverified(&args.url, &found));
        }
        print(|out| {
            writeln!(
                out,
                "{GREEN}verified{GREEN:#}  {}  {DIM}{} files, {} requests{DIM:#}",
                args.url,
                seal.files.len(),
                found.requests
            )
        })
    }))
}

fn unverified(url: &str, found: &Verified) -> Failure {
    let names = found.wrong.iter().map(|wrong| format!("{}  {}", wrong.url, wrong.message));
    let count = found.wrong.len();
    let what = if count == 1 { "1 answer is" } else { "answers are" };
    let message = if count == 1 {
        format!("{url}: {what} not as sealed")
    } else {
        format!("{url}: {count} {what} not as sealed")
    };
    Failure::new(Exit::Unverified, message).names(names)
}

/// Asks the live site until it answers as sealed, or patience ends.
async fn ask_until(
    url: &str,
    seal: &Seal,
    config: &Contract,
    timeout: Duration,
    patience: u64,
) -> Result<Verified, Failure> {
    let end = Instant::now() + Duration::from_secs(patience);
    loop {
        let found = verify::verify(url, seal, config, timeout).await?;
        if found.wrong.is_empty() || Instant::now() >= end {
            return Ok(found);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// As [`ask_until`], with what is wrong as a failure.
pub async fn look_until(
    url: &str,
    seal: &Seal,
    config: &Contract,
    timeout: Duration,
    patience: u64,
) -> Result<(), Failure> {
    let found = ask_until(url, seal, config, timeout, patience).await?;
    if found.wrong.is_empty() { Ok(()) } else { Err(unverified(url, &found)) }
}

pub fn gc(args: &GcArgs) -> commands::Outcome {
    report(run(async {
        let target = Target::open(&args.store.target, &target_options(&args.store, 0), false)?;
        let options = RunOptions::default();
        let cleared = keeping::clear_away(&target, args.keep_releases, args.dry_run, &options).await?;
        let verb = if args.dry_run { "would clear" } else { "cleared" };
        print(|out| {
            writeln!(
                out,
                "{verb} {} releases, {} kept contents, {} records",
                cleared.releases.len(),
                cleared.contents,
                cleared.records
            )
        })
    }))
}

pub fn unlock(args: &StatusArgs) -> commands::Outcome {
    report(run(async {
        let target = Target::open(&args.store.target, &target_options(&args.store, 0), false)?;
        let freed = keeping::unlock(&target).await?;
        match (args.format, &freed) {
            (Format::Json, freed) => print(|out| {
                let run = freed.as_ref().map(|run| run.number);
                writeln!(out, "{:#}", json!({"schema_version": 1, "target": target.url, "freed": run}))
            }),
            (Format::Human, None) => print(|out| writeln!(out, "nobody holds {}", target.url)),
            (Format::Human, Some(run)) => print(|out| {
                let touched = run.stage == Stage::Publishing && run.release.is_some();
                let next = if touched { "; publish again, or roll back, to end what it began" } else { "" };
                writeln!(out, "{RED}freed{RED:#} {} from run {}{next}", target.url, run.number)
            }),
        }
    }))
}

pub fn edge(args: &EdgeArgs) -> commands::Outcome {
    let config = commands::contract(&args.export)?;
    let root = args.export.dir.clone().or_else(|| config.site.root.clone());
    let text = match args.host {
        EdgeHost::Cloudfront => edge::cloudfront(&config, &args.bucket, &args.prefix),
        EdgeHost::S3Website => edge::s3_website(&config, &args.bucket, &args.prefix),
        EdgeHost::Nginx => edge::nginx(&config, &root.unwrap_or_else(|| "/srv/site".into())),
    };
    let mut out = anstream::stdout();
    commands::finish(text.and_then(|text| out.write_all(text.as_bytes())))?;
    Ok(0)
}
