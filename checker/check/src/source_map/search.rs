//! Reads the sources once, by all threads, and notes where in them stands what is looked for.

use rayon::prelude::*;

use super::context::SourceContext;
use super::front_matter::stated_address;
use super::needles::{NeedleKey, Needles, Occurrence, Roots};
use super::page_sources::{PageSources, StatedPages, folder_of};
use super::source_files::SourceFiles;
use crate::report::finding_reader::TextPosition;
use crate::walk::Tree;

/// Places that are noted of one text in one source.
const OF_ONE: usize = 64;

/// Places that are noted at the most.
const MOST: usize = 2_000_000;

/// Where something stands in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLocation {
    /// The file, by its number.
    pub source: u32,
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
    /// Its characters.
    pub length: u32,
}

/// A place where something stands that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit {
    pub key: NeedleKey,
    pub location: SourceLocation,
    /// Whether it most likely is only a mention.
    pub is_mention: bool,
    /// How often pages show it, where that is elsewhere than it stands; `None` where it is shown once, and in its place.
    pub uses: Option<u32>,
}

/// What the sources say.
pub(super) struct SourceSearch {
    pub hits: Vec<Hit>,
    /// Whether all of them were noted.
    pub is_complete: bool,
    /// The pages that front matter gives sources.
    pub stated: Vec<StatedPages>,
}

/// Finds what is looked for, and what front matter says.
pub(super) fn search(
    files: &SourceFiles,
    page_sources: &PageSources,
    needles: &Needles,
    values: &[bool],
    base_path: &str,
    tree: &Tree,
) -> SourceSearch {
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
        let roots = Roots { folder: folder.as_deref(), base_path, languages: &page_sources.languages };
        needles.find(&text, roots, &mut found);
        (placed(source, path, &text, found, values), stated)
    };
    let (hits, stated): (Vec<Vec<Hit>>, Vec<Option<StatedPages>>) =
        (0..files.paths.len() as u32).into_par_iter().map(read).unzip();
    let mut hits = hits.concat();
    hits.par_sort_unstable();
    hits.dedup();
    let is_complete = hits.len() <= MOST;
    hits.truncate(MOST);
    SourceSearch { hits, is_complete, stated: stated.into_iter().flatten().collect() }
}

/// What was found in a source, with lines and columns.
fn placed(source: u32, path: &str, text: &[u8], mut found: Vec<Occurrence>, values: &[bool]) -> Vec<Hit> {
    if found.is_empty() {
        return Vec::new();
    }
    found.sort_unstable_by_key(|found| (found.key, found.start));
    let mut of_one = (NeedleKey::MAX, 0);
    found.retain(|found| {
        of_one = if of_one.0 == found.key { (found.key, of_one.1 + 1) } else { (found.key, 1) };
        of_one.1 <= OF_ONE
    });
    found.sort_unstable_by_key(|found| found.start);
    let mut context = SourceContext::of(path, text);
    let mut counted = TextPosition::default();
    let place = |found: &Occurrence| {
        counted = counted.advance_to(found.start, text);
        let position = counted.position();
        let length = String::from_utf8_lossy(&text[found.start..found.end]).chars().count();
        let location = SourceLocation {
            source,
            line: position.line as u32,
            column: position.column as u32,
            length: length as u32,
        };
        let is_mention = context.is_mention(found, values[found.key as usize]);
        Hit { key: found.key, location, is_mention, uses: context.uses(found) }
    };
    found.iter().map(place).collect()
}
