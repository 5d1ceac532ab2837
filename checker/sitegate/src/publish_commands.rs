//! What the commands after the check do with their arguments: seal, serve, publish.

use std::error::Error;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sitegate_check::contract::Contract;
use sitegate_check::report::{Report, Verdict};
use sitegate_check::seal::{Seal, contract_digest};
use sitegate_hosting::preview::{self, Preview};
use sitegate_publish::aws::cloudfront;
use sitegate_publish::failure::{Exit, Failure};
use sitegate_publish::keeping;
use sitegate_publish::memory::lock::{self, RunOptions};
use sitegate_publish::memory::survey;
use sitegate_publish::plan::{Limits, Plan};
use sitegate_publish::publisher::{self, Content, Event, Listener};
use sitegate_publish::release::source::Source;
use sitegate_publish::release::{manifest, objects};
use sitegate_publish::target::Target;
use sitegate_publish::target::store::TargetOptions;

use crate::cli::{Format, LimitArgs, PublishArgs, ServeArgs, StoreArgs};
use crate::commands::{self, finish, load};
use crate::plan_output::{self, Outcome};
use crate::release_commands;

/// Bytes a second that a slow line is granted for large files.
const SLOWEST: u64 = 256 << 10;

/// Writes the seal of a check that passed.
pub fn seal(report: &Report, config: &Contract, file: Option<&Path>) -> Result<(), Box<dyn Error>> {
    match file {
        Some(file) if report.verdict() == Verdict::Passed => Ok(report.seal(config)?.write(file)?),
        _ => Ok(()),
    }
}

/// Refuses a seal's path that cannot be used, and clears an older seal away, before a check begins.
pub fn prepare_seal(file: Option<&Path>, root: &Path) -> Result<(), Box<dyn Error>> {
    Ok(file.map_or(Ok(()), |file| Seal::prepare(file, root))?)
}

pub fn serve(args: &ServeArgs) -> commands::Outcome {
    let (config, root) = load(&args.export)?;
    let limit = args.limit.map(Duration::from_secs);
    Preview::new(&root, config)?
        .run(args.port, limit, |url| preview::announce(&mut anstream::stdout(), url, &root))?;
    Ok(0)
}

pub fn publish(args: &PublishArgs, only_plan: bool) -> commands::Outcome {
    let (config, root) = load(&args.export)?;
    report(run(async { publish_export(args, only_plan || args.dry_run, &config, &root).await }))
}

/// Gives a failure's exit code after saying what it is.
pub fn report(result: Result<(), Failure>) -> commands::Outcome {
    match result {
        Ok(()) => Ok(0),
        Err(failure) => {
            commands::complain(&failure);
            Ok(failure.exit as u8)
        }
    }
}

pub fn run<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.map_err(|error| Failure::new(Exit::Failed, error.to_string()))?.block_on(work)
}

pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(anstream::stdout());
    let written = write(&mut out).and_then(|()| out.flush());
    finish(written).map_err(|error| Failure::new(Exit::Failed, error.to_string()))
}

/// Keeps from a bucket what a check warned of and a visitor must not see.
fn refuse_placeholders(seal: &Seal) -> Result<(), Failure> {
    match seal.not_for_live.as_slice() {
        [] => Ok(()),
        found => Err(Failure::new(Exit::Guard, "the release holds placeholders that no visitor should see")
            .names(found.to_vec())
            .help("set the real values, or let them pass with --allow-placeholders")),
    }
}

async fn publish_export(
    args: &PublishArgs,
    dry_run: bool,
    config: &Contract,
    root: &Path,
) -> Result<(), Failure> {
    let start = Instant::now();
    let seal = Seal::read(&args.seal).map_err(|error| Failure::new(Exit::Usage, error.to_string()))?;
    same_contract(&seal, config)?;
    let largest = seal.files.iter().map(|file| file.size).max().unwrap_or(0);
    let options = target_options(&args.store, largest);
    let mut target = Target::open(&args.store.target, &options, false)?;
    let is_folder = match target.folder() {
        Some(folder) => refuse_overlap(folder, root).map(|()| true)?,
        None if args.limits.allow_placeholders => false,
        None => refuse_placeholders(&seal).map(|()| false)?,
    };
    if args.precompress && !is_folder {
        return Err(cannot_choose(&target));
    }
    // A bucket is looked at while the export is read: one waits for the network, the other for the disk.
    let early = async { if is_folder { Ok(None) } else { survey::survey(&target, &[]).await.map(Some) } };
    let (source, early) = tokio::join!(open_source(root, &seal), early);
    let mut source = source?;
    source.add_redirects(config)?;
    if args.precompress {
        source.add_variants()?;
    }
    let objects = objects::objects(&source, config, target.manners())?;
    let standing = match early? {
        Some(standing) => standing,
        None => {
            if !dry_run {
                target = Target::open(&args.store.target, &options, true)?;
            }
            survey::survey(&target, &objects).await?
        }
    };
    let limits = limits(&args.limits);
    let manifest = manifest::manifest(&seal, objects, standing.state.moment());
    let plan = Plan::new(manifest, &standing.state, &standing.present, limits.keep);
    let look = look(&target, args);
    let human = args.format == Format::Human;
    if human && !plan.nothing {
        print(|out| plan_output::plan(&plan, &target.url, out))?;
    }
    let mut outcome = if plan.nothing { Outcome::Unchanged } else { Outcome::Planned };
    if !plan.nothing {
        lock::refuse_held(&standing.state)?;
        plan.guard(&limits)?;
    }
    if !plan.nothing && !dry_run {
        let options = RunOptions { lease: Duration::from_secs(args.lease.max(3)) };
        let content = Content::Export(&source);
        let tell = listener(args.events);
        let done = publisher::carry_out(&target, &plan, &standing.state, &content, &options, &tell).await;
        clear_progress(args.events);
        done?;
        after(args, &target, &plan, &seal, config, &tell).await?;
        publisher::clear(&target, &plan, &tell).await;
        outcome = Outcome::Published;
    }
    let result = plan_output::Result {
        target: &target.url,
        plan: &plan,
        outcome,
        look: &look,
        requests: target.requests(),
        elapsed: start.elapsed(),
    };
    print(|out| if human { plan_output::outcome(&result, out) } else { plan_output::json(&result, out) })
}

/// Shows a live release to the world, and looks whether the world sees it.
async fn after(
    args: &PublishArgs,
    target: &Target,
    plan: &Plan,
    seal: &Seal,
    config: &Contract,
    tell: Listener<'_>,
) -> Result<(), Failure> {
    let invalidated = match &args.after.invalidate {
        Some(distribution) => cloudfront::invalidate(target, distribution, &plan.manifest.release).await,
        None => Ok(()),
    };
    let seen = match (&invalidated, &args.after.verify) {
        (Ok(()), Some(url)) => {
            let timeout = Duration::from_secs(args.store.timeout);
            release_commands::look_until(url, seal, config, timeout, args.after.patience).await
        }
        (_, None) => return invalidated,
        (Err(_), Some(_)) => invalidated,
    };
    let Err(failure) = seen else { return Ok(()) };
    if !args.after.rollback {
        return Err(
            failure.help(format!("`sitegate rollback {}` puts the release before it back", target.url))
        );
    }
    let way = keeping::way_back(target, None, args.limits.keep_releases).await?;
    keeping::go_back(target, &way, &RunOptions::default(), tell).await?;
    if let Some(distribution) = &args.after.invalidate {
        cloudfront::invalidate(target, distribution, &way.plan.manifest.release).await?;
    }
    let restored = way.plan.manifest.restores.unwrap_or_default();
    Err(Failure { exit: Exit::RolledBack, ..failure }.help(format!("release {restored} is live again")))
}

/// The contract sets headers, so it must be the one that the export was checked against.
fn same_contract(seal: &Seal, config: &Contract) -> Result<(), Failure> {
    if seal.contract == contract_digest(config) {
        return Ok(());
    }
    let help = match (&seal.contract, &config.file) {
        (Some(_), None) => "the export was checked against a contract; name it with --config",
        (None, Some(_)) => "the export was checked without a contract; check it again, or say --no-config",
        _ => "run `sitegate check --seal FILE` again, and publish what passes",
    };
    let message = format!("{} is not the contract that the export passed", config.name());
    Err(Failure::new(Exit::Refused, message).help(help))
}

/// Only a server in front of a folder can use what --precompress makes.
fn cannot_choose(target: &Target) -> Failure {
    Failure::new(Exit::Usage, format!("{} cannot choose between compressed forms", target.url))
        .help("leave --precompress out, and let the CDN compress, as CloudFront does")
}

/// Reads the export beside whatever else is done.
async fn open_source(root: &Path, seal: &Seal) -> Result<Source, Failure> {
    let (root, seal) = (root.to_path_buf(), seal.clone());
    let opened = tokio::task::spawn_blocking(move || Source::open(&root, &seal)).await;
    opened.map_err(|error| Failure::new(Exit::Failed, error.to_string()))?
}

fn refuse_overlap(folder: &Path, root: &Path) -> Result<(), Failure> {
    let real = |path: &Path| -> PathBuf {
        let known = path.ancestors().find_map(|parent| {
            let real = std::fs::canonicalize(parent).ok()?;
            Some(path.strip_prefix(parent).map_or_else(|_| real.clone(), |rest| real.join(rest)))
        });
        known.unwrap_or_else(|| path.to_path_buf())
    };
    let root = std::path::absolute(root).map_or_else(|_| root.to_path_buf(), |root| real(&root));
    let folder = real(folder);
    if folder.starts_with(&root) || root.starts_with(&folder) {
        let message = format!("{} and {} lie in one another", folder.display(), root.display());
        return Err(Failure::new(Exit::Usage, message).help("publish to a folder beside the export"));
    }
    Ok(())
}

pub fn target_options(args: &StoreArgs, largest: u64) -> TargetOptions {
    TargetOptions {
        endpoint: args.endpoint.clone(),
        region: args.region.clone(),
        profile: args.profile.clone(),
        virtual_host: args.virtual_host,
        allow_http: args.allow_http,
        timeout: Duration::from_secs(args.timeout.max(1) + largest / SLOWEST),
        jobs: args.jobs,
    }
}

fn limits(args: &LimitArgs) -> Limits {
    Limits {
        keep: args.keep_releases,
        max_deletes: args.max_deletes,
        overwrite_drift: args.overwrite_drift,
        adopt: args.adopt,
        allow_gone: args.allow_gone,
    }
}

/// Where to look at what was published.
fn look(target: &Target, args: &PublishArgs) -> String {
    match target.folder() {
        Some(folder) => {
            let config = args.export.config.as_ref();
            let config = config.map_or_else(String::new, |file| format!(" --config {}", file.display()));
            format!("look at it with: sitegate serve {}{config}", folder.display())
        }
        None => format!("look at its state with: sitegate status {}", target.url),
    }
}

pub fn listener(events: bool) -> impl Fn(&Event<'_>) + Sync {
    let terminal = io::stderr().is_terminal();
    move |event| {
        let mut out = anstream::stderr();
        // A line that cannot be shown is no reason to stop.
        let _ = match event {
            _ if events => match serde_json::to_string(event) {
                Ok(line) => writeln!(out, "{line}"),
                Err(_) => Ok(()),
            },
            Event::Warning { message } => writeln!(out, "warning: {message}"),
            Event::Written { done, total, .. } if terminal => {
                let filled = done * 24 / (*total).max(1);
                write!(out, "\r\x1b[2K[{}{}] {done} of {total}", "#".repeat(filled), " ".repeat(24 - filled))
            }
            _ => Ok(()),
        };
    }
}

pub fn clear_progress(events: bool) {
    if !events && io::stderr().is_terminal() {
        let _ = write!(anstream::stderr(), "\r\x1b[2K");
    }
}
