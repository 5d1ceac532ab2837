//! Reads the files that pages load: their sizes, the contents of scripts and styles, and what styles load.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use sha2::{Digest, Sha256};
use sitegate_address::SitePath;
use sitegate_address::hashed_name::is_hashed;
use sitegate_base::host_name::host_and_port;
use sitegate_html::css;
use sitegate_review::{AssetFacts, AssetKind, TextId, Texts, masked};

use crate::index::site::Site;
use crate::parse::Format;
use crate::resolve::address_forms::AddressForm;
use crate::walk::FileId;

/// Maximum size of a style sheet whose files are searched.
const MAX_STYLE: u64 = 16 << 20;

/// Files and hosts that a page loads.
#[derive(Debug, Default)]
pub(super) struct PageLoads {
    /// Its files.
    pub files: BTreeSet<FileId>,
    /// Hosts of other sites, each once.
    pub hosts: Vec<TextId>,
    /// The pages that it links, with the forms of their addresses.
    pub linked_forms: Vec<(FileId, AddressForm)>,
}

/// The files of all pages.
#[derive(Debug, Default)]
pub(super) struct SiteAssets {
    pub assets: Vec<AssetFacts>,
    pub index: HashMap<FileId, u32>,
    /// Hosts that style sheets contact.
    pub hosts: HashMap<u32, Vec<TextId>>,
}

impl PageLoads {
    /// Adds the URLs of a page.
    pub fn add(&mut self, site: &Site<'_>, file: FileId, base: Option<&str>, urls: &[String], texts: &Texts) {
        // Images in the page itself, which may be long.
        let mut urls = urls.iter().filter(|url| !url.starts_with("data:")).peekable();
        if urls.peek().is_none() {
            return;
        }
        let base = site.resolver.base(file, base);
        for url in urls {
            if let Some(host) = external_host(site, url) {
                self.hosts.push(texts.intern(&host));
                continue;
            }
            let path = site.resolver.local_path(&base, url);
            let found = path.and_then(|path| site.tree.find(&path));
            self.files.extend(found.filter(|found| kind(site, *found).is_some()));
        }
        keep_first(&mut self.hosts);
    }

    /// Adds the links of a page.
    pub fn add_links(&mut self, site: &Site<'_>, file: FileId, base: Option<&str>, links: &[String]) {
        if links.is_empty() {
            return;
        }
        let (base, mut buffer) = (site.resolver.base(file, base), Vec::new());
        self.linked_forms.extend(links.iter().filter_map(|link| {
            let target = site.resolver.resolve(&base, link, &mut buffer);
            site.resolver.linked_form(link, target)
        }));
    }
}

/// Removes texts that occur again. Their ids have another order in each run.
pub(super) fn keep_first(texts: &mut Vec<TextId>) {
    let mut known = HashSet::new();
    texts.retain(|text| known.insert(*text));
}

/// Returns the host of a URL on another site.
fn external_host(site: &Site<'_>, url: &str) -> Option<String> {
    let own = site.settings.origin.as_ref().and_then(|origin| host_and_port(origin.as_str()));
    host_and_port(url).filter(|host| own.as_ref() != Some(host))
}

/// Returns the kind of a file, if it counts.
fn kind(site: &Site<'_>, file: FileId) -> Option<AssetKind> {
    let path = site.tree.path(file);
    let extension = SitePath::new(path).extension()?.to_ascii_lowercase();
    match extension.as_slice() {
        b"js" | b"mjs" => Some(AssetKind::Script),
        b"css" => Some(AssetKind::Style),
        b"png" | b"jpg" | b"jpeg" | b"gif" | b"svg" | b"webp" | b"avif" | b"ico" => Some(AssetKind::Image),
        b"woff" | b"woff2" | b"ttf" | b"otf" => Some(AssetKind::Font),
        _ => None,
    }
}

/// Reads the files that pages load, and those that their style sheets load.
pub(super) fn read_assets(site: &Site<'_>, pages: &[PageLoads], texts: &Texts) -> SiteAssets {
    let mut open: VecDeque<FileId> = pages
        .iter()
        .flat_map(|page| page.files.iter().copied())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let mut found: BTreeMap<FileId, (AssetFacts, PageLoads)> = BTreeMap::new();
    while let Some(file) = open.pop_front() {
        if found.contains_key(&file) {
            continue;
        }
        let (asset, loads) = read_asset(site, file, texts);
        open.extend(loads.files.iter().copied());
        found.insert(file, (asset, loads));
    }
    let index: HashMap<FileId, u32> = found.keys().zip(0..).map(|(file, index)| (*file, index)).collect();
    let mut all = SiteAssets { index, ..SiteAssets::default() };
    for (number, (mut asset, loads)) in found.into_values().enumerate() {
        asset.loads = loads.files.iter().map(|file| all.index[file]).collect();
        if !loads.hosts.is_empty() {
            all.hosts.insert(number as u32, loads.hosts);
        }
        all.assets.push(asset);
    }
    all
}

fn read_asset(site: &Site<'_>, file: FileId, texts: &Texts) -> (AssetFacts, PageLoads) {
    let path = site.tree.display(file);
    let disk = site.tree.disk_path(file);
    let kind = kind(site, file).unwrap_or(AssetKind::Image);
    let name = if is_hashed(&path) { masked(&path) } else { path.into_owned() };
    let size = std::fs::metadata(&disk).map_or(0, |found| found.len());
    let (mut hash, mut loads) = (0, PageLoads::default());
    if matches!(kind, AssetKind::Script | AssetKind::Style)
        && let Ok(content) = std::fs::read(&disk)
    {
        // Names of other files with hashes differ between builds.
        let text = String::from_utf8_lossy(&content);
        hash = digest(masked(&text).as_bytes());
        if site.format(file) == Format::Css && size <= MAX_STYLE {
            let mut urls = Vec::new();
            css::urls(&text, |_, url, _| urls.push(url.to_owned()));
            loads.add(site, file, None, &urls, texts);
        }
    }
    (AssetFacts { name: texts.intern(&name), kind, size, hash, loads: Vec::new() }, loads)
}

/// Returns the first eight bytes of a SHA-256.
pub(super) fn digest(bytes: &[u8]) -> u64 {
    let digest = Sha256::digest(bytes);
    digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}
