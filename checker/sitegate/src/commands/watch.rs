//! `sitegate check --watch`: prints a full report first, and then the new and fixed findings of each change.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use sitegate_base::plural::count;
use sitegate_base::sanitize::visible;
use sitegate_check::{
    CachedExport, Contract, KeyCounts, OutputFormat, PreviousFindings, RenderOptions, Report, Ruleset,
};

use crate::commands::check::Args;
use crate::error::Error;
use crate::file_watcher::{ChangedFiles, FileWatcher};
use crate::fixes::count_fixable;
use crate::terminal::{DIM, GREEN, Outcome, RED, print_error, stdout};

/// The exit code of a program that Ctrl-C ended, as shells report it.
const INTERRUPTED: u8 = 130;

/// Maximum number of fixed findings to list.
const MAX_FIXED: usize = 25;

/// Watches until Ctrl-C, or until the reader closes the pipe.
pub fn run(args: &Args) -> Outcome {
    if args.export.contract.is_contract_piped() {
        let message = "`--watch` needs a contract file: it cannot read standard input (`-`) again";
        return Err(Error::usage(message));
    }
    if args.export.live_url()?.is_some() {
        return Err(Error::usage("`--watch` needs a folder: a live site cannot be watched"));
    }
    let (contract, root) = args.export.load_unbuilt()?;
    if root.is_file() {
        args.export.load()?;
    }
    let mut watcher = FileWatcher::new(&root)?;
    let mut last = PreviousFindings::default();
    let mut next = WatchedExport::new(args, contract, &mut watcher);
    loop {
        let result = match &mut next {
            Ok(watched) => watched.check(args, &root, &mut last),
            Err(error) => {
                print_error(&error.message());
                Ok(())
            }
        };
        match result {
            Ok(()) => {}
            Err(Error::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(0),
            Err(error @ Error::Output(_)) => return Err(error),
            Err(error) => print_error(&error.message()),
        }
        let mut out = stdout();
        let name = root.display().to_string();
        let _ = writeln!(out, "{DIM}watching {}{DIM:#}", visible(&name)).and_then(|()| out.flush());
        let Some(changed) = watcher.wait()? else { return Ok(INTERRUPTED) };
        match &mut next {
            Ok(watched) if !changed.contract => watched.invalidate(&changed),
            _ => {
                let loaded = args.export.load_unbuilt();
                next = loaded.and_then(|(current, _)| WatchedExport::new(args, current, &mut watcher));
            }
        }
    }
}

/// Returns the files outside of the export that a check depends on.
fn contract_files(contract: &Contract) -> Vec<PathBuf> {
    let bases = contract.bases.iter().map(|base| &base.file);
    let known = contract.baseline.iter().map(|baseline| baseline.path().to_path_buf());
    contract.file.iter().chain(bases).chain(&contract.referenced_files).cloned().chain(known).collect()
}

/// An export that is being watched: its contract and the cached results of the last check.
struct WatchedExport {
    contract: Contract,
    rules: Ruleset,
    kept: CachedExport,
    had_pages: bool,
}

impl WatchedExport {
    fn new(args: &Args, mut contract: Contract, watcher: &mut FileWatcher) -> Result<WatchedExport, Error> {
        args.baselines.apply(&mut contract);
        watcher.watch_files(contract_files(&contract))?;
        let rules = Ruleset::new(&contract)?;
        watcher.watch_files(contract_files(&contract).into_iter().chain(rules.files.iter().cloned()))?;
        Ok(WatchedExport { contract, rules, kept: CachedExport::default(), had_pages: false })
    }

    /// Marks cached results of changed files as stale.
    fn invalidate(&mut self, changed: &ChangedFiles) {
        changed.paths.iter().for_each(|path| self.kept.mark_changed(path));
        if changed.is_incomplete {
            self.kept.require_walk();
        }
    }

    /// Checks the export and prints the difference from the last check.
    fn check(&mut self, args: &Args, root: &Path, last: &mut PreviousFindings) -> Result<(), Error> {
        let start = Instant::now();
        let WatchedExport { contract, rules, kept, had_pages } = self;
        if !root.exists() && !*had_pages {
            return Err(Error::NotBuilt(root.display().to_string()));
        }
        let checked = sitegate_check::check_again(root, contract, rules, kept);
        let mut result = checked.inspect_err(|_| *kept = CachedExport::default())?;
        if result.summary.pages == 0 && *had_pages {
            // A build often starts by deleting its old output.
            *kept = CachedExport::default();
            return Err(Error::PagesRemoved(root.display().to_string()));
        }
        *had_pages = result.summary.pages > 0;
        let fixed = last.retain_new(&mut result, contract, |file| kept.has_read(file));
        let report = result.into_report(contract).0.with_elapsed(start.elapsed());
        let mut options = args.outputs.format.options();
        options.fixable = Some(count_fixable(&report, root, contract)?);
        Ok(print_difference(&report, &options, fixed.as_ref())?)
    }
}

fn print_difference(report: &Report, options: &RenderOptions, fixed: Option<&KeyCounts>) -> io::Result<()> {
    let mut out = stdout();
    let all = fixed.map_or(0, KeyCounts::len);
    let shown = if options.all { all } else { MAX_FIXED };
    for (known, times) in fixed.into_iter().flatten().take(shown) {
        let times = if *times == 1 { String::new() } else { format!(" ({times} times)") };
        writeln!(out, "{GREEN}fixed{GREEN:#}  {}{times}", visible(&known.to_string()))?;
    }
    if all > shown {
        let more = count(all - shown, "more finding");
        writeln!(out, "{GREEN}fixed{GREEN:#}  {DIM}{more}; --all lists them{DIM:#}")?;
    }
    if !report.findings.is_empty() && fixed.is_some() {
        writeln!(out, "{RED}new{RED:#}\n")?;
    }
    sitegate_check::write(OutputFormat::Human, report, options, &mut out)?;
    out.flush()
}
