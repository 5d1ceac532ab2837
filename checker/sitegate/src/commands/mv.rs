//! `sitegate mv`: moves a source and keeps its links and its address.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use sitegate_base::plural::count;
use sitegate_check::{
    Contract, MoveError, MovePlan, Permissions, RedirectSite, RefusedRedirect, hiding_redirects, plan_move,
};
use sitegate_sources::edits::{
    Applied, ApplyMode, ApplyOptions, NewContent, Refusal, SourceChanges, apply, edited_text,
};

use crate::edited_files::{reason, shown, without_interruption, write_refusals};
use crate::error::Error;
use crate::export_args::ExportArgs;
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
        Some(RedirectWriter::find(&contract, &root, "no redirect can be added (--no-redirect)"))
    };
    let redirects_file = writer.as_ref().and_then(|found| Some(found.as_ref().ok()?.path()));
    let extra = contract.file.as_deref().into_iter().chain(redirects_file);
    let extra: Vec<&Path> = extra.filter(|path| path.is_file()).collect();
    let plan = plan_move(&root, &contract, (&args.from, &args.to), &extra).map_err(|error| match error {
        MoveError::Check(error) => Error::from(error),
        MoveError::Refused(_) => Error::usage(error.to_string()),
    })?;
    // A source that cannot be moved is named first.
    let writer = writer.transpose()?;
    let mut notes = plan.notes.clone();
    let mut changes: BTreeMap<String, EditedFile> = BTreeMap::new();
    for (path, edits) in &plan.edits {
        let old = fs::read(plan.folder.join(path)).map_err(Error::system(plan.name(path)))?;
        let new =
            edited_text(&old, edits).map_err(|error| Error::usage(format!("{} {error}", plan.name(path))))?;
        changes.insert(path.clone(), EditedFile { old, new });
    }
    let permissions = args.export.contract.permissions();
    let redirects = if let Some(writer) = writer {
        add_redirects(&plan, writer, &mut changes, (&contract, &permissions), &mut notes)?
    } else {
        refuse_hidden_pages(&plan, site_of(&contract, &root)?, (&contract, &permissions))?;
        AddedRedirects::default()
    };
    let added = redirects.added;
    let is_only_printed = args.dry_run || !redirects.refused.is_empty();
    let applied = apply_move(&plan, changes, args, is_only_printed)?;
    let (generated, refused): (Vec<Refusal>, Vec<Refusal>) =
        applied.refused.into_iter().partition(|refusal| refusal.reason.is_generated());
    notes.extend(
        generated
            .iter()
            .map(|refusal| format!("{}: not edited, because it {}", shown(&refusal.file), reason(refusal))),
    );
    if applied.is_written {
        for note in &mut notes {
            *note = plan.note_after(note);
        }
    } else {
        terminal::print_bytes(applied.patch.as_bytes())?;
    }
    let edits =
        plan.edits.iter().filter(|(path, _)| applied.changed.contains(&PathBuf::from(plan.name(path))));
    let references = edits.map(|(_, edits)| edits.len()).sum();
    let files = count(applied.changed.len(), "file");
    let summary = format!("{} and {} in {files}", count(references, "reference"), count(added, "redirect"));
    terminal::print_to_stderr(|out| {
        let (from, to) = (plan.name(&plan.from), plan.name(&plan.to));
        let next = if plan.is_authored { "check the site" } else { "build the site and check it" };
        match (args.dry_run, refused.is_empty()) {
            (true, true) => writeln!(out, "{from} can be moved to {to}, with {summary}")?,
            (true, false) => {
                writeln!(out, "{from} would be moved to {to}, with {summary}, but for these files")?;
            }
            (false, true) if redirects.refused.is_empty() => {
                writeln!(out, "{GREEN}moved{GREEN:#}  {from} to {to}, with {summary}; {next}")?;
            }
            (false, _) => {}
        }
        notes.iter().try_for_each(|note| writeln!(out, "{YELLOW}look at{YELLOW:#}  {note}"))?;
        write_refusals(&refused, "not moved", out)?;
        redirects.print(out)
    })?;
    Ok(u8::from(!redirects.refused.is_empty() || !refused.is_empty() && !args.dry_run))
}

/// Moves the source with its changes, or only returns them.
fn apply_move(
    plan: &MovePlan,
    edited: BTreeMap<String, EditedFile>,
    args: &Args,
    is_only_printed: bool,
) -> Result<Applied, Error> {
    let mut changes = SourceChanges::default();
    changes.rename(plan.name(&plan.from), plan.name(&plan.to));
    for (path, EditedFile { old, new }) in edited {
        changes.edit(plan.name(&path), NewContent::Whole { old, new });
    }
    let options = ApplyOptions { project: plan.folder.clone(), allow_unsaved: args.allow_dirty };
    let applied = if is_only_printed {
        apply(&changes, ApplyMode::Patch, &options)
    } else {
        without_interruption(|| apply(&changes, ApplyMode::WriteAll, &options))?
    };
    applied.map_err(|error| Error::usage(error.to_string()))
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
