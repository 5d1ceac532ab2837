//! Reports where links, forms and redirects newly point to, changed headers, and lost anchors.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sitegate_base::host_name::host_and_port;
use sitegate_base::plural::{count, thousands};

use crate::changes::attribute_kind;
use crate::facts::{PageFacts, SiteFacts};
use crate::pages::{PagePair, PagePairs, PairedBy};
use crate::review::{CauseKind, EXAMPLES, ReviewCause};
use crate::texts::{TextId, TextTable};
use crate::words::shape;

/// Elements whose files browsers load: their hosts are reported as contacted.
const LOADING: [&str; 12] = [
    "script[", "img[", "link[", "source[", "iframe[", "video[", "audio[", "embed[", "object[", "track[",
    "frame[", "style",
];

/// Reports hosts to which links and forms point, and did not before.
pub(crate) fn host_causes(base: &SiteFacts, new: &SiteFacts, texts: &TextTable) -> Vec<ReviewCause> {
    let old = base.by_address();
    let is_link = |name: &str| {
        attribute_kind(name) == CauseKind::Target && !LOADING.iter().any(|loading| name.starts_with(loading))
    };
    let links = |page: &PageFacts| -> Vec<TextId> {
        let all = page.attributes.iter().filter(|(_, name, _)| is_link(texts.get(*name)));
        all.map(|(.., value)| *value).collect()
    };
    // Only pages with other attributes can have new hosts.
    let mut by_host: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for page in &new.pages {
        if old.get(&*page.address).is_some_and(|before| before.attributes == page.attributes) {
            continue;
        }
        for value in links(page) {
            for host in hosts(texts.get(value)) {
                by_host.entry(host).or_default().insert(&page.address);
            }
        }
    }
    for (from, to) in redirects(new, true) {
        for host in to.iter().flat_map(|to| hosts(to)) {
            by_host.entry(host).or_default().insert(from);
        }
    }
    if by_host.is_empty() {
        return Vec::new();
    }
    let values: HashSet<TextId> = base.pages.iter().flat_map(links).collect();
    let mut known: HashSet<String> = values.into_iter().flat_map(|value| hosts(texts.get(value))).collect();
    known.extend(redirects(base, true).into_values().flatten().flat_map(|to| hosts(&to)));
    by_host.retain(|host, _| !known.contains(host));
    let cause = |(host, pages): (&String, &BTreeSet<&str>)| {
        let title = format!("links, forms or redirects now point to the host `{host}`");
        ReviewCause::of_pages(CauseKind::TargetHost, title, pages)
    };
    by_host.iter().map(cause).collect()
}

/// Returns the hosts in the value of an attribute, which may be several URLs.
fn hosts(value: &str) -> Vec<String> {
    let parts = value.split(|c: char| c.is_ascii_whitespace() || matches!(c, ',' | '"' | '\''));
    parts.filter_map(host_and_port).collect()
}

/// Returns the destinations of redirects: of HTTP, and of pages with a refresh.
fn redirects<'f>(site: &'f SiteFacts, has_http: bool) -> BTreeMap<&'f str, Vec<Cow<'f, str>>> {
    let mut redirects: BTreeMap<&str, Vec<Cow<'_, str>>> = BTreeMap::new();
    let page = |page: &'f PageFacts| Some((&*page.address, Cow::Borrowed(page.redirect.as_deref()?)));
    // The usual answer needs no name.
    let line = |(from, to, status, force): &'f (Box<str>, Box<str>, u16, bool)| {
        let to = match (status, force) {
            (301, false) => Cow::Borrowed(&**to),
            (_, force) => Cow::Owned(format!("{to} ({status}{})", if *force { "!" } else { "" })),
        };
        (&**from, to)
    };
    let http = site.redirects.iter().filter(|_| has_http).map(line);
    for (from, to) in http.chain(site.pages.iter().filter_map(page)) {
        redirects.entry(from).or_default().push(to);
    }
    redirects
}

/// Reports redirects that were changed, added or removed. Those of moved pages are among the addresses.
pub(crate) fn redirect_causes(
    base: &SiteFacts,
    new: &SiteFacts,
    paired: &PagePairs<'_>,
) -> Option<ReviewCause> {
    // Crawls find no HTTP redirects but those that they follow.
    let has_http = !base.is_partial && !new.is_partial;
    let (old, now) = (redirects(base, has_http), redirects(new, has_http));
    let pages: HashSet<&str> =
        new.pages.iter().filter(|page| page.redirect.is_none()).map(|page| &*page.address).collect();
    let by_redirect = paired.pairs.iter().filter(|pair| pair.by == PairedBy::Redirect);
    let mut listed: HashSet<&str> = by_redirect.map(|pair| &*pair.base.address).collect();
    listed.extend(paired.redirected.iter().map(|(from, _)| *from));
    let mut lines = Vec::new();
    for (from, to) in now.iter().filter(|(from, _)| !listed.contains(**from)) {
        let to = to.join(", ");
        match old.get(from).map(|before| before.join(", ")) {
            None => lines.push(format!("added: {from} → {to}")),
            Some(before) if before != to => lines.push(format!("changed: {from} → {to}, before {before}")),
            Some(_) => {}
        }
    }
    for (from, to) in old.iter().filter(|(from, _)| !now.contains_key(**from)) {
        let state = if pages.contains(from) { "a page now" } else { "removed" };
        lines.push(format!("{state}: {from} → {}", to.join(", ")));
    }
    if lines.is_empty() {
        return None;
    }
    let title = format!("{} changed, added or removed", count(lines.len(), "redirect"));
    Some(lines_cause(CauseKind::Target, title, lines))
}

/// Reports changes of the headers that `_headers` sets, by name.
pub(crate) fn header_causes(base: &SiteFacts, new: &SiteFacts) -> Vec<ReviewCause> {
    if base.is_partial || new.is_partial {
        return Vec::new();
    }
    let mut names: BTreeMap<&str, [Vec<String>; 2]> = BTreeMap::new();
    for (side, site) in [base, new].into_iter().enumerate() {
        for (pattern, name, value) in &site.headers {
            names.entry(name).or_default()[side].push(format!("{pattern} {value}"));
        }
    }
    let mut causes = Vec::new();
    for (name, [old, now]) in names.into_iter().filter(|(_, [old, now])| old != now) {
        let verb = match (old.is_empty(), now.is_empty()) {
            (true, _) => "added",
            (_, true) => "removed",
            _ => "changed",
        };
        let removed = old.iter().filter(|line| !now.contains(line)).map(|line| format!("before: {line}"));
        let added = now.iter().filter(|line| !old.contains(line)).map(|line| format!("now: {line}"));
        let lines: Vec<String> = removed.chain(added).collect();
        causes.push(lines_cause(CauseKind::Policy, format!("header `{name}`: {verb}"), lines));
    }
    causes
}

/// Returns a cause that is a list of lines, and says how many are left out.
fn lines_cause(kind: CauseKind, title: String, lines: Vec<String>) -> ReviewCause {
    let mut cause = ReviewCause::of_list(kind, title, Vec::new(), lines);
    let more = cause.pages - cause.details.len();
    if more > 0 {
        cause.details.push(format!("and {} more", thousands(more)));
    }
    cause
}

/// Reports ids and names that links may point to, and that are lost, or at another text. Also returns the indexes of their pages.
pub(crate) fn anchor_causes(
    new: &SiteFacts,
    again: Option<&SiteFacts>,
    pairs: &[PagePair<'_>],
    texts: &TextTable,
) -> (Vec<ReviewCause>, BTreeSet<u32>) {
    let volatile: HashSet<String> = again.map_or_else(HashSet::new, |again| {
        let others = again.by_address();
        let own = new.pages.iter().filter_map(|page| Some((page, *others.get(&*page.address)?)));
        own.flat_map(|(page, other)| lost(page, other).into_iter().chain(moved(page, other)))
            .map(|id| shape(texts.get(id)))
            .collect()
    });
    let mut pages = BTreeSet::new();
    let mut cause = |find: fn(&PageFacts, &PageFacts) -> Vec<TextId>, what: &str| {
        let (mut total, mut first, mut addresses) = (0, Vec::new(), Vec::new());
        for (index, pair) in pairs.iter().enumerate() {
            let mut ids = find(pair.base, pair.new);
            ids.retain(|id| volatile.is_empty() || !volatile.contains(&shape(texts.get(*id))));
            if ids.is_empty() {
                continue;
            }
            total += ids.len();
            pages.insert(index as u32);
            addresses.push(&pair.new.address);
            let room = EXAMPLES - first.len();
            first.extend(ids.iter().take(room).map(|id| format!("{}#{}", pair.new.address, texts.get(*id))));
        }
        let title = format!("{} {what}", count(total, "anchor"));
        let mut cause = ReviewCause::of_pages(CauseKind::LostAnchor, title, addresses);
        cause.details = first;
        (total > 0).then_some(cause)
    };
    let causes = [
        cause(lost, "lost: links with these fragments no longer find them"),
        cause(moved, "moved: links with these fragments find another text"),
    ];
    (causes.into_iter().flatten().collect(), pages)
}

/// Returns the anchors of a page that another one does not have, in order.
fn lost(base: &PageFacts, new: &PageFacts) -> Vec<TextId> {
    if base.anchors == new.anchors {
        return Vec::new();
    }
    let known: HashSet<TextId> = new.anchors.iter().map(|(id, _)| *id).collect();
    let mut seen = HashSet::new();
    let ids = base.anchors.iter().map(|(id, _)| *id);
    ids.filter(|id| !known.contains(id) && seen.insert(*id)).collect()
}

/// Returns the anchors that are at another text of the same page now, although both texts are in both builds.
fn moved(base: &PageFacts, new: &PageFacts) -> Vec<TextId> {
    if base.anchors == new.anchors {
        return Vec::new();
    }
    let text_at = |page: &PageFacts, block: u32| page.blocks.get(block as usize).map(|(_, text)| *text);
    let texts = |page: &PageFacts| -> HashSet<TextId> { page.blocks.iter().map(|(_, text)| *text).collect() };
    let (old_texts, new_texts) = (texts(base), texts(new));
    let mut now: HashMap<TextId, u32> = HashMap::new();
    for (id, block) in &new.anchors {
        now.entry(*id).or_insert(*block);
    }
    let mut seen = HashSet::new();
    let is_moved = |(id, block): &&(TextId, u32)| {
        let (before, after) = (text_at(base, *block), now.get(id).and_then(|other| text_at(new, *other)));
        let (Some(before), Some(after)) = (before, after) else { return false };
        seen.insert(*id) && before != after && new_texts.contains(&before) && old_texts.contains(&after)
    };
    base.anchors.iter().filter(is_moved).map(|(id, _)| *id).collect()
}

#[cfg(test)]
mod tests {
    use super::hosts;

    #[test]
    fn hosts_are_found_as_browsers_do() {
        assert_eq!(hosts("https://Pay.example:81/x"), ["pay.example:81"]);
        assert_eq!(hosts("//a@b.example?x"), ["b.example"]);
        assert_eq!(hosts("https:\\\\b.example\\x"), ["b.example"]);
        assert_eq!(hosts("https:b.example ///b.example/x"), ["b.example", "b.example"]);
        assert_eq!(
            hosts("https://B\u{fc}cher.example:443/ http://[::1]:81/"),
            ["xn--bcher-kva.example", "[::1]:81"]
        );
        assert!(hosts("https://a]b/ //").is_empty());
        assert_eq!(hosts("/a 1x, https://b.example/c 2x"), ["b.example"]);
        assert!(hosts("/a//b").is_empty() && hosts("mailto:a@b.example").is_empty());
    }
}
