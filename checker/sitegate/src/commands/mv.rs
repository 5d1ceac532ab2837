//! `sitegate mv`: moves a source and keeps its links and its address.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use sitegate_base::atomic_file::PreparedFile;
use sitegate_base::plural::count;
use sitegate_check::internal::contract::{Contract, Permissions};
use sitegate_check::internal::edits::{apply, unified_diff};
use sitegate_check::internal::page_moves::{MoveError, MovePlan, plan_move};
use sitegate_check::internal::redirect_edits::{RedirectSite, RefusedRedirect, hiding_redirects};

use crate::error::Error;
use crate::export_args::ExportArgs;
use crate::fixes::{is_generated, write_protection};
use crate::git;
use crate::redirect_writer::{RedirectWriter, site_of};
use crate::terminal::{self, GREEN, Outcome, YELLOW};

#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes:\n  0  the source was moved, or --dry-run printed the patch\n  \
                        1  nothing was moved: a file cannot be changed, or an address would be lost\n  \
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
    let writer = if args.no_redirect {
        None
    } else {
        Some(RedirectWriter::find(&contract, &root, "no redirect can be added (--no-redirect)")?)
    };
    let extra = contract.file.as_deref().into_iter().chain(writer.as_ref().map(RedirectWriter::path));
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
    let permissions = args.export.contract.permissions();
    let redirects = if let Some(writer) = writer {
        add_redirects(&plan, writer, &mut changes, (&contract, &permissions), &mut notes)?
    } else {
        refuse_hidden_pages(&plan, site_of(&contract, &root)?, (&contract, &permissions))?;
        AddedRedirects::default()
    };
    let added = redirects.added;
    let refused = refusals(&plan, &changes, args.allow_dirty);
    let is_refused = !refused.is_empty() || !redirects.refused.is_empty();
    if args.dry_run || is_refused {
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
        } else if !is_refused {
            writeln!(
                out,
                "{GREEN}moved{GREEN:#}  {from} to {to}, with {summary}; build the site and check it"
            )?;
        }
        notes.iter().try_for_each(|note| writeln!(out, "{YELLOW}look at{YELLOW:#}  {note}"))?;
        if !args.dry_run {
            for (name, reason) in &refused {
                writeln!(out, "{YELLOW}not moved{YELLOW:#}  {name}: {reason}")?;
            }
        }
        redirects.print(out)
    })?;
    Ok(u8::from(!redirects.refused.is_empty() || !refused.is_empty() && !args.dry_run))
}

/// The redirects of a move.
#[derive(Default)]
struct AddedRedirects {
    /// Number of redirects that were added or changed.
    added: usize,
    /// Addresses that would be lost.
    refused: Vec<RefusedRedirect>,
    /// The file that gets the redirects.
    file: String,
    /// Entries for a file that is only read.
    entries: Vec<String>,
}

impl AddedRedirects {
    fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        for RefusedRedirect { from, to, reason } in &self.refused {
            writeln!(
                out,
                "{YELLOW}not moved{YELLOW:#}  {from} would be lost, without a redirect to {to}: {reason}"
            )?;
        }
        if !self.entries.is_empty() {
            writeln!(out, "\nto add to {}:", self.file)?;
            self.entries
                .iter()
                .flat_map(|entry| entry.lines())
                .try_for_each(|line| writeln!(out, "  {line}"))?;
        }
        if !self.refused.is_empty() {
            writeln!(out, "\n--no-redirect moves it and loses these addresses")?;
        }
        Ok(())
    }
}

/// Adds the redirects to the changes, if each ends at its page after the move.
fn add_redirects(
    plan: &MovePlan,
    writer: RedirectWriter,
    changes: &mut BTreeMap<String, EditedFile>,
    contract: (&Contract, &Permissions),
    notes: &mut Vec<String>,
) -> Result<AddedRedirects, Error> {
    let writer = writer.with_moved(&plan.pages);
    let path = plan.path(writer.path());
    let old = fs::read(writer.path()).map_err(Error::file(writer.path()))?;
    let present = changes.get(&path).map_or(&old, |change| &change.new);
    let text = std::str::from_utf8(present)
        .map_err(|_| Error::usage(format!("{} is not UTF-8", writer.path().display())))?;
    let edit = writer.edit(text, &plan.redirects, contract)?;
    let entries = writer.entries_to_add(&plan.redirects, &edit);
    notes.extend(writer.note().filter(|_| !plan.redirects.is_empty()));
    notes.extend(
        edit.changed
            .iter()
            .filter(|change| change.to.is_none())
            .map(|change| format!("{}: its redirect is removed, because it has a page again", change.from)),
    );
    let added = AddedRedirects {
        added: edit.added + edit.changed.iter().filter(|change| change.to.is_some()).count(),
        refused: edit.refused,
        file: writer.name(),
        entries,
    };
    if edit.text.as_bytes() != present.as_slice() {
        changes.insert(path, EditedFile { old, new: edit.text.into_bytes() });
    }
    Ok(added)
}

/// Refuses a move to an address that is redirected: its page would be hidden.
fn refuse_hidden_pages(
    plan: &MovePlan,
    site: RedirectSite,
    contract: (&Contract, &Permissions),
) -> Result<(), Error> {
    let hidden = hiding_redirects(&site.with_moved(&plan.pages), contract, &plan.redirects)?;
    match hidden.first() {
        Some((address, to)) => {
            Err(Error::usage(format!("{address} is redirected to {to}; remove that redirect first")))
        }
        None => Ok(()),
    }
}

/// Returns the files that the move must not change, with the reasons.
fn refusals(
    plan: &MovePlan,
    changes: &BTreeMap<String, EditedFile>,
    allow_dirty: bool,
) -> BTreeMap<String, String> {
    let moved = plan.renames.iter().map(|(from, _)| from);
    let names: BTreeSet<String> = changes.keys().chain(moved).map(|path| plan.name(path)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut refused = if allow_dirty { BTreeMap::new() } else { git::unsaved(&names) };
    for path in changes.keys() {
        refused.extend(write_protection(&plan.folder.join(path)).map(|reason| (plan.name(path), reason)));
    }
    refused
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

/// Writes the new contents to temporary files, moves the source, and then replaces each file atomically: if there is no
/// space, or a folder is read-only, nothing has changed yet. Nothing is staged in Git.
fn write(plan: &MovePlan, changes: &BTreeMap<String, EditedFile>) -> Result<(), Error> {
    let (from, to) = (plan.folder.join(&plan.from), plan.folder.join(&plan.to));
    let mut prepared = Vec::new();
    for (path, change) in changes {
        let file = plan.folder.join(path);
        // The folders in the moved one have other paths later.
        let beside = if file.starts_with(&from) { &from } else { &file };
        let new = PreparedFile::write(beside.parent().unwrap_or(&plan.folder), &file, |mut out| {
            out.write_all(&change.new)
        });
        prepared.push((plan.moved(path), new.map_err(Error::system(plan.name(path)))?));
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(Error::file(folder))?;
    }
    fs::rename(&from, &to).map_err(Error::system(plan.name(&plan.to)))?;
    for (path, new) in prepared {
        new.replace(&plan.folder.join(&path)).map_err(|error| {
            let advice = "the source is moved, but not all links; restore the files with Git, and try again";
            Error::usage(format!("{}: {error}; {advice}", plan.name(&path)))
        })?;
    }
    Ok(())
}
