//! Reports what browsers do differently: new hosts, new inline scripts, and larger files, with the weight of pages.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::facts::{AssetKind, PageFacts, SiteFacts};
use crate::pages::PagePair;
use crate::review::{CauseKind, ReviewCause};
use crate::texts::{TextId, TextTable};
use crate::words::has_own_change;
use sitegate_base::plural::{count, thousands};

/// Number of new inline scripts from which they are one entry, because they differ from page to page.
const MANY_SCRIPTS: usize = 4;

/// Number of entries for growth of one kind.
const GROWTHS: usize = 3;

/// Number of files of an entry.
const FILES: usize = 5;

/// Returns the causes. `pages` are the pages of the new build.
pub(crate) fn browser_causes(
    sites: (&SiteFacts, &SiteFacts),
    pairs: &[PagePair<'_>],
    noise: &ScriptNoise<'_>,
    texts: &TextTable,
) -> Vec<ReviewCause> {
    let (base, new) = sites;
    let mut causes = host_causes(base, new, texts);
    causes.extend(script_causes(base, new, noise, texts));
    causes.extend(removed_scripts(base, new, texts));
    let mut of_kind = BTreeMap::new();
    for found in growth(sites, pairs, texts) {
        let number = of_kind.entry(found.kind).or_insert((0, BTreeSet::new(), Vec::new()));
        number.0 += 1;
        if number.0 <= GROWTHS {
            causes.push(growth_cause(&found, pairs));
        } else {
            number.1.extend(found.pages);
            number.2.push(found.kind);
        }
    }
    for (kind, (_, more_pages, more)) in of_kind {
        if !more.is_empty() {
            let title = format!("{} files: more pages load larger ones", kind.name());
            causes.push(ReviewCause::of_pages(CauseKind::Weight, title, addresses(&more_pages, pairs)));
        }
    }
    causes
}

fn addresses<'p>(
    pages: impl IntoIterator<Item = &'p u32>,
    pairs: &[PagePair<'p>],
) -> impl Iterator<Item = &'p str> {
    pages.into_iter().map(|page| &*pairs[*page as usize].new.address)
}

fn host_causes(base: &SiteFacts, new: &SiteFacts, texts: &TextTable) -> Vec<ReviewCause> {
    let known: HashSet<TextId> = base.pages.iter().flat_map(|page| page.hosts.iter().copied()).collect();
    let mut by_host: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for page in &new.pages {
        for host in page.hosts.iter().filter(|host| !known.contains(host)) {
            by_host.entry(texts.get(*host)).or_default().push(&page.address);
        }
    }
    let title = |host: &str| format!("browsers now contact `{host}`");
    let mut causes: Vec<ReviewCause> = by_host
        .iter()
        .map(|(host, pages)| ReviewCause::of_pages(CauseKind::NewHost, title(host), pages))
        .collect();
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.pages));
    causes
}

fn script_causes(
    base: &SiteFacts,
    new: &SiteFacts,
    noise: &ScriptNoise<'_>,
    texts: &TextTable,
) -> Vec<ReviewCause> {
    let known: HashSet<u64> = hashes(&base.pages).collect();
    let mut by_script: BTreeMap<(u64, bool), (TextId, Vec<&str>)> = BTreeMap::new();
    let before = base.by_address();
    for page in &new.pages {
        let old = before.get(&*page.address).copied();
        let mut seen = HashSet::new();
        for (index, script) in page.scripts.iter().enumerate() {
            if known.contains(&script.hash) || noise.contains(old, page, index) {
                continue;
            }
            let key = (script.hash, script.is_blocked);
            let entry = by_script.entry(key).or_insert((script.start, Vec::new()));
            if seen.insert(key) {
                entry.1.push(&page.address);
            }
        }
    }
    let verdict = |is_blocked| {
        if is_blocked {
            "the Content-Security-Policy blocks it"
        } else {
            "no Content-Security-Policy blocks it"
        }
    };
    let mut causes = Vec::new();
    for is_blocked in [true, false] {
        let mut found: Vec<_> = by_script.iter().filter(|((_, blocked), _)| *blocked == is_blocked).collect();
        found.sort_by_key(|(_, (start, pages))| (std::cmp::Reverse(pages.len()), texts.get(*start)));
        let (single, shared): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|(_, (_, pages))| pages.len() == 1);
        let is_summed = single.len() >= MANY_SCRIPTS;
        let each = shared.into_iter().chain(single.iter().copied().filter(|_| !is_summed));
        for (_, (start, pages)) in each {
            let mut own = ReviewCause::of_pages(
                CauseKind::InlineScript,
                format!("new inline script; {}", verdict(is_blocked)),
                pages,
            );
            own.details.push(texts.get(*start).to_owned());
            causes.push(own);
        }
        if is_summed {
            let addresses: BTreeSet<&str> =
                single.iter().flat_map(|(_, (_, pages))| pages.iter().copied()).collect();
            let number = count(single.len(), "new inline script");
            let title = format!("{number}, each on one page; {}", verdict(is_blocked));
            let mut own = ReviewCause::of_pages(CauseKind::InlineScript, title, addresses);
            own.details.push(texts.get(single[0].1.0).to_owned());
            causes.push(own);
        }
    }
    causes
}

/// Reports inline scripts that pages had and no longer have.
fn removed_scripts(base: &SiteFacts, new: &SiteFacts, texts: &TextTable) -> Option<ReviewCause> {
    let now = new.by_address();
    let (mut addresses, mut first) = (Vec::new(), None);
    for page in &base.pages {
        let Some(after) = now.get(&*page.address) else { continue };
        // A changed script is a new one, too.
        if after.scripts.len() < page.scripts.len() {
            let kept: HashSet<u64> = after.scripts.iter().map(|script| script.hash).collect();
            let gone = page.scripts.iter().find(|script| !kept.contains(&script.hash));
            first = first.or(gone.or(page.scripts.first()).map(|script| script.start));
            addresses.push(&page.address);
        }
    }
    let mut cause = ReviewCause::of_pages(CauseKind::InlineScript, "inline scripts removed", addresses);
    cause.details.push(texts.get(first?).to_owned());
    Some(cause)
}

/// Inline scripts that differ between two builds of one commit.
#[derive(Debug)]
pub(crate) struct ScriptNoise<'t> {
    texts: &'t TextTable,
    /// By their hashes in the new build: how the script at the same position begins in the second build.
    learned: HashMap<u64, Option<TextId>>,
}

impl<'t> ScriptNoise<'t> {
    pub fn learned(new: &SiteFacts, again: Option<&SiteFacts>, texts: &'t TextTable) -> ScriptNoise<'t> {
        let mut learned = HashMap::new();
        if let Some(again) = again {
            let known: HashSet<u64> = hashes(&again.pages).collect();
            let others = again.by_address();
            for page in &new.pages {
                let other = others.get(&*page.address);
                for (index, script) in page.scripts.iter().enumerate() {
                    if !known.contains(&script.hash) {
                        let start = other.and_then(|other| other.scripts.get(index)).map(|own| own.start);
                        learned.insert(script.hash, start);
                    }
                }
            }
        }
        ScriptNoise { texts, learned }
    }

    /// Whether a script of a page is noise. Of long scripts, a change after their beginning is not found.
    pub fn contains(&self, base: Option<&PageFacts>, page: &PageFacts, index: usize) -> bool {
        let script = &page.scripts[index];
        let Some(again) = self.learned.get(&script.hash) else { return false };
        let old = base.and_then(|base| base.scripts.get(index)).map(|old| old.start);
        let (Some(old), Some(again)) = (old, *again) else { return true };
        let start = |id| self.texts.get(id);
        !has_own_change(start(old), start(script.start), start(again))
    }
}

/// Returns the hashes of all inline scripts.
fn hashes(pages: &[PageFacts]) -> impl Iterator<Item = u64> {
    pages.iter().flat_map(|page| page.scripts.iter().map(|script| script.hash))
}

fn growth_cause(growth: &Growth, pairs: &[PagePair<'_>]) -> ReviewCause {
    let (before, after) = growth.sizes;
    let percent = |of: u64| thousands((u128::from(after - before) * 100 / u128::from(of.max(1))) as usize);
    let share = if before == 0 { "new".to_owned() } else { format!("+{} %", percent(before)) };
    let budget =
        growth.budget.map(|budget| format!("; the growth is {} % of the size budget", percent(budget)));
    let title = format!(
        "{} files of a page: {} → {} ({share}{})",
        growth.kind.name(),
        size(before),
        size(after),
        budget.unwrap_or_default()
    );
    let mut grown = ReviewCause::of_pages(CauseKind::Weight, title, addresses(&growth.pages, pairs));
    let mut files: Vec<_> = growth.files.iter().collect();
    files.sort_by_key(|(name, bytes)| (std::cmp::Reverse(*bytes), name));
    let line = |(name, bytes): &(String, u64)| format!("{name}: +{}", size(*bytes));
    grown.details = files.iter().take(FILES).map(|file| line(file)).collect();
    if files.len() > FILES {
        grown.details.push(format!("and {} more files", thousands(files.len() - FILES)));
    }
    grown
}

/// Returns a size for people, in decimal units.
fn size(bytes: u64) -> String {
    match bytes {
        0..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

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
