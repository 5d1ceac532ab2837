//! Adds source locations to findings: file, line and column in the authored sources.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::string_pool::{self, SNIPPETS, StringPool};
use crate::report::finding::{Finding, SourcePlace, WrittenSource};
use crate::source_map::{SourceLocation, SourceMap, SourceMatch};

/// Names the locations of a source map.
pub(super) struct SourceLocationNames<'s> {
    map: &'s SourceMap,
    strings: &'s mut StringPool,
    /// For each source, its path from the working directory, and from the repository's root if that is different.
    paths: HashMap<u32, (Arc<str>, Option<Arc<str>>)>,
}

impl<'s> SourceLocationNames<'s> {
    pub fn new(map: &'s SourceMap, strings: &'s mut StringPool) -> Self {
        SourceLocationNames { map, strings, paths: HashMap::new() }
    }

    /// Adds their source locations to findings.
    pub fn add(mut self, findings: &mut [Finding]) {
        // The first finding of each cause in a file has a snippet of its source.
        let mut shown: Vec<(SourceLocation, usize)> = Vec::new();
        let mut known = HashSet::new();
        for (at, finding) in findings.iter_mut().enumerate() {
            let Some(SourceMatch { locations, is_certain, .. }) = self.map.get(at) else { continue };
            let Some(first) = locations.first() else { continue };
            let cause = (&*finding.rule, finding.severity.as_str(), &*finding.cause, &*finding.file);
            if *is_certain && shown.len() < SNIPPETS && known.insert(string_pool::hash(cause)) {
                shown.push((*first, at));
            }
            let place = self.source_place(*first);
            finding.source = Some(Box::new(WrittenSource { place, certain: *is_certain, snippet: None }));
            if !is_certain {
                finding.candidates = locations.iter().map(|location| self.source_place(*location)).collect();
            }
        }
        // In the order of sources, so that each is read once.
        shown.sort_unstable();
        let mut excerpts = self.map.excerpts();
        for (location, at) in shown {
            let snippet = excerpts.snippet(location).map(|snippet| self.strings.snippet(snippet));
            if let Some(source) = &mut findings[at].source {
                source.snippet = snippet;
            }
        }
    }

    fn source_place(&mut self, location: SourceLocation) -> SourcePlace {
        let (map, strings) = (self.map, &mut *self.strings);
        let (file, path) = self.paths.entry(location.source).or_insert_with(|| {
            let (name, path) = (map.name(location), map.path(location));
            (strings.share(&name), (path != name).then(|| strings.share(&path)))
        });
        SourcePlace {
            file: Arc::clone(file),
            line: location.line,
            column: location.column,
            length: location.length,
            path: path.clone(),
            link: map.link(location).map(|link| strings.share(&link)),
        }
    }
}
