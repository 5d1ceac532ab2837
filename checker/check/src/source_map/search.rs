//! Searches the sources for the needles, in parallel.

use rayon::prelude::*;

use super::context::{HitTag, OccurrenceRole, SourceContext};
use super::front_matter::stated_address;
use super::needles::{NeedleKey, Needles, Occurrence, Roots};
use super::page_sources::{PageSources, StatedPages, folder_of};
use super::source_files::{SourceFiles, SourceLocation};
use crate::report::excerpt::TextPosition;
use crate::walk::Tree;

/// Maximum number of hits of one needle in one source.
const MAX_PER_NEEDLE: usize = 64;

/// Maximum number of hits.
const MAX_HITS: usize = 2_000_000;

/// A location where a needle occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit {
    pub key: NeedleKey,
    pub location: SourceLocation,
    pub role: OccurrenceRole,
    /// How often pages show it in other locations than its own; `None` if it is shown once, at its own location.
    pub uses: Option<u32>,
    /// The tag that it is in.
    pub tag: Option<HitTag>,
}

/// The hits of a search of the sources.
pub(super) struct SearchedSources {
    pub hits: Vec<Hit>,
    /// Whether no hits were dropped.
    pub is_complete: bool,
    /// The pages that front matter names.
    pub stated: Vec<StatedPages>,
}

/// Searches the sources, and reads their front matter.
pub(super) fn search(
    files: &SourceFiles,
    page_sources: &PageSources,
    needles: &Needles,
    values: &[bool],
    base_path: &str,
    tree: &Tree,
) -> SearchedSources {
    let read = |source: u32| {
        let path = &files.paths[source as usize];
        let text = files.read(source).unwrap_or_default();
        let stated =
            stated_address(path, &text).map(|address| page_sources.stated(source, path, &address, tree));
        let folder = match (page_sources.folder(source), &stated) {
            (None, Some(stated)) => stated.pages.first().map(|page| folder_of(*page, tree)),
            (folder, _) => folder.map(str::to_owned),
        };
        let mut found = Vec::new();
        let roots = Roots {
            folder: folder.as_deref(),
            base_path,
            languages: &page_sources.languages,
            is_path: false,
        };
        needles.find(&text, roots, &mut found);
        (to_hits(source, path, &text, found, values), stated)
    };
    let (hits, stated): (Vec<Vec<Hit>>, Vec<Option<StatedPages>>) =
        (0..files.paths.len() as u32).into_par_iter().map(read).unzip();
    let mut hits = hits.concat();
    hits.par_sort_unstable();
    hits.dedup();
    let is_complete = hits.len() <= MAX_HITS;
    hits.truncate(MAX_HITS);
    SearchedSources { hits, is_complete, stated: stated.into_iter().flatten().collect() }
}

/// Converts occurrences in a source to hits with lines and columns.
fn to_hits(source: u32, path: &str, text: &[u8], mut found: Vec<Occurrence>, values: &[bool]) -> Vec<Hit> {
    if found.is_empty() {
        return Vec::new();
    }
    found.sort_unstable_by_key(|found| (found.key, found.start));
    let mut per_needle = (NeedleKey::MAX, 0);
    found.retain(|found| {
        per_needle = if per_needle.0 == found.key { (found.key, per_needle.1 + 1) } else { (found.key, 1) };
        per_needle.1 <= MAX_PER_NEEDLE
    });
    found.sort_unstable_by_key(|found| found.start);
    let context = SourceContext::new(path, text);
    let mut counted = TextPosition::default();
    let to_hit = |occurrence: &Occurrence| {
        counted = counted.advance_to(occurrence.start, text);
        let position = counted.position();
        let length = String::from_utf8_lossy(&text[occurrence.start..occurrence.end]).chars().count();
        let location =
            SourceLocation { source, line: position.line, column: position.column, length: length as u32 };
        let role = context.role(occurrence, values[occurrence.key as usize]);
        Hit {
            key: occurrence.key,
            location,
            role,
            uses: context.uses(occurrence),
            tag: context.tag(occurrence),
        }
    };
    found.iter().map(to_hit).collect()
}
