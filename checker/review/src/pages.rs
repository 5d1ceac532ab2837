//! Pairs the pages of two builds: by address, then lost pages by redirects and by content.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use sitegate_address::percent::decode_lossy;
use sitegate_address::{SitePath, UrlReference};
use sitegate_host::redirects::Redirects;

use crate::facts::{PageFacts, SiteFacts};
use crate::texts::TextId;

/// Minimum share of equal blocks of a renamed page.
const SAME: f64 = 0.6;

/// Number of pages from which a block is navigation or boilerplate.
const COMMON: usize = 9;

/// Minimum number of blocks of its own that a renamed page has.
const MIN_BLOCKS: usize = 2;

/// How a page of the new build was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairedBy {
    Address,
    Redirect,
    Content,
}

/// A page in both builds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PagePair<'f> {
    pub base: &'f PageFacts,
    pub new: &'f PageFacts,
    pub by: PairedBy,
}

/// The pages of two builds.
#[derive(Debug, Default)]
pub(crate) struct PagePairs<'f> {
    /// In the order of the new addresses.
    pub pairs: Vec<PagePair<'f>>,
    pub added: Vec<&'f PageFacts>,
    /// Addresses that were pages, and have a redirect to somewhere else now.
    pub redirected: Vec<(&'f str, String)>,
    pub lost: Vec<&'f PageFacts>,
}

impl<'f> PagePairs<'f> {
    pub fn new(base: &'f SiteFacts, new: &'f SiteFacts) -> PagePairs<'f> {
        let find = |address: &str| {
            let found = new.pages.binary_search_by(|page| (*page.address).cmp(address));
            found.ok().map(|index| &new.pages[index])
        };
        let mut pairs = PagePairs::default();
        let mut open = Vec::new();
        let lines = [lines_of(base), lines_of(new)];
        // A forced redirect comes before the page at its address.
        let is_hidden_now = |address: &str| {
            let hides = |side: &Redirects| {
                let found = side.find(&decode_lossy(address));
                found.is_some_and(|(line, _)| line.force && line.is_http_redirect())
            };
            hides(&lines[1]) && !hides(&lines[0])
        };
        for page in base.pages.iter().filter(|page| page.redirect.is_none()) {
            let served = find(&page.address).filter(|found| found.redirect.is_none());
            match served.filter(|found| !is_hidden_now(&found.address)) {
                Some(same) => pairs.pairs.push(PagePair { base: page, new: same, by: PairedBy::Address }),
                None => open.push(page),
            }
        }
        let known = |address: &str| base.pages.binary_search_by(|page| (*page.address).cmp(address)).is_ok();
        let mut added: Vec<&PageFacts> =
            new.pages.iter().filter(|page| page.redirect.is_none() && !known(&page.address)).collect();
        let redirects = redirects_of(new);
        let mut by_path: HashMap<String, usize> = added
            .iter()
            .enumerate()
            .map(|(index, page)| (path_key(&page.address).into_owned(), index))
            .collect();
        let mut lost = Vec::new();
        let mut found: HashSet<&str> = HashSet::new();
        for page in open {
            let mut used = page.linked_as.iter().chain([&page.address]);
            let Some(to) = used.find_map(|address| destination(&redirects, address)) else {
                lost.push(page);
                continue;
            };
            let path = UrlReference::new(&*to).path();
            match by_path.remove(&*path_key(path)) {
                Some(index) => {
                    found.insert(&added[index].address);
                    pairs.pairs.push(PagePair { base: page, new: added[index], by: PairedBy::Redirect });
                }
                None => pairs.redirected.push((&page.address, to)),
            }
        }
        added.retain(|page| !found.contains(&*page.address));
        for (page, successor) in same_content(&lost, &added, base) {
            found.extend([&*page.address, &*successor.address]);
            pairs.pairs.push(PagePair { base: page, new: successor, by: PairedBy::Content });
        }
        lost.retain(|page| !found.contains(&*page.address));
        added.retain(|page| !found.contains(&*page.address));
        pairs.pairs.sort_by(|a, b| a.new.address.cmp(&b.new.address));
        PagePairs { added, lost, ..pairs }
    }
}

/// Returns the decoded path of an address, without what hosts add: `index.html`, `.html` and a slash.
fn path_key(address: &str) -> Cow<'_, str> {
    decode_lossy(SitePath::new(address).without_index().trim_end_matches(".html").trim_end_matches('/'))
}

/// Returns the redirects of a build. A host serves a page that redirects before it looks for a redirect of the same path.
pub(crate) fn redirects_of(site: &SiteFacts) -> Redirects {
    let of_pages =
        site.pages.iter().filter_map(|page| Some((decode_lossy(&page.address), page.redirect.as_deref()?)));
    let http = site.redirects.iter().filter(|(.., status, _)| (300..400).contains(status));
    let lines = http.map(|(from, to, ..)| (Cow::Borrowed(&**from), &**to));
    Redirects::of_pairs(of_pages.chain(lines))
}

/// Returns the redirects and rewrites of a build, without pages that redirect.
pub(crate) fn lines_of(site: &SiteFacts) -> Redirects {
    Redirects::of_lines(
        site.redirects.iter().map(|(from, to, status, force)| (&**from, &**to, (*status, *force))),
    )
}

/// Returns the destination of an address, if it is redirected.
pub(crate) fn destination(redirects: &Redirects, address: &str) -> Option<String> {
    redirects.find(&decode_lossy(address)).map(|(_, to)| to)
}

/// Returns the pages that have the content of a lost page, and no other lost page has it.
fn same_content<'f>(
    lost: &[&'f PageFacts],
    added: &[&'f PageFacts],
    base: &SiteFacts,
) -> Vec<(&'f PageFacts, &'f PageFacts)> {
    if lost.is_empty() || added.is_empty() {
        return Vec::new();
    }
    let mut uses: HashMap<TextId, usize, FixedState> = HashMap::default();
    for page in base.pages.iter().chain(added.iter().copied()) {
        for text in own_texts(page) {
            *uses.entry(text).or_default() += 1;
        }
    }
    // The page itself and its successor also use the text.
    let rare = |page: &PageFacts| -> Vec<TextId> {
        own_texts(page).into_iter().filter(|text| uses.get(text).is_some_and(|uses| *uses < COMMON)).collect()
    };
    let mut by_text: HashMap<TextId, Vec<usize>, FixedState> = HashMap::default();
    let sizes: Vec<usize> = added.iter().map(|page| rare(page).len()).collect();
    for (index, page) in added.iter().enumerate() {
        for text in rare(page) {
            by_text.entry(text).or_default().push(index);
        }
    }
    let mut candidates: Vec<(f64, usize, usize)> = Vec::new();
    for (lost_index, page) in lost.iter().enumerate() {
        let texts = rare(page);
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for added_index in texts.iter().filter_map(|text| by_text.get(text)).flatten() {
            *shared.entry(*added_index).or_default() += 1;
        }
        for (added_index, count) in shared {
            let share = count as f64 / texts.len().max(sizes[added_index]) as f64;
            if share >= SAME && count >= MIN_BLOCKS {
                candidates.push((share, lost_index, added_index));
            }
        }
    }
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let (mut used_lost, mut used_added) = (vec![false; lost.len()], vec![false; added.len()]);
    let mut pairs = Vec::new();
    for (_, a, b) in candidates {
        if !used_lost[a] && !used_added[b] {
            (used_lost[a], used_added[b]) = (true, true);
            pairs.push((lost[a], added[b]));
        }
    }
    pairs
}

/// Returns the texts of a page, each once.
fn own_texts(page: &PageFacts) -> Vec<TextId> {
    let mut texts: Vec<TextId> = page.blocks.iter().map(|(_, text)| *text).collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

#[cfg(test)]
mod tests {
    use super::{PageFacts, SiteFacts, destination, path_key, redirects_of};

    #[test]
    fn finds_redirects_as_hosts_do() {
        let page =
            PageFacts { address: "/old/".into(), redirect: Some("/page/".into()), ..PageFacts::default() };
        let lines = [("/größe/*", "/size/:splat"), ("/old", "/line/"), ("/v/*", "/w/:splat"), ("/v/a", "/b")];
        let redirects = lines.map(|(from, to)| (from.into(), to.into(), 301, false)).into();
        let found = redirects_of(&SiteFacts { pages: vec![page], redirects, ..SiteFacts::default() });
        for (address, to) in [
            ("/gr%C3%B6%C3%9Fe/x", Some("/size/x")),
            ("/old/", Some("/page/")),
            ("/v/a", Some("/w/a")),
            ("/none/", None),
        ] {
            assert_eq!(destination(&found, address).as_deref(), to, "{address}");
        }
        assert_eq!(path_key("/size/gr%C3%B6%C3%9Fe.html"), path_key("/size/größe/"));
    }
}
