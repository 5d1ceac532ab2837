//! The `[[ignore]]` list of the contract: which of its entries cover a finding.

use std::collections::HashMap;

use regex::{RegexSet, RegexSetBuilder};

use super::exceptions::{is_among, paths_of};
use crate::contract::Exception;
use crate::diagnostic::{Cause, Diagnostic, Place};
use crate::index::site::Site;
use crate::parse::{self, Format, Source, decode_references};
use crate::resolve::Base;
use crate::walk::FileId;

/// Patterns that are looked for together, at the most: what many of them remember takes memory.
const TOGETHER: usize = 256;

/// The list, ready to be asked for each finding.
pub(super) struct ListedExceptions<'s> {
    /// For each entry, whether it covers any finding.
    pub used: Vec<bool>,
    entries: &'s [Exception],
    /// The entries about one rule, and those about all.
    by_rule: HashMap<Option<&'s str>, ListedPatterns>,
    /// The file at hand, and which entries its paths rule out.
    here: Option<(Place, Vec<bool>)>,
    written: WrittenReferences<'s>,
}

/// The entries about one rule.
#[derive(Default)]
struct ListedPatterns {
    /// Those that say nothing of a URL.
    any: Vec<usize>,
    /// The others, with their patterns.
    urls: Vec<(RegexSet, Vec<usize>)>,
}

impl<'s> ListedExceptions<'s> {
    pub fn new(site: &'s Site<'s>) -> Self {
        let entries = site.contract.exceptions.as_slice();
        let mut of: HashMap<Option<&str>, Vec<usize>> = HashMap::new();
        for (index, entry) in entries.iter().enumerate() {
            of.entry(entry.rule.as_ref().map(|rule| rule.value.as_str())).or_default().push(index);
        }
        let by_rule = of.into_iter().map(|(rule, of)| (rule, ListedPatterns::new(entries, of))).collect();
        let written = WrittenReferences { site, open: None };
        ListedExceptions { used: vec![false; entries.len()], entries, by_rule, here: None, written }
    }

    /// Whether a finding is excused.
    pub fn cover(&mut self, diagnostic: &Diagnostic) -> bool {
        let place = &diagnostic.location.place;
        if !self.entries.is_empty() && self.here.as_ref().is_none_or(|(here, _)| here != place) {
            let paths = paths_of(self.written.site, place);
            let is_out =
                |entry: &Exception| entry.paths.as_ref().is_some_and(|of| !is_among(of, paths.as_ref()));
            self.here = Some((place.clone(), self.entries.iter().map(is_out).collect()));
        }
        let Some((_, is_out)) = &self.here else { return false };
        let mut urls: Option<Vec<String>> = None;
        let mut is_covered = false;
        for rule in [None, Some(diagnostic.rule.id)] {
            let Some(patterns) = self.by_rule.get(&rule) else { continue };
            let mut cover = |index: usize| {
                if !is_out[index] {
                    self.used[index] = true;
                    is_covered = true;
                }
            };
            patterns.any.iter().for_each(|index| cover(*index));
            for (set, of) in &patterns.urls {
                for url in urls.get_or_insert_with(|| self.written.urls(diagnostic)) {
                    set.matches(url).into_iter().for_each(|at| cover(of[at]));
                }
            }
        }
        is_covered
    }
}

impl ListedPatterns {
    fn new(entries: &[Exception], of: Vec<usize>) -> ListedPatterns {
        let (urls, any): (Vec<usize>, Vec<usize>) = of.into_iter().partition(|&at| entries[at].url.is_some());
        let mut patterns = ListedPatterns { any, urls: Vec::new() };
        urls.chunks(TOGETHER).for_each(|together| patterns.add(entries, together));
        patterns
    }

    /// Adds some together, or fewer where they are too large for that. Each alone was built before.
    fn add(&mut self, entries: &[Exception], some: &[usize]) {
        let written = some.iter().filter_map(|&at| Some(entries[at].url.as_ref()?.as_str()));
        match RegexSetBuilder::new(written).build() {
            Ok(set) => self.urls.push((set, some.to_vec())),
            Err(_) if some.len() > 1 => {
                let (first, second) = some.split_at(some.len() / 2);
                self.add(entries, first);
                self.add(entries, second);
            }
            Err(_) => {}
        }
    }
}

/// Reads back the references that findings are about, one file at a time.
struct WrittenReferences<'s> {
    site: &'s Site<'s>,
    open: Option<(FileId, Source, Base)>,
}

impl WrittenReferences<'_> {
    /// A reference as it is written, as the URL it means, and as that URL's path where it is this site's.
    fn urls(&mut self, diagnostic: &Diagnostic) -> Vec<String> {
        let Place::File(file) = diagnostic.location.place else { return Vec::new() };
        if !diagnostic.is_reference {
            return Vec::new();
        }
        let (_, source, base) = match self.open.take() {
            Some(open) if open.0 == file => self.open.insert(open),
            _ => self.open.insert(read(self.site, file)),
        };
        let span = diagnostic.location.span.start as usize..diagnostic.location.span.end as usize;
        let written = String::from_utf8_lossy(source.get(span).unwrap_or_default());
        let text = decode_references(&written).trim().to_owned();
        // Where the bytes do not say so by themselves, a rule names the path.
        let mut urls = match &diagnostic.cause {
            Cause::Thing(path) if path.starts_with('/') => vec![path.to_string()],
            _ => Vec::new(),
        };
        // JSON may be written with `\/` for `/`, as PHP does.
        let plain = text.contains("\\/").then(|| text.replace("\\/", "/"));
        for text in [Some(text), plain].into_iter().flatten() {
            if let Some(url) = base.join(&text) {
                if self.site.resolver.is_own(&url) {
                    urls.push(url[url::Position::BeforePath..].to_owned());
                }
                urls.push(url.into());
            }
            urls.push(text);
        }
        urls
    }
}

/// A file's content once more, and what is relative to it.
fn read(site: &Site<'_>, file: FileId) -> (FileId, Source, Base) {
    // A file that vanished since it was checked has no references to show.
    let source = site.source(file).unwrap_or_default();
    let is_page = site.format(file) == Format::Html;
    let href = is_page.then(|| parse::base_href(&source)).flatten();
    let base = site.resolver.base(file, href.as_deref());
    (file, source, base)
}
