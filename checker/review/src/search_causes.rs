//! Reports what search engines see: pages that left or entered the index, and wrong dates in the sitemap.

use std::collections::{BTreeSet, HashMap};

use sitegate_address::UrlReference;

use crate::facts::{PageFacts, SiteFacts};
use crate::pages::PagePair;
use crate::review::{CauseKind, ReviewCause};
use crate::text_causes::TextCause;
use crate::texts::{TextId, TextTable};

/// The name of the canonical URL in the metadata of a page.
const CANONICAL: &str = "canonical";

/// Returns the pages that left or entered the index.
pub(crate) fn index_causes(
    (base, new): (&SiteFacts, &SiteFacts),
    pairs: &[PagePair<'_>],
    texts: &TextTable,
) -> Vec<ReviewCause> {
    let (old_map, new_map) = (Sitemap::new(base), Sitemap::new(new));
    let canonical = |page: &PageFacts| {
        let value = page.head.iter().find(|(name, _)| texts.get(*name) == CANONICAL);
        value.is_some_and(|(_, value)| !is_own_address(texts.get(*value), &page.address))
    };
    let indexable = |page: &PageFacts| page.is_indexable;
    let mut causes = Vec::new();
    let mut compare = |kind, title: &str, has: &dyn Fn(&PagePair<'_>) -> (bool, bool)| {
        let changed = pairs.iter().filter(|pair| has(pair) == (true, false));
        causes.extend(ReviewCause::of_pages(kind, title, changed.map(|pair| &pair.new.address)).if_any());
    };
    let index = |pair: &PagePair<'_>| (indexable(pair.base), indexable(pair.new));
    let own = |pair: &PagePair<'_>| (!canonical(pair.base), !canonical(pair.new));
    let listed =
        |pair: &PagePair<'_>| (old_map.contains(&pair.base.address), new_map.contains(&pair.new.address));
    let swapped = |(a, b): (bool, bool)| (b, a);
    compare(CauseKind::Noindex, "left the index: `noindex` or robots.txt excludes them", &index);
    compare(CauseKind::Noindex, "left the index: their canonical URL is another page now", &own);
    if !base.sitemap.is_empty() {
        compare(CauseKind::Noindex, "left the sitemap", &listed);
    }
    compare(CauseKind::Index, "entered the index: nothing excludes them now", &|pair| swapped(index(pair)));
    compare(CauseKind::Index, "entered the index: their canonical URL is their own now", &|pair| {
        swapped(own(pair))
    });
    if !base.sitemap.is_empty() {
        compare(CauseKind::Index, "entered the sitemap", &|pair| swapped(listed(pair)));
    }
    causes
}

/// Whether a canonical URL ends with the page's own path.
fn is_own_address(canonical: &str, address: &str) -> bool {
    let trim = |text: &str| {
        text.trim_end_matches('/').trim_end_matches(".html").trim_end_matches("/index").to_owned()
    };
    let path = match canonical.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("", |at| &rest[at..]),
        None => canonical,
    };
    let path = UrlReference::new(path).path();
    trim(path).ends_with(&trim(address))
}

/// Returns the dates that moved without a change, or stayed despite one.
pub(crate) fn lastmod_causes(
    (base, new): (&SiteFacts, &SiteFacts),
    pairs: &[PagePair<'_>],
    causes: &[TextCause],
) -> Vec<ReviewCause> {
    let (old_map, new_map) = (Sitemap::new(base), Sitemap::new(new));
    // A text that most pages share is part of the template: dates need not move for it.
    let is_own = |cause: &&TextCause| {
        let is_shared = cause.pages.len() * 2 > pairs.len().max(4);
        !cause.kind.is_noise() && cause.place.is_text() && !is_shared
    };
    let changed: BTreeSet<u32> = causes
        .iter()
        .filter(|cause| !cause.kind.is_noise())
        .flat_map(|cause| cause.pages.iter().copied())
        .collect();
    let own: BTreeSet<u32> =
        causes.iter().filter(is_own).flat_map(|cause| cause.pages.iter().copied()).collect();
    let (mut moved, mut stayed) = (Vec::new(), Vec::new());
    for (page, pair) in pairs.iter().enumerate() {
        let dates = (old_map.lastmod(&pair.base.address), new_map.lastmod(&pair.new.address));
        let (Some(before), Some(after)) = dates else { continue };
        let page = page as u32;
        if before != after && !changed.contains(&page) {
            moved.push(&pair.new.address);
        } else if before == after && own.contains(&page) {
            stayed.push(&pair.new.address);
        }
    }
    let titles = ["`lastmod` moved without a change", "`lastmod` stayed despite a changed text"];
    let found = titles.into_iter().zip([moved, stayed]);
    found
        .filter_map(|(title, pages)| ReviewCause::of_pages(CauseKind::Lastmod, title, pages).if_any())
        .collect()
}

/// The sitemap of a build, by addresses.
struct Sitemap<'f>(HashMap<&'f str, Option<TextId>>);

impl<'f> Sitemap<'f> {
    fn new(site: &'f SiteFacts) -> Sitemap<'f> {
        let by_address = site.sitemap.iter().map(|(address, lastmod)| (&**address, *lastmod)).collect();
        Sitemap(by_address)
    }

    fn contains(&self, address: &str) -> bool {
        self.0.contains_key(address)
    }

    fn lastmod(&self, address: &str) -> Option<TextId> {
        self.0.get(address).copied().flatten()
    }
}
