//! What only another look at the bytes of some files can tell, once all facts are joined.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::sync::Arc;

use rayon::prelude::*;

use super::kept::{Looks, NearIds};
use super::scripts::{self, ReadyScripts};
use crate::index::Index;
use crate::index::fragments::BrokenFragments;
use crate::index::integrity::{BrokenIntegrity, ContentHashes, IntegrityValue};
use crate::index::join::ContentChecks;
use crate::index::loads::measure;
use crate::index::needs::Needs;
use crate::index::scripts::Scripts;
use crate::index::site::Site;
use crate::index::text_fragments::{TextFragment, folded};
use crate::parse::{self, Page, element_text};
use crate::walk::FileId;
use sitegate_base::nearest::Ids;

/// Pages that are read again to suggest what was meant by fragments that they do not answer, at the most.
const MAX_PAGES: usize = 300;

/// Fragments of one page that get a suggestion, at the most.
const MAX_FRAGMENTS: usize = 50;

/// Different quotes from one page that are looked for, at the most.
const MAX_QUOTES: usize = 250;

/// Completes the index. What cannot be read any more is added to `unread`.
pub(super) fn look(
    index: &mut Index<'_>,
    open: ContentChecks,
    needs: &Needs,
    scripts: ReadyScripts<'_>,
    looks: &mut Looks,
    unreadable: &mut Vec<String>,
) {
    let site = index.site;
    unreadable.extend(open.unreadable);
    let unmatched_speculations = std::mem::take(&mut index.scripts.unmatched_speculations);
    let known = looks.scripts.take();
    let told = known.unwrap_or_else(|| scripts::read(index, open.entry_points, scripts, unreadable));
    index.add_scripts(&told);
    looks.scripts = scripts.2.is_some().then(|| told.clone());
    index.scripts = Scripts { unmatched_speculations, ..told };
    index.dangling.suggestions = suggest_anchors(site, &index.dangling, &mut looks.near);
    index.integrity_mismatches = integrity_mismatches(site, open.integrity_values, unreadable);
    index.unanswered = unanswered(site, open.quotes);
    if let Some(weighed) = &needs.sizes {
        let (weights, failed) = measure(site, &index.loads, weighed);
        index.sizes = weights;
        unreadable.extend(failed);
    }
}

/// Finds the ids that dangling fragments most likely mean, by the places of those: each page is read once, and each
/// fragment of it looked for once. What is known already is taken from there, and nothing else is left there.
fn suggest_anchors(
    site: &Site<'_>,
    dangling: &BrokenFragments,
    known: &mut BTreeMap<FileId, NearIds>,
) -> BTreeMap<usize, Arc<str>> {
    let mut by_target: BTreeMap<FileId, BTreeMap<&str, Vec<usize>>> = BTreeMap::new();
    for (at, jump) in dangling.references.iter().enumerate() {
        if by_target.len() == MAX_PAGES && !by_target.contains_key(&jump.target) {
            continue;
        }
        let fragments = by_target.entry(jump.target).or_default();
        if fragments.len() < MAX_FRAGMENTS || fragments.contains_key(dangling.text(jump)) {
            fragments.entry(dangling.text(jump)).or_default().push(at);
        }
    }
    let near = |(target, fragments): (&FileId, &BTreeMap<&str, Vec<usize>>)| {
        let of_page = known
            .get(target)
            .filter(|of_page| of_page.keys().map(|known| &**known).eq(fragments.keys().copied()));
        Some((*target, of_page.cloned().or_else(|| near_ids(site, *target, fragments.keys()))?))
    };
    *known = by_target.par_iter().filter_map(near).collect();
    let places = known.iter().flat_map(|(target, of_page)| {
        let fragments = &by_target[target];
        of_page.iter().filter_map(|(fragment, id)| Some((&fragments[&**fragment], id.as_ref()?)))
    });
    places.flat_map(|(places, id)| places.iter().map(|at| (*at, Arc::clone(id)))).collect()
}

/// The ids of a page that are most likely meant by some fragments; `None` where it cannot be read.
fn near_ids<'f>(
    site: &Site<'_>,
    target: FileId,
    fragments: impl Iterator<Item = &'f &'f str>,
) -> Option<NearIds> {
    let mut page = Page::new(site.source(target).ok()?);
    parse::parse_html(&mut page, &[]).ok()?;
    let ids = Ids::new(page.ids.iter().map(|(id, _)| page.str(*id)));
    Some(fragments.map(|fragment| ((*fragment).into(), ids.nearest(fragment).map(Arc::from))).collect())
}

/// Hashes each file that an `integrity` attribute is about, once, and gives the claims that do not hold.
fn integrity_mismatches(
    site: &Site<'_>,
    mut claims: Vec<IntegrityValue>,
    unreadable: &mut Vec<String>,
) -> Vec<BrokenIntegrity> {
    claims.sort_by_key(|claim| (claim.target, claim.file, claim.span.start));
    let mut broken = Vec::new();
    for claims in claims.chunk_by(|a, b| a.target == b.target) {
        let path = site.tree.disk_path(claims[0].target);
        let mut hashes = ContentHashes::default();
        let mut known: HashMap<&str, Result<(), Option<String>>> = HashMap::new();
        for claim in claims {
            if !known.contains_key(&*claim.value) {
                match hashes.verify(&claim.value, || File::open(&path)) {
                    Ok(result) => drop(known.insert(&claim.value, result)),
                    Err(error) => {
                        unreadable.push(format!("{}: {error}", site.tree.display(claim.target)));
                        break;
                    }
                }
            }
            if let Some(Err(actual)) = known.get(&*claim.value) {
                broken.push(BrokenIntegrity { value: claim.clone(), actual: actual.clone() });
            }
        }
    }
    broken.sort_by_key(|broken| (broken.value.file, broken.value.span.start));
    broken
}

/// The text fragments that quote what their pages do not say.
fn unanswered(site: &Site<'_>, quotes: Vec<TextFragment>) -> Vec<TextFragment> {
    let mut by_target: BTreeMap<FileId, Vec<TextFragment>> = BTreeMap::new();
    for quote in quotes {
        by_target.entry(quote.target).or_default().push(quote);
    }
    let missing = by_target.into_par_iter().map(|(target, mut quotes)| {
        // A page that cannot be read was reported as such.
        let Ok(source) = site.source(target) else { return Vec::new() };
        let text = folded(&element_text(&source));
        let mut known: HashMap<Box<str>, bool> = HashMap::new();
        quotes.retain_mut(|quote| {
            if known.len() >= MAX_QUOTES && !known.contains_key(&quote.directive) {
                // One stands for all that are not looked for.
                quote.is_over_limit = known.len() == MAX_QUOTES;
                known.insert(quote.directive.clone(), true);
                return quote.is_over_limit;
            }
            let is_answered = || quote.matches(&text);
            !*known.entry(quote.directive.clone()).or_insert_with(is_answered)
        });
        quotes
    });
    missing.flatten().collect()
}
