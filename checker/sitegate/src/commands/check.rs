//! `sitegate check`: checks an export against its contract, writes reports, and writes a seal if the check passes.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use clap::{ValueEnum, value_parser};
use sitegate_address::inventory::Inventory;
use sitegate_base::sanitize::visible;
use sitegate_check::{
    CheckScope, CheckTarget, CheckedFiles, Checker, Contract, ExternalAnswer, Progress, Report, Seal,
    Verdict, collect_export,
};
use sitegate_publish::failure::FailureKind;
use sitegate_review::Texts;
use url::{Position, Url};

use crate::baseline_args::BaselineArgs;
use crate::crawl_limits::CrawlLimits;
use crate::error::Error;
use crate::export_args::ExportArgs;
use crate::external_lock::{LockArgs, OpenLock};
use crate::facts_file;
use crate::fixes::{AppliedFixes, FixArgs, FixMode, count_fixable};
use crate::git;
use crate::inventory_file;
use crate::online::{self, ExternalChecker, ExternalOptions, LiveCrawl};
use crate::report_args::ReportArgs;
use crate::terminal::{self, Outcome, ProgressLine, at_least_one};

/// Whether to hide the options that need the network.
const NO_NETWORK: bool = !online::IS_BUILT;

/// Time between updates of the progress line.
const UPDATE_INTERVAL: Duration = Duration::from_millis(100);

/// Default time for all requests to a live site.
const LIVE_MAX_TIME: Duration = Duration::from_hours(1);

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("dir", |dir| dir.value_name("DIR|URL").help("Folder, or URL of a live site [default: site.root]")),
    after_help = "Exit codes: 0 passed, 1 failed, 2 cannot check.",
    after_long_help = "Exit codes:\n  0  passed\n  1  failed: findings at error level\n  2  cannot check: invalid arguments or \
                  contract, an unreadable file,\n     or no page, unless the contract turns `empty-export` off\n\
                  130  stopped by Ctrl-C"
)]
pub struct Args {
    #[command(flatten)]
    pub export: ExportArgs,
    #[command(flatten)]
    pub outputs: ReportArgs,
    /// Write a seal to this file if the check passes
    ///
    /// A seal is a checksum list of the exact files that passed. `publish` needs it.
    #[arg(long, value_name = "FILE")]
    seal: Option<PathBuf>,
    /// Write an inventory if the check passes
    ///
    /// An inventory lists all addresses of the site: pages, anchors and redirects, as sorted text. A later check finds lost addresses with it
    /// (`[permalinks]`), and other sites check their links to this one (`[[parts]]`). A name that ends in .gz
    /// compresses it.
    #[arg(long, hide_short_help = true, value_name = "FILE", conflicts_with_all = ["watch", "write_baseline", "prune_baseline"])]
    inventory: Option<PathBuf>,
    /// Write page facts to this file, for `diff` and --external=new
    ///
    /// Page facts are the texts, metadata, sizes and external links of all pages, compressed to a few per cent of the export.
    /// They are written whether the check passes or not.
    #[arg(long, hide_short_help = true, value_name = "FILE", conflicts_with_all = ["watch", "write_baseline", "prune_baseline"])]
    facts: Option<PathBuf>,
    /// Request inventories at URLs
    ///
    /// They are those of `[[parts]]` and `[permalinks]`. Without it, those of the last request are used, or else `fallback`. --external requests them, too.
    #[arg(long, hide_short_help = true, hide = NO_NETWORK, conflicts_with = "watch")]
    parts: bool,
    #[command(flatten)]
    pub baselines: BaselineArgs,
    /// Check external links; `new`: only the added ones
    ///
    /// By default, none is requested. The section `[external]` of the contract configures the requests. Results are
    /// cached: for three days if the link works, for an hour if it is broken. Ctrl-C stops the requests, prints the
    /// report so far and exits with 130. --external=new requests the links that neither --lock nor --base has.
    #[arg(
        long, value_enum, value_name = "LINKS", num_args = 0..=1, require_equals = true,
        default_missing_value = "all", hide_possible_values = true,
        hide = NO_NETWORK, conflicts_with_all = ["watch", "write_baseline"]
    )]
    external: Option<ExternalScope>,
    /// Commit or earlier export to compare external links with
    ///
    /// With --lock, it is a commit, such as origin/main: entries of the lock count only if that commit has the same. Without,
    /// it is a folder, or a file of --facts: with --external=new, the links of this export are not requested.
    #[arg(long, hide_short_help = true, value_name = "COMMIT|DIR|FILE", help_heading = "External links", hide = NO_NETWORK, requires = "external")]
    base: Option<String>,
    #[command(flatten)]
    lock: LockArgs,
    /// List the requests and their duration, but send none
    #[arg(long, hide_short_help = true, help_heading = "External links", hide = NO_NETWORK, requires = "external")]
    dry_run: bool,
    /// Maximum time for requests, in seconds
    ///
    /// The default is 300 for external links, and 3600 for a live site. The report names what was not requested.
    #[arg(long, hide_short_help = true, value_name = "SECONDS", help_heading = "External links", hide = NO_NETWORK, value_parser = value_parser!(u64).range(1..=86_400))]
    max_time: Option<u64>,
    /// Maximum number of pages to crawl
    #[arg(long, hide_short_help = true, value_name = "PAGES", default_value_t = 1000, help_heading = "Live site", hide = NO_NETWORK, value_parser = at_least_one())]
    max_pages: u64,
    /// Also crawl URLs that robots.txt excludes
    #[arg(long, hide_short_help = true, help_heading = "Live site", hide = NO_NETWORK)]
    ignore_robots: bool,
    /// Check again when the export or contract changes
    ///
    /// Prints new and fixed findings after each change.
    #[arg(long, conflicts_with_all = ["format", "reports", "seal", "write_baseline"])]
    pub watch: bool,
    #[command(flatten)]
    fixes: FixArgs,
    /// Ignore cached results, and do not cache new ones
    #[arg(long, hide_short_help = true, help_heading = "External links", hide = NO_NETWORK, requires = "external")]
    no_cache: bool,
}

/// The external links to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExternalScope {
    All,
    New,
}

impl Args {
    fn max_time(&self) -> Option<Duration> {
        self.max_time.map(Duration::from_secs)
    }
}

pub fn run(args: &Args) -> Outcome {
    check(args).map_err(|error| args.export.contract.rename(error))
}

fn check(args: &Args) -> Outcome {
    let start = Instant::now();
    // Removes the output of an earlier run first, even if this run fails to start.
    args.outputs.prepare(args.seal.as_deref())?;
    if let Some(file) = &args.seal {
        Seal::clear(file)?;
    }
    args.baselines.prepare()?;
    if let Some(url) = args.export.live_url()? {
        return run_live(args, &url, start);
    }
    let (mut contract, root) = args.export.load()?;
    if args.dry_run {
        return dry_run(args, &root, &contract);
    }
    let lock = OpenLock::open(&args.lock, args.base.as_deref(), contract.external.max_age)?;
    let external = args.external.map(|_| start_external(args, &contract, lock.as_ref())).transpose()?;
    args.baselines.apply(&mut contract);
    if let Some(file) = &args.seal {
        Seal::refuse_inside(file, &root)?;
    }
    if let Some(file) = &args.inventory {
        inventory_file::prepare(file, &root, args.seal.is_some())?;
    }
    if let Some(file) = &args.facts {
        facts_file::check_output(file)?;
    }
    let progress = Progress::default();
    let mut fetched = inventory_file::fetch(&contract, args.parts || args.external.is_some())?;
    fetched.written.clone_from(&args.inventory);
    let mut checker = Checker::with_inventories(&contract, &fetched)?
        .digest(args.seal.is_some())
        .inventory(args.inventory.is_some() || args.seal.is_some())
        .progress(&progress);
    if let Some(external) = &external {
        checker = checker.external(external);
    }
    let check = || checker.run(CheckTarget::Export(&root));
    let mut result = run_with_progress(&progress, external.as_ref(), check)?;
    let inventory = result.inventory.take();
    let (report, files) = result.into_report(&contract);
    let mut report = report.with_elapsed(start.elapsed());
    let is_stopped = external.as_ref().is_some_and(ExternalChecker::is_stopped);
    if let (Some(lock), Some(external)) = (&lock, &external)
        && args.lock.update_lock
        && !is_stopped
    {
        lock.update(&external.take_verdicts())?;
    }
    if let Some(outcome) = change_baseline(args, &contract, &report, is_stopped) {
        return outcome;
    }
    let applied = match args.fixes.fix {
        Some(mode) => Some((mode, args.fixes.apply(mode, &mut report, &root, &contract)?)),
        None => None,
    };
    let checked = CheckedExport { contract: &contract, root: &root, files, inventory, is_stopped };
    // Nothing says that the check passed before all outputs are complete.
    let sealed = checked
        .write(args, &report)
        .and_then(|seal| print_report(args, &report, applied, (&root, &contract)).map(|()| seal))
        .inspect_err(|_| discard_outputs(args))?;
    if let Some(seal) = sealed {
        note_placeholders(&seal);
    }
    Ok(if is_stopped { FailureKind::Sigint.exit_code() } else { report.verdict.exit_code() })
}

/// An export after its check.
struct CheckedExport<'c> {
    contract: &'c Contract,
    root: &'c Path,
    files: CheckedFiles,
    inventory: Option<Inventory>,
    /// Whether Ctrl-C stopped the requests.
    is_stopped: bool,
}

impl CheckedExport<'_> {
    /// Writes all files that the arguments ask for. Returns the seal, which is written last.
    fn write(mut self, args: &Args, report: &Report) -> Result<Option<Seal>, Error> {
        let has_passed = report.verdict == Verdict::Passed && !self.is_stopped;
        let inventory = self.inventory.take();
        let seal = match &args.seal {
            Some(file) if has_passed => {
                let mut seal = self.files.seal(report, self.contract)?;
                seal.inventory = inventory.as_ref().map(Inventory::to_text);
                let contract = self.contract.file.as_deref().unwrap_or(self.root);
                seal.commit = git::commit_of_build(contract.parent().unwrap_or(Path::new("")));
                Some((file, seal))
            }
            _ => None,
        };
        args.outputs.write_files(report)?;
        if let Some(file) = &args.facts {
            let texts = Texts::default();
            let mut facts = collect_export(self.root, self.contract, &texts)?;
            let links = facts_file::external_links(self.root, self.contract)?;
            facts.links = links.into_iter().map(|link| String::from(link).into()).collect();
            facts_file::write(file, facts, &texts.freeze())?;
        }
        if let (Some(file), Some(inventory)) = (&args.inventory, &inventory)
            && has_passed
        {
            inventory_file::write(file, inventory)?;
        }
        let Some((file, seal)) = seal else { return Ok(None) };
        seal.write(file)?;
        Ok(Some(seal))
    }
}

/// Removes what says that a check passed, if the command fails: a seal, and reports.
fn discard_outputs(args: &Args) {
    args.outputs.discard();
    if let Some(file) = &args.seal {
        // The command has failed already.
        let _ = Seal::clear(file);
    }
}

/// Names the placeholders of a sealed site.
fn note_placeholders(seal: &Seal) {
    if !seal.not_for_live.is_empty() {
        let found: Vec<_> = seal.not_for_live.iter().map(|found| visible(found)).collect();
        let found = found.join("\n  ");
        terminal::print_note(&format!(
            "`publish` refuses this release for a bucket, but not for a folder:\n  {found}"
        ));
    }
}

/// Prints the applied fixes and the report.
fn print_report(
    args: &Args,
    report: &Report,
    applied: Option<(FixMode, AppliedFixes)>,
    (root, contract): (&Path, &Contract),
) -> Result<(), Error> {
    let format = &args.outputs.format;
    let print = || {
        let fixable = if format.is_human() { Some(count_fixable(report, root, contract)?) } else { None };
        format.print(report, fixable)
    };
    let Some((mode, applied)) = applied else { return print() };
    if mode == FixMode::Diff {
        terminal::print_bytes(applied.patch.as_bytes())?;
        return Ok(terminal::print_to_stderr(|out| applied.summarize(mode, out))?);
    }
    let is_human = format.is_human();
    let write = |out: &mut dyn Write| {
        applied.write_patch(out)?;
        applied.summarize(mode, out)?;
        writeln!(out)
    };
    if is_human {
        terminal::print(write)?;
    } else {
        terminal::print_to_stderr(write)?;
    }
    print()
}

/// Checks a live site.
fn run_live(args: &Args, url: &Url, start: Instant) -> Outcome {
    if args.seal.is_some()
        || args.dry_run
        || args.inventory.is_some()
        || args.facts.is_some()
        || args.fixes.fix.is_some()
        || args.lock.lock.is_some()
    {
        let message = "--seal, --inventory, --facts, --fix, --lock and --dry-run need a folder, not the URL of a live site";
        return Err(Error::usage(message));
    }
    let mut contract = args.export.contract.load()?;
    args.baselines.apply(&mut contract);
    let max_time = args.max_time().unwrap_or(LIVE_MAX_TIME);
    let max_pages = usize::try_from(args.max_pages).unwrap_or(usize::MAX);
    let limits = CrawlLimits { max_pages, ignores_robots: args.ignore_robots, max_time, inventory: false };
    let mut crawl = LiveCrawl::fetch(url, &mut contract, limits)?;
    let mut is_stopped = crawl.is_stopped;
    if args.external.is_some() && !is_stopped {
        let external = start_external(args, &contract, None)?;
        let checker = Checker::new(&contract)?.external(&external);
        let check = || crawl.check(&checker);
        run_with_progress(&Progress::default(), Some(&external), check)?;
        is_stopped = external.is_stopped();
    }
    let (report, _) = crawl.result.into_report(&contract);
    let report = report.with_elapsed(start.elapsed());
    if let Some(outcome) = change_baseline(args, &contract, &report, is_stopped) {
        return outcome;
    }
    args.outputs
        .write_files(&report)
        .and_then(|()| args.outputs.format.print(&report, None))
        .inspect_err(|_| discard_outputs(args))?;
    Ok(if is_stopped { FailureKind::Sigint.exit_code() } else { report.verdict.exit_code() })
}

/// Prints the requests that `--external` would send.
fn dry_run(args: &Args, root: &Path, contract: &Contract) -> Outcome {
    let lock = OpenLock::open(&args.lock, args.base.as_deref(), contract.external.max_age)?;
    let known = known_links(args, contract, lock.as_ref())?;
    let answers = lock.map(|lock| lock.answers(args.lock.update_lock)).unwrap_or_default();
    let is_answered = |url: &Url| {
        let has = |answer: &ExternalAnswer| url.fragment().is_none_or(|name| answer.present.contains(name));
        answers.get(&url[..Position::AfterQuery]).is_some_and(has)
    };
    let mut urls = facts_file::external_links(root, contract)?;
    urls.retain(|url| !known.contains(url) && !is_answered(url));
    online::print_requests(urls, contract, args.max_time())?;
    Ok(0)
}

/// Starts to check external links: all, or those that a change adds.
fn start_external(
    args: &Args,
    contract: &Contract,
    lock: Option<&OpenLock>,
) -> Result<ExternalChecker, Error> {
    let is_updated = args.lock.update_lock;
    let options = ExternalOptions {
        known: known_links(args, contract, lock)?,
        locked: lock.map(|lock| lock.answers(is_updated)).unwrap_or_default(),
        // The day in the lock is that of a request.
        has_cache: !args.no_cache && !is_updated,
        keeps_verdicts: is_updated,
        max_time: args.max_time(),
    };
    ExternalChecker::start(contract, options)
}

/// Returns the external links that are not requested, because the base has them.
fn known_links(args: &Args, contract: &Contract, lock: Option<&OpenLock>) -> Result<BTreeSet<Url>, Error> {
    if args.external != Some(ExternalScope::New) {
        return Ok(BTreeSet::new());
    }
    if args.lock.update_lock {
        return Err(Error::usage(
            "--update-lock needs the answers of all links: use --external, not --external=new",
        ));
    }
    let base = args.base.as_deref().map(Path::new);
    match (lock, base) {
        (Some(lock), _) => Ok(lock.known_addresses()),
        (None, Some(base)) if base.is_dir() => facts_file::external_links(base, contract),
        (None, Some(base)) if base.is_file() => {
            let links = facts_file::read(base, &Texts::default())?.links;
            Ok(links.iter().filter_map(|link| Url::parse(link).ok()).collect())
        }
        (None, Some(base)) => Err(Error::usage(format!(
            "{}: --base must be the folder of an earlier export, or its page facts (`check --facts`); with --lock FILE, a commit",
            base.display()
        ))),
        (None, None) => {
            Err(Error::usage("--external=new compares with --lock FILE, or with --base DIR|FILE"))
        }
    }
}

/// Returns the outcome of a check that writes or prunes a baseline.
fn change_baseline(args: &Args, contract: &Contract, report: &Report, is_stopped: bool) -> Option<Outcome> {
    let is_external_complete = args.external == Some(ExternalScope::All)
        && report.external.as_ref().is_some_and(|external| !external.stopped);
    args.baselines.change(&CheckScope { contract, report, is_external_complete }, is_stopped)
}

/// Runs `work` and shows its progress.
fn run_with_progress<T: Send>(
    progress: &Progress,
    external: Option<&ExternalChecker>,
    work: impl FnOnce() -> T + Send,
) -> T {
    let Some(line) = ProgressLine::start() else { return work() };
    std::thread::scope(|scope| {
        let (stop, stopped) = channel::<()>();
        scope.spawn(move || {
            while stopped.recv_timeout(UPDATE_INTERVAL).is_err_and(|error| error == RecvTimeoutError::Timeout)
            {
                let (done, total) =
                    (progress.done.load(Ordering::Relaxed), progress.total.load(Ordering::Relaxed));
                let message = match external.and_then(ExternalChecker::progress_message) {
                    Some(requests) if done == total => requests,
                    Some(requests) => format!("checked {done} of {total} files, {requests}"),
                    None => format!("checked {done} of {total} files"),
                };
                line.show(done, total, message);
            }
        });
        let result = work();
        drop(stop);
        result
    })
}
