//! Strings that many findings share, each once in memory.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hash};
use std::sync::{Arc, LazyLock};

use foldhash::fast::RandomState;
use percent_encoding::percent_encode;

use crate::contract::Contract;
use crate::raw_finding::DocumentId;
use crate::report::excerpt::Snippet;
use crate::report::finding::Document;
use crate::report::finding_reader::FindingReader;
use crate::report::fingerprint::URI_PATH;
use crate::report::result::CheckResult;

/// Findings that keep their snippet beside the first of each cause, and causes whose first finding keeps it.
pub(super) const SNIPPETS: usize = 50_000;

/// Hashes what distinguishes a cause.
pub(super) fn hash(parts: impl Hash) -> u64 {
    static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);
    STATE.hash_one(parts)
}

/// Strings and snippets that are in memory once.
#[derive(Default)]
pub(super) struct StringPool {
    texts: HashSet<Arc<str>, RandomState>,
    snippets: HashSet<Arc<Snippet>, RandomState>,
}

impl StringPool {
    /// The shared string with this text.
    pub fn share(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return Arc::clone(known);
        }
        let shared: Arc<str> = text.into();
        self.texts.insert(Arc::clone(&shared));
        shared
    }

    /// The shared snippet that is the same.
    pub fn snippet(&mut self, snippet: Snippet) -> Arc<Snippet> {
        if let Some(known) = self.snippets.get(&snippet) {
            return Arc::clone(known);
        }
        let shared = Arc::new(snippet);
        self.snippets.insert(Arc::clone(&shared));
        shared
    }
}

/// Names the documents of findings, which come document by document.
pub(super) struct DocumentNames<'r> {
    result: &'r CheckResult,
    sources: FindingReader<'r>,
    last: Option<(DocumentId, Arc<str>, Option<Arc<Document>>)>,
}

impl<'r> DocumentNames<'r> {
    pub fn new(result: &'r CheckResult, contract: &'r Contract) -> Self {
        DocumentNames { result, sources: FindingReader::new(result, contract), last: None }
    }

    /// The name of a document, and what is unusual about it.
    pub fn of(&mut self, place: &DocumentId, strings: &mut StringPool) -> (Arc<str>, Option<Arc<Document>>) {
        if let Some((last, file, document)) = &self.last
            && last == place
        {
            return (Arc::clone(file), document.clone());
        }
        let mut document = Document::default();
        match place {
            DocumentId::File(file) => {
                let path = self.result.tree.path(*file);
                let is_text = std::str::from_utf8(path).is_ok();
                document.uri = (!is_text).then(|| percent_encode(path, URI_PATH).to_string());
            }
            DocumentId::Contract | DocumentId::Base(_) => document.path = Some(self.sources.path(place)),
            DocumentId::Path(_) => {}
        }
        let document = (document != Document::default()).then(|| Arc::new(document));
        let file = strings.share(&self.sources.name(place));
        self.last = Some((place.clone(), Arc::clone(&file), document.clone()));
        (file, document)
    }
}
