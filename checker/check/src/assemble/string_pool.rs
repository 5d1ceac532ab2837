//! Shares equal strings and snippets of findings in memory, among them the names of documents and source locations.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};
use std::sync::{Arc, LazyLock};

use foldhash::fast::RandomState;
use percent_encoding::percent_encode;

use crate::contract::Contract;
use crate::raw_finding::DocumentId;
use crate::report::document_names::DocumentNames;
use crate::report::excerpt::Snippet;
use crate::report::finding::{Document, Finding, SourcePlace, WrittenSource};
use crate::report::fingerprint::URI_PATH;
use crate::report::result::CheckResult;
use crate::source_map::{SourceLocation, SourceMap, SourceMatch};

/// Maximum number of causes whose first finding keeps its snippet, and of further findings that keep theirs.
pub(super) const SNIPPETS: usize = 50_000;

/// Hashes the parts that identify a cause.
pub(super) fn hash(parts: impl Hash) -> u64 {
    static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);
    STATE.hash_one(parts)
}

/// A pool of strings and snippets, each once in memory.
#[derive(Default)]
pub(super) struct StringPool {
    texts: HashSet<Arc<str>, RandomState>,
    snippets: HashSet<Arc<Snippet>, RandomState>,
}

impl StringPool {
    /// Returns the shared string that is equal to `text`.
    pub fn share(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return Arc::clone(known);
        }
        let shared: Arc<str> = text.into();
        self.texts.insert(Arc::clone(&shared));
        shared
    }

    /// Returns the shared snippet that is equal to `snippet`.
    pub fn snippet(&mut self, snippet: Snippet) -> Arc<Snippet> {
        if let Some(known) = self.snippets.get(&snippet) {
            return Arc::clone(known);
        }
        let shared = Arc::new(snippet);
        self.snippets.insert(Arc::clone(&shared));
        shared
    }
}

/// Names the documents of findings, which are sorted by document.
pub(super) struct SharedNames<'r> {
    result: &'r CheckResult,
    names: DocumentNames<'r>,
    last: Option<(DocumentId, Arc<str>, Option<Arc<Document>>)>,
}

impl<'r> SharedNames<'r> {
    pub fn new(result: &'r CheckResult, contract: &'r Contract) -> Self {
        SharedNames { result, names: DocumentNames::new(result, contract), last: None }
    }

    /// Returns the name of a document, and its [`Document`] if that has any field.
    pub fn get(&mut self, id: &DocumentId, strings: &mut StringPool) -> (Arc<str>, Option<Arc<Document>>) {
        if let Some((last, file, document)) = &self.last
            && last == id
        {
            return (Arc::clone(file), document.clone());
        }
        let mut document = Document::default();
        match id {
            DocumentId::File(file) => {
                let path = self.result.tree.path(*file);
                let is_text = std::str::from_utf8(path).is_ok();
                document.uri = (!is_text).then(|| percent_encode(path, URI_PATH).to_string());
            }
            DocumentId::Contract | DocumentId::Base(_) | DocumentId::Baseline | DocumentId::HostConfig => {
                document.path = Some(self.names.path(id));
            }
            DocumentId::Path(_) => {}
        }
        let document = (document != Document::default()).then(|| Arc::new(document));
        let file = strings.share(&self.names.name(id));
        self.last = Some((id.clone(), Arc::clone(&file), document.clone()));
        (file, document)
    }
}

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
            if *is_certain && shown.len() < SNIPPETS && known.insert(hash(cause)) {
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
