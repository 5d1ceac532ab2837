//! Collects the links of a site to itself, from a sample of its pages.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use url::Url;

use super::sample::Sample;
use super::statements::{authority, find_file, is_most, prefixes};
use crate::parse::{Facts, Format, Reference, Role};
use crate::walk::{FileId, Tree};
use sitegate_address::percent::decode_path;
use sitegate_address::{SitePath, UrlReference};
use sitegate_base::host_name;
use sitegate_base::plural::count;

/// Placeholder for the origin while paths are resolved; RFC 2606 reserves the domain.
const ANY_ORIGIN: &str = "http://sitegate.invalid/";

/// Minimum number of distinct links that count as evidence.
const MIN_LINKS: usize = 2;

/// Folders that builds put scripts, styles and images in.
const ASSETS: [&str; 13] = [
    "assets", "build", "css", "dist", "files", "fonts", "images", "img", "js", "media", "public", "scripts",
    "static",
];

/// URLs that pages of the sample refer to. Each counts once, however often it is written.
pub(super) struct OwnLinks {
    /// Decoded paths from the root of the origin, without their leading `/`.
    rooted: BTreeSet<Vec<u8>>,
    /// Number of pages with a base element that names no origin.
    based: usize,
    /// Paths below the root of the export, from relative links to pages.
    relative: BTreeSet<Vec<u8>>,
    /// Absolute URLs.
    absolute: BTreeSet<Url>,
    /// The prefix that most of `rooted` share, and how many paths have it.
    shared: Option<(Vec<u8>, usize)>,
}

impl OwnLinks {
    /// Collects the links of a sample.
    pub fn collect(sample: &Sample, tree: &Tree) -> OwnLinks {
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
                links.add_page((*file, facts), &origin, tree, &mut known);
            }
        }
        links.shared = links.shared_prefix(tree);
        links
    }

    /// Adds the links of one page. `known` are links that were already added: from any page if they begin with `/`,
    /// else from pages of the same folder.
    fn add_page<'s>(
        &mut self,
        (file, facts): (FileId, &'s Facts),
        origin: &Url,
        tree: &'s Tree,
        known: &mut HashSet<(&'s [u8], Role, &'s str)>,
    ) {
        let path = tree.path(file);
        let folder = SitePath::new(path).folder_with_slash();
        let mut document = origin.clone();
        document.set_path(&tree.display(file));
        let written = facts.base.map(|href| facts.text(href).trim());
        let base = written.and_then(|href| host_name::join(&document, href).ok());
        // A base element decides how relative references resolve, so they are evidence for the base path too.
        let is_rooted = written.is_some_and(|href| href.starts_with('/'));
        self.based += usize::from(is_rooted);
        for (reference, text) in
            facts.references.iter().filter_map(|r| Some((r, facts.text(r.value?).trim())))
        {
            let mut is_repeated = || {
                let text = UrlReference::new(text).without_fragment();
                let folder = if text.starts_with('/') { &b""[..] } else { folder };
                !text.contains(':') && !known.insert((folder, reference.kind.role(), text))
            };
            if !is_file_reference(reference, text) || written.is_none() && is_repeated() {
                continue;
            }
            let Ok(url) = host_name::join(base.as_ref().unwrap_or(&document), text) else { continue };
            if authority(&url) != authority(origin) {
                if matches!(url.scheme(), "http" | "https") {
                    self.absolute.insert(url);
                }
                continue;
            }
            let mut target = Vec::new();
            decode_path(url.path(), &mut target);
            if is_rooted || text.starts_with('/') {
                self.rooted.insert(target);
            } else if reference.kind.role() == Role::Navigate {
                self.relative.insert(target);
            }
        }
    }

    /// Returns the prefix without which most broken links would resolve to files.
    fn shared_prefix(&self, tree: &Tree) -> Option<(Vec<u8>, usize)> {
        let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
        for path in self.rooted.iter().filter(|path| find_file(path, tree).is_none()) {
            for prefix in prefixes(path).filter(|prefix| find_file(&path[prefix.len()..], tree).is_some()) {
                *counts.entry(prefix).or_default() += 1;
            }
        }
        let best =
            counts.into_iter().map(|(prefix, found)| (found, std::cmp::Reverse(prefix.len()), prefix)).max();
        let (found, _, prefix) = best?;
        let is_shared = found >= MIN_LINKS && is_most(found, self.rooted.len());
        (is_shared && self.has_site_files(prefix, tree)).then(|| (prefix.to_vec(), found))
    }

    /// Whether a prefix has the files of a site below it: a page, or scripts and styles if the prefix is not a folder
    /// name for them.
    /// Images alone are no evidence: their own folder may be missing.
    fn has_site_files(&self, prefix: &[u8], tree: &Tree) -> bool {
        let files = self.rooted.iter().filter_map(|path| find_file(path.strip_prefix(prefix)?, tree));
        let names_assets = ASSETS.iter().any(|name| prefix.strip_suffix(b"/") == Some(name.as_bytes()));
        let mut paths = files.map(|file| tree.path(file));
        paths.any(|path| match Format::of(path) {
            Format::Html => true,
            Format::Css => !names_assets,
            _ => !names_assets && (path.ends_with(b".js") || path.ends_with(b".mjs")),
        })
    }

    /// Returns the base path that most links which begin with `/` share, and the evidence.
    pub fn base_path(&self) -> Option<(String, String)> {
        let (prefix, found) = self.shared.as_ref()?;
        let links = match found {
            1 => "1 link begins with it and is".to_owned(),
            n => format!("{} begin with it and are", count(*n, "link")),
        };
        let evidence = match self.based {
            0 => format!("{links} broken without it"),
            pages => format!("<base href> of {}", count(pages, "page")),
        };
        Some((format!("/{}", String::from_utf8_lossy(prefix)), evidence))
    }

    /// Returns the path of a link if more links which begin with `/` resolve without a base path than below it.
    pub fn contradict_base_path(&self, base_path: &str, tree: &Tree) -> Option<String> {
        let prefix = base_path.trim_start_matches('/').as_bytes();
        let below = self.rooted.iter().filter(|path| is_below(path, prefix, tree)).count();
        let resolves = |path: &&Vec<u8>| !path.is_empty() && find_file(path, tree).is_some();
        let without = || self.rooted.iter().filter(resolves);
        let example = without().next().map(|path| format!("/{}", String::from_utf8_lossy(path)));
        example.filter(|_| without().count() > below)
    }

    /// Whether the export contains most pages that its links name at this origin.
    /// A manual that links to the rest of its project's site is only a part of the site.
    pub fn cover_most_of_site(&self, origin: &Url, base_path: &str, tree: &Tree) -> bool {
        let prefix = base_path.trim_start_matches('/').as_bytes();
        let (mut own, mut found) = (0, 0);
        for url in self.absolute.iter().filter(|url| authority(url) == authority(origin)) {
            let mut path = Vec::new();
            decode_path(url.path(), &mut path);
            if let Some(rest) = path.strip_prefix(prefix) {
                own += 1;
                found += usize::from(find_file(rest, tree).is_some());
            }
        }
        found * 2 >= own
    }

    /// Whether most links begin with `/`. Pages with relative links work in any folder.
    pub fn are_mostly_rooted(&self) -> bool {
        self.rooted.len() > self.relative.len()
    }

    /// Returns the paths of links that begin with `/` and with the base path, without both.
    pub fn rooted_paths<'l>(&'l self, base_path: &'l str) -> impl Iterator<Item = &'l str> {
        let prefix = base_path.trim_start_matches('/').as_bytes();
        let rooted = self.rooted.iter().filter_map(move |path| path.strip_prefix(prefix));
        rooted.filter_map(|path| std::str::from_utf8(path).ok())
    }

    /// Returns the linked paths below the root of the export, as pages below a base path write them.
    pub fn local_paths<'l>(&'l self, base_path: &'l str) -> impl Iterator<Item = &'l [u8]> {
        let prefix = base_path.trim_start_matches('/').as_bytes();
        let rooted = self.rooted.iter().filter_map(move |path| path.strip_prefix(prefix));
        rooted.chain(self.relative.iter().map(Vec::as_slice))
    }
}

/// Whether a reference names a file: it is not a fragment of its own page, and not an action of a script.
fn is_file_reference(reference: &Reference, text: &str) -> bool {
    matches!(reference.kind.role(), Role::Navigate | Role::Load | Role::Relate)
        && !UrlReference::new(text).path().is_empty()
        && !reference.kind.is_css()
}

/// Whether a path resolves to a file below a prefix.
fn is_below(path: &[u8], prefix: &[u8], tree: &Tree) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| find_file(rest, tree).is_some())
}
