//! `lost-url`: an address that the site must keep, and that no longer exists.

use std::collections::{BTreeMap, BTreeSet};

use super::permalinks::{KeptAddress, KeptState, kept_addresses};
use super::rule::Registered;
use crate::index::Index;
use crate::index::site::Site;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use sitegate_address::percent::escape_path;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "lost-url",
    category: Category::Policy,
    default: Severity::Error,
    summary: "an address that the site must keep no longer exists, and no redirect replaces it",
    why: "Other sites, bookmarks and search engines still link to it. `keep` in `[permalinks]` names the lists of \
          addresses: inventories of earlier releases (`sitegate check --inventory`), sitemaps, lists of URLs, exports \
          of search consoles, and access logs. Addresses in `gone` may be lost. Without a list the rule reports \
          nothing.",
    bad: r#"sitegate.toml:
  [permalinks]
  keep = ["published.txt"]
published.txt:
  /prices.html"#,
    good: r#"sitegate.toml:
  [permalinks]
  keep = ["published.txt"]
published.txt:
  /prices.html
_redirects:
  /prices.html  /pricing/"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

/// Minimum number of addresses that one move must explain.
const MIN_MOVED: usize = 3;

/// Maximum number of folders that addresses may have moved to.
const MAX_FOLDERS: usize = 200;

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let mut known = BTreeSet::new();
    let lost = kept_addresses(index.site).filter(|kept| known.insert(kept.path));
    let lost: Vec<KeptAddress> = lost.filter(|kept| kept.state(index) == KeptState::Lost).collect();
    let moves = common_moves(index.site, &lost);
    for kept in lost {
        let address = escape_path(kept.path);
        let message = format!("lost URL: `{address}` no longer exists; {} lists it", kept.listed_at());
        let finding = RawFinding::new(&INFO, kept.location(index.site), message);
        found.push(match moves.iter().find(|(from, _)| kept.path.starts_with(from.as_str())) {
            Some((from, to)) => finding.cause(Cause::kind("moved")).help(format!(
                "pages below `{from}` are now below `{to}`; redirect `{from}*` to `{to}:splat`"
            )),
            None => finding.help("keep the page, redirect it, or list it in `gone` of `[permalinks]`"),
        });
    }
}

/// Returns the folders whose lost addresses all exist in one other folder: a base path, a version or a language that has
/// moved.
fn common_moves(site: &Site<'_>, lost: &[KeptAddress<'_>]) -> Vec<(String, String)> {
    if lost.len() < MIN_MOVED {
        return Vec::new();
    }
    let depth = |folder: &[u8]| memchr::memchr_iter(b'/', folder).count();
    let top_folders = site.tree.folders().filter(|folder| !folder.is_empty() && depth(folder) < 2);
    let base = &site.settings.base_path;
    let folders =
        top_folders.take(MAX_FOLDERS).map(|name| format!("{base}{}/", String::from_utf8_lossy(name)));
    let folders: Vec<String> = std::iter::once(base.clone()).chain(folders).collect();
    // The folders that each lost address may have moved from.
    let mut by_prefix: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for kept in lost {
        for (end, _) in kept.path.match_indices('/').take(3) {
            by_prefix.entry(&kept.path[..=end]).or_default().insert(&kept.path[end + 1..]);
        }
    }
    let mut moves: Vec<(String, String)> = Vec::new();
    for (prefix, rests) in by_prefix {
        let rests: Vec<&str> = rests.into_iter().filter(|rest| !rest.is_empty()).collect();
        if rests.len() < MIN_MOVED || moves.iter().any(|(known, _)| prefix.starts_with(known.as_str())) {
            continue;
        }
        let exists = |to: &str, rest: &&str| site.has_page(&format!("{to}{rest}"));
        let to = folders.iter().find(|to| *to != prefix && rests.iter().all(|rest| exists(to, rest)));
        moves.extend(to.map(|to| (prefix.to_owned(), to.clone())));
    }
    moves
}
