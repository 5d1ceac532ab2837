//! Links of a site to itself, as a sample of its pages writes them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use url::Url;

use super::sample::Sample;
use super::statements::{authority, is_most, leads_to, prefixes};
use crate::parse::{Facts, Format, Reference, Role};
use crate::resolve::path::{decode_path, folder};
use crate::walk::{FileId, Tree};
use sitegate_base::plural::count;

/// Stands for the origin while paths are resolved; RFC 2606 reserves the domain.
const ANY_ORIGIN: &str = "http://sitegate.invalid/";

/// Links that differ before they say anything together.
const FEW: usize = 2;

/// Directories that builds put scripts, styles and pictures in.
const ASSETS: [&str; 13] = [
    "assets", "build", "css", "dist", "files", "fonts", "images", "img", "js", "media", "public", "scripts",
    "static",
];

/// The addresses that pages of the sample refer to. Each counts once, however often it is written.
pub(super) struct OwnLinks {
    /// Paths from the root of the origin, decoded, without their leading `/`.
    rooted: BTreeSet<Vec<u8>>,
    /// How many of the pages write some of them below a base element that names no origin.
    based: usize,
    /// Paths below the root of the export that readers go to, by what is written relative to the page.
    relative: BTreeSet<Vec<u8>>,
    /// Whole addresses.
    absolute: BTreeSet<Url>,
    /// Those of `rooted` below the prefix that most of them share, with the number of all.
    shared: Option<(Vec<u8>, usize)>,
}

impl OwnLinks {
    /// The links of a sample.
    pub fn of(sample: &Sample, tree: &Tree) -> OwnLinks {
        let mut links = OwnLinks {
            rooted: BTreeSet::new(),
            based: 0,
            relative: BTreeSet::new(),
            absolute: BTreeSet::new(),
            shared: None,
        };
        if let Ok(origin) = Url::parse(ANY_ORIGIN) {
            let mut known = HashSet::new();
            for (file, facts) in &sample.pages {
                links.page((*file, facts), &origin, tree, &mut known);
            }
        }
        links.shared = links.share(tree);
        links
    }

    /// Takes in the links of one page. `known` are those that pages of its directory, or of any, have said before.
    fn page<'s>(
        &mut self,
        (file, facts): (FileId, &'s Facts),
        origin: &Url,
        tree: &'s Tree,
        known: &mut HashSet<(&'s [u8], Role, &'s str)>,
    ) {
        let path = tree.path(file);
        let folder = folder(path);
        let mut document = origin.clone();
        document.set_path(&tree.display(file));
        let written = facts.base.map(|href| facts.text(href).trim());
        let base = written.and_then(|href| document.join(href).ok());
        // A base element decides where relative references lead, so that they tell the base path too.
        let is_rooted = written.is_some_and(|href| href.starts_with('/'));
        self.based += usize::from(is_rooted);
        for (reference, text) in
            facts.references.iter().filter_map(|r| Some((r, facts.text(r.value?).trim())))
        {
            let mut is_repeated = || {
                let text = text.split('#').next().unwrap_or_default();
                let folder = if text.starts_with('/') { &b""[..] } else { folder };
                !text.contains(':') && !known.insert((folder, reference.kind.role(), text))
            };
            if !tells_a_place(reference, text) || written.is_none() && is_repeated() {
                continue;
            }
            let Ok(url) = base.as_ref().unwrap_or(&document).join(text) else { continue };
            if authority(&url) != authority(origin) {
                if matches!(url.scheme(), "http" | "https") {
                    self.absolute.insert(url);
                }
                continue;
            }
            let mut path = Vec::new();
            decode_path(url.path(), &mut path);
            if is_rooted || text.starts_with('/') {
                self.rooted.insert(path);
            } else if reference.kind.role() == Role::Navigate {
                self.relative.insert(path);
            }
        }
    }

    /// The prefix that makes files of most links which lead nowhere without it.
    fn share(&self, tree: &Tree) -> Option<(Vec<u8>, usize)> {
        let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
        for path in self.rooted.iter().filter(|path| leads_to(path, tree).is_none()) {
            for prefix in prefixes(path).filter(|prefix| leads_to(&path[prefix.len()..], tree).is_some()) {
                *counts.entry(prefix).or_default() += 1;
            }
        }
        let best =
            counts.into_iter().map(|(prefix, found)| (found, std::cmp::Reverse(prefix.len()), prefix)).max();
        let (found, _, prefix) = best?;
        let is_shared = found >= FEW && is_most(found, self.rooted.len());
        (is_shared && self.is_of_a_site(prefix, tree)).then(|| (prefix.to_vec(), found))
    }

    /// Whether what is below a prefix says that a site is there: a page; or scripts and styles, where the prefix is not itself
    /// a name for their directory. Pictures alone may as well have lost theirs.
    fn is_of_a_site(&self, prefix: &[u8], tree: &Tree) -> bool {
        let files = self.rooted.iter().filter_map(|path| leads_to(path.strip_prefix(prefix)?, tree));
        let names_assets = ASSETS.iter().any(|name| prefix.strip_suffix(b"/") == Some(name.as_bytes()));
        let mut paths = files.map(|file| tree.path(file));
        paths.any(|path| match Format::of(path) {
            Format::Html => true,
            Format::Css => !names_assets,
            _ => !names_assets && (path.ends_with(b".js") || path.ends_with(b".mjs")),
        })
    }

    /// The base path that most links which begin with `/` share, and the evidence.
    pub fn prefix(&self) -> Option<(String, String)> {
        let (prefix, found) = self.shared.as_ref()?;
        let links = match found {
            1 => "1 link begins with it and leads".to_owned(),
            n => format!("{} begin with it and lead", count(*n, "link")),
        };
        let evidence = match self.based {
            0 => format!("{links} to nothing otherwise"),
            pages => format!("<base href> of {}", count(pages, "page")),
        };
        Some((format!("/{}", String::from_utf8_lossy(prefix)), evidence))
    }

    /// Whether more links which begin with `/` are in order without a base path than below it.
    pub fn contradict(&self, base_path: &str, tree: &Tree) -> bool {
        let prefix = base_path.trim_start_matches('/').as_bytes();
        let below = self.rooted.iter().filter(|path| is_below(path, prefix, tree)).count();
        let without =
            self.rooted.iter().filter(|path| !path.is_empty() && leads_to(path, tree).is_some()).count();
        without > below
    }

    /// Whether the export is the whole of the site at an address, or so much of it that most addresses which its pages
    /// give there are in it. A manual that links to the rest of its project's site is only a part.
    pub fn are_whole(&self, origin: &Url, base_path: &str, tree: &Tree) -> bool {
        let prefix = base_path.trim_start_matches('/').as_bytes();
        let (mut own, mut found) = (0, 0);
        for url in self.absolute.iter().filter(|url| authority(url) == authority(origin)) {
            let mut path = Vec::new();
            decode_path(url.path(), &mut path);
            if let Some(rest) = path.strip_prefix(prefix) {
                own += 1;
                found += usize::from(leads_to(rest, tree).is_some());
            }
        }
        found * 2 >= own
    }

    /// The paths below the root of the export that are linked, as they are written, by pages that lie below a base path.
    pub fn local<'l>(&'l self, base_path: &'l str) -> impl Iterator<Item = &'l [u8]> {
        let prefix = base_path.trim_start_matches('/').as_bytes();
        let rooted = self.rooted.iter().filter_map(move |path| path.strip_prefix(prefix));
        rooted.chain(self.relative.iter().map(Vec::as_slice))
    }
}

/// Whether a reference tells where files are: not a part of this page, and no place for a script.
fn tells_a_place(reference: &Reference, text: &str) -> bool {
    matches!(reference.kind.role(), Role::Navigate | Role::Load | Role::Relate)
        && !text.is_empty()
        && !text.starts_with(['#', '?'])
        && !reference.kind.is_css()
}

/// Whether a path is a file's below a prefix.
fn is_below(path: &[u8], prefix: &[u8], tree: &Tree) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| leads_to(rest, tree).is_some())
}
