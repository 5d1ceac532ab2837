//! Shares equal strings and snippets of findings in memory.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hash};
use std::sync::{Arc, LazyLock};

use foldhash::fast::RandomState;
use percent_encoding::percent_encode;

use crate::contract::Contract;
use crate::raw_finding::DocumentId;
use crate::report::document_names::DocumentNames;
use crate::report::excerpt::Snippet;
use crate::report::finding::Document;
use crate::report::fingerprint::URI_PATH;
use crate::report::result::CheckResult;

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
            DocumentId::Contract | DocumentId::Base(_) | DocumentId::Baseline => {
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
