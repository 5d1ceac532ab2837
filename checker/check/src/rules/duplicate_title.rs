//! `duplicate-title`: several pages have the same title.

use std::collections::{BTreeMap, BTreeSet};

use super::messages::join_names;
use super::rule::Registered;
use crate::index::Index;
use crate::index::pages::PageEntry;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use crate::walk::FileId;
use sitegate_address::SitePath;
use sitegate_address::variants::{first_of_series, language_and_version_folders};

pub(crate) static INFO: RuleInfo = RuleInfo {
    id: "duplicate-title",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "several pages have the same title",
    why: "Tabs, history and search results show only the title, so readers cannot distinguish the pages. Not \
          compared: redirects, pages with noindex, and copies with a canonical link to their original. Translations, \
          other versions (`/de/`, `/v1.2/`, `/latest/`) and further pages of a list may share a title.",
    bad: r"prices.html:
  <title>Acme</title>
team.html:
  <title>Acme</title>",
    good: r"prices.html:
  <title>Prices – Acme</title>
team.html:
  <title>Team – Acme</title>",
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

/// Maximum number of other pages that a finding names.
const NAMED: usize = 3;

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let titled = |facts: &PageEntry| {
        let (hash, _) = facts.title.as_ref()?;
        let is_listed =
            facts.is_indexable() && !index.site.is_error_page(facts.file) && !index.site.is_shell(facts.file);
        is_listed.then_some(*hash)
    };
    let entries = index.pages.entries.iter();
    let mut pages: Vec<(u64, &PageEntry)> =
        entries.filter_map(|facts| Some((titled(facts)?, facts))).collect();
    pages.sort_unstable_by_key(|(hash, facts)| (*hash, facts.file));
    let groups = pages.chunk_by(|(a, _), (b, _)| a == b).filter(|group| group.len() > 1);
    let groups: Vec<Vec<&PageEntry>> =
        groups.map(|group| group.iter().map(|(_, facts)| *facts).collect()).collect();
    let translations: BTreeSet<(FileId, FileId)> = if groups.is_empty() {
        BTreeSet::new()
    } else {
        index.pages.alternates.iter().filter_map(|a| Some((a.page, a.target?))).collect()
    };
    for group in &groups {
        let Some(duplicates) = pages_of_one_variant(group, &translations, index) else { continue };
        let first = duplicates[0];
        let span = first.title.as_ref().map_or(0..0, |(_, span)| span.clone());
        let others =
            join_names(duplicates[1..].iter().map(|facts| index.site.tree.display(facts.file)), NAMED);
        let message = format!(
            "duplicate title: {others} {} it, too",
            if duplicates.len() == 2 { "has" } else { "have" }
        );
        found.push(RawFinding::new(&INFO, (first.file, span), message).cause(Cause::Marked));
    }
}

/// Returns the pages of the first language and version in which several pages have the same title. Of a paginated
/// list, only the first page counts.
fn pages_of_one_variant<'p>(
    pages: &[&'p PageEntry],
    translations: &BTreeSet<(FileId, FileId)>,
    index: &Index<'_>,
) -> Option<Vec<&'p PageEntry>> {
    let mut by_variant: BTreeMap<Vec<String>, Vec<&PageEntry>> = BTreeMap::new();
    for page in pages {
        let path = index.site.tree.display(page.file);
        by_variant
            .entry(language_and_version_folders(&path).map(str::to_owned).collect())
            .or_default()
            .push(page);
    }
    let several = by_variant.into_values().filter_map(|mut variant| {
        let first = variant[0].file;
        let path = |page: &PageEntry| index.site.tree.display(page.file);
        let all: BTreeSet<String> =
            variant.iter().map(|page| SitePath::new(&*path(page)).page().as_text().to_owned()).collect();
        variant.retain(|page| {
            let first_of_list = first_of_series(&path(page));
            first_of_list == SitePath::new(&*path(page)).page().as_text() || !all.contains(&first_of_list)
        });
        variant.retain(|page| !translations.contains(&(first, page.file)) || page.file == first);
        (variant.len() > 1).then_some(variant)
    });
    several.min_by_key(|variant| variant[0].file)
}
