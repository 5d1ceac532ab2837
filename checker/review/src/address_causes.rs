//! Reports addresses that were lost, moved, redirected or added, and what search engines see of them: pages that left or
//! entered the index, and wrong dates in the sitemap.

use std::collections::{BTreeSet, HashMap};

use crate::facts::{PageFacts, SiteFacts};
use crate::pages::{PagePair, PagePairs, PairedBy, destination, lines_of, redirects_of};
use crate::review::{CauseKind, ReviewCause};
use crate::text_causes::{TextCause, pages_of};
use crate::texts::{TextId, TextTable};
use sitegate_address::UrlReference;
use sitegate_address::percent::decode_lossy;
use sitegate_base::plural::{count, thousands};
use sitegate_host::redirects::Redirects;

/// Returns the causes.
pub(crate) fn address_causes(base: &SiteFacts, new: &SiteFacts, pages: &PagePairs<'_>) -> Vec<ReviewCause> {
    let redirects = redirects_of(new);
    let line = |from: &str, to: &str| format!("{from} → {to}");
    let paired = |by| -> Vec<String> {
        let pairs = pages.pairs.iter().filter(|pair| pair.by == by);
        pairs.map(|pair| line(&pair.base.address, &pair.new.address)).collect()
    };
    let owned = |all: &[&PageFacts]| all.iter().map(|page| page.address.to_string()).collect::<Vec<_>>();

    let (renamed, moved) = (paired(PairedBy::Content), paired(PairedBy::Redirect));
    let redirected: Vec<String> = pages.redirected.iter().map(|(from, to)| line(from, to)).collect();
    let answered = AnsweredAddresses::new(new);
    let is_lost = |address: &&str| !answered.contains(address) && destination(&redirects, address).is_none();
    // A redirect from `/page.html` does not answer `/page`.
    let linked = base.pages.iter().filter(|page| page.redirect.is_none()).flat_map(|page| &page.linked_as);
    let files = file_addresses(base).chain(linked.map(AsRef::as_ref));
    let mut lost: Vec<String> = files.filter(is_lost).map(str::to_owned).collect();
    let is_unlinked = |page: &&&PageFacts| page.linked_as.is_empty();
    let is_rewritten = |page: &&&PageFacts| answered.is_rewritten(&page.address);
    let unlinked = pages.lost.iter().filter(is_unlinked).filter(|page| !is_rewritten(page));
    lost.extend(unlinked.map(|page| page.address.to_string()));
    lost.extend(lost_redirects(base, &answered, &redirects));
    lost.sort_unstable();
    lost.dedup();
    let known: BTreeSet<&str> = file_addresses(base).collect();
    let mut added = owned(&pages.added);
    added.extend(file_addresses(new).filter(|file| !known.contains(file)).map(str::to_owned));
    added.sort_unstable();

    let moves = |lines: &[String], what: &str| format!("{} {what}", count(lines.len(), "page"));
    let addresses = |all: &[String], what: &str| match all.len() {
        1 => format!("1 address {what}"),
        many => format!("{} addresses {what}", thousands(many)),
    };
    let titles = [
        moves(&renamed, "moved without a redirect: the old addresses are lost"),
        addresses(&lost, "lost: no page, file or redirect answers"),
        moves(&moved, "moved, with a redirect"),
        moves(&redirected, "redirected to another page"),
        addresses(&added, "added"),
    ];
    let lists = [
        (CauseKind::LostUrl, Vec::new(), renamed),
        (CauseKind::LostUrl, lost, Vec::new()),
        (CauseKind::MovedUrl, Vec::new(), moved),
        (CauseKind::RedirectedUrl, Vec::new(), redirected),
        (CauseKind::AddedUrl, added, Vec::new()),
    ];
    let causes = titles.into_iter().zip(lists);
    causes
        .filter_map(|(title, (kind, own, lines))| ReviewCause::of_list(kind, title, own, lines).if_any())
        .collect()
}

/// Returns the addresses of files that people may link to.
fn file_addresses(site: &SiteFacts) -> impl Iterator<Item = &str> {
    site.files.iter().filter_map(|file| file.address.as_deref())
}

/// The addresses of pages and files that a build answers without a redirect.
struct AnsweredAddresses<'f> {
    addresses: BTreeSet<&'f str>,
    adds_html: bool,
    /// Redirects and rewrites: these serve another page at an address.
    lines: Redirects,
}

impl<'f> AnsweredAddresses<'f> {
    fn new(site: &'f SiteFacts) -> AnsweredAddresses<'f> {
        let pages = site.pages.iter().map(|page| &*page.address);
        AnsweredAddresses {
            addresses: file_addresses(site).chain(pages).collect(),
            adds_html: site.adds_html,
            lines: lines_of(site),
        }
    }

    fn contains(&self, address: &str) -> bool {
        let page = || format!("{}.html", address.trim_end_matches('/'));
        self.addresses.contains(address)
            || self.adds_html && self.addresses.contains(&*page())
            || self.is_rewritten(address)
    }

    fn is_rewritten(&self, address: &str) -> bool {
        self.lines.find(&decode_lossy(address)).is_some_and(|(line, _)| line.status < 300)
    }
}

/// Returns the redirects of the base that nothing answers now. Patterns have no single address.
fn lost_redirects(base: &SiteFacts, answered: &AnsweredAddresses<'_>, redirects: &Redirects) -> Vec<String> {
    let of_pages = base.pages.iter().filter(|page| page.redirect.is_some()).map(|page| &*page.address);
    let own = base
        .redirects
        .iter()
        .filter(|(.., status, _)| *status < 400)
        .map(|(from, ..)| &**from)
        .filter(|from| !from.contains(['*', ':']));
    let is_answered = |address: &str| {
        let bare = address.trim_end_matches('/');
        answered.contains(address) || answered.contains(&format!("{bare}/")) || answered.contains(bare)
    };
    own.chain(of_pages)
        .filter(|address| !is_answered(address) && destination(redirects, address).is_none())
        .map(str::to_owned)
        .collect()
}

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
    let mut causes = Vec::new();
    let mut compare = |kind, title: &str, has: &dyn Fn(&PagePair<'_>) -> (bool, bool)| {
        let changed = pairs.iter().filter(|pair| has(pair) == (true, false));
        causes.extend(ReviewCause::of_pages(kind, title, changed.map(|pair| &pair.new.address)).if_any());
    };
    // Whether a search engine may index one of both pages that it may not index of the other.
    let index = |pair: &PagePair<'_>| {
        let (old, now) = (pair.base.crawlers, pair.new.crawlers);
        (old & !now != 0, now & !old != 0)
    };
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
    let changed = pages_of(causes.iter().filter(|cause| !cause.kind.is_noise()));
    let own = pages_of(causes.iter().filter(is_own));
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
