//! Selects the pages to look at: the smallest set that shows every changed template, style and script.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::browser_causes::{Assets, loaded};
use crate::facts::{AssetKind, SiteFacts};
use crate::pages::PagePair;
use crate::review::PageToLookAt;
use crate::text_causes::TextCause;
use crate::texts::TextTable;

/// Maximum number of pages.
const MAX_PAGES: usize = 20;

/// Maximum number of pages from which a changed text is shared: part of a template.
const SHARED: usize = 3;

/// Returns the pages, those that show most first.
pub(crate) fn pages_to_look_at(
    (base, new): (&SiteFacts, &SiteFacts),
    pairs: &[PagePair<'_>],
    causes: &[TextCause],
    texts: &TextTable,
) -> Vec<PageToLookAt> {
    // The items that each page shows, by number.
    let mut shows: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); pairs.len()];
    let mut names: Vec<String> = Vec::new();
    let mut templates: BTreeMap<(u64, u64), usize> = BTreeMap::new();
    let mut files: BTreeMap<&str, usize> = BTreeMap::new();
    let mut changed: HashMap<(&[u32], &[u32]), Vec<usize>> = HashMap::new();
    let (old_assets, new_assets) = (Assets::new(base, texts), Assets::new(new, texts));
    for (page, pair) in pairs.iter().enumerate() {
        let (old, now) = (pair.base.template, pair.new.template);
        if old != now {
            let next = names.len();
            let item = *templates.entry((old, now)).or_insert(next);
            if item == next {
                names.push("a changed template".to_owned());
            }
            shows[page].insert(item);
        }
        // Most pages load the same files.
        let loads = (&*pair.base.assets, &*pair.new.assets);
        let items = changed.entry(loads).or_insert_with(|| {
            let own: HashSet<&str> =
                loaded(base, pair.base).map(|asset| texts.get(base.assets[asset].name)).collect();
            // A file may have a new name only.
            let contents: HashSet<&[u64]> = own.iter().map(|name| old_assets.hashes(name)).collect();
            let is_changed = |name: &str| {
                let content = new_assets.hashes(name);
                if own.contains(name) {
                    content != old_assets.hashes(name)
                } else {
                    !contents.contains(content)
                }
            };
            let code = loaded(new, pair.new).map(|asset| &new.assets[asset]);
            code.filter(|asset| matches!(asset.kind, AssetKind::Script | AssetKind::Style))
                .map(|asset| texts.get(asset.name))
                .filter(|name| is_changed(name))
                .map(|name| {
                    *files.entry(name).or_insert_with(|| {
                        names.push(format!("{name} (changed)"));
                        names.len() - 1
                    })
                })
                .collect::<Vec<usize>>()
        });
        shows[page].extend(items.iter());
    }
    for cause in causes.iter().filter(|cause| cause.place.is_text() && !cause.kind.is_noise()) {
        if cause.pages.len() >= SHARED {
            names.push(format!("a text at {}", cause.place.shown(texts)));
            for page in &cause.pages {
                shows[*page as usize].insert(names.len() - 1);
            }
        }
    }
    select(pairs, shows, &names)
}

/// Selects the page that shows most of what is not shown yet, until all is.
fn select(pairs: &[PagePair<'_>], mut shows: Vec<BTreeSet<usize>>, names: &[String]) -> Vec<PageToLookAt> {
    // Pages that show the same need only one candidate.
    let mut known = BTreeSet::new();
    let mut candidates: Vec<usize> = (0..pairs.len())
        .filter(|page| !shows[*page].is_empty() && known.insert(shows[*page].clone()))
        .collect();
    let mut selected = Vec::new();
    while selected.len() < MAX_PAGES {
        let best = candidates.iter().copied().max_by_key(|page| {
            let length = pairs[*page].new.address.len();
            (shows[*page].len(), std::cmp::Reverse((length, *page)))
        });
        let Some(page) = best.filter(|page| !shows[*page].is_empty()) else { break };
        let items = std::mem::take(&mut shows[page]);
        let mut seen = HashSet::new();
        let shown =
            items.iter().map(|item| &names[*item]).filter(|name| seen.insert(*name)).cloned().collect();
        candidates.retain(|other| *other != page);
        for other in &candidates {
            shows[*other].retain(|item| !items.contains(item));
        }
        selected.push(PageToLookAt { address: pairs[page].new.address.to_string(), shows: shown });
    }
    selected
}
