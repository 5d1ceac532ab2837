//! Finds the page that has the content of another, by titles and runs of words.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use rayon::prelude::*;

use crate::parse::{self, ContentNeeds, Format, Page, ParseOptions, element_text};
use crate::walk::{FileId, Tree};

/// Words in a run.
const RUN: usize = 5;

/// One of this many runs is kept, by its hash.
const SAMPLE: u64 = 4;

/// Number of pages from which a run is navigation or boilerplate.
const COMMON: u32 = 9;

/// Minimum number of kept runs of a page that can be compared: about 40 words.
const MIN_RUNS: usize = 10;

/// The share of a page's runs that another page must have to have the same content, and to be a candidate.
const SAME: f64 = 0.9;
const SIMILAR: f64 = 0.5;

/// The share of the runs of the other page that must come from the first to have the same content.
const SAME_REVERSE: f64 = 0.7;

/// The share from which a second page makes the first one uncertain.
const AMBIGUOUS: f64 = 0.4;

/// The least number of other pages that a page contains if it repeats them: the page to print of a book, a list of posts.
const REPEATED: u32 = 2;

/// The content of a page.
#[derive(Debug, Default)]
pub(super) struct PageContent {
    pub title: Box<str>,
    /// Hashes of some runs of words, sorted, each once.
    runs: Vec<u64>,
}

/// The page that is most similar to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Similar {
    /// Index of the page.
    pub page: usize,
    /// The share of the runs that it has.
    pub share: f64,
    /// Whether both have the same content, and no other page is similar.
    pub is_same: bool,
}

/// Reads the contents of pages. A page that cannot be read is empty.
pub(super) fn read_contents(tree: &Tree, pages: &[FileId]) -> Vec<PageContent> {
    let read = |page: &mut Page, file: &FileId| {
        let needs = ContentNeeds::default();
        let path = tree.path(*file);
        let options = ParseOptions { path, format: Format::Html, selected: &[], needs: &needs, digest: None };
        let is_read = std::fs::read(tree.disk_path(*file))
            .is_ok_and(|content| parse::read(page, content, &options).is_ok());
        if !is_read {
            return PageContent::default();
        }
        let title = page.facts.metadata.title.as_ref().map_or("", |(title, _)| page.str(*title));
        PageContent { title: title.into(), runs: runs(&element_text(&page.source, page.syntax)) }
    };
    pages.par_iter().map_init(Page::default, read).collect()
}

/// Returns the hashes of a sample of the runs of words.
fn runs(text: &str) -> Vec<u64> {
    let hasher = FixedState::default();
    let words: Vec<u64> = text.split(' ').map(|word| hasher.hash_one(word)).collect();
    let hashes = words.windows(RUN).map(|run| hasher.hash_one(run));
    let mut runs: Vec<u64> = hashes.filter(|hash| hash % SAMPLE == 0).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

/// Removes the runs that many pages have.
fn without_common(contents: &mut [PageContent]) {
    let mut counts: HashMap<u64, u32, FixedState> = HashMap::default();
    for run in contents.iter().flat_map(|content| &content.runs) {
        *counts.entry(*run).or_default() += 1;
    }
    for content in contents {
        content.runs.retain(|run| counts[run] < COMMON);
    }
}

fn pages_by_run(contents: &[PageContent]) -> HashMap<u64, Vec<u32>, FixedState> {
    let mut by_run: HashMap<u64, Vec<u32>, FixedState> = HashMap::default();
    for (page, content) in contents.iter().enumerate() {
        content.runs.iter().for_each(|run| by_run.entry(*run).or_default().push(page as u32));
    }
    by_run
}

/// Returns the number of runs that each page has.
fn shared_runs(runs: &[u64], by_run: &HashMap<u64, Vec<u32>, FixedState>) -> HashMap<u32, usize, FixedState> {
    let mut shared: HashMap<u32, usize, FixedState> = HashMap::default();
    for page in runs.iter().filter_map(|run| by_run.get(run)).flatten() {
        *shared.entry(*page).or_default() += 1;
    }
    shared
}

/// Returns for each page whether it contains several others, each of which is at most half of it. Copies of a page, such as
/// those of other versions, contain one another, and repeat none.
fn repeating_pages(contents: &[PageContent], by_run: &HashMap<u64, Vec<u32>, FixedState>) -> Vec<bool> {
    let mut contained = vec![0_u32; contents.len()];
    for (page, content) in contents.iter().enumerate().filter(|(_, content)| content.runs.len() >= MIN_RUNS) {
        for (other, count) in shared_runs(&content.runs, by_run) {
            let is_larger = contents[other as usize].runs.len() >= 2 * content.runs.len();
            let is_contained = count as f64 >= SAME * content.runs.len() as f64;
            contained[other as usize] += u32::from(other as usize != page && is_larger && is_contained);
        }
    }
    contained.into_iter().map(|count| count >= REPEATED).collect()
}

/// The contents of two exports.
pub(super) struct Contents {
    old: Vec<PageContent>,
    new: Vec<PageContent>,
    /// The new pages that have a run.
    by_run: HashMap<u64, Vec<u32>, FixedState>,
    /// For each page of both exports, whether it repeats others.
    repeats: [Vec<bool>; 2],
    /// The pages of each export that have a title.
    titles: HashMap<Box<str>, (Vec<usize>, Vec<usize>)>,
}

impl Contents {
    pub fn new(mut old: Vec<PageContent>, mut new: Vec<PageContent>) -> Contents {
        without_common(&mut old);
        without_common(&mut new);
        let (by_old_run, by_run) = (pages_by_run(&old), pages_by_run(&new));
        let repeats = [repeating_pages(&old, &by_old_run), repeating_pages(&new, &by_run)];
        let mut titles: HashMap<Box<str>, (Vec<usize>, Vec<usize>)> = HashMap::new();
        for (page, content) in old.iter().enumerate() {
            titles.entry(content.title.clone()).or_default().0.push(page);
        }
        for (page, content) in new.iter().enumerate() {
            titles.entry(content.title.clone()).or_default().1.push(page);
        }
        titles.remove("");
        Contents { old, new, by_run, repeats, titles }
    }

    /// Returns the only new page with the title of an old page, if no other old page has it.
    pub fn same_title(&self, old: usize) -> Option<usize> {
        match self.titles.get(&self.old[old].title) {
            Some((old, new)) if old.len() == 1 && new.len() == 1 => Some(new[0]),
            _ => None,
        }
    }

    /// Returns the new page that is most similar to an old page. `is_new` is true for a page without an address in the old
    /// export; only such a page is the same.
    pub fn most_similar(&self, old: usize, is_new: impl Fn(usize) -> bool) -> Option<Similar> {
        let runs = &self.old[old].runs;
        if runs.len() < MIN_RUNS {
            return None;
        }
        let shared = shared_runs(runs, &self.by_run);
        // It has the text of any page; only another such page has moved there.
        let is_repeating = |page: u32| self.repeats[1][page as usize] && !self.repeats[0][old];
        let mut ranked: Vec<(u32, usize)> =
            shared.into_iter().filter(|(page, _)| !is_repeating(*page)).collect();
        ranked.sort_unstable_by_key(|(page, count)| (std::cmp::Reverse(*count), *page));
        let (page, most) = *ranked.first()?;
        let page = page as usize;
        let share = most as f64 / runs.len() as f64;
        if share < SIMILAR {
            return None;
        }
        let second = ranked.get(1).map_or(0.0, |second| second.1 as f64 / runs.len() as f64);
        let reverse = most as f64 / self.new[page].runs.len() as f64;
        let is_same = share >= SAME && reverse >= SAME_REVERSE && second <= AMBIGUOUS && is_new(page);
        Some(Similar { page, share, is_same })
    }
}
