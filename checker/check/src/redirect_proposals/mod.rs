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

use std::path::Path;

use sitegate_address::inventory::{AnchorSet, AnswerKind, Inventory};

use crate::check::{Checker, Error};
use crate::contract::Contract;
use crate::index::site::Site;
use crate::resolve::inventories::FetchedInventories;
use crate::rules::permalinks::kept_addresses;
use addresses::{list_addresses, lost_addresses, old_tree, present_pages};
pub use evidence::Before;
use evidence::MoveEvidence;
pub use proposal::{MovedAnchor, RedirectProposal, RedirectProposals};

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
