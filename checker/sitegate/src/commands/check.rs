//! `sitegate check`: holds an export to its contract, writes the reports, and seals what passed.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use sitegate_base::plural::{count, thousands};
use sitegate_base::sanitize::visible;
use sitegate_check::internal::contract::{BaselineFile, Contract};
use sitegate_check::internal::report::{Report, Verdict, baseline};
use sitegate_check::internal::seal::Seal;
use sitegate_check::{CheckTarget, Checker, Progress};
#[cfg(not(feature = "network"))]
use sitegate_publish::failure::Failure;
use sitegate_publish::failure::FailureKind;
use url::Url;

use crate::error::Error;
use crate::export::ExportArgs;
#[cfg(feature = "network")]
use crate::external::AskedHosts;
#[cfg(not(feature = "network"))]
use crate::external_without_network::NobodyAsked as AskedHosts;
#[cfg(feature = "network")]
use crate::live::{FetchedSite, LiveBounds};
use crate::outputs::Outputs;
use crate::progress::ProgressLine;
use crate::terminal::{self, Outcome, at_least_one};

/// What asks other hosts is hidden where the program cannot.
const NO_NETWORK: bool = !cfg!(feature = "network");

/// How often the progress line is updated.
const EVERY: Duration = Duration::from_millis(100);

/// Exit codes: 0 passed, 1 findings at error level, 2 could not check.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("dir", |dir| dir.value_name("DIR|URL").help("The export's folder, or a live site's URL [default: site.root]")),
    after_help = "Exit codes:\n  0  passed\n  1  findings at error level\n  2  could not check: something cannot be read, or \
                  there is no page and\n     the contract does not turn `empty-export` off"
)]
pub struct Args {
    #[command(flatten)]
    pub export: ExportArgs,
    #[command(flatten)]
    pub outputs: Outputs,
    /// Write a seal to this file if the check passes
    ///
    /// A seal is a checksum list of the exact files that passed; `publish` needs it.
    #[arg(long, value_name = "FILE")]
    seal: Option<PathBuf>,
    /// Known findings: only new ones fail the check
    ///
    /// The default is check.baseline of the contract.
    ///
    /// A run that passes is sealed, known findings and all: the seal's contract digest covers the baseline.
    /// `publish` goes by the contract alone, so it takes such a seal only where the contract names the same file.
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    pub baseline: Option<PathBuf>,
    /// Write all findings to a baseline and exit with 0
    #[arg(long, value_name = "FILE", help_heading = "Baseline", conflicts_with_all = ["baseline", "seal"])]
    write_baseline: Option<PathBuf>,
    /// Record shared findings by cause, not by page
    ///
    /// A broken icon is then known under its address: a new page that shows it is not a new finding. What is a page's own
    /// matter, such as a missing title, stays known by the page.
    #[arg(long, help_heading = "Baseline", requires = "write_baseline")]
    by_cause: bool,
    /// Request external links; without it, nothing is requested
    ///
    /// How they are asked, `[external]` of the contract says. Answers are kept for a while: three days where something is
    /// there, an hour where it is broken. Ctrl-C ends the asking, prints what is known so far, and ends with 130.
    #[arg(long, help_heading = "External links", hide = NO_NETWORK, conflicts_with_all = ["watch", "write_baseline"])]
    external: bool,
    /// List the requests and their duration, and send none
    #[arg(long, help_heading = "External links", hide = NO_NETWORK, requires = "external")]
    dry_run: bool,
    /// Maximum number of pages to crawl
    #[arg(long, value_name = "PAGES", default_value_t = 1000, help_heading = "Live site", hide = NO_NETWORK, value_parser = at_least_one())]
    max_pages: u64,
    /// Crawl what robots.txt excludes, too
    #[arg(long, help_heading = "Live site", hide = NO_NETWORK)]
    ignore_robots: bool,
    /// Check again whenever the export or contract changes
    ///
    /// Prints what is new and what is fixed.
    #[arg(long, conflicts_with_all = ["format", "reports", "seal", "write_baseline"])]
    pub watch: bool,
    /// Neither read nor write the cache of answers
    #[arg(long, help_heading = "External links", hide = NO_NETWORK, requires = "external")]
    no_cache: bool,
}

pub fn run(args: &Args) -> Outcome {
    let start = Instant::now();
    // First of all, so that nothing of an earlier run remains where this one cannot even begin.
    args.outputs.prepare(args.seal.as_deref())?;
    if let Some(file) = &args.seal {
        Seal::clear(file)?;
    }
    if let Some(address) = args.export.address()? {
        return run_live(args, &address, start);
    }
    let (mut contract, root) = args.export.load()?;
    if args.dry_run {
        return dry_run(&root, &contract);
    }
    let external = args.external.then(|| AskedHosts::begin(&contract, !args.no_cache)).transpose()?;
    take_baseline(args, &mut contract);
    if let Some(file) = &args.seal {
        Seal::refuse_inside(file, &root)?;
    }
    let progress = Progress::default();
    let mut checker = Checker::new(&contract)?.digest(args.seal.is_some()).progress(&progress);
    if let Some(external) = &external {
        checker = checker.external(external);
    }
    let check = || checker.run(CheckTarget::Export(&root));
    let result = with_progress_line(&progress, external.as_ref(), check)?;
    let (report, files) = result.into_report(&contract);
    let report = report.with_elapsed(start.elapsed());
    if let Some(file) = &args.write_baseline {
        return write_baseline(args, &report, file);
    }
    args.outputs.write(&report)?;
    if external.is_some_and(|external| external.is_stopped()) {
        return Ok(FailureKind::Sigint.exit_code());
    }
    if let Some(file) = &args.seal
        && report.verdict == Verdict::Passed
    {
        files.seal(&report, &contract)?.write(file)?;
    }
    Ok(report.verdict.exit_code())
}

/// Checks a live site.
#[cfg(feature = "network")]
fn run_live(args: &Args, address: &Url, start: Instant) -> Outcome {
    if args.seal.is_some() || args.watch || args.dry_run {
        let message = "a live site takes no --seal, --watch and --dry-run: name the export's folder";
        return Err(Error::usage(message));
    }
    let mut contract = args.export.contract()?;
    take_baseline(args, &mut contract);
    let max_pages = usize::try_from(args.max_pages).unwrap_or(usize::MAX);
    let bounds = LiveBounds { max_pages, ignores_robots: args.ignore_robots };
    let mut fetched = FetchedSite::fetch(address, &mut contract, bounds)?;
    let mut is_stopped = fetched.is_stopped;
    if args.external && !is_stopped {
        let external = AskedHosts::begin(&contract, !args.no_cache)?;
        let checker = Checker::new(&contract)?.external(&external);
        let check = || fetched.check(&checker);
        with_progress_line(&Progress::default(), Some(&external), check)?;
        is_stopped = external.is_stopped();
    }
    let (report, _) = fetched.result.into_report(&contract);
    let report = report.with_elapsed(start.elapsed());
    if let Some(file) = &args.write_baseline {
        return write_baseline(args, &report, file);
    }
    args.outputs.write(&report)?;
    Ok(if is_stopped { FailureKind::Sigint.exit_code() } else { report.verdict.exit_code() })
}

#[cfg(not(feature = "network"))]
fn run_live(_: &Args, _: &Url, _: Instant) -> Outcome {
    Err(Failure::without_network("fetching a live site").into())
}

/// Prints what would be asked of other hosts.
#[cfg(feature = "network")]
fn dry_run(root: &Path, contract: &Contract) -> Outcome {
    let collected = crate::external::Collected::new(contract);
    Checker::new(contract)?.external(&collected).check(CheckTarget::Export(root))?;
    collected.print(contract)?;
    Ok(0)
}

#[cfg(not(feature = "network"))]
fn dry_run(_: &Path, contract: &Contract) -> Outcome {
    AskedHosts::begin(contract, false)?;
    Ok(0)
}

/// Puts the command line's baseline in the place of the contract's; one that is written starts from nothing.
pub fn take_baseline(args: &Args, contract: &mut Contract) {
    if let Some(file) = &args.baseline {
        contract.baseline = Some(BaselineFile::read(file));
    } else if args.write_baseline.is_some() {
        contract.baseline = None;
    }
}

fn write_baseline(args: &Args, report: &Report, file: &Path) -> Outcome {
    if report.verdict == Verdict::Incomplete {
        return Err(Error::Result(match report.unreadable.first() {
            Some(unreadable) => {
                format!("nothing written, since not everything could be read: {}", visible(unreadable))
            }
            None => "nothing written, since there is no page to check".to_owned(),
        }));
    }
    let (findings, entries) =
        baseline::write(report, file, args.by_cause).map_err(|error| Error::Result(error.to_string()))?;
    let findings = count(findings, "finding");
    let known = match (args.by_cause, entries) {
        (false, _) => findings,
        (true, 1) => format!("{findings} in 1 entry"),
        (true, entries) => format!("{findings} in {} entries", thousands(entries)),
    };
    let name = file.display();
    terminal::print(|out| {
        writeln!(out, "wrote {known} to {name}; hold a check to it with `--baseline {name}`")
    })?;
    Ok(0)
}

/// Runs `work`, and shows its progress.
fn with_progress_line<T: Send>(
    progress: &Progress,
    external: Option<&AskedHosts>,
    work: impl FnOnce() -> T + Send,
) -> T {
    let Some(line) = ProgressLine::start() else { return work() };
    std::thread::scope(|scope| {
        let (done, waiting) = channel::<()>();
        scope.spawn(move || {
            while waiting.recv_timeout(EVERY).is_err_and(|error| error == RecvTimeoutError::Timeout) {
                let (at, of) =
                    (progress.done.load(Ordering::Relaxed), progress.total.load(Ordering::Relaxed));
                let message = match external.and_then(AskedHosts::line) {
                    Some(asked) if at == of => asked,
                    Some(asked) => format!("checked {at} of {of} files, {asked}"),
                    None => format!("checked {at} of {of} files"),
                };
                line.show(at, of, message);
            }
        });
        let result = work();
        drop(done);
        result
    })
}
