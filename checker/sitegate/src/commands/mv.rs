//! `sitegate mv`: moves a source and keeps its links and its address.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use sitegate_base::atomic_file::{self, OutputKind};
use sitegate_base::plural::count;
use sitegate_check::internal::edits::{apply, unified_diff};
use sitegate_check::internal::page_moves::{MoveError, MovePlan, plan_move};

use crate::error::Error;
use crate::export_args::ExportArgs;
use crate::fixes::is_generated;
use crate::git;
use crate::redirect_writer::RedirectsFile;
use crate::terminal::{self, GREEN, Outcome, YELLOW};

/// The file to change is known, so that it may have any content.
const EDITED: OutputKind = OutputKind { name: "a source", is_own: |_| true };

#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes:\n  0  the source was moved, or --dry-run printed the patch\n  \
                        1  nothing was moved: Git could not restore all files\n  \
                        2  the source cannot be moved, or the arguments cannot be used")]
pub struct Args {
    /// Source to move: a file or a folder
    from: PathBuf,
    /// Its new path; in a folder that exists, it keeps its name
    to: PathBuf,
    #[command(flatten)]
    export: ExportArgs,
    /// Print a patch for `git apply`, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Change files that Git could not restore, too
    ///
    /// Without it, files that are new, ignored or have uncommitted changes are not changed, and nothing is moved.
    #[arg(long)]
    allow_dirty: bool,
    /// Add no redirect from the old address
    #[arg(long)]
    no_redirect: bool,
}

/// A file to change, with its contents.
struct EditedFile {
    old: Vec<u8>,
    new: Vec<u8>,
}

pub fn run(args: &Args) -> Outcome {
    let (contract, root) = args.export.load()?;
    let file = if args.no_redirect {
        None
    } else {
        Some(RedirectsFile::find(&contract, &root, "no redirect can be added (--no-redirect)")?)
    };
    let extra = contract.file.as_deref().into_iter().chain(file.as_ref().map(RedirectsFile::path));
    let extra: Vec<&Path> = extra.filter(|path| path.is_file()).collect();
    let plan = plan_move(&root, &contract, (&args.from, &args.to), &extra).map_err(|error| match error {
        MoveError::Check(error) => Error::from(error),
        MoveError::Refused(_) => Error::usage(error.to_string()),
    })?;
    let mut notes = plan.notes.clone();
    let mut changes: BTreeMap<String, EditedFile> = BTreeMap::new();
    for (path, edits) in &plan.edits {
        let old = fs::read(plan.folder.join(path)).map_err(Error::system(plan.name(path)))?;
        if is_generated(&String::from_utf8_lossy(&old)) {
            notes.push(format!("{}: not edited, because it is generated", plan.name(path)));
            continue;
        }
        let new = apply(&old, edits).map_err(|error| Error::usage(format!("{} {error}", plan.name(path))))?;
        changes.insert(path.clone(), EditedFile { old, new });
    }
    let references = changes.keys().filter_map(|path| plan.edits.get(path)).map(Vec::len).sum();
    let added = match &file {
        Some(file) => {
            add_redirects(&plan, file, &mut changes, &contract.site.base_path, &args.export, &mut notes)?
        }
        None => 0,
    };
    let unsaved = if args.allow_dirty { BTreeMap::new() } else { unsaved(&plan, &changes) };
    if args.dry_run || !unsaved.is_empty() {
        terminal::print_bytes(patch(&plan, &changes).as_bytes())?;
    } else {
        write(&plan, &changes)?;
    }
    let files = count(changes.len(), "file");
    let summary = format!("{} and {} in {files}", count(references, "reference"), count(added, "redirect"));
    terminal::print_to_stderr(|out| {
        let (from, to) = (plan.name(&plan.from), plan.name(&plan.to));
        if args.dry_run {
            writeln!(out, "{from} can be moved to {to}, with {summary}")?;
        } else if unsaved.is_empty() {
            writeln!(
                out,
                "{GREEN}moved{GREEN:#}  {from} to {to}, with {summary}; build the site and check it"
            )?;
        }
        notes.iter().try_for_each(|note| writeln!(out, "{YELLOW}look at{YELLOW:#}  {note}"))?;
        for (name, reason) in unsaved.iter().filter(|_| !args.dry_run) {
            writeln!(out, "{YELLOW}not moved{YELLOW:#}  {name}: {reason}")?;
        }
        Ok(())
    })?;
    Ok(u8::from(!unsaved.is_empty() && !args.dry_run))
}

/// Adds the redirects to the changes. Returns their number.
fn add_redirects(
    plan: &MovePlan,
    file: &RedirectsFile,
    changes: &mut BTreeMap<String, EditedFile>,
    base_path: &str,
    export: &ExportArgs,
    notes: &mut Vec<String>,
) -> Result<usize, Error> {
    let path = plan.path(file.path());
    let old = fs::read(file.path()).map_err(Error::file(file.path()))?;
    let present = changes.get(&path).map_or(&old, |change| &change.new);
    let text = std::str::from_utf8(present)
        .map_err(|_| Error::usage(format!("{} is not UTF-8", file.path().display())))?;
    let redirects: Vec<_> = plan.redirects.iter().collect();
    let (new, added) = file.edit(text, &redirects, base_path, &export.contract.permissions())?;
    for address in added.refused {
        notes.push(format!(
            "{address}: no redirect is added, because `from` of `[[redirects]]` is plain ASCII"
        ));
    }
    if added.count > 0 {
        changes.insert(path, EditedFile { old, new: new.into_bytes() });
    }
    Ok(added.count)
}

/// Returns the files that the move changes and Git could not restore, with the reasons.
fn unsaved(plan: &MovePlan, changes: &BTreeMap<String, EditedFile>) -> BTreeMap<String, String> {
    let moved = plan.renames.iter().map(|(from, _)| from);
    let names: BTreeSet<String> = changes.keys().chain(moved).map(|path| plan.name(path)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    git::unsaved(&names)
}

/// Returns the move as a patch that `git apply` accepts.
fn patch(plan: &MovePlan, changes: &BTreeMap<String, EditedFile>) -> String {
    let mut patch = String::new();
    for (from, to) in &plan.renames {
        let (from_here, to_here) = (plan.repository_path(from), plan.repository_path(to));
        let (old, new): (&[u8], &[u8]) =
            changes.get(from).map_or((&[], &[]), |change| (&change.old, &change.new));
        patch += &unified_diff(&from_here, &to_here, old, new);
    }
    let renamed: BTreeSet<&str> = plan.renames.iter().map(|(from, _)| from.as_str()).collect();
    for (path, change) in changes.iter().filter(|(path, _)| !renamed.contains(path.as_str())) {
        let path = plan.repository_path(path);
        patch += &unified_diff(&path, &path, &change.old, &change.new);
    }
    patch
}

/// Moves the source, and then replaces each changed file atomically. Nothing is staged in Git.
fn write(plan: &MovePlan, changes: &BTreeMap<String, EditedFile>) -> Result<(), Error> {
    for path in changes.keys() {
        atomic_file::check(&plan.folder.join(path), EDITED).map_err(Error::system(plan.name(path)))?;
    }
    let (from, to) = (plan.folder.join(&plan.from), plan.folder.join(&plan.to));
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(Error::file(folder))?;
    }
    fs::rename(&from, &to).map_err(Error::system(plan.name(&plan.to)))?;
    for (path, change) in changes {
        let path = plan.moved(path);
        atomic_file::write(&plan.folder.join(&path), EDITED, |mut file| file.write_all(&change.new))
            .map_err(Error::system(plan.name(&path)))?;
    }
    Ok(())
}
