//! Collects the URLs that an export states for itself (canonical links, sitemaps, `CNAME` and others), and infers
//! origin and base path from them.

use std::collections::BTreeMap;

use url::{Position, Url};

use super::sample::Sample;
use crate::parse::{Facts, ReferenceKind, Value};
use crate::walk::{FileId, Tree};
use sitegate_address::percent::decode_path;
use sitegate_base::host_name::is_local;
use sitegate_base::plural::count;
use sitegate_host::answer::is_error_page_name;

/// Maximum number of segments in a base path.
pub(super) const DEPTH: usize = 4;

/// Kinds of evidence for the origin, the most reliable first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EvidenceKind {
    Canonical,
    Sitemap,
    Cname,
    BaseElement,
    OpenGraph,
    Robots,
    Feed,
}

impl EvidenceKind {
    /// Whether evidence of this kind that contradicts makes the origin uncertain. Other kinds are often copied from
    /// another site.
    fn is_reliable(self) -> bool {
        self <= EvidenceKind::BaseElement
    }

    fn evidence(self, statements: usize) -> String {
        match self {
            EvidenceKind::Canonical => format!("canonical links of {}", count(statements, "page")),
            EvidenceKind::Sitemap => format!("{} in the sitemap", count(statements, "URL")),
            EvidenceKind::Cname => "CNAME".to_owned(),
            EvidenceKind::BaseElement => format!("<base href> of {}", count(statements, "page")),
            EvidenceKind::OpenGraph => format!("og:url of {}", count(statements, "page")),
            EvidenceKind::Robots => "robots.txt".to_owned(),
            EvidenceKind::Feed => format!("the link of {}", count(statements, "feed")),
        }
    }
}

/// A URL that the export states as its own.
pub(super) struct Statement {
    /// The page that states its own URL.
    pub page: Option<FileId>,
    /// The URL.
    pub url: Url,
    /// Its decoded path, without the leading `/`.
    pub path: Vec<u8>,
}

/// All URLs that an export states for itself.
pub(super) struct Statements {
    by_kind: BTreeMap<EvidenceKind, Vec<Statement>>,
    /// Number of pages in the sample, without error pages.
    pages: usize,
    home: Option<FileId>,
}

/// The origin and base path that the statements agree on.
#[derive(Debug)]
pub(super) struct StatedUrl {
    /// Scheme, host and port.
    pub origin: Url,
    /// Path that the export is deployed under, with a slash at both ends.
    pub base_path: String,
    /// Evidence for both.
    pub evidence: String,
}

impl Statements {
    /// Collects the statements of a sample.
    pub fn collect(sample: &Sample, tree: &Tree) -> Statements {
        let mut statements = Statements { by_kind: BTreeMap::new(), pages: 0, home: tree.home() };
        for (file, facts) in &sample.pages {
            if is_error_page_name(tree.path(*file)) {
                continue;
            }
            statements.pages += 1;
            let canonical = facts.metadata.canonicals.first().and_then(|&at| facts.references.get(at)?.value);
            statements.add(EvidenceKind::Canonical, Some(*file), facts, canonical);
            let social = facts.references.iter().find(|r| r.kind == ReferenceKind::MetaUrl);
            statements.add(EvidenceKind::OpenGraph, Some(*file), facts, social.and_then(|r| r.value));
            statements.add(EvidenceKind::BaseElement, None, facts, facts.base);
        }
        for (_, facts) in &sample.documents {
            let of_kind = |kind| facts.references.iter().filter(move |r| r.kind == kind);
            for location in of_kind(ReferenceKind::SitemapLoc) {
                statements.add(EvidenceKind::Sitemap, None, facts, location.value);
            }
            for sitemap in of_kind(ReferenceKind::RobotsSitemap) {
                statements.add(EvidenceKind::Robots, None, facts, sitemap.value);
            }
            let home = of_kind(ReferenceKind::FeedLink).next();
            statements.add(EvidenceKind::Feed, None, facts, home.and_then(|r| r.value));
        }
        if let Some(url) = sample.cname.as_ref().and_then(|name| Url::parse(&format!("https://{name}/")).ok())
        {
            let statement = Statement { page: statements.home, url, path: Vec::new() };
            statements.by_kind.entry(EvidenceKind::Cname).or_default().push(statement);
        }
        statements
    }

    /// Adds a reference, if it is an absolute URL of a public host.
    fn add(&mut self, kind: EvidenceKind, page: Option<FileId>, facts: &Facts, value: Option<Value>) {
        let Some(text) = value.map(|value| facts.text(value).trim()) else { return };
        let Ok(url) = Url::parse(text) else { return };
        let is_public = url.host_str().is_some_and(|host| !is_local(host));
        if matches!(url.scheme(), "http" | "https") && is_public {
            let mut path = Vec::new();
            decode_path(url.path(), &mut path);
            self.by_kind.entry(kind).or_default().push(Statement { page, url, path });
        }
    }

    /// Whether enough pages state it: the home page, or a third of all. Fewer may be copies from another site.
    fn is_on_enough_pages(&self, kind: EvidenceKind, matching: &[&Statement]) -> bool {
        let is_of_pages =
            matches!(kind, EvidenceKind::Canonical | EvidenceKind::OpenGraph | EvidenceKind::BaseElement);
        !is_of_pages
            || matching.len() * 3 >= self.pages
            || matching.iter().any(|statement| statement.page.is_some() && statement.page == self.home)
    }

    /// Returns the canonical links of pages on this origin.
    pub fn canonicals(&self, origin: &Url) -> impl Iterator<Item = &Statement> {
        let all = self.by_kind.get(&EvidenceKind::Canonical).map(Vec::as_slice).unwrap_or_default();
        all.iter().filter(move |statement| authority(&statement.url) == authority(origin))
    }

    /// Returns the host that the canonical links of enough pages state, if the sitemaps state another one.
    pub fn contradicted_canonical_host(&self) -> Option<&str> {
        let candidates = self.candidates();
        let host_of = |wanted| candidates.iter().find(|(kind, ..)| *kind == wanted).map(|(_, host, _)| *host);
        let canonical = host_of(EvidenceKind::Canonical)?;
        (host_of(EvidenceKind::Sitemap)? != canonical).then_some(canonical)
    }

    /// Returns the host that most statements of each kind have, and these statements.
    fn candidates(&self) -> Vec<(EvidenceKind, &str, Vec<&Statement>)> {
        let hosts = self.by_kind.iter().filter_map(|(kind, statements)| {
            let (host, matching) = majority(statements)?;
            Some((*kind, host, matching))
        });
        hosts.filter(|(kind, _, matching)| self.is_on_enough_pages(*kind, matching)).collect()
    }

    /// Infers the base path and, unless it is `given`, the origin, from the most reliable evidence.
    /// Returns `None` if reliable evidence is contradictory, or if the URLs do not match the files.
    pub fn infer(&self, given: Option<&Url>, tree: &Tree) -> Option<StatedUrl> {
        let mut candidates = self.candidates();
        candidates.retain(|(_, host, _)| given.is_none_or(|given| authority(given) == *host));
        let (first, host, matching) = candidates.first()?;
        let is_contradicted = candidates.iter().any(|(kind, other, _)| kind.is_reliable() && other != host);
        if is_contradicted && first.is_reliable() {
            return None;
        }
        fit_base_path(*first, matching, tree)
    }
}

/// Returns the host, with its port, that at least two thirds of the statements have, and these statements.
fn majority(statements: &[Statement]) -> Option<(&str, Vec<&Statement>)> {
    let mut hosts: BTreeMap<&str, Vec<&Statement>> = BTreeMap::new();
    for statement in statements {
        hosts.entry(authority(&statement.url)).or_default().push(statement);
    }
    hosts.into_iter().find(|(_, matching)| is_most(matching.len(), statements.len()))
}

/// Whether a part is at least two thirds of a whole, which is required for evidence to agree.
pub(super) fn is_most(part: usize, whole: usize) -> bool {
    part > 0 && part * 3 >= whole * 2
}

/// Host and port of a URL; http and https are equal here.
pub(super) fn authority(url: &Url) -> &str {
    &url[Position::BeforeHost..Position::AfterPort]
}

/// Returns the base path below which at least two thirds of the URLs are files of the export.
/// Of several, the one with the most files, then with the most pages that match their canonical links, then the
/// shortest.
fn fit_base_path(kind: EvidenceKind, matching: &[&Statement], tree: &Tree) -> Option<StatedUrl> {
    let mut scores: BTreeMap<&[u8], (usize, usize)> = BTreeMap::new();
    for statement in matching {
        for prefix in std::iter::once(&b""[..]).chain(prefixes(&statement.path)) {
            if let Some(file) = find_file(&statement.path[prefix.len()..], tree) {
                let (found, named) = scores.entry(prefix).or_default();
                *found += 1;
                *named += usize::from(statement.page == Some(file));
            }
        }
    }
    let best =
        scores.into_iter().map(|(prefix, score)| (score, std::cmp::Reverse(prefix.len()), prefix)).max();
    let (found, prefix) = best.map_or((0, &b""[..]), |((found, _), _, prefix)| (found, prefix));
    let is_domain = kind == EvidenceKind::Cname;
    if !is_domain && !is_most(found, matching.len()) {
        return None;
    }
    let secure = matching.iter().find(|statement| statement.url.scheme() == "https").or(matching.first())?;
    let mut origin = secure.url.clone();
    origin.set_path("/");
    origin.set_query(None);
    origin.set_fragment(None);
    let _ = origin.set_username("").and_then(|()| origin.set_password(None));
    Some(StatedUrl {
        origin,
        base_path: format!("/{}", String::from_utf8_lossy(prefix)),
        evidence: kind.evidence(matching.len()),
    })
}

/// Returns the folders that a path begins with, up to [`DEPTH`], each with its slash.
pub(super) fn prefixes(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    memchr::memchr_iter(b'/', path).take(DEPTH).map(|at| &path[..=at])
}

/// Returns the file that any host would serve at a path: by its name, as an index document, or without its `.html`.
pub(super) fn find_file(path: &[u8], tree: &Tree) -> Option<FileId> {
    let bare = path.strip_suffix(b"/").unwrap_or(path);
    let exact = || if path.is_empty() { None } else { tree.find(path) };
    let with_html = || tree.find(&[bare, b".html"].concat());
    exact().or_else(|| tree.index_of(bare)).or_else(with_html)
}
