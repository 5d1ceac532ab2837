//! Addresses that an export gives itself: canonical links, sitemaps, `CNAME` and their like, and what they agree on.

use std::collections::BTreeMap;

use url::{Position, Url};

use super::sample::Sample;
use crate::parse::{Facts, ReferenceKind, Value};
use crate::resolve::answer::is_error_page_name;
use crate::resolve::path::decode_path;
use crate::walk::{FileId, Tree};
use sitegate_base::host_name::is_local;
use sitegate_base::plural::count;

/// Segments that a base path may have.
pub(super) const DEPTH: usize = 4;

/// Who says where the site lives, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Witness {
    Canonical,
    Sitemap,
    Cname,
    BaseElement,
    OpenGraph,
    Robots,
    Feed,
}

impl Witness {
    /// Whether a witness that says otherwise makes the origin unsure: the rest is often copied from elsewhere.
    fn is_sure(self) -> bool {
        self <= Witness::BaseElement
    }

    fn evidence(self, statements: usize) -> String {
        match self {
            Witness::Canonical => format!("canonical links of {}", count(statements, "page")),
            Witness::Sitemap => format!("{} in the sitemap", count(statements, "URL")),
            Witness::Cname => "CNAME".to_owned(),
            Witness::BaseElement => format!("<base href> of {}", count(statements, "page")),
            Witness::OpenGraph => format!("og:url of {}", count(statements, "page")),
            Witness::Robots => "robots.txt".to_owned(),
            Witness::Feed => format!("the link of {}", count(statements, "feed")),
        }
    }
}

/// A URL that the export says is on its own site.
pub(super) struct Statement {
    /// The page that says it of itself.
    pub page: Option<FileId>,
    /// The URL.
    pub url: Url,
    /// Its path, decoded, without its leading `/`.
    pub path: Vec<u8>,
}

/// What an export says of itself.
pub(super) struct Statements {
    by_witness: BTreeMap<Witness, Vec<Statement>>,
    /// Pages that were asked.
    pages: usize,
    home: Option<FileId>,
}

/// What the witnesses agree on.
#[derive(Debug)]
pub(super) struct Agreed {
    /// Scheme, host and port.
    pub origin: Url,
    /// The path below it that the export is deployed under, with a slash at both ends.
    pub base_path: String,
    /// What says so.
    pub evidence: String,
}

impl Statements {
    /// What a sample says.
    pub fn of(sample: &Sample, tree: &Tree) -> Statements {
        let mut statements =
            Statements { by_witness: BTreeMap::new(), pages: 0, home: tree.find(b"index.html") };
        for (file, facts) in &sample.pages {
            if is_error_page_name(tree.path(*file)) {
                continue;
            }
            statements.pages += 1;
            let canonical = facts.about.canonicals.first().and_then(|&at| facts.references.get(at)?.value);
            statements.add(Witness::Canonical, Some(*file), facts, canonical);
            let social = facts.references.iter().find(|r| r.kind == ReferenceKind::MetaUrl);
            statements.add(Witness::OpenGraph, Some(*file), facts, social.and_then(|r| r.value));
            statements.add(Witness::BaseElement, None, facts, facts.base);
        }
        for (_, facts) in &sample.documents {
            let of_kind = |kind| facts.references.iter().filter(move |r| r.kind == kind);
            for location in of_kind(ReferenceKind::SitemapLoc) {
                statements.add(Witness::Sitemap, None, facts, location.value);
            }
            for sitemap in of_kind(ReferenceKind::RobotsSitemap) {
                statements.add(Witness::Robots, None, facts, sitemap.value);
            }
            let home = of_kind(ReferenceKind::FeedLink).next();
            statements.add(Witness::Feed, None, facts, home.and_then(|r| r.value));
        }
        if let Some(url) = sample.cname.as_ref().and_then(|name| Url::parse(&format!("https://{name}/")).ok())
        {
            let statement = Statement { page: statements.home, url, path: Vec::new() };
            statements.by_witness.entry(Witness::Cname).or_default().push(statement);
        }
        statements
    }

    /// Takes in a reference, where it is the whole address of a host that others can reach.
    fn add(&mut self, witness: Witness, page: Option<FileId>, facts: &Facts, value: Option<Value>) {
        let Some(text) = value.map(|value| facts.text(value).trim()) else { return };
        let Ok(url) = Url::parse(text) else { return };
        let is_public = url.host_str().is_some_and(|host| !is_local(host));
        if matches!(url.scheme(), "http" | "https") && is_public {
            let mut path = Vec::new();
            decode_path(url.path(), &mut path);
            self.by_witness.entry(witness).or_default().push(Statement { page, url, path });
        }
    }

    /// Whether enough pages say it: the home page, or a third of all. Others may be copies from elsewhere.
    fn is_heard(&self, witness: Witness, own: &[&Statement]) -> bool {
        let is_of_pages = matches!(witness, Witness::Canonical | Witness::OpenGraph | Witness::BaseElement);
        !is_of_pages
            || own.len() * 3 >= self.pages
            || own.iter().any(|statement| statement.page.is_some() && statement.page == self.home)
    }

    /// What pages call themselves, on this origin.
    pub fn canonicals(&self, origin: &Url) -> impl Iterator<Item = &Statement> {
        let all = self.by_witness.get(&Witness::Canonical).map(Vec::as_slice).unwrap_or_default();
        all.iter().filter(move |statement| authority(&statement.url) == authority(origin))
    }

    /// The origin that the surest witness gives, or the one that is `given`, with the base path that its addresses have.
    /// `None` where two that are sure contradict each other, or where the addresses do not fit the files.
    pub fn agreed(&self, given: Option<&Url>, tree: &Tree) -> Option<Agreed> {
        let agreed: Vec<(Witness, &str, Vec<&Statement>)> = self
            .by_witness
            .iter()
            .filter_map(|(witness, statements)| {
                let (host, own) = majority(statements)?;
                Some((*witness, host, own))
            })
            .filter(|(_, host, _)| given.is_none_or(|given| authority(given) == *host))
            .filter(|(witness, _, own)| self.is_heard(*witness, own))
            .collect();
        let (first, host, own) = agreed.first()?;
        let is_contradicted = agreed.iter().any(|(witness, other, _)| witness.is_sure() && other != host);
        if is_contradicted && first.is_sure() {
            return None;
        }
        fit(*first, own, tree)
    }
}

/// The host, with its port, that at least two thirds of some addresses have, and these.
fn majority(statements: &[Statement]) -> Option<(&str, Vec<&Statement>)> {
    let mut hosts: BTreeMap<&str, Vec<&Statement>> = BTreeMap::new();
    for statement in statements {
        hosts.entry(authority(&statement.url)).or_default().push(statement);
    }
    hosts.into_iter().find(|(_, own)| is_most(own.len(), statements.len()))
}

/// Whether a part is at least two thirds of a whole: what it takes for evidence to agree.
pub(super) fn is_most(part: usize, whole: usize) -> bool {
    part > 0 && part * 3 >= whole * 2
}

/// Host and port of a URL. http and https count as one.
pub(super) fn authority(url: &Url) -> &str {
    &url[Position::BeforeHost..Position::AfterPort]
}

/// The base path below which at least two thirds of some addresses are files of the export: where several are, the one
/// with most, then the one by which most pages call themselves by their own names, then the shortest.
fn fit(witness: Witness, own: &[&Statement], tree: &Tree) -> Option<Agreed> {
    let mut scores: BTreeMap<&[u8], (usize, usize)> = BTreeMap::new();
    for statement in own {
        for prefix in std::iter::once(&b""[..]).chain(prefixes(&statement.path)) {
            if let Some(file) = leads_to(&statement.path[prefix.len()..], tree) {
                let (found, named) = scores.entry(prefix).or_default();
                *found += 1;
                *named += usize::from(statement.page == Some(file));
            }
        }
    }
    let best =
        scores.into_iter().map(|(prefix, score)| (score, std::cmp::Reverse(prefix.len()), prefix)).max();
    let (found, prefix) = best.map_or((0, &b""[..]), |((found, _), _, prefix)| (found, prefix));
    let is_domain = witness == Witness::Cname;
    if !is_domain && !is_most(found, own.len()) {
        return None;
    }
    let secure = own.iter().find(|statement| statement.url.scheme() == "https").or(own.first())?;
    let mut origin = secure.url.clone();
    origin.set_path("/");
    origin.set_query(None);
    origin.set_fragment(None);
    let _ = origin.set_username("").and_then(|()| origin.set_password(None));
    Some(Agreed {
        origin,
        base_path: format!("/{}", String::from_utf8_lossy(prefix)),
        evidence: witness.evidence(own.len()),
    })
}

/// The directories that a path begins with, to a bounded depth, each with its slash.
pub(super) fn prefixes(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    memchr::memchr_iter(b'/', path).take(DEPTH).map(|at| &path[..=at])
}

/// The page or file that a path below the root leads to on any host at all: by its name, as an index document, or
/// without its `.html`.
pub(super) fn leads_to(path: &[u8], tree: &Tree) -> Option<FileId> {
    let bare = path.strip_suffix(b"/").unwrap_or(path);
    let below = |end: &[u8]| tree.find(&[bare, end].concat());
    let exact = || tree.find(path).filter(|_| !path.is_empty());
    let index = || if bare.is_empty() { tree.find(b"index.html") } else { below(b"/index.html") };
    exact().or_else(index).or_else(|| below(b".html"))
}
