//! The `[[ignore]]` list of the contract: which of its entries cover a finding.

use std::collections::HashMap;

use globset::GlobSet;
use regex::{RegexSet, RegexSetBuilder};

use crate::contract::{ContractIgnore, page_path};
use crate::index::site::Site;
use crate::parse::{self, Format, Source, decode_references};
use crate::raw_finding::{Cause, DocumentId, RawFinding};
use crate::resolve::Base;
use crate::walk::FileId;

/// The paths that a file of the export is known by: its own, and its page's.
pub(super) fn paths_of(site: &Site<'_>, place: &DocumentId) -> Option<[String; 2]> {
    let file = match place {
        DocumentId::File(file) => site.tree.display(*file).into_owned(),
        DocumentId::Path(path) => path.to_string(),
        DocumentId::Contract | DocumentId::Base(_) => return None,
    };
    let page = page_path(&file);
    Some([format!("/{file}"), page])
}

pub(super) fn is_among(paths: &GlobSet, of: Option<&[String; 2]>) -> bool {
    of.is_some_and(|of| of.iter().any(|path| paths.is_match(path)))
}

/// Patterns that are looked for together, at the most: what many of them remember takes memory.
const TOGETHER: usize = 256;

/// The list, ready to be asked for each finding.
pub(super) struct ContractIgnores<'s> {
    /// For each entry, whether it covers any finding.
    pub used: Vec<bool>,
    entries: &'s [ContractIgnore],
    /// The entries about one rule, and those about all.
    by_rule: HashMap<Option<&'s str>, IgnorePatterns>,
    /// The file at hand, and which entries its paths rule out.
    here: Option<(DocumentId, Vec<bool>)>,
    written: WrittenReferences<'s>,
}

/// The entries about one rule.
#[derive(Default)]
struct IgnorePatterns {
    /// Those that say nothing of a URL.
    any: Vec<usize>,
    /// The others, with their patterns.
    urls: Vec<(RegexSet, Vec<usize>)>,
}

impl<'s> ContractIgnores<'s> {
    pub fn new(site: &'s Site<'s>) -> Self {
        let entries = site.contract.ignores.as_slice();
        let mut of: HashMap<Option<&str>, Vec<usize>> = HashMap::new();
        for (index, entry) in entries.iter().enumerate() {
            of.entry(entry.rule.as_ref().map(|rule| rule.value.as_str())).or_default().push(index);
        }
        let by_rule = of.into_iter().map(|(rule, of)| (rule, IgnorePatterns::new(entries, of))).collect();
        let written = WrittenReferences { site, open: None };
        ContractIgnores { used: vec![false; entries.len()], entries, by_rule, here: None, written }
    }

    /// The first entry that excuses a finding, if any does.
    pub fn cover(&mut self, finding: &RawFinding) -> Option<usize> {
        let place = &finding.location.document;
        if !self.entries.is_empty() && self.here.as_ref().is_none_or(|(here, _)| here != place) {
            let paths = paths_of(self.written.site, place);
            let is_out =
                |entry: &ContractIgnore| entry.paths.as_ref().is_some_and(|of| !is_among(of, paths.as_ref()));
            self.here = Some((place.clone(), self.entries.iter().map(is_out).collect()));
        }
        let (_, is_out) = self.here.as_ref()?;
        let mut urls: Option<Vec<String>> = None;
        let mut first: Option<usize> = None;
        for rule in [None, Some(finding.rule.id)] {
            let Some(patterns) = self.by_rule.get(&rule) else { continue };
            let mut cover = |index: usize| {
                if !is_out[index] {
                    self.used[index] = true;
                    first = Some(first.map_or(index, |first| first.min(index)));
                }
            };
            patterns.any.iter().for_each(|index| cover(*index));
            for (set, of) in &patterns.urls {
                for url in urls.get_or_insert_with(|| self.written.urls(finding)) {
                    set.matches(url).into_iter().for_each(|at| cover(of[at]));
                }
            }
        }
        first
    }
}

impl IgnorePatterns {
    fn new(entries: &[ContractIgnore], of: Vec<usize>) -> IgnorePatterns {
        let (urls, any): (Vec<usize>, Vec<usize>) = of.into_iter().partition(|&at| entries[at].url.is_some());
        let mut patterns = IgnorePatterns { any, urls: Vec::new() };
        urls.chunks(TOGETHER).for_each(|together| patterns.add(entries, together));
        patterns
    }

    /// Adds some together, or fewer where they are too large for that. Each alone was built before.
    fn add(&mut self, entries: &[ContractIgnore], some: &[usize]) {
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
    fn urls(&mut self, finding: &RawFinding) -> Vec<String> {
        let DocumentId::File(file) = finding.location.document else { return Vec::new() };
        if !finding.is_reference {
            return Vec::new();
        }
        let (_, source, base) = match self.open.take() {
            Some(open) if open.0 == file => self.open.insert(open),
            _ => self.open.insert(read(self.site, file)),
        };
        let span = finding.location.span.start as usize..finding.location.span.end as usize;
        let written = String::from_utf8_lossy(source.get(span).unwrap_or_default());
        let text = decode_references(&written).trim().to_owned();
        // Where the bytes do not say so by themselves, a rule names the path.
        let mut urls = match &finding.cause {
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
