//! `sitegate check --watch`: the whole report once, and then what each change made new or put right.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use sitegate_check::contract::Contract;
use sitegate_check::output::{self, presentation::Presentation};
use sitegate_check::report::baseline::{self, Counts};
use sitegate_check::visible::visible;
use sitegate_check::{Options, Ruleset};

use crate::commands::check::{Args, take_baseline};
use crate::terminal::{DIM, GREEN, Outcome, RED, complain, stdout};
use crate::watch::{Wake, Watch};

/// What a shell reports for a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

/// Watches until Ctrl-C, or until nobody reads any more.
pub fn run(args: &Args) -> Outcome {
    let (config, root) = args.export.load()?;
    let mut watch = Watch::new(&root)?;
    watch.also(files(&config, args))?;
    let mut before = None;
    let mut next = Ok(config);
    loop {
        let shown = match next {
            Ok(config) => check(args, config, &root, &mut before),
            Err(error) => Err(error),
        };
        match shown {
            Ok(written) => match written {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(0),
                other => other?,
            },
            Err(error) => complain(&error),
        }
        let mut out = stdout();
        let name = root.display().to_string();
        let _ = writeln!(out, "{DIM}watching {}{DIM:#}", visible(&name)).and_then(|()| out.flush());
        if watch.wait()? == Wake::Stopped {
            return Ok(INTERRUPTED);
        }
        next = args.export.load().map(|(config, _)| config);
        if let Ok(config) = &next {
            watch.also(files(config, args))?;
        }
    }
}

/// The files beside the export that a check depends on.
fn files(config: &Contract, args: &Args) -> Vec<PathBuf> {
    let bases = config.bases.iter().map(|base| base.file.clone());
    let known = config.baseline.iter().map(|baseline| baseline.path().to_path_buf());
    config.file.iter().cloned().chain(bases).chain(known).chain(args.baseline.clone()).collect()
}

/// Checks once, and prints the difference to what was found before.
fn check(
    args: &Args,
    mut config: Contract,
    root: &Path,
    before: &mut Option<Counts>,
) -> Result<io::Result<()>, Box<dyn Error>> {
    let start = Instant::now();
    take_baseline(args, &mut config);
    let mut report = sitegate_check::check(root, &config, &Ruleset::new(&config)?, &Options::default())?;
    let now = baseline::count_all(&report, &config);
    let fixed = before.replace(now).map(|before| baseline::leave_new(&mut report, &config, before));
    let mut presentation = Presentation::new(&report, &config, start.elapsed());
    presentation.extent = args.outputs.extent();
    Ok(print(&presentation, fixed.as_ref()))
}

fn print(presentation: &Presentation<'_>, fixed: Option<&Counts>) -> io::Result<()> {
    let mut out = stdout();
    for (known, times) in fixed.into_iter().flatten() {
        let times = if *times == 1 { String::new() } else { format!(" ({times} times)") };
        writeln!(out, "{GREEN}fixed{GREEN:#}  {}{times}", visible(&known.to_string()))?;
    }
    if !presentation.report.diagnostics.is_empty() && fixed.is_some() {
        writeln!(out, "{RED}new{RED:#}\n")?;
    }
    output::human::write(presentation, &mut out)?;
    out.flush()
}
