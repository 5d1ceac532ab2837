//! The addresses of two exports.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use sitegate_address::inventory::{AnswerKind, Inventory, InventoryAddress};

use crate::check::{CheckTarget, Checker, Error};
use crate::contract::Contract;
use crate::index::site::Site;
use crate::parse::Format;
use crate::report::result::CheckResult;
use crate::resolve::address_forms::AddressForm;
use crate::resolve::inventories::FetchedInventories;
use crate::resolve::{Reason, Target};
use crate::walk::{FileId, StoredFile, Tree};
use sitegate_address::INDEX;
use sitegate_address::percent::escape_path;

/// A page of the present export.
pub(super) struct PresentPage<'i> {
    pub file: FileId,
    /// Its decoded path.
    pub path: &'i str,
    /// Its other paths that links use, in order.
    pub others: Vec<&'i str>,
    pub address: &'i InventoryAddress,
}

impl PresentPage<'_> {
    /// Whether a decoded path is one of the page.
    pub fn has_path(&self, path: &str) -> bool {
        self.path == path || self.others.contains(&path)
    }

    /// Returns the path with the form of another one: with or without `.html`.
    pub fn path_like(&self, other: &str) -> &str {
        let has_form = |path: &&str| AddressForm::of_path(path) == AddressForm::of_path(other);
        self.others.iter().copied().find(has_form).filter(|_| !has_form(&self.path)).unwrap_or(self.path)
    }
}

/// A lost address.
pub(super) struct LostAddress<'i> {
    pub path: &'i str,
    pub address: &'i InventoryAddress,
    /// Its file in the earlier export.
    pub file: Option<FileId>,
}

/// Checks an export for its addresses.
pub(super) fn list_addresses(
    root: &Path,
    contract: &Contract,
    fetched: &FetchedInventories,
) -> Result<(CheckResult, Inventory), Error> {
    let checker = Checker::with_inventories(contract, fetched)?.inventory(true);
    let mut result = checker.run(CheckTarget::Export(root))?;
    let inventory = result.inventory.take().unwrap_or_default();
    Ok((result, inventory))
}

/// Returns the files that the addresses of an inventory had, by the usual names.
pub(super) fn old_tree(old: &Inventory, base_path: &str) -> Tree {
    let mut files: BTreeMap<Box<[u8]>, StoredFile> = BTreeMap::new();
    for (path, address) in
        old.iter().filter(|(_, address)| !matches!(address.kind, AnswerKind::Redirect { .. }))
    {
        let Some(below) = path.strip_prefix(base_path) else { continue };
        let is_page = address.kind == AnswerKind::Page;
        let name = match below {
            _ if below.is_empty() || below.ends_with('/') => format!("{below}{INDEX}"),
            _ if is_page && !below.ends_with(".html") => format!("{below}.html"),
            _ => below.to_owned(),
        };
        files.insert(name.into_bytes().into(), StoredFile { file: "".into(), is_whole: false });
    }
    Tree::fetched("", files)
}

/// Returns the earlier addresses that do not exist, without those that may be gone.
pub(super) fn lost_addresses<'i>(
    site: &Site<'_>,
    old: &'i Inventory,
    old_tree: &Tree,
) -> Vec<LostAddress<'i>> {
    let base_path = &site.settings.base_path;
    let find = |path: &str| {
        let below = path.strip_prefix(base_path.as_str())?;
        let index = if below.is_empty() || below.ends_with('/') { "" } else { "/" };
        let names = [below.to_owned(), format!("{below}{index}{INDEX}"), format!("{below}.html")];
        names.iter().find_map(|name| old_tree.find(name.as_bytes()))
    };
    let is_lost = |path: &str| {
        let target = site.resolver.resolve(&site.resolver.root(), &escape_path(path), &mut Vec::new());
        matches!(target, Target::Missing(_)) && !site.may_be_gone(path)
    };
    let lost = old.iter().filter(|(path, _)| path.starts_with(base_path) && is_lost(path));
    lost.map(|(path, address)| LostAddress { path, address, file: find(path) }).collect()
}

/// Returns the pages of the export, without redirects.
pub(super) fn present_pages<'i>(site: &Site<'_>, present: &'i Inventory) -> Vec<PresentPage<'i>> {
    let mut pages: Vec<PresentPage<'_>> = Vec::new();
    let mut known: HashMap<FileId, usize> = HashMap::new();
    for (path, address) in present.iter().filter(|(_, address)| address.kind == AnswerKind::Page) {
        let Some(file) = page_at(site, path) else { continue };
        let is_own = site.resolver.served_paths(&site.tree.display(file)).iter().any(|own| own == path);
        match known.get(&file) {
            Some(number) if is_own => pages[*number].others.push(path),
            _ => {
                if is_own {
                    known.insert(file, pages.len());
                }
                pages.push(PresentPage { file, path, others: Vec::new(), address });
            }
        }
    }
    pages
}

/// Returns the page of the export at a decoded path.
fn page_at(site: &Site<'_>, path: &str) -> Option<FileId> {
    let target = site.resolver.resolve(&site.resolver.root(), &escape_path(path), &mut Vec::new());
    let file = match target {
        Target::File { file, .. } => file,
        // A page has come back, and its redirect from the time in between hides it.
        Target::Missing(Reason::BrokenRedirect | Reason::RedirectLoop) => site.resolver.file_of_host(path)?,
        _ => return None,
    };
    (site.format(file) == Format::Html).then_some(file)
}
