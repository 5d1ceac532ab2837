//! `sitegate redirects`: proposes redirects for lost addresses.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::json;
use sitegate_base::artifact::REDIRECTS;
use sitegate_base::plural::count;
use sitegate_check::{
    Before, ChangedRedirect, RedirectEdit, RedirectProposal, RedirectProposals, RefusedRedirect,
    propose_redirects,
};
use sitegate_sources::edits::ApplyOptions;

use crate::error::Error;
use crate::export_args::ExportArgs;
use crate::redirect_writer::RedirectWriter;
use crate::terminal::{self, BOLD, CommandFormat, CommandFormatArgs, DIM, GREEN, Outcome, YELLOW};
use crate::{git, inventory_file};

/// Maximum number of entries of a list that people read.
const MAX_SHOWN: usize = 100;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes:\n  0  no address is lost, or redirects for all were added and followed\n  \
                        1  addresses are lost\n  2  the arguments, the contract or a folder cannot be used"
)]
pub struct Args {
    #[command(flatten)]
    export: ExportArgs,
    /// Earlier export, to find pages by their content
    ///
    /// All its pages and redirects must be kept, too. Lists in `keep` add files.
    #[arg(long, value_name = "DIR")]
    before: Option<PathBuf>,
    /// Earlier commit, to find pages by renames of sources
    ///
    /// The contract names the sources: `source.include`.
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// Request inventories that the contract names by URL
    #[arg(long, hide = !cfg!(feature = "network"))]
    parts: bool,
    /// Add the certain redirects to the site or the contract
    ///
    /// They are added to the file that the host reads: the source of the export's _redirects file, or else the contract. Each
    /// is first followed in the site. For vercel.json and similar files, the entries to add are printed.
    #[arg(long)]
    write: bool,
    /// Change a file that Git could not restore, too
    ///
    /// Without it, a file that is new, ignored or has uncommitted changes is not changed.
    #[arg(long, requires = "write")]
    allow_dirty: bool,
    #[command(flatten)]
    output: CommandFormatArgs,
}

pub fn run(args: &Args) -> Outcome {
    let (mut contract, root) = args.export.load()?;
    let has_lists = !contract.permalinks.keep.is_empty() || args.before.is_some();
    if !has_lists {
        return Err(Error::usage(
            "no address to keep: name lists of addresses in `keep` of [permalinks], or an earlier export: --before DIR",
        ));
    }
    if args.base.is_some() && contract.source_files.is_empty() {
        return Err(Error::usage("--base: the contract names no sources; set `include` of [source]"));
    }
    let sources = match &args.base {
        Some(base) => Some(git::history(&contract.source_files.folder, base)?),
        None => None,
    };
    let options =
        ApplyOptions { project: contract.source_files.folder.clone(), allow_unsaved: args.allow_dirty };
    let fetched = inventory_file::fetch(&contract, args.parts)?;
    let before = Before { export: args.before.as_deref(), sources: sources.as_ref() };
    let proposals = propose_redirects(&root, &mut contract, &fetched, before)?;
    let certain: Vec<RedirectProposal> =
        proposals.redirects.iter().filter(|redirect| redirect.is_certain()).cloned().collect();
    let written = if args.write && proposals.lost > 0 {
        let writer = RedirectWriter::find(&contract, &root, "--write")?;
        let edit = writer.add(&certain, (&contract, &args.export.contract.permissions()), &options)?;
        Some(WrittenRedirects { entries: writer.entries_to_add(&certain, &edit), edit, writer })
    } else {
        None
    };
    terminal::print(|out| match args.output.format {
        CommandFormat::Human => {
            write_proposals(&proposals, out)?;
            written.as_ref().map_or(Ok(()), |written| written.print(out))
        }
        CommandFormat::Json => {
            let document = json!({
                "schema_version": REDIRECTS.version,
                "kind": REDIRECTS.kind(),
                "written": written.as_ref().and_then(WrittenRedirects::file),
                "changed": written.as_ref().map_or(&[][..], |written| &written.edit.changed),
                "refused": written.as_ref().map_or(&[][..], |written| &written.edit.refused),
                "entries_to_add": written.as_ref().map_or(&[][..], |written| &written.entries),
                "note": written.as_ref().and_then(|written| written.writer.note()),
                "proposals": proposals,
            });
            writeln!(out, "{document:#}")
        }
    })?;
    let are_all_certain = proposals.unexplained.is_empty() && certain.len() == proposals.redirects.len();
    let is_solved = written.is_some_and(|written| written.edit.refused.is_empty()) && are_all_certain;
    Ok(u8::from(proposals.lost > 0 && !is_solved))
}

/// The result of `--write`.
struct WrittenRedirects {
    writer: RedirectWriter,
    edit: RedirectEdit,
    /// Entries for a file that is only read.
    entries: Vec<String>,
}

impl WrittenRedirects {
    /// Returns the name of the file, if it was changed.
    fn file(&self) -> Option<String> {
        (self.edit.added > 0 || !self.edit.changed.is_empty()).then(|| self.writer.name())
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let WrittenRedirects { writer, edit, entries } = self;
        let name = writer.name();
        if edit.added > 0 {
            writeln!(out, "\nAdded {} to {name}; {}.", count(edit.added, "redirect"), writer.next_step())?;
        }
        write_list(out, format_args!("Changed in {name}"), "", edit.changed.iter(), write_change)?;
        if let Some(note) = writer.note() {
            writeln!(out, "\n{YELLOW}Note{YELLOW:#}: {note}")?;
        }
        write_list(
            out,
            format_args!("{YELLOW}Not added{YELLOW:#}"),
            ": these addresses stay lost",
            edit.refused.iter(),
            write_refused,
        )?;
        write_list(out, format_args!("To add to {name}"), "", entries.iter(), |entry, out| {
            entry.lines().try_for_each(|line| writeln!(out, "  {line}"))
        })
    }
}

fn write_change(change: &ChangedRedirect, out: &mut dyn Write) -> io::Result<()> {
    let ChangedRedirect { from, was, to } = change;
    match to {
        Some(to) => writeln!(out, "  {from}\n    → {to}\n      {DIM}it was {was}{DIM:#}"),
        None => writeln!(out, "  {from}\n    {DIM}removed: a page has this address; it was {was}{DIM:#}"),
    }
}

fn write_refused(refused: &RefusedRedirect, out: &mut dyn Write) -> io::Result<()> {
    let RefusedRedirect { from, to, reason } = refused;
    writeln!(out, "  {from}\n    → {to}\n      {DIM}{reason}{DIM:#}")
}

fn write_proposals(proposals: &RedirectProposals, out: &mut dyn Write) -> io::Result<()> {
    let addresses = count(proposals.addresses, "address");
    if proposals.lost == 0 {
        writeln!(out, "{GREEN}No address is lost{GREEN:#}: the site answers {addresses}")?;
    } else {
        writeln!(out, "{BOLD}{} of {addresses} are lost{BOLD:#}", proposals.lost)?;
    }
    let (certain, candidates): (Vec<&RedirectProposal>, Vec<_>) =
        proposals.redirects.iter().partition(|redirect| redirect.is_certain());
    write_list(out, format_args!("{GREEN}Certain{GREEN:#}"), "", certain.into_iter(), write_redirect)?;
    let name = format_args!("{YELLOW}Candidates{YELLOW:#}");
    write_list(out, name, ": check them before you add them", candidates.into_iter(), write_redirect)?;
    let advice = ": keep the page, redirect it, or list it in `gone`";
    write_list(out, format_args!("No proposal"), advice, proposals.unexplained.iter(), write_address)?;
    let limit = ": no redirect can replace them";
    write_list(
        out,
        format_args!("Lost anchors"),
        limit,
        proposals.anchors.iter(),
        |anchor, out| match &anchor.to {
            Some(to) => writeln!(out, "  {}\n    {DIM}now perhaps{DIM:#} {to}", anchor.from),
            None => writeln!(out, "  {}", anchor.from),
        },
    )
}

/// Writes the name of a list with the number of its entries, and the first entries.
fn write_list<'p, T: 'p>(
    out: &mut dyn Write,
    name: fmt::Arguments<'_>,
    note: &str,
    entries: impl ExactSizeIterator<Item = &'p T>,
    mut write: impl FnMut(&T, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let number = entries.len();
    if number == 0 {
        return Ok(());
    }
    writeln!(out, "\n{name} ({number}){note}")?;
    entries.take(MAX_SHOWN).try_for_each(|entry| write(entry, out))?;
    match number.checked_sub(MAX_SHOWN) {
        None | Some(0) => Ok(()),
        Some(more) => writeln!(out, "  {DIM}and {more} more: --format json{DIM:#}"),
    }
}

fn write_address(address: &String, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  {address}")
}

fn write_redirect(redirect: &RedirectProposal, out: &mut dyn Write) -> io::Result<()> {
    let RedirectProposal { from, to, reason, .. } = redirect;
    writeln!(out, "  {from}\n    → {to}\n      {DIM}{reason}{DIM:#}")
}
