//! Compares the anchors of pages.

use std::collections::{BTreeMap, HashMap, HashSet};

use sitegate_address::inventory::{AnswerKind, Inventory, InventoryAddress};
use sitegate_base::nearest::nearest;

use super::addresses::PresentPage;
use super::proposal::MovedAnchor;
use crate::index::site::Site;
use crate::resolve::target::is_route;

/// Number of pages from which an anchor does not identify a page.
const COMMON: usize = 9;

/// Minimum number of anchors that two pages must share.
const MIN_SHARED: usize = 3;

/// The share of the pages that have an anchor of the theme, and the minimum number of them.
const THEME: f64 = 0.75;
const MIN_THEME: usize = 3;

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

/// Returns the anchors that most pages have: of the theme, not of the content.
fn theme_anchors(old: &Inventory) -> HashSet<&str> {
    let pages = || old.iter().filter(|(_, address)| address.kind == AnswerKind::Page);
    let mut counts: HashMap<&str, usize> = HashMap::new();
    pages().flat_map(|(_, page)| page.anchors()).for_each(|anchor| *counts.entry(anchor).or_default() += 1);
    let total = pages().count();
    let is_theme = |count: usize| count >= MIN_THEME && count as f64 >= THEME * total as f64;
    counts.into_iter().filter(|(_, count)| is_theme(*count)).map(|(anchor, _)| anchor).collect()
}

/// Returns the new anchor of a page that most likely replaces a lost one.
fn similar<'a>(lost: &str, new: &[&'a str]) -> Option<&'a str> {
    let same: Vec<&str> = new.iter().copied().filter(|anchor| has_same_end(lost, anchor)).collect();
    match same.as_slice() {
        [] => nearest(lost, new.iter().copied()),
        [only] => Some(only),
        several => several.iter().copied().min_by_key(|anchor| (anchor.len().abs_diff(lost.len()), *anchor)),
    }
}

/// Whether two anchors name the same item: their last segments are equal, as in `a.Class.item` and `a.Base.item`, or a
/// generator adds the name of the page, as in `install` and `guide-install`.
fn has_same_end(one: &str, other: &str) -> bool {
    let last =
        |anchor: &str| anchor.rsplit(['.', ':', '/']).next().map(str::to_lowercase).unwrap_or_default();
    let ends_in = |long: &str, short: &str| {
        let rest = long.to_lowercase();
        let rest = rest.strip_suffix(&short.to_lowercase());
        rest.is_some_and(|rest| rest.ends_with(['-', '_', '.', ':', '/']))
    };
    let last_of_one = last(one);
    !last_of_one.is_empty() && last_of_one == last(other) || ends_in(one, other) || ends_in(other, one)
}

/// Returns the anchors that pages have lost, without numbers and those of the theme: with the same anchor of the only page
/// that has gained it, or else the most similar one that the same page has gained.
pub(super) fn moved_anchors(
    site: &Site<'_>,
    old: &Inventory,
    pages: &[PresentPage<'_>],
    present: &Inventory,
) -> Vec<MovedAnchor> {
    let theme = theme_anchors(old);
    let mut lost: Vec<(&str, &str, &InventoryAddress)> = Vec::new();
    for (path, address) in old.iter().filter(|(_, address)| address.kind == AnswerKind::Page) {
        let Some(page) = present.get(path).filter(|page| page.kind == AnswerKind::Page) else { continue };
        let missing = address.anchors().filter(|anchor| !page.has_anchor(anchor) && !is_route(anchor));
        let missing = missing.filter(|anchor| !site.may_be_gone(&format!("{path}#{anchor}")));
        let missing = missing.filter(|anchor| !is_numbered(anchor) && !theme.contains(anchor));
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
    let mut new_anchors: (&str, Vec<&str>) = ("", Vec::new());
    let moved = lost.into_iter().map(|(path, anchor, page)| {
        let to = if let [only] = gained[anchor].as_slice() {
            Some(format!("{only}#{anchor}"))
        } else {
            if new_anchors.0 != path {
                let is_new = |own: &&str| !old.get(path).is_some_and(|old| old.has_anchor(own));
                new_anchors = (path, page.anchors().filter(is_new).collect());
            }
            similar(anchor, &new_anchors.1).map(|near| format!("{path}#{near}"))
        };
        MovedAnchor { from: format!("{path}#{anchor}"), to }
    });
    moved.collect()
}

#[cfg(test)]
mod tests {
    use super::similar;

    #[test]
    fn last_segments_are_compared_before_spellings() {
        let class = ["lib.Base.create", "lib.Base.get_bind", "lib.Base.invoke"];
        for (lost, new, expected) in [
            ("lib.Ops.get_bind", &class[..], Some("lib.Base.get_bind")),
            ("lib.Base.get_bin", &class, Some("lib.Base.get_bind")),
            ("lib.Ops.gone", &class, None),
            ("install", &["guide-install", "instal"], Some("guide-install")),
            ("user-content-install", &["install"], Some("install")),
            ("Install", &["setup_install", "uninstall"], Some("setup_install")),
            ("install", &["overview"], None),
            ("install", &["a-install", "guide-for-install"], Some("a-install")),
            ("std::map", &["stl::map", "std::mop"], Some("stl::map")),
            ("a.", &["b."], None),
        ] {
            assert_eq!(similar(lost, new), expected, "{lost}");
        }
    }
}
