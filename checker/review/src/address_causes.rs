//! Reports addresses that were lost, moved, redirected or added.

use std::collections::BTreeSet;

use sitegate_base::plural::count;

use crate::facts::SiteFacts;
use crate::pages::{PagePairs, PairedBy, RedirectTable};
use crate::review::{CauseKind, LISTED, ReviewCause};

/// Returns the causes.
pub(crate) fn address_causes(base: &SiteFacts, new: &SiteFacts, pages: &PagePairs<'_>) -> Vec<ReviewCause> {
    let mut causes = Vec::new();
    let by = |by| pages.pairs.iter().filter(move |pair| pair.by == by);
    let line = |from: &str, to: &str| format!("{from} → {to}");
    let redirects = RedirectTable::new(new);

    let moved = |pair: &crate::pages::PagePair<'_>| line(&pair.base.address, &pair.new.address);
    let renamed: Vec<String> = by(PairedBy::Content).map(moved).collect();
    if !renamed.is_empty() {
        let title =
            format!("{} moved without a redirect: the old addresses are lost", count(renamed.len(), "page"));
        causes.push(listed(CauseKind::LostUrl, title, &[], renamed));
    }
    let mut lost: Vec<String> = pages.lost.iter().map(|page| page.address.to_string()).collect();
    let answered: BTreeSet<&str> =
        file_addresses(new).chain(new.pages.iter().map(|page| &*page.address)).collect();
    let is_lost = |file: &&str| !answered.contains(file) && redirects.destination(file).is_none();
    lost.extend(file_addresses(base).filter(is_lost).map(str::to_owned));
    lost.extend(lost_redirects(base, &answered, &redirects));
    lost.sort_unstable();
    lost.dedup();
    if !lost.is_empty() {
        let title = format!("{} lost: no page, file or redirect answers", addresses(lost.len()));
        causes.push(listed(CauseKind::LostUrl, title, &lost, Vec::new()));
    }
    let moved: Vec<String> = by(PairedBy::Redirect).map(moved).collect();
    if !moved.is_empty() {
        let title = format!("{} moved, with a redirect", count(moved.len(), "page"));
        causes.push(listed(CauseKind::MovedUrl, title, &[], moved));
    }
    let redirected: Vec<String> = pages.redirected.iter().map(|(from, to)| line(from, to)).collect();
    if !redirected.is_empty() {
        let title = format!("{} redirected to another page", count(redirected.len(), "page"));
        causes.push(listed(CauseKind::RedirectedUrl, title, &[], redirected));
    }
    let known: BTreeSet<&str> = file_addresses(base).collect();
    let mut added: Vec<String> = pages.added.iter().map(|page| page.address.to_string()).collect();
    let files = file_addresses(new).filter(|file| !known.contains(file));
    added.extend(files.map(ToString::to_string));
    added.sort_unstable();
    if !added.is_empty() {
        causes.push(listed(
            CauseKind::AddedUrl,
            format!("{} added", addresses(added.len())),
            &added,
            Vec::new(),
        ));
    }
    causes
}

/// Returns the addresses of files that people may link to.
fn file_addresses(site: &SiteFacts) -> impl Iterator<Item = &str> {
    site.files.iter().filter_map(|file| file.address.as_deref())
}

/// Returns the redirects of the base that nothing answers now. Patterns have no single address.
fn lost_redirects(base: &SiteFacts, answered: &BTreeSet<&str>, redirects: &RedirectTable<'_>) -> Vec<String> {
    let of_pages = base.pages.iter().filter(|page| page.redirect.is_some()).map(|page| &*page.address);
    let own = base.redirects.iter().map(|(from, _)| &**from).filter(|from| !from.contains(['*', ':']));
    let is_answered = |address: &str| {
        let bare = address.trim_end_matches('/');
        answered.contains(address) || answered.contains(&*format!("{bare}/")) || answered.contains(bare)
    };
    own.chain(of_pages)
        .filter(|address| !is_answered(address) && redirects.destination(address).is_none())
        .map(str::to_owned)
        .collect()
}

fn listed(kind: CauseKind, title: String, addresses: &[String], details: Vec<String>) -> ReviewCause {
    let pages = addresses.len().max(details.len());
    ReviewCause {
        kind,
        title,
        pages,
        addresses: addresses.iter().take(LISTED).cloned().collect(),
        texts: Vec::new(),
        more_texts: 0,
        details: details.into_iter().take(LISTED).collect(),
    }
}

fn addresses(n: usize) -> String {
    if n == 1 { "1 address".to_owned() } else { format!("{} addresses", sitegate_base::plural::thousands(n)) }
}
