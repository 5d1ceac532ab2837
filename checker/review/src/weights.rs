//! Compares what pages load: sizes by kind of file.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::facts::{AssetKind, PageFacts, SiteFacts};
use crate::pages::PagePair;
use crate::texts::TextTable;

/// Growth from which it is reported, in per cent of the size before or of the page's size budget.
const GROWTH: u64 = 10;

/// Minimum growth in bytes.
const MIN_BYTES: u64 = 1024;

/// The files of a build by their names without hashes.
pub(crate) struct Assets<'t> {
    by_name: HashMap<&'t str, (u64, Vec<u64>)>,
}

impl<'t> Assets<'t> {
    pub fn new(site: &SiteFacts, texts: &'t TextTable) -> Assets<'t> {
        let mut by_name: HashMap<&str, (u64, Vec<u64>)> = HashMap::new();
        for asset in &site.assets {
            let (size, hashes) = by_name.entry(texts.get(asset.name)).or_default();
            *size = size.saturating_add(asset.size);
            hashes.push(asset.hash);
        }
        for (_, hashes) in by_name.values_mut() {
            hashes.sort_unstable();
        }
        Assets { by_name }
    }

    /// Returns the hashes of the contents of the files with a name.
    pub fn hashes(&self, name: &str) -> &[u64] {
        self.by_name.get(name).map_or(&[], |(_, hashes)| hashes)
    }

    fn size(&self, name: &str) -> u64 {
        self.by_name.get(name).map_or(0, |(size, _)| *size)
    }
}

/// Maximum number of files of a page. Facts are not trusted: each of many pages could load all files.
const MAX_LOADED: usize = 2000;

/// Returns the indexes of all files that a page loads, directly or through style sheets.
pub(crate) fn loaded(site: &SiteFacts, page: &PageFacts) -> impl Iterator<Item = usize> {
    let mut all: BTreeSet<usize> = page.assets.iter().map(|asset| *asset as usize).collect();
    let mut open: Vec<usize> = all.iter().copied().collect();
    while let Some(asset) = open.pop()
        && all.len() < MAX_LOADED
    {
        let loads = site.assets[asset].loads.iter().map(|load| *load as usize);
        open.extend(loads.filter(|load| all.insert(*load)));
    }
    all.into_iter()
}

/// A kind of files, those that are new or larger with their growth in bytes, and the budget.
type GrownFiles = (AssetKind, Vec<(String, u64)>, Option<u64>);

/// Sizes before and after, and the pages.
type GrownPages = ((u64, u64), Vec<u32>);

/// Pages of which a kind of files has grown for the same reason.
#[derive(Debug)]
pub(crate) struct Growth {
    pub kind: AssetKind,
    /// The files that are new or larger, and their growth in bytes.
    pub files: Vec<(String, u64)>,
    /// Sizes of the first page.
    pub sizes: (u64, u64),
    /// The size budget of the pages.
    pub budget: Option<u64>,
    pub pages: Vec<u32>,
}

/// Returns what has grown, most pages first.
pub(crate) fn growth(
    (base, new): (&SiteFacts, &SiteFacts),
    pairs: &[PagePair<'_>],
    texts: &TextTable,
) -> Vec<Growth> {
    let (old_assets, new_assets) = (Assets::new(base, texts), Assets::new(new, texts));
    let mut groups: BTreeMap<GrownFiles, GrownPages> = BTreeMap::new();
    // Most pages load the same files.
    let mut known = HashMap::new();
    for (index, pair) in pairs.iter().enumerate() {
        let budget = pair.new.budget;
        let key = (&*pair.base.assets, &*pair.new.assets, budget);
        let grown: &Vec<Growth> = known.entry(key).or_insert_with(|| {
            let size = |site: &SiteFacts, page: &PageFacts, kind| -> (u64, BTreeSet<String>) {
                let assets: Vec<_> = loaded(site, page)
                    .map(|asset| &site.assets[asset])
                    .filter(|asset| asset.kind == kind)
                    .collect();
                let names = assets.iter().map(|asset| texts.get(asset.name).to_owned()).collect();
                (assets.iter().fold(0, |sum: u64, asset| sum.saturating_add(asset.size)), names)
            };
            let of_kind = |kind| {
                let ((before, old_names), (after, new_names)) =
                    (size(base, pair.base, kind), size(new, pair.new, kind));
                let added = after.saturating_sub(before);
                let is_share = |of: u64| u128::from(added) * 100 > u128::from(of) * u128::from(GROWTH);
                let grows = added > MIN_BYTES && (is_share(before) || budget.is_some_and(is_share));
                let grown_file = |name: String| {
                    let size_before = if old_names.contains(&name) { old_assets.size(&name) } else { 0 };
                    let bytes = new_assets.size(&name).saturating_sub(size_before);
                    (bytes > 0).then_some((name, bytes))
                };
                let mut files: Vec<_> = new_names.into_iter().filter_map(grown_file).collect();
                // Small ones differ from page to page, and would divide a cause.
                if files.iter().any(|&(_, bytes)| bytes > MIN_BYTES) {
                    files.retain(|&(_, bytes)| bytes > MIN_BYTES);
                }
                grows.then_some(Growth { kind, files, sizes: (before, after), budget, pages: Vec::new() })
            };
            AssetKind::ALL.into_iter().filter_map(of_kind).collect()
        });
        for growth in grown {
            let group = groups
                .entry((growth.kind, growth.files.clone(), budget))
                .or_insert((growth.sizes, Vec::new()));
            group.1.push(index as u32);
        }
    }
    let as_growth = |((kind, files, budget), (sizes, pages))| Growth { kind, files, sizes, budget, pages };
    let mut all: Vec<Growth> = groups.into_iter().map(as_growth).collect();
    all.sort_by_key(|growth| std::cmp::Reverse(growth.pages.len()));
    all
}
