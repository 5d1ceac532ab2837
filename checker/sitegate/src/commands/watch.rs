//! `sitegate check --watch`: the whole report once, and then what each change made new or put right.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use sitegate_base::plural::count;
use sitegate_base::sanitize::visible;
use sitegate_check::internal::contract::Contract;
use sitegate_check::internal::output::{self, OutputFormat, RenderOptions};
use sitegate_check::internal::report::Report;
use sitegate_check::internal::report::baseline::KeyCounts;
use sitegate_check::internal::report::changes::PreviousFindings;
use sitegate_check::internal::{CachedExport, Ruleset};

use crate::commands::check::{Args, take_baseline};
use crate::error::Error;
use crate::terminal::{DIM, GREEN, Outcome, RED, complain, stdout};
use crate::watch::{Touched, Watch};

/// What a shell reports for a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

/// Findings that are fixed of which each is told.
const FIXED: usize = 25;

/// Watches until Ctrl-C, or until nobody reads any more.
pub fn run(args: &Args) -> Outcome {
    if args.export.is_contract_piped() {
        let message = "`--watch` reads the contract whenever it changes: name a file, and not `-`";
        return Err(Error::usage(message));
    }
    let (contract, root) = args.export.load()?;
    let mut watch = Watch::new(&root)?;
    let mut last = PreviousFindings::default();
    let mut next = Watched::new(args, contract, &mut watch);
    loop {
        let shown = match &mut next {
            Ok(watched) => watched.check(args, &root, &mut last),
            Err(error) => {
                complain(&error.message());
                Ok(())
            }
        };
        match shown {
            Ok(()) => {}
            Err(Error::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(0),
            Err(error @ Error::Output(_)) => return Err(error),
            Err(error) => complain(&error.message()),
        }
        let mut out = stdout();
        let name = root.display().to_string();
        let _ = writeln!(out, "{DIM}watching {}{DIM:#}", visible(&name)).and_then(|()| out.flush());
        let Some(touched) = watch.wait()? else { return Ok(INTERRUPTED) };
        match &mut next {
            Ok(watched) if !touched.contract => watched.note(&touched),
            _ => next = args.export.load().and_then(|(changed, _)| Watched::new(args, changed, &mut watch)),
        }
    }
}

/// The files beside the export that a check depends on.
fn files(contract: &Contract) -> Vec<PathBuf> {
    let bases = contract.bases.iter().map(|base| &base.file);
    let known = contract.baseline.iter().map(|baseline| baseline.path().to_path_buf());
    contract.file.iter().chain(bases).chain(&contract.referenced_files).cloned().chain(known).collect()
}

/// A contract, and what is kept of the export that is held to it.
struct Watched {
    contract: Contract,
    rules: Ruleset,
    kept: CachedExport,
    had_pages: bool,
}

impl Watched {
    fn new(args: &Args, mut contract: Contract, watch: &mut Watch) -> Result<Watched, Error> {
        take_baseline(args, &mut contract);
        watch.also(files(&contract))?;
        let rules = Ruleset::new(&contract)?;
        watch.also(files(&contract).into_iter().chain(rules.files.iter().cloned()))?;
        Ok(Watched { contract, rules, kept: CachedExport::default(), had_pages: false })
    }

    /// Takes note of what may have changed.
    fn note(&mut self, touched: &Touched) {
        touched.paths.iter().for_each(|path| self.kept.mark_changed(path));
        if touched.is_more {
            self.kept.require_walk();
        }
    }

    /// Checks, and prints the difference to what was found before.
    fn check(&mut self, args: &Args, root: &Path, last: &mut PreviousFindings) -> Result<(), Error> {
        let start = Instant::now();
        let Watched { contract, rules, kept, had_pages } = self;
        let checked = sitegate_check::internal::check_again(root, contract, rules, kept);
        let mut result = checked.inspect_err(|_| *kept = CachedExport::default())?;
        if result.summary.pages == 0 && *had_pages {
            // A build often begins by clearing away what it will write again.
            *kept = CachedExport::default();
            let message = format!("{}: there is no page any more; waiting for the next", root.display());
            return Err(Error::Result(message));
        }
        *had_pages = result.summary.pages > 0;
        let fixed = last.retain_new(&mut result, contract, |file| kept.has_read(file));
        let report = result.into_report(contract).0.with_elapsed(start.elapsed());
        Ok(print(&report, &args.outputs.format.options(), fixed.as_ref())?)
    }
}

fn print(report: &Report, options: &RenderOptions, fixed: Option<&KeyCounts>) -> io::Result<()> {
    let mut out = stdout();
    let all = fixed.map_or(0, KeyCounts::len);
    let told = if options.all { all } else { FIXED };
    for (known, times) in fixed.into_iter().flatten().take(told) {
        let times = if *times == 1 { String::new() } else { format!(" ({times} times)") };
        writeln!(out, "{GREEN}fixed{GREEN:#}  {}{times}", visible(&known.to_string()))?;
    }
    if all > told {
        let more = count(all - told, "more finding");
        writeln!(out, "{GREEN}fixed{GREEN:#}  {DIM}{more}, which --all lists{DIM:#}")?;
    }
    if !report.findings.is_empty() && fixed.is_some() {
        writeln!(out, "{RED}new{RED:#}\n")?;
    }
    output::write(OutputFormat::Human, report, options, &mut out)?;
    out.flush()
}
