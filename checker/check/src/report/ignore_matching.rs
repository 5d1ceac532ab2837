//! Matches findings against the ignores in pages and against the `[[ignore]]` entries of a contract, and finds unused ones.

use std::collections::HashMap;
use std::ops::Range;

use regex::{RegexSet, RegexSetBuilder};
use sitegate_address::{INDEX, PathPatterns};

use crate::contract::ContractIgnore;
use crate::index::site::Site;
use crate::parse::decode_references;
use crate::raw_finding::{Cause, DocumentId, RawFinding, RuleInfo};
use crate::report::locator::DocumentOpener;
use crate::walk::FileId;

/// Whether a document of the export matches patterns, as a file or as a page.
pub(super) fn is_in(patterns: &PathPatterns, document: &DocumentId, site: &Site<'_>) -> bool {
    match document {
        DocumentId::File(file) => site.matches(patterns, *file),
        DocumentId::Path(path) if &**path == "." => patterns.has_file(INDEX.as_bytes(), site.added_html()),
        DocumentId::Path(path) => patterns.has_file(path.as_bytes(), site.added_html()),
        DocumentId::Contract | DocumentId::Base(_) | DocumentId::Baseline | DocumentId::HostConfig => false,
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

/// An ignore in a page, for one rule.
pub(super) struct PageIgnore {
    pub file: FileId,
    /// The rule; `None` for all rules that pages may ignore.
    pub rule: Option<&'static RuleInfo>,
    /// The range in bytes to which it applies; `None` for the whole file.
    pub scope: Option<Range<u32>>,
    /// The location of the rule's id.
    pub rule_span: Range<u32>,
    /// The reason given.
    pub reason: Box<str>,
}

/// The ignores of all pages, indexed by file and rule.
#[derive(Default)]
pub(super) struct PageIgnores {
    all: Vec<PageIgnore>,
    /// The ignores of all rules have the key `None`.
    groups: HashMap<(FileId, Option<&'static str>), IgnoreGroup>,
}

/// The ignores of one file for one rule, by index.
#[derive(Default)]
struct IgnoreGroup {
    /// Ignores for the whole file.
    whole: Vec<usize>,
    /// Start, end and index of the other ignores, sorted.
    scopes: Vec<(u32, u32, usize)>,
    /// For each scope, the maximum end of all scopes up to it, with the index of that ignore.
    furthest: Vec<(u32, usize)>,
    /// The spans of the findings so far, without empty ones.
    findings: Vec<(u32, u32)>,
    /// Whether there was any finding, also with an empty span.
    has_findings: bool,
}

impl PageIgnores {
    pub fn new(all: Vec<PageIgnore>) -> PageIgnores {
        let mut groups: HashMap<(FileId, Option<&'static str>), IgnoreGroup> = HashMap::new();
        for (index, ignore) in all.iter().enumerate() {
            let group = groups.entry((ignore.file, ignore.rule.map(|rule| rule.id))).or_default();
            match &ignore.scope {
                None => group.whole.push(index),
                Some(scope) => group.scopes.push((scope.start, scope.end.max(scope.start), index)),
            }
        }
        for group in groups.values_mut() {
            group.scopes.sort_unstable();
            let mut furthest = (0, 0);
            group.furthest.extend(group.scopes.iter().map(|(_, end, index)| {
                furthest = furthest.max((*end, *index));
                furthest
            }));
        }
        PageIgnores { all, groups }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns an ignore that applies to a finding. `is_ignorable` returns whether an ignore of all rules covers its rule.
    pub fn find(
        &mut self,
        finding: &RawFinding,
        is_ignorable: impl Fn(&RuleInfo) -> bool,
    ) -> Option<&PageIgnore> {
        let DocumentId::File(file) = finding.location.document else { return None };
        let own = self.find_in((file, Some(finding.rule.id)), finding);
        let index = own.or_else(|| {
            let for_all = self.find_in((file, None), finding);
            for_all.filter(|_| is_ignorable(finding.rule))
        });
        index.map(|index| &self.all[index])
    }

    /// Returns the index of an ignore in a group that applies to a finding.
    fn find_in(&mut self, group: (FileId, Option<&'static str>), finding: &RawFinding) -> Option<usize> {
        let group = self.groups.get_mut(&group)?;
        let whole = group.whole.first().copied();
        let Range { start, end } = finding.location.span;
        group.has_findings = true;
        if start == end {
            return whole;
        }
        group.findings.push((start, end));
        let before = group.scopes.partition_point(|(from, ..)| *from <= start);
        let furthest = before.checked_sub(1).map(|at| group.furthest[at]);
        let covers = furthest.filter(|(to, _)| *to >= end).map(|(_, index)| index);
        covers.or(whole)
    }

    /// Returns the ignores that applied to no finding, in the order of their locations.
    pub fn unused(mut self) -> Vec<PageIgnore> {
        let mut is_used = vec![false; self.all.len()];
        for group in self.groups.values_mut() {
            group.whole.iter().for_each(|&index| is_used[index] = group.has_findings);
            group.findings.sort_unstable();
            // From the last scope to the first: the smallest end of all findings that begin at or after its start.
            let mut first_end = u32::MAX;
            for &(from, to, index) in group.scopes.iter().rev() {
                while let Some((_, end)) = group.findings.pop_if(|(start, _)| *start >= from) {
                    first_end = first_end.min(end);
                }
                is_used[index] = first_end <= to;
            }
        }
        let mut unused: Vec<PageIgnore> = self
            .all
            .into_iter()
            .zip(is_used)
            .filter(|(_, is_used)| !is_used)
            .map(|(ignore, _)| ignore)
            .collect();
        unused.sort_by_key(|ignore| (ignore.file, ignore.scope.as_ref().map_or(0, |scope| scope.start)));
        unused
    }
}

#[cfg(test)]
mod tests {
    use super::{PageIgnore, PageIgnores};
    use crate::raw_finding::{Location, RawFinding};
    use crate::rules::unused_ignore::INFO;

    proptest::proptest! {
        #[test]
        fn finds_ignores_by_scope(
            scopes in proptest::collection::vec(proptest::option::of((0u32..9, 0u32..9)), 0..8),
            spans in proptest::collection::vec((0u32..9, 0u32..4), 0..8),
        ) {
            let covers = |scope: &Option<(u32, u32)>, (start, length): (u32, u32)| {
                scope.is_none_or(|(from, to)| length > 0 && from <= start && start + length <= to.max(from))
            };
            let ignore = |scope: &Option<(u32, u32)>| {
                let scope = scope.map(|(from, to)| from..to);
                PageIgnore { file: 0, rule: Some(&INFO), scope, rule_span: 0..0, reason: "x".into() }
            };
            let mut ignores = PageIgnores::new(scopes.iter().map(ignore).collect());
            for &(start, length) in &spans {
                let found = RawFinding::new(&INFO, Location::in_file(0, start..start + length), "");
                let expected = scopes.iter().any(|scope| covers(scope, (start, length)));
                proptest::prop_assert_eq!(ignores.find(&found, |_| true).is_some(), expected);
            }
            let unused = scopes.iter().filter(|scope| !spans.iter().any(|span| covers(scope, *span))).count();
            proptest::prop_assert_eq!(ignores.unused().len(), unused);
        }
    }
}
