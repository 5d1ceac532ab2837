//! Reports addresses that were lost, moved, redirected or added.

use std::collections::BTreeSet;

use sitegate_base::plural::{count, thousands};
use sitegate_host::redirects::Redirects;

use crate::facts::{PageFacts, SiteFacts};
use crate::pages::{PagePairs, PairedBy, destination, redirects_of};
use crate::review::{CauseKind, ReviewCause};

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
    lost.extend(pages.lost.iter().filter(is_unlinked).map(|page| page.address.to_string()));
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
}

impl<'f> AnsweredAddresses<'f> {
    fn new(site: &'f SiteFacts) -> AnsweredAddresses<'f> {
        let pages = site.pages.iter().map(|page| &*page.address);
        AnsweredAddresses {
            addresses: file_addresses(site).chain(pages).collect(),
            adds_html: site.adds_html,
        }
    }

    fn contains(&self, address: &str) -> bool {
        let page = || format!("{}.html", address.trim_end_matches('/'));
        self.addresses.contains(address) || self.adds_html && self.addresses.contains(&*page())
    }
}

/// Returns the redirects of the base that nothing answers now. Patterns have no single address.
fn lost_redirects(base: &SiteFacts, answered: &AnsweredAddresses<'_>, redirects: &Redirects) -> Vec<String> {
    let of_pages = base.pages.iter().filter(|page| page.redirect.is_some()).map(|page| &*page.address);
    let own = base.redirects.iter().map(|(from, _)| &**from).filter(|from| !from.contains(['*', ':']));
    let is_answered = |address: &str| {
        let bare = address.trim_end_matches('/');
        answered.contains(address) || answered.contains(&format!("{bare}/")) || answered.contains(bare)
    };
    own.chain(of_pages)
        .filter(|address| !is_answered(address) && destination(redirects, address).is_none())
        .map(str::to_owned)
        .collect()
}
