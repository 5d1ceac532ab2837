//! Second pass: checks that need file contents after indexing, such as scripts, integrity, text fragments and
//! suggestions.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::sync::Arc;

use memchr::memmem;
use rayon::prelude::*;

use super::scripts::{self, ScriptSources};
use crate::index::Index;
use crate::index::file_claims::{BrokenIntegrity, ContentHashes, IntegrityValue, wrong_images};
use crate::index::fragments::BrokenFragments;
use crate::index::join::ContentChecks;
use crate::index::loads::{Loads, measure};
use crate::index::needs::Needs;
use crate::index::policies::{self, HeaderPolicies};
use crate::index::scripts::Scripts;
use crate::index::scripts::entry_points::PageEntryPoints;
use crate::index::scripts::graph::is_script_name;
use crate::index::site::Site;
use crate::index::text_fragments::{TextFragment, folded};
use crate::parse::{self, Page, ReferenceKind, element_text};
use crate::resolve::fragment;
use crate::resolve::target::{is_route, is_settings};
use crate::walk::FileId;
use sitegate_base::nearest::Ids;

/// Maximum number of pages that are read again to suggest ids for dangling fragments.
const MAX_PAGES: usize = 300;

/// Maximum number of fragments of one page that get a suggestion.
const MAX_FRAGMENTS: usize = 50;

/// Maximum number of different text fragments that are searched in one page.
const MAX_QUOTES: usize = 250;

/// Minimum number of different unknown fragments of a page whose scripts may handle them all, and how many times as many
/// there must be as ids that the page itself links to.
const MIN_FOR_SCRIPT: usize = 100;
const TIMES_LINKED: usize = 10;

/// Completes the index. Adds an error to `unreadable` for each file that cannot be read again.
pub(super) fn complete_index(
    index: &mut Index<'_>,
    unsettled: ContentChecks,
    needs: &Needs,
    sources: ScriptSources<'_>,
    unreadable: &mut Vec<String>,
) {
    let site = index.site;
    unreadable.extend(unsettled.unreadable);
    let unmatched_speculations = std::mem::take(&mut index.scripts.unmatched_speculations);
    let headers =
        if needs.policies { HeaderPolicies::read(site, unreadable) } else { HeaderPolicies::default() };
    let has_policies = needs.policies && !(headers.is_empty() && unsettled.with_policy.is_empty());
    let own_scripts = own_scripts(&index.dangling, &unsettled.entry_points);
    let scripts = scripts::read(index, unsettled.entry_points, sources, has_policies, unreadable);
    if has_policies {
        index.policies = policies::violations(site, &headers, &unsettled.with_policy, &scripts, unreadable);
    }
    index.add_scripts(&scripts);
    find_pages_for_scripts(index, &own_scripts);
    index.scripts = Scripts { unmatched_speculations, ..scripts };
    index.dangling.suggestions = nearest_anchors(site, &index.dangling);
    index.integrity_mismatches = integrity_mismatches(site, unsettled.integrity_values, unreadable);
    index.wrong_images = wrong_images(unsettled.image_claims, |image| site.tree.disk_path(image).into());
    index.unanswered = unmatched_quotes(site, unsettled.quotes);
    if let Some(limits) = &needs.sizes {
        let (sizes, failed) = measure(site, &index.loads, limits);
        index.sizes = sizes;
        unreadable.extend(failed);
    }
}

/// Returns the scripts of the pages that broken fragments refer to.
fn own_scripts(dangling: &BrokenFragments, entry_points: &[PageEntryPoints]) -> HashMap<FileId, Vec<FileId>> {
    let targets: HashSet<FileId> = dangling.references.iter().map(|one| one.target).collect();
    let pages = entry_points.iter().filter(|scripts| targets.contains(&scripts.page));
    pages.map(|scripts| (scripts.page, scripts.files.iter().map(|(file, _)| *file).collect())).collect()
}

/// Finds the pages whose scripts handle fragments that no element has: those that are settings or paths, or all of them.
fn find_pages_for_scripts(index: &mut Index<'_>, own_scripts: &HashMap<FileId, Vec<FileId>>) {
    let mut readers =
        FragmentReaders { own_scripts, loads: &index.loads, site: index.site, known: HashMap::new() };
    let dangling = &index.dangling;
    let paths = paths_for_scripts(&mut readers, dangling);
    let for_script = pages_for_scripts(&mut readers, dangling);
    let with_settings = dangling.references.iter().filter(|one| is_settings(dangling.text(one)));
    let with_settings: BTreeSet<FileId> = with_settings.map(|one| one.target).collect();
    let reads_settings = with_settings.into_iter().filter(|page| readers.is_read_by(*page)).collect();
    index.dangling.paths = paths;
    index.dangling.for_script = for_script;
    index.dangling.reads_settings = reads_settings;
}

/// The pages and scripts that read the fragment of the URL. Each is read once.
struct FragmentReaders<'i> {
    own_scripts: &'i HashMap<FileId, Vec<FileId>>,
    loads: &'i Loads,
    site: &'i Site<'i>,
    known: HashMap<FileId, bool>,
}

impl FragmentReaders<'_> {
    /// Whether a page or one of its scripts reads the fragment.
    fn is_read_by(&mut self, page: FileId) -> bool {
        let own = self.own_scripts.get(&page).into_iter().flatten();
        let files = self.loads.files_from([page].iter().chain(own).copied().collect(), self.site);
        let mut scripts =
            files.into_iter().filter(|&file| file == page || is_script_name(self.site.tree.path(file)));
        scripts.any(|file| {
            *self.known.entry(file).or_insert_with(|| {
                let reads = |text: &[u8]| {
                    [&b"location.hash"[..], b"hashchange"]
                        .iter()
                        .any(|word| memmem::find(text, word).is_some())
                };
                self.site.source(file).is_ok_and(|text| reads(&text))
            })
        })
    }
}

/// Returns the unknown fragments that are paths, such as `code/PTAE`, of pages whose scripts read the fragment and that have
/// no such id.
fn paths_for_scripts(
    readers: &mut FragmentReaders<'_>,
    dangling: &BrokenFragments,
) -> BTreeMap<FileId, BTreeSet<Box<str>>> {
    let is_path = |fragment: &str| fragment.contains('/');
    let mut unknown: BTreeMap<FileId, BTreeSet<Box<str>>> = BTreeMap::new();
    let texts = dangling.references.iter().map(|one| (one.target, dangling.text(one)));
    for (target, text) in texts.filter(|(_, text)| is_path(text) && !is_route(text)) {
        unknown.entry(target).or_default().insert(text.into());
    }
    unknown.retain(|target, paths| {
        if !readers.is_read_by(*target) {
            return false;
        }
        let Some(page) = page_with_ids(readers.site, *target) else { return false };
        let ids: HashSet<&str> = page.document_ids().map(|(_, (id, _))| page.str(*id)).collect();
        // A known id with a slash or a query after it is a mistake, not a path.
        let known =
            |path: &str| ids.contains(path.trim_end_matches('/')) || id_before_query(path, &ids).is_some();
        paths.retain(|path| !known(path));
        !ids.iter().any(|id| is_path(id))
    });
    unknown
}

/// Returns a page that is read again for its ids; `None` if it cannot be read.
fn page_with_ids(site: &Site<'_>, target: FileId) -> Option<Page> {
    let mut page = site.page(target).ok()?;
    parse::parse_html(&mut page, &[]).ok()?;
    Some(page)
}

/// Returns the id in a fragment with a query after it: `install?utm_source=x`.
fn id_before_query<'f>(fragment: &'f str, ids: &HashSet<&str>) -> Option<&'f str> {
    let (id, query) = fragment.split_at(fragment.find(['?', '&'])?);
    (query.contains('=') && ids.contains(id)).then_some(id)
}

/// Returns the pages whose scripts read the fragment, if links to the page have many unknown fragments, more than it has
/// ids, and far more than it has links to these ids. A page that links to its ids is a text with sections: its scripts
/// read the fragment to scroll.
fn pages_for_scripts(readers: &mut FragmentReaders<'_>, dangling: &BrokenFragments) -> BTreeSet<FileId> {
    let mut unknown: HashMap<FileId, HashSet<&str>> = HashMap::new();
    for reference in dangling.references.iter().filter(|one| !is_route(dangling.text(one))) {
        unknown.entry(reference.target).or_default().insert(dangling.text(reference));
    }
    let mut is_for_script = |target: FileId, fragments: &HashSet<&str>| {
        let is_read = readers.is_read_by(target);
        let page = page_with_ids(readers.site, target)?;
        let are_many =
            || fragments.len() > page.ids.len() && fragments.len() >= TIMES_LINKED * linked_ids(&page);
        (is_read && are_many()).then_some(target)
    };
    let unknown = unknown.into_iter().filter(|(_, fragments)| fragments.len() >= MIN_FOR_SCRIPT);
    unknown.filter_map(|(target, fragments)| is_for_script(target, &fragments)).collect()
}

/// Returns the number of ids of a page that it links to.
fn linked_ids(page: &Page) -> usize {
    let ids: HashSet<&str> = page.document_ids().map(|(_, (id, _))| page.str(*id)).collect();
    let links = page.facts.references.iter().filter(|link| link.kind == ReferenceKind::A);
    let own =
        links.map(|link| link.value.map_or("", |value| page.str(value))).filter(|text| text.starts_with('#'));
    let linked = own.filter_map(fragment).filter_map(|written| {
        [&*written.decoded, &*written.raw].into_iter().find_map(|name| ids.get(name).copied())
    });
    linked.collect::<HashSet<&str>>().len()
}

/// Returns the id that each dangling fragment most likely means, by its index in `dangling.jumps`.
///
/// Each page is read once, and each fragment of it searched once.
fn nearest_anchors(site: &Site<'_>, dangling: &BrokenFragments) -> BTreeMap<usize, Arc<str>> {
    let mut by_target: BTreeMap<FileId, BTreeMap<&str, Vec<usize>>> = BTreeMap::new();
    let searched = dangling.references.iter().enumerate().filter(|(_, jump)| !dangling.is_for_script(jump));
    for (at, jump) in searched {
        if by_target.len() == MAX_PAGES && !by_target.contains_key(&jump.target) {
            continue;
        }
        let fragments = by_target.entry(jump.target).or_default();
        if fragments.len() < MAX_FRAGMENTS || fragments.contains_key(dangling.text(jump)) {
            fragments.entry(dangling.text(jump)).or_default().push(at);
        }
    }
    let find_ids = |(target, fragments): (FileId, BTreeMap<&str, Vec<usize>>)| {
        let ids = nearest_ids(site, target, fragments.keys())?;
        let found = fragments.into_values().zip(ids).filter_map(|(jumps, id)| Some((jumps, id?)));
        let by_jump = found.flat_map(|(jumps, id)| jumps.into_iter().map(move |at| (at, Arc::clone(&id))));
        Some(by_jump.collect::<Vec<_>>())
    };
    by_target.into_par_iter().filter_map(find_ids).flatten().collect()
}

/// Returns the id that each fragment most likely means: the fragment itself, if only a shadow tree has it. `None` if the
/// page cannot be read.
fn nearest_ids<'f>(
    site: &Site<'_>,
    target: FileId,
    fragments: impl Iterator<Item = &'f &'f str>,
) -> Option<Vec<Option<Arc<str>>>> {
    let page = page_with_ids(site, target)?;
    let known: HashSet<&str> = page.document_ids().map(|(_, (id, _))| page.str(*id)).collect();
    let ids = Ids::new(page.document_ids().map(|(_, (id, _))| page.str(*id)));
    let nearest = |fragment: &str| {
        let shadow_id = Some(fragment).filter(|fragment| page.has_shadow_id(fragment));
        let before_query = || id_before_query(fragment, &known);
        shadow_id.or_else(before_query).or_else(|| ids.nearest(fragment)).map(Arc::from)
    };
    Some(fragments.map(|fragment| nearest(fragment)).collect())
}

/// Hashes each file that an `integrity` attribute refers to once, and returns the attributes that do not match.
fn integrity_mismatches(
    site: &Site<'_>,
    mut claims: Vec<IntegrityValue>,
    unreadable: &mut Vec<String>,
) -> Vec<BrokenIntegrity> {
    claims.sort_by_key(|claim| (claim.target, claim.file, claim.span.start));
    let mut broken = Vec::new();
    for claims_of_target in claims.chunk_by(|a, b| a.target == b.target) {
        let path = site.tree.disk_path(claims_of_target[0].target);
        let mut hashes = ContentHashes::default();
        let mut verified: HashMap<&str, Result<(), Option<String>>> = HashMap::new();
        for claim in claims_of_target {
            if !verified.contains_key(&*claim.value) {
                match hashes.verify(&claim.value, || File::open(&path)) {
                    Ok(result) => drop(verified.insert(&claim.value, result)),
                    Err(error) => {
                        unreadable.push(format!("{}: {error}", site.tree.display(claim.target)));
                        break;
                    }
                }
            }
            if let Some(Err(actual)) = verified.get(&*claim.value) {
                broken.push(BrokenIntegrity { value: claim.clone(), actual: actual.clone() });
            }
        }
    }
    broken.sort_by_key(|broken| (broken.value.file, broken.value.span.start));
    broken
}

/// Returns the text fragments whose quotes are not in the text of their pages.
fn unmatched_quotes(site: &Site<'_>, quotes: Vec<TextFragment>) -> Vec<TextFragment> {
    let mut by_target: BTreeMap<FileId, Vec<TextFragment>> = BTreeMap::new();
    for quote in quotes {
        by_target.entry(quote.target).or_default().push(quote);
    }
    let missing = by_target.into_par_iter().map(|(target, mut quotes_of_page)| {
        // Another stage reports pages that cannot be read.
        let Ok(page) = site.page(target) else { return Vec::new() };
        let text = folded(&element_text(&page.source, page.syntax));
        let mut answered: HashMap<Box<str>, bool> = HashMap::new();
        quotes_of_page.retain_mut(|quote| {
            if answered.len() >= MAX_QUOTES && !answered.contains_key(&quote.directive) {
                // One finding represents all quotes that are not searched.
                quote.is_over_limit = answered.len() == MAX_QUOTES;
                answered.insert(quote.directive.clone(), true);
                return quote.is_over_limit;
            }
            let is_answered = || quote.matches(&text);
            !*answered.entry(quote.directive.clone()).or_insert_with(is_answered)
        });
        quotes_of_page
    });
    missing.flatten().collect()
}
