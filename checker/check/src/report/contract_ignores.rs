//! Matches findings against the `[[ignore]]` entries of the contract.

use std::collections::HashMap;

use regex::{RegexSet, RegexSetBuilder};
use sitegate_address::{INDEX, PathPatterns};

use crate::contract::ContractIgnore;
use crate::index::site::Site;
use crate::parse::decode_references;
use crate::raw_finding::{Cause, DocumentId, RawFinding};
use crate::report::locator::DocumentOpener;

/// Whether a document of the export matches patterns, as a file or as a page.
pub(super) fn is_in(patterns: &PathPatterns, document: &DocumentId, site: &Site<'_>) -> bool {
    match document {
        DocumentId::File(file) => site.matches(patterns, *file),
        DocumentId::Path(path) if &**path == "." => patterns.has_file(INDEX.as_bytes(), site.added_html()),
        DocumentId::Path(path) => patterns.has_file(path.as_bytes(), site.added_html()),
        DocumentId::Contract | DocumentId::Base(_) | DocumentId::Baseline => false,
    }
}

/// Maximum number of patterns in one `RegexSet`. Larger sets need too much memory.
const MAX_SET: usize = 256;

/// The `[[ignore]]` entries of a contract, indexed by rule.
pub(super) struct ContractIgnores<'s> {
    /// For each entry, whether it matched a finding.
    pub used: Vec<bool>,
    entries: &'s [ContractIgnore],
    /// The entries for each rule; those for all rules have the key `None`.
    by_rule: HashMap<Option<&'s str>, IgnorePatterns>,
    /// The current document, and for each entry, whether its `paths` exclude the document.
    current: Option<(DocumentId, Vec<bool>)>,
    site: &'s Site<'s>,
    documents: DocumentOpener<'s>,
}

/// The entries for one rule, by index.
#[derive(Default)]
struct IgnorePatterns {
    /// Entries without a URL pattern.
    any: Vec<usize>,
    /// Entries with a URL pattern.
    urls: Vec<(RegexSet, Vec<usize>)>,
}

impl<'s> ContractIgnores<'s> {
    pub fn new(site: &'s Site<'s>) -> Self {
        let entries = site.contract.ignores.as_slice();
        let mut indices: HashMap<Option<&str>, Vec<usize>> = HashMap::new();
        for (index, entry) in entries.iter().enumerate() {
            indices.entry(entry.rule.as_ref().map(|rule| rule.value.as_str())).or_default().push(index);
        }
        let by_rule = indices
            .into_iter()
            .map(|(rule, indices)| (rule, IgnorePatterns::new(entries, indices)))
            .collect();
        let documents = DocumentOpener::new(site.tree, site.contract);
        ContractIgnores { used: vec![false; entries.len()], entries, by_rule, current: None, site, documents }
    }

    /// Returns the first entry that matches a finding, and marks all that do as used.
    pub fn find(&mut self, finding: &RawFinding) -> Option<usize> {
        let document = &finding.location.document;
        if !self.entries.is_empty() && self.current.as_ref().is_none_or(|(current, _)| current != document) {
            let is_excluded = |entry: &ContractIgnore| {
                entry.paths.as_ref().is_some_and(|patterns| !is_in(patterns, document, self.site))
            };
            self.current = Some((document.clone(), self.entries.iter().map(is_excluded).collect()));
        }
        let (_, is_excluded) = self.current.as_ref()?;
        let mut urls: Option<Vec<String>> = None;
        let mut first: Option<usize> = None;
        for rule in [None, Some(finding.rule.id)] {
            let Some(patterns) = self.by_rule.get(&rule) else { continue };
            let mut add_match = |index: usize| {
                if !is_excluded[index] {
                    self.used[index] = true;
                    first = Some(first.map_or(index, |first| first.min(index)));
                }
            };
            patterns.any.iter().for_each(|index| add_match(*index));
            for (set, indices) in &patterns.urls {
                for url in urls.get_or_insert_with(|| written_urls(self.site, &mut self.documents, finding)) {
                    set.matches(url).into_iter().for_each(|at| add_match(indices[at]));
                }
            }
        }
        first
    }
}

impl IgnorePatterns {
    fn new(entries: &[ContractIgnore], indices: Vec<usize>) -> IgnorePatterns {
        let (urls, any): (Vec<usize>, Vec<usize>) =
            indices.into_iter().partition(|&index| entries[index].url.is_some());
        let mut patterns = IgnorePatterns { any, urls: Vec::new() };
        for chunk in urls.chunks(MAX_SET) {
            patterns.add(entries, chunk);
        }
        patterns
    }

    /// Adds URL patterns as one set, or as several if one exceeds the size limit. Single patterns are known to be
    /// valid.
    fn add(&mut self, entries: &[ContractIgnore], indices: &[usize]) {
        let patterns = indices.iter().filter_map(|&index| Some(entries[index].url.as_ref()?.as_str()));
        match RegexSetBuilder::new(patterns).build() {
            Ok(set) => self.urls.push((set, indices.to_vec())),
            Err(_) if indices.len() > 1 => {
                let (first, second) = indices.split_at(indices.len() / 2);
                self.add(entries, first);
                self.add(entries, second);
            }
            Err(_) => {}
        }
    }
}

/// Returns the reference of a finding as written, as an absolute URL, and as a path if the URL is internal.
fn written_urls(site: &Site<'_>, documents: &mut DocumentOpener<'_>, finding: &RawFinding) -> Vec<String> {
    if !finding.is_reference {
        return Vec::new();
    }
    let document = documents.open(&finding.location.document);
    let written = document.reference(finding).unwrap_or_default().into_owned();
    let Some(base) = document.base(&site.resolver) else { return Vec::new() };
    let text = decode_references(&written).trim().to_owned();
    // If the text is not a reference by itself, the rule names the path.
    let mut urls = match &finding.cause {
        Cause::Thing(path) if path.starts_with('/') => vec![path.to_string()],
        _ => Vec::new(),
    };
    // JSON may escape `/` as `\/`, as PHP does.
    let unescaped = text.contains("\\/").then(|| text.replace("\\/", "/"));
    for spelling in [Some(text), unescaped].into_iter().flatten() {
        if let Some(url) = base.join(&spelling) {
            if site.resolver.is_own(&url) {
                urls.push(url[url::Position::BeforePath..].to_owned());
            }
            urls.push(url.into());
        }
        urls.push(spelling);
    }
    urls
}
