//! Assembles the parts of a report that are about the whole site: imports that were not followed, links between pages,
//! and the folder to check instead.

use std::cmp::Reverse;

use crate::contract::Contract;
use crate::deployment::likely_root::LikelyRoot;
use crate::parse::Format;
use crate::raw_finding::{DocumentId, Location, Severity};
use crate::report::finding::{CommonCause, ImportPlace, OtherRoot};
use crate::report::locator::FindingLocator;
use crate::report::result::CheckResult;
use crate::report::{InboundLinks, LinkedPage};
use crate::rules::broken_reference::moved_folder;
use crate::walk::FileId;

/// Maximum number of imports.
const IMPORTS: usize = 20;

/// Returns the locations of the first imports whose URL is computed.
pub(super) fn computed_imports(result: &CheckResult, contract: &Contract) -> Vec<ImportPlace> {
    let mut locator = FindingLocator::new(result, contract);
    let locate = |&(file, offset): &(u32, u32)| {
        let position = locator.start(&Location::in_file(file, offset..offset));
        ImportPlace {
            file: locator.name(&DocumentId::File(file)),
            line: position.line,
            column: position.column,
        }
    };
    result.computed.iter().take(IMPORTS).map(locate).collect()
}

/// Maximum number of pages in each list.
const MOST_LINKED: usize = 15;
const UNLINKED: usize = 200;

/// Returns the pages that most files refer to, and the pages that no file refers to.
pub(super) fn inbound_links(result: &CheckResult) -> InboundLinks {
    let tree = &result.tree;
    let home = tree.home();
    let not_found = result.deployment.settings.not_found_file().as_bytes();
    let inbound = |page: FileId| result.inbound.get(page as usize).copied().unwrap_or(0);
    let name = |page: FileId| tree.display(page).into_owned();
    let mut pages: Vec<FileId> =
        tree.ids().filter(|&page| Format::of(tree.path(page)) == Format::Html).collect();
    let is_unlinked = |page: FileId| inbound(page) == 0 && Some(page) != home && tree.path(page) != not_found;
    let unlinked = || pages.iter().copied().filter(|&page| is_unlinked(page));
    let (count, first) = (unlinked().count(), unlinked().take(UNLINKED).map(name).collect());
    pages.sort_by_key(|&page| (Reverse(inbound(page)), page));
    pages.truncate(MOST_LINKED);
    pages.retain(|&page| inbound(page) > 0);
    let linked = pages.into_iter().map(|page| LinkedPage { file: name(page), files: inbound(page) });
    InboundLinks { most_linked: linked.collect(), unlinked: count, unlinked_pages: first }
}

/// Maximum number of moved folders to look into, and of files to look for in each. Chosen, no known case.
const MOVED_FOLDERS: usize = 20;
const FILES_OF_FOLDER: usize = 3;

/// Returns the other folder, if it has the files of most errors.
pub(super) fn other_root(result: &CheckResult, causes: &[CommonCause]) -> Option<OtherRoot> {
    if result.live.is_some() {
        return None;
    }
    let base_path = &result.deployment.settings.base_path;
    let tree = &result.tree;
    let errors = causes.iter().enumerate().filter(|(_, cause)| cause.severity == Severity::Error);
    let missing = errors.clone().filter(|(_, cause)| cause.thing);
    let missing = missing.filter_map(|(index, cause)| Some((index, cause.cause.strip_prefix(&**base_path)?)));
    let missing: Vec<(usize, &str)> = missing.collect();
    // A folder that seems to have moved is in the other folder, too. Pages name some of its files.
    let moved = errors.clone().filter(|(_, cause)| !cause.thing);
    let moved = moved.filter_map(|(index, cause)| Some((index, moved_folder(&cause.cause)?)));
    let moved: Vec<(usize, (&str, &str))> = moved.collect();
    let files_of = |(old, new): (&str, &str)| {
        let files = tree.below(new.as_bytes()).take(FILES_OF_FOLDER);
        let names = files.filter_map(|file| Some(tree.display(file).strip_prefix(new)?.to_owned()));
        names.map(|name| format!("{old}{name}")).collect::<Vec<_>>()
    };
    let in_moved: Vec<String> =
        moved.iter().take(MOVED_FOLDERS).flat_map(|(_, folders)| files_of(*folders)).collect();
    let mut paths: Vec<&str> =
        missing.iter().map(|(_, path)| *path).chain(in_moved.iter().map(String::as_str)).collect();
    paths.sort_unstable();
    paths.dedup();
    let root = LikelyRoot::find(&paths, base_path, tree)?;
    let is_below_root = |(old, new): (&str, &str)| tree.disk_path_of(new.as_bytes()) == root.folder.join(old);
    let missing = missing.into_iter().filter(|(_, path)| root.has(path)).map(|(index, _)| index);
    let moved = moved.into_iter().filter(|(_, folders)| is_below_root(*folders)).map(|(index, _)| index);
    let mut found: Vec<usize> = missing.chain(moved).collect();
    found.sort_unstable();
    let explained: usize = found.iter().map(|index| causes[*index].findings).sum();
    let all: usize = errors.map(|(_, cause)| cause.findings).sum();
    let folder = root.folder.display().to_string();
    (explained * 2 > all).then_some(OtherRoot { folder, causes: found })
}
