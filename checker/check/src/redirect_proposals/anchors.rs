//! Compares the anchors of pages.

use std::collections::{BTreeMap, HashMap};

use sitegate_base::nearest::nearest;
use sitegate_inventory::{AnswerKind, Inventory, InventoryAddress};

use super::addresses::PresentPage;
use super::proposal::MovedAnchor;
use crate::index::site::Site;
use crate::resolve::fragment::is_route;

/// Number of pages from which an anchor does not identify a page.
const COMMON: usize = 9;

/// Minimum number of anchors that two pages must share.
const MIN_SHARED: usize = 3;

/// Maximum number of letters before the number of an anchor that a generator gave.
const MAX_PREFIX: usize = 3;

/// The present pages by their anchors.
pub(super) struct SharedAnchors<'i> {
    pages: &'i [PresentPage<'i>],
    by_anchor: HashMap<&'i str, Vec<u32>>,
}

impl<'i> SharedAnchors<'i> {
    pub fn new(pages: &'i [PresentPage<'i>]) -> SharedAnchors<'i> {
        let mut by_anchor: HashMap<&str, Vec<u32>> = HashMap::new();
        for (number, page) in pages.iter().enumerate() {
            page.address
                .anchors()
                .for_each(|anchor| by_anchor.entry(anchor).or_default().push(number as u32));
        }
        SharedAnchors { pages, by_anchor }
    }

    /// Returns the only page that has most anchors of a lost page, and their number.
    pub fn best(&self, lost: &InventoryAddress) -> Option<(usize, usize)> {
        let mut counts: HashMap<u32, usize> = HashMap::new();
        let known = lost.anchors().filter_map(|anchor| self.by_anchor.get(anchor));
        for page in known.filter(|pages| pages.len() < COMMON).flatten() {
            *counts.entry(*page).or_default() += 1;
        }
        let mut ranked: Vec<(usize, u32)> = counts.into_iter().map(|(page, shared)| (shared, page)).collect();
        ranked.sort_unstable_by(|a, b| b.cmp(a));
        let (shared, page) = *ranked.first()?;
        let second = ranked.get(1).map_or(0, |second| second.0);
        let is_most = shared >= MIN_SHARED && shared * 2 > lost.anchors().len() && second * 2 <= shared;
        is_most.then_some((page as usize, shared))
    }

    /// Whether a page lacks most anchors of a lost page.
    pub fn contradict(&self, lost: &InventoryAddress, page: usize) -> bool {
        let present = self.pages[page].address;
        let shared = lost.anchors().filter(|anchor| present.has_anchor(anchor)).count();
        lost.anchors().len() >= MIN_SHARED && shared * 3 < lost.anchors().len()
    }
}

/// Whether an anchor is a number that a generator gave, such as `id12`. It names another place in each build.
fn is_numbered(anchor: &str) -> bool {
    let name = anchor.trim_end_matches(|letter: char| letter.is_ascii_digit());
    name.len() < anchor.len() && name.len() <= MAX_PREFIX
}

/// Returns the anchors that pages have lost, without numbers: with the same anchor of the only page that has gained it, or else the most
/// similar one of the same page.
pub(super) fn moved_anchors(
    site: &Site<'_>,
    old: &Inventory,
    pages: &[PresentPage<'_>],
    present: &Inventory,
) -> Vec<MovedAnchor> {
    let mut lost: Vec<(&str, &str, &InventoryAddress)> = Vec::new();
    for (path, address) in old.iter().filter(|(_, address)| address.kind == AnswerKind::Page) {
        let Some(page) = present.get(path).filter(|page| page.kind == AnswerKind::Page) else { continue };
        let missing = address.anchors().filter(|anchor| !page.has_anchor(anchor) && !is_route(anchor));
        let missing = missing.filter(|anchor| !site.may_be_gone(&format!("{path}#{anchor}")));
        let missing = missing.filter(|anchor| !is_numbered(anchor));
        lost.extend(missing.map(|anchor| (path, anchor, page)));
    }
    let mut gained: BTreeMap<&str, Vec<&str>> =
        lost.iter().map(|(_, anchor, _)| (*anchor, Vec::new())).collect();
    for page in pages {
        for anchor in page.address.anchors() {
            let is_old = || old.get(page.path).is_some_and(|address| address.has_anchor(anchor));
            if let Some(by) = gained.get_mut(anchor)
                && !is_old()
            {
                by.push(page.path);
            }
        }
    }
    let moved = lost.into_iter().map(|(path, anchor, page)| {
        let to = match gained[anchor].as_slice() {
            [only] => Some(format!("{only}#{anchor}")),
            _ => nearest(anchor, page.anchors()).map(|near| format!("{path}#{near}")),
        };
        MovedAnchor { from: format!("{path}#{anchor}"), to }
    });
    moved.collect()
}
