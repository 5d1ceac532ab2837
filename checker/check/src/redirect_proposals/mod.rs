//! Proposes redirects for addresses that the site must keep and has lost.
//!
//! The evidence is, in this order: earlier redirects, pages with the same content, renames of sources, addresses that
//! differ only in form, and pages with the same title, anchors or name. A proposal is certain only if no other page could
//! be meant; every destination is a page or file of the export.

mod addresses;
mod anchors;
mod content;
mod evidence;
mod proposal;

use std::collections::BTreeMap;
use std::path::Path;

use sitegate_address::inventory::{AnchorSet, AnswerKind, Inventory};

use crate::check::{CheckTarget, Checker, Error};
use crate::contract::Contract;
use crate::index::site::Site;
use crate::report::result::CheckResult;
use crate::resolve::inventories::FetchedInventories;
use crate::rules::permalinks::kept_addresses;
use crate::walk::{StoredFile, Tree};
use addresses::{lost_addresses, present_pages};
pub use evidence::Before;
use evidence::MoveEvidence;
pub use proposal::{MovedAnchor, RedirectProposal, RedirectProposals};
use sitegate_address::INDEX;

/// Compares the addresses to keep with an export, and proposes a redirect for each that is lost.
///
/// # Errors
/// As [`Checker::check`].
pub fn propose_redirects(
    export: &Path,
    contract: &mut Contract,
    fetched: &FetchedInventories,
    before: Before<'_>,
) -> Result<RedirectProposals, Error> {
    contract.inventory.anchors = AnchorSet::All;
    // The redirects of the contract are those of the present site.
    let redirects = std::mem::take(&mut contract.redirects);
    let old_export = before.export.map(|root| list_addresses(root, contract, fetched)).transpose();
    contract.redirects = redirects;
    let old_export = old_export?;
    let contract = &*contract;
    let (result, present) = list_addresses(export, contract, fetched)?;
    let inventories = Checker::with_inventories(contract, fetched)?.into_inventories();
    let settings = &result.deployment.settings;
    let site = Site::new(&result.tree, contract, settings, result.redirects.clone());
    let site = site.with_inventories(&inventories);

    let mut old = Inventory::new(None, AnchorSet::Listed);
    let kept = kept_addresses(&site).map(|kept| (kept.path, kept.address));
    let exported = old_export.iter().flat_map(|(_, inventory)| inventory.iter());
    let exported =
        exported.filter(|(path, address)| address.kind != AnswerKind::File && !address.is_pattern(path));
    for (path, address) in kept.chain(exported) {
        // An inventory that is too large was refused when it was read.
        if old.add(path, address.clone()).is_err() {
            break;
        }
    }
    let old_tree = match &old_export {
        Some((earlier, _)) => earlier.tree.clone(),
        None => old_tree(&old, &settings.base_path).into(),
    };
    let lost = lost_addresses(&site, &old, &old_tree);
    let pages = present_pages(&site, &present);
    let evidence = MoveEvidence::collect(&site, &pages, &old, (&old_tree, &lost), before);
    let mut proposals = RedirectProposals { addresses: old.len(), lost: lost.len(), ..Default::default() };
    for address in &lost {
        match evidence.propose_once(address) {
            Some(proposal) => proposals.redirects.push(proposal),
            None => proposals.unexplained.push(address.path.to_owned()),
        }
    }
    let was_all =
        |folder: &str, count| old.below(folder).count() == count && present.below(folder).next().is_none();
    proposals.redirects = proposal::join_to_patterns(&proposals.redirects, was_all);
    proposals.anchors = anchors::moved_anchors(&site, &old, &pages, &present);
    Ok(proposals)
}

/// Checks an export for its addresses.
fn list_addresses(
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
fn old_tree(old: &Inventory, base_path: &str) -> Tree {
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
