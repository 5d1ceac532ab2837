//! `sitegate mv`: moves a source and keeps its links and its address.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sitegate_base::plural::count;
use sitegate_check::internal::page_moves::{MoveError, MovePlan, plan_move};
use sitegate_sources::edits::{
    Applied, ApplyMode, ApplyOptions, NewContent, Refusal, SourceChanges, apply, edited_text,
};

use crate::deferred_signals::without_interruption;
use crate::error::Error;
use crate::export_args::ExportArgs;
use crate::redirect_writer::RedirectsFile;
use crate::refusals::{reason, shown, write_refusals};
use crate::terminal::{self, GREEN, Outcome, YELLOW};

#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes:\n  0  the source was moved, or --dry-run printed the patch\n  \
                        1  nothing was moved: a file cannot be changed\n  \
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
        let new =
            edited_text(&old, edits).map_err(|error| Error::usage(format!("{} {error}", plan.name(path))))?;
        changes.insert(path.clone(), EditedFile { old, new });
    }
    let added = match &file {
        Some(file) if !plan.redirects.is_empty() => {
            add_redirects(&plan, file, &mut changes, &args.export, &mut notes)?
        }
        _ => 0,
    };
    let applied = apply_move(&plan, changes, args)?;
    let (generated, refused): (Vec<Refusal>, Vec<Refusal>) =
        applied.refused.into_iter().partition(|refusal| refusal.reason.is_generated());
    notes.extend(
        generated
            .iter()
            .map(|refusal| format!("{}: not edited, because it {}", shown(&refusal.file), reason(refusal))),
    );
    if !applied.is_written {
        terminal::print_bytes(applied.patch.as_bytes())?;
    }
    let edits =
        plan.edits.iter().filter(|(path, _)| applied.changed.contains(&PathBuf::from(plan.name(path))));
    let references = edits.map(|(_, edits)| edits.len()).sum();
    let files = count(applied.changed.len(), "file");
    let summary = format!("{} and {} in {files}", count(references, "reference"), count(added, "redirect"));
    terminal::print_to_stderr(|out| {
        let (from, to) = (plan.name(&plan.from), plan.name(&plan.to));
        match (args.dry_run, refused.is_empty()) {
            (true, true) => writeln!(out, "{from} can be moved to {to}, with {summary}")?,
            (true, false) => {
                writeln!(out, "{from} would be moved to {to}, with {summary}, but for these files")?;
            }
            (false, true) => writeln!(
                out,
                "{GREEN}moved{GREEN:#}  {from} to {to}, with {summary}; build the site and check it"
            )?,
            (false, false) => {}
        }
        notes.iter().try_for_each(|note| writeln!(out, "{YELLOW}look at{YELLOW:#}  {note}"))?;
        write_refusals(&refused, "not moved", out)
    })?;
    Ok(u8::from(!refused.is_empty() && !args.dry_run))
}

/// Moves the source with its changes, or only returns them.
fn apply_move(plan: &MovePlan, edited: BTreeMap<String, EditedFile>, args: &Args) -> Result<Applied, Error> {
    let mut changes = SourceChanges::default();
    changes.rename(plan.name(&plan.from), plan.name(&plan.to));
    for (path, EditedFile { old, new }) in edited {
        changes.edit(plan.name(&path), NewContent::Whole { old, new });
    }
    let options = ApplyOptions { project: plan.folder.clone(), allow_unsaved: args.allow_dirty };
    let applied = if args.dry_run {
        apply(&changes, ApplyMode::Patch, &options)
    } else {
        without_interruption(|| apply(&changes, ApplyMode::WriteAll, &options))?
    };
    applied.map_err(|error| Error::usage(error.to_string()))
}

/// Adds the redirects to the changes. Returns their number.
fn add_redirects(
    plan: &MovePlan,
    file: &RedirectsFile,
    changes: &mut BTreeMap<String, EditedFile>,
    export: &ExportArgs,
    notes: &mut Vec<String>,
) -> Result<usize, Error> {
    let path = plan.path(file.path());
    let old = fs::read(file.path()).map_err(Error::file(file.path()))?;
    let present = changes.get(&path).map_or(&old, |change| &change.new);
    let text = std::str::from_utf8(present)
        .map_err(|_| Error::usage(format!("{} is not UTF-8", file.path().display())))?;
    let redirects: Vec<_> = plan.redirects.iter().collect();
    let (new, added) = file.edit(text, &redirects, &plan.base_path, &export.contract.permissions())?;
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
