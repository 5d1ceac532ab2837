//! The options of `sitegate check` for baselines.

use std::path::{Path, PathBuf};

use sitegate_base::plural::{count, thousands};
use sitegate_base::sanitize::visible;
use sitegate_check::{
    BaselineFile, CheckScope, Contract, Verdict, left_out_of_baseline, prepare_baseline, prune_baseline,
    write_baseline,
};

use crate::error::Error;
use crate::terminal::{self, Outcome};

#[derive(Debug, clap::Args)]
pub struct BaselineArgs {
    /// Baseline file; only new findings fail the check
    ///
    /// The default is check.baseline of the contract.
    ///
    /// A seal's contract digest covers the baseline. `publish` reads the contract only, so it accepts the seal only if
    /// check.baseline names the same file.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all findings to a baseline; exit with 0
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Baseline", conflicts_with_all = ["baseline", "seal"])]
    write_baseline: Option<PathBuf>,
    /// Remove fixed findings from the baseline
    ///
    /// This changes the file of --baseline, or else check.baseline of the contract. It accepts no new finding, and exits
    /// with 0.
    #[arg(long, hide_short_help = true, help_heading = "Baseline", conflicts_with_all = ["seal", "write_baseline", "watch"])]
    prune_baseline: bool,
    /// Record shared findings by cause, not by page
    ///
    /// For example, a broken icon is recorded once by its URL: it is not a new finding on a new page. Findings of a single
    /// page, such as a missing title, are still recorded by page.
    #[arg(long, hide_short_help = true, help_heading = "Baseline", requires = "write_baseline")]
    by_cause: bool,
}

impl BaselineArgs {
    /// Checks that the baseline to write may be written.
    ///
    /// # Errors
    /// If its folder is missing, or the file is something else.
    pub fn prepare(&self) -> Result<(), Error> {
        self.write_baseline.as_deref().map_or(Ok(()), prepare_baseline).map_err(Error::Baseline)
    }

    /// Replaces the baseline of the contract with that of the command line. A baseline to write starts empty.
    pub fn apply(&self, contract: &mut Contract) {
        if let Some(file) = &self.baseline {
            contract.baseline = Some(BaselineFile::read(file));
        } else if self.write_baseline.is_some() {
            contract.baseline = None;
        }
    }

    /// Writes or prunes the baseline, if the arguments say so.
    pub fn change(&self, scope: &CheckScope<'_>, is_stopped: bool) -> Option<Outcome> {
        if self.write_baseline.is_none() && !self.prune_baseline {
            return None;
        }
        Some(match (scope.report.unreadable.first(), &self.write_baseline) {
            (Some(error), _) => Err(Error::UnreadableFile(visible(error).into_owned())),
            _ if scope.report.verdict == Verdict::Incomplete => Err(Error::NoPages),
            _ if is_stopped => Err(Error::StoppedCheck),
            (None, Some(file)) => self.write(scope, file),
            (None, None) => prune(scope),
        })
    }

    fn write(&self, scope: &CheckScope<'_>, file: &Path) -> Outcome {
        let written = write_baseline(scope.report, scope.contract, file, self.by_cause);
        let (findings, entries) = written.map_err(Error::Baseline)?;
        let findings = count(findings, "finding");
        let known = match (self.by_cause, entries) {
            (false, _) => findings,
            (true, 1) => format!("{findings} in 1 entry"),
            (true, entries) => format!("{findings} in {} entries", thousands(entries)),
        };
        let name = file.display();
        terminal::print(|out| {
            writeln!(out, "wrote {known} to {name}; use it with `--baseline {name}`")?;
            left_out_of_baseline(scope.report).into_iter().try_for_each(|(rule, (times, reason))| {
                writeln!(out, "not recorded: {} of {rule}: {reason}", count(times, "finding"))
            })
        })?;
        Ok(0)
    }
}

/// Removes the entries of the baseline that match no finding.
fn prune(scope: &CheckScope<'_>) -> Outcome {
    let baseline = scope.contract.baseline.as_ref();
    let baseline =
        baseline.ok_or_else(|| Error::usage("no baseline to prune; name it with --baseline FILE"))?;
    if let Some(reason) = scope.report.skipped.first() {
        return Err(Error::UnreadableFile(visible(reason).into_owned()));
    }
    let pruned = prune_baseline(baseline, scope).map_err(Error::Baseline)?;
    let name = baseline.path().display();
    let entries = |n| if n == 1 { "1 entry".to_owned() } else { format!("{} entries", thousands(n)) };
    let (removed, left) = (entries(pruned.removed), entries(pruned.left));
    let reduced = match pruned.reduced {
        0 => String::new(),
        reduced => format!(" and reduced the count of {}", thousands(reduced)),
    };
    terminal::print(|out| {
        writeln!(out, "removed {removed} from {name}{reduced}; {left} left")?;
        pruned.unchecked.iter().try_for_each(|(rule, number)| {
            let kept = entries(*number);
            writeln!(out, "not checked: {kept} of {}, which this check does not report", visible(rule))
        })
    })?;
    Ok(0)
}
