//! Applies the fixes of a report to the sources, or prints them as a patch.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use clap::ValueEnum;
use sitegate_base::plural::count;
use sitegate_base::sanitize::visible;
use sitegate_check::{Certainty, Contract, Finding, Report, SourceEdit, Tree};
use sitegate_sources::edits::{
    ApplyMode, ApplyOptions, Edit, NewContent, Refusal, Replacement, SourceChanges, apply,
};

use crate::edited_files::{without_interruption, write_refusals};
use crate::error::Error;
use crate::terminal::{DIM, GREEN, RED, YELLOW};

#[derive(Debug, clap::Args)]
pub struct FixArgs {
    /// Fix what is certain in sources; `diff`: print it
    ///
    /// Edits the files that `[source]` of the contract includes, prints each edit, and reports the findings that remain. If
    /// the contract has no `[source]`, and the export is not generated, its files are edited. Build the site again
    /// afterwards. `--fix=diff` prints a patch for `git apply`, and changes nothing. Files that have uncommitted changes are
    /// not edited, nor those that are new or ignored in Git; the patch has their edits, too.
    #[arg(
        long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true,
        default_missing_value = "write", hide_possible_values = true,
        conflicts_with_all = ["watch", "seal", "inventory", "write_baseline", "prune_baseline", "dry_run"]
    )]
    pub fix: Option<FixMode>,
    /// Also fix what is only likely; review the changes
    #[arg(long, hide_short_help = true, help_heading = "Fixes", requires = "fix")]
    unsafe_fixes: bool,
    /// Edit files that Git could not restore, too
    #[arg(long, hide_short_help = true, help_heading = "Fixes", requires = "fix")]
    allow_dirty: bool,
}

/// The use of fixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FixMode {
    Write,
    Diff,
}

/// The result of applying fixes.
#[derive(Debug, Default)]
pub struct AppliedFixes {
    /// The patch of all edits.
    pub patch: String,
    /// Number of edits of the patch.
    edits: usize,
    /// Number of files of the patch.
    files: usize,
    /// Number of findings that the patch fixes.
    findings: usize,
    /// Number of these findings whose files are not refused.
    writable: usize,
    /// Files that were not changed, or would not be.
    refused: Vec<Refusal>,
    /// Number of findings that have only a likely fix.
    likely: usize,
    /// Number of findings that have no fix, because a generator wrote their files.
    generated: usize,
}

impl FixArgs {
    /// Applies the fixes of a report, and removes the fixed findings from it; or only collects them as a patch.
    ///
    /// # Errors
    /// If the folder of the project cannot be read.
    pub fn apply(
        &self,
        mode: FixMode,
        report: &mut Report,
        export: &Path,
        contract: &Contract,
    ) -> Result<AppliedFixes, Error> {
        let is_chosen = |finding: &Finding| self.unsafe_fixes || is_certain(finding);
        let applied = apply_fixes(report, export, contract, &is_chosen, mode, self.allow_dirty)?;
        let mut fixes =
            AppliedFixes { patch: applied.patch, files: applied.in_patch.len(), ..AppliedFixes::default() };
        let edits: HashSet<&SourceEdit> = chosen_edits(report, &is_chosen).collect();
        fixes.edits = edits.iter().filter(|edit| applied.in_patch.contains(&*edit.file)).count();
        let is_fixed =
            |finding: &Finding, files: &HashSet<String>| is_chosen(finding) && is_within(finding, files);
        fixes.findings = report.findings.iter().filter(|found| is_fixed(found, &applied.in_patch)).count();
        fixes.writable = report.findings.iter().filter(|found| is_fixed(found, &applied.writable)).count();
        fixes.likely =
            report.findings.iter().filter(|found| found.fix.is_some() && !is_chosen(found)).count();
        fixes.refused = applied.refused;
        fixes.generated = report.generated;
        if mode == FixMode::Write {
            report.retain(|found| !is_fixed(found, &applied.writable));
        }
        Ok(fixes)
    }
}

/// Returns the number of findings that `--fix` would really fix.
///
/// # Errors
/// If the folder of the project cannot be read.
pub fn count_fixable(report: &Report, export: &Path, contract: &Contract) -> Result<usize, Error> {
    let applied = apply_fixes(report, export, contract, &is_certain, FixMode::Diff, false)?;
    Ok(report
        .findings
        .iter()
        .filter(|found| is_certain(found) && is_within(found, &applied.writable))
        .count())
}

/// The files of applied fixes.
struct FixedFiles {
    patch: String,
    in_patch: HashSet<String>,
    writable: HashSet<String>,
    refused: Vec<Refusal>,
}

/// Applies the edits of chosen findings.
fn apply_fixes(
    report: &Report,
    export: &Path,
    contract: &Contract,
    is_chosen: &impl Fn(&Finding) -> bool,
    mode: FixMode,
    allow_dirty: bool,
) -> Result<FixedFiles, Error> {
    let mut by_file: BTreeMap<&str, Vec<&SourceEdit>> = BTreeMap::new();
    for edit in chosen_edits(report, is_chosen) {
        by_file.entry(&*edit.file).or_default().push(edit);
    }
    // The contract is no source of the export.
    let outside = report.findings.iter().filter(|found| !found.is_in_export());
    let outside: HashSet<&str> =
        outside.flat_map(|found| &found.fix).flat_map(|fix| &fix.edits).map(|edit| &*edit.file).collect();
    let built = if by_file.is_empty() { None } else { last_change(export) };
    let mut changes = SourceChanges::default();
    for (name, mut edits) in by_file {
        edits.sort_unstable();
        edits.dedup();
        let replacement =
            |edit: &&SourceEdit| Replacement { edit: Edit::from(*edit), old: edit.old.to_string() };
        let content = NewContent::Replacements(edits.iter().map(replacement).collect());
        match built {
            Some(built) if !outside.contains(name) => changes.edit_if_older(name, content, built),
            _ => changes.edit(name, content),
        }
    }
    let options = ApplyOptions { project: contract.source_files.folder.clone(), allow_unsaved: allow_dirty };
    let applied = match mode {
        FixMode::Diff => apply(&changes, ApplyMode::Patch, &options),
        FixMode::Write => without_interruption(|| apply(&changes, ApplyMode::WriteEach, &options))?,
    };
    let applied = applied.map_err(|error| Error::usage(error.to_string()))?;
    let name = |file: &Path| file.to_string_lossy().into_owned();
    Ok(FixedFiles {
        in_patch: applied.changed.iter().map(|file| name(file)).collect(),
        writable: applied.writable().map(name).collect(),
        patch: applied.patch,
        refused: applied.refused,
    })
}

fn is_certain(finding: &Finding) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.certainty == Certainty::Certain)
}

/// Returns the edits of the chosen findings.
fn chosen_edits<'r>(
    report: &'r Report,
    is_chosen: &impl Fn(&Finding) -> bool,
) -> impl Iterator<Item = &'r SourceEdit> {
    let chosen = report.findings.iter().filter(|found| is_chosen(found)).flat_map(|found| &found.fix);
    chosen.flat_map(|fix| &fix.edits)
}

/// Whether a finding has edits, all of them in these files.
fn is_within(finding: &Finding, files: &HashSet<String>) -> bool {
    let edits = finding.fix.as_ref().map_or(&[][..], |fix| &fix.edits);
    !edits.is_empty() && edits.iter().all(|edit| files.contains(&*edit.file))
}

impl AppliedFixes {
    /// Writes what was done, for people.
    ///
    /// # Errors
    /// If the stream cannot be written to.
    pub fn summarize(&self, mode: FixMode, out: &mut dyn Write) -> io::Result<()> {
        let (findings, edits, files) =
            (count(self.findings, "finding"), count(self.edits, "edit"), count(self.files, "file"));
        match (mode, self.edits) {
            (_, 0) => writeln!(out, "no fix was applied")?,
            (FixMode::Write, _) => writeln!(
                out,
                "{GREEN}fixed{GREEN:#}  {findings} by {edits} in {files}; build the site and check it again"
            )?,
            (FixMode::Diff, _) if self.writable == self.findings => {
                writeln!(out, "{findings} can be fixed by {edits} in {files}: --fix")?;
            }
            (FixMode::Diff, _) => {
                let own = if self.writable == 0 { "none".to_owned() } else { self.writable.to_string() };
                writeln!(
                    out,
                    "{findings} can be fixed by {edits} in {files}; --fix would fix {own} of them"
                )?;
            }
        }
        write_refusals(&self.refused, "not fixed", out)?;
        if self.generated > 0 {
            let unfixed = count(self.generated, "finding");
            let are = if self.generated == 1 { "is" } else { "are" };
            writeln!(
                out,
                "{YELLOW}not fixed{YELLOW:#}  {unfixed} {are} in generated files, which the next build writes again: name \
                 the sources in `include` of [source], as `sitegate init` does"
            )?;
        }
        if self.likely > 0 {
            let more = count(self.likely, "finding");
            writeln!(out, "{DIM}{more} with a fix that is only likely: --unsafe-fixes{DIM:#}")?;
        }
        Ok(())
    }

    /// Writes the patch with colors.
    ///
    /// # Errors
    /// If the stream cannot be written to.
    pub fn write_patch(&self, out: &mut dyn Write) -> io::Result<()> {
        for line in self.patch.split_inclusive('\n') {
            let text = visible(line.trim_end_matches(['\n', '\r']));
            match line.as_bytes()[0] {
                b'+' => writeln!(out, "{GREEN}{text}{GREEN:#}")?,
                b'-' => writeln!(out, "{RED}{text}{RED:#}")?,
                _ => writeln!(out, "{text}")?,
            }
        }
        Ok(())
    }
}

/// Returns when the last file of an export was written.
fn last_change(export: &Path) -> Option<SystemTime> {
    let tree = Tree::walk(export).ok()?;
    tree.ids().filter_map(|file| modified(&tree.disk_path(file))).max()
}

fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).ok()?.modified().ok()
}
