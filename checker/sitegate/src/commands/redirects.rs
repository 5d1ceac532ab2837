//! `sitegate redirects`: proposes redirects for lost addresses.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::json;
use sitegate_base::plural::count;
use sitegate_check::internal::redirect_proposals::{
    Before, RedirectProposal, RedirectProposals, propose_redirects,
};
use sitegate_sources::edits::ApplyOptions;

use crate::error::Error;
use crate::export_args::ExportArgs;
use crate::redirect_writer::{Added, RedirectsFile};
use crate::terminal::{self, BOLD, CommandFormat, CommandFormatArgs, DIM, GREEN, Outcome, YELLOW};
use crate::{git, inventory_file};

/// Maximum number of entries of a list that people read.
const MAX_SHOWN: usize = 100;

/// Why the contract does not have a redirect.
const REFUSED: &str = ": `from` of `[[redirects]]` has only plain ASCII characters";

#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes:\n  0  no address is lost, or redirects for all were added\n  \
                        1  addresses are lost\n  2  the arguments, the contract or a folder cannot be used")]
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
    /// They are added to the source of the export's _redirects file. A site without that file gets them in its contract.
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
    let (contract, root) = args.export.load()?;
    let has_lists = !contract.permalinks.keep.is_empty() || args.before.is_some();
    if !has_lists {
        return Err(Error::usage(
            "no address to keep: name lists of addresses in `keep` of [permalinks], or an earlier export: --before DIR",
        ));
    }
    if args.base.is_some() && contract.source_files.is_empty() {
        return Err(Error::usage("--base: the contract names no sources; set `include` of [source]"));
    }
    let file = if args.write { Some(RedirectsFile::find(&contract, &root, "--write")?) } else { None };
    let sources = match &args.base {
        Some(base) => Some(git::history(&contract.source_files.folder, base)?),
        None => None,
    };
    let options =
        ApplyOptions { project: contract.source_files.folder.clone(), allow_unsaved: args.allow_dirty };
    let fetched = inventory_file::fetch(&contract, args.parts)?;
    let before = Before { export: args.before.as_deref(), sources: sources.as_ref() };
    let proposals = propose_redirects(&root, contract, &fetched, before)?;
    let certain: Vec<&RedirectProposal> =
        proposals.redirects.iter().filter(|redirect| redirect.is_certain()).collect();
    let added = match &file {
        Some(file) => {
            file.add(&certain, &proposals.base_path, &args.export.contract.permissions(), &options)?
        }
        None => Added::default(),
    };
    let file = file.as_ref().map(|file| file.path().to_string_lossy());
    let file = file.as_deref().map(|path| path.strip_prefix("./").unwrap_or(path));
    terminal::print(|out| match args.output.format {
        CommandFormat::Human => {
            write_proposals(&proposals, out)?;
            if added.count > 0
                && let Some(file) = file
            {
                writeln!(out, "\nAdded {} to {file}.", count(added.count, "redirect"))?;
            }
            write_list(out, format_args!("Not added"), REFUSED, added.refused.iter(), write_address)
        }
        CommandFormat::Json => {
            let document = json!({
                "schema_version": 1,
                "kind": "sitegate-redirects",
                "written": file.filter(|_| added.count > 0),
                "refused": added.refused,
                "proposals": proposals,
            });
            writeln!(out, "{document:#}")
        }
    })?;
    let are_all_certain = proposals.unexplained.is_empty() && certain.len() == proposals.redirects.len();
    let is_solved = file.is_some() && are_all_certain && added.refused.is_empty();
    Ok(u8::from(proposals.lost > 0 && !is_solved))
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
