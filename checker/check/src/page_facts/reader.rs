//! Reads the facts of pages from their files.

use std::fs::File;
use std::io;

use encoding_rs::{UTF_8, WINDOWS_1252};
use sha2::{Digest, Sha256};
use sitegate_base::chunks::read_whole;
use sitegate_html::syntax::PageSyntax;
use sitegate_review::{ContentHash, PageFacts, Texts};

use super::assets::PageLoads;
use super::files::address;
use super::noise::VolatileNames;
use super::pass::{PageContext, PageState, TextReader};
use crate::csp::Policy;
use crate::index::policies::HeaderPolicies;
use crate::index::site::Site;
use crate::parse::{DecodedFile, Format, Source, file_encoding, syntax_of};
use crate::walk::FileId;
use sitegate_address::percent::escape_path;

/// Size in bytes from which a page's buffer is freed at once.
const LARGE: usize = 1 << 20;

/// One build, before its pages are read.
pub(super) struct SiteBuild<'s> {
    pub site: Site<'s>,
    pub headers: HeaderPolicies,
    /// The names of its files that have content hashes.
    pub names: VolatileNames,
}

/// The facts of a page and the files that it loads.
pub(super) type ReadPage = Result<(PageFacts, PageLoads), UnreadablePage>;

/// The text of a page, and the hash of its bytes if they are not UTF-8.
type PageText = (String, Option<ContentHash>);

/// A page that could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {source}")]
pub(super) struct UnreadablePage {
    path: String,
    source: io::Error,
}

/// Reads pages, and reuses its buffers.
pub(super) struct PageReader<'t> {
    texts: &'t Texts,
    reader: TextReader,
    /// The contents of the last pages.
    contents: [Vec<u8>; 2],
}

impl<'t> PageReader<'t> {
    pub fn new(texts: &'t Texts) -> Self {
        PageReader { texts, reader: TextReader::default(), contents: Default::default() }
    }

    /// Reads a page.
    pub fn read(&mut self, build: &SiteBuild<'_>, file: FileId) -> ReadPage {
        let (text, raw) = self.text(0, build, file)?;
        let policies = build.policies(file);
        let state = self.reader.read(&text, build.context(file, &policies), self.texts);
        self.reuse(0, text);
        Ok(self.facts(build, file, state, raw))
    }

    /// Reads a page of two builds. What is equal is read once.
    pub fn read_both(&mut self, builds: &[SiteBuild<'_>; 2], files: [FileId; 2]) -> [ReadPage; 2] {
        let [old, new] = builds;
        let policies = old.policies(files[0]);
        let has_one_base = old.site.settings.base_path == new.site.settings.base_path;
        let has_one_need = old.site.resolver.has_address_forms() == new.site.resolver.has_address_forms();
        if policies != new.policies(files[1]) || !has_one_base || !has_one_need {
            return [self.read(old, files[0]), self.read(new, files[1])];
        }
        let read = (self.text(0, old, files[0]), self.text(1, new, files[1]));
        let (Ok((old_text, old_raw)), Ok((new_text, new_raw))) = read else {
            return [self.read(old, files[0]), self.read(new, files[1])];
        };
        let contexts = [old.context(files[0], &policies), new.context(files[1], &policies)];
        let states = self.reader.read_both([&old_text, &new_text], contexts, self.texts);
        self.reuse(0, old_text);
        self.reuse(1, new_text);
        let [old_state, new_state] = states;
        [Ok(self.facts(old, files[0], old_state, old_raw)), Ok(self.facts(new, files[1], new_state, new_raw))]
    }

    /// Reads the text of a page into a buffer. If its bytes are not UTF-8, also returns their hash.
    fn text(
        &mut self,
        buffer: usize,
        build: &SiteBuild<'_>,
        file: FileId,
    ) -> Result<PageText, UnreadablePage> {
        let content = std::mem::take(&mut self.contents[buffer]);
        let tree = build.site.tree;
        let read = File::open(tree.disk_path(file)).and_then(|mut opened| {
            let length = opened.metadata()?.len();
            read_whole(&mut opened, length, content)
        });
        read.map(|bytes| decoded(tree.path(file), bytes))
            .map_err(|source| UnreadablePage { path: tree.display(file).into_owned(), source })
    }

    /// Keeps the buffer of a text.
    fn reuse(&mut self, buffer: usize, text: String) {
        if text.len() <= LARGE {
            self.contents[buffer] = text.into_bytes();
        }
    }

    fn facts(
        &mut self,
        build: &SiteBuild<'_>,
        file: FileId,
        state: PageState,
        raw: Option<ContentHash>,
    ) -> (PageFacts, PageLoads) {
        let PageState {
            blocks,
            markup,
            head,
            scripts,
            urls,
            links,
            base,
            places,
            attributes,
            anchors,
            outline,
            times,
            ..
        } = state;
        let mut loads = PageLoads::default();
        loads.add(&build.site, file, base.as_deref(), &urls, self.texts);
        loads.add_links(&build.site, file, base.as_deref(), &links);
        let address = address(&build.site, file);
        let redirect = head.refresh.as_deref().map(|to| build.destination(file, base.as_deref(), to));
        let facts = PageFacts {
            // A page that reloads itself stays a page.
            redirect: redirect.filter(|to| *to != address),
            address,
            linked_as: Vec::new(),
            crawlers: !head.hidden_from,
            head: head.values,
            blocks,
            markup,
            hosts: std::mem::take(&mut loads.hosts),
            scripts,
            assets: Vec::new(),
            budget: None,
            template: places.template(&mut self.reader.labels),
            attributes,
            anchors,
            outline: outline.texts,
            times,
            content: raw.unwrap_or(state.content),
            noise: state.noise.digests,
        };
        (facts, loads)
    }
}

impl SiteBuild<'_> {
    fn context<'b>(&'b self, file: FileId, policies: &'b [Policy]) -> PageContext<'b> {
        PageContext {
            policies,
            syntax: syntax_of(self.site.tree.path(file)),
            base_path: &self.site.settings.base_path,
            names: &self.names,
            needs_links: self.site.resolver.has_address_forms(),
        }
    }

    /// Returns the policies of a page's response.
    fn policies(&self, file: FileId) -> Vec<Policy> {
        if self.headers.is_empty() {
            return Vec::new();
        }
        let values = self.headers.of_file(&self.site, file);
        values.iter().flat_map(|(place, value)| place.parse(value)).collect()
    }

    /// Returns the address that a refresh goes to, or its URL on another site.
    fn destination(&self, file: FileId, base: Option<&str>, to: &str) -> Box<str> {
        let base = self.site.resolver.base(file, base);
        let path = self.site.resolver.local_path(&base, to);
        let address = |local: Vec<u8>| escape_path(&format!("/{}", String::from_utf8_lossy(&local))).into();
        path.map_or_else(|| to.into(), address)
    }
}

/// Returns the text of a page in its declared encoding. Without one, browsers use windows-1252 for HTML.
fn decoded(path: &[u8], bytes: Vec<u8>) -> PageText {
    let hash = |content: &[u8]| Some(ContentHash::new(&Sha256::digest(content)));
    let syntax = syntax_of(path);
    let encoding = file_encoding(Format::Html, syntax, &bytes);
    // The text has other bytes.
    let raw = if encoding.is_some_and(|encoding| encoding != UTF_8) { hash(&bytes) } else { None };
    match DecodedFile::new(encoding, bytes).source {
        Source::Text(text) => (text, raw),
        Source::Bytes(bytes) => {
            let is_html = encoding.is_none() && syntax == PageSyntax::Html;
            let text = if is_html { WINDOWS_1252.decode(&bytes).0 } else { String::from_utf8_lossy(&bytes) };
            (text.into_owned(), hash(&bytes))
        }
    }
}
