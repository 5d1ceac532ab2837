//! What the pages define and use, joined: the site-wide facts that rules are given.

pub mod facts;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::hash::BuildHasher;
use std::io::Read;
use std::ops::Range;
use std::sync::{Mutex, OnceLock};

use foldhash::quality::FixedState;

use crate::contract::Assertion;
use crate::contract::Contract;
use crate::index::facts::{Alternate, BrokenClaim, IndexLink, PageFacts, Usage};
use crate::parse::{Format, Page, Source};
use crate::resolve::near::{Near, nearest_path};
use crate::resolve::redirects::Redirects;
use crate::resolve::{Base, Fragment, Resolver};
use crate::walk::{FileId, Tree};

/// What every rule may look at, from the first page on.
pub struct Site<'a> {
    /// The files of the export.
    pub tree: &'a Tree,
    /// The contract.
    pub contract: &'a Contract,
    /// Turns references into targets.
    pub resolver: Resolver<'a>,
    formats: Vec<Format>,
    /// What was suggested for a path, since many pages often share one mistake.
    suggested: Mutex<HashMap<Vec<u8>, Option<Near>>>,
}

impl<'a> Site<'a> {
    /// The facts that are known before any page is read.
    pub fn new(tree: &'a Tree, contract: &'a Contract, redirects: Redirects) -> Self {
        let formats = tree.ids().map(|id| Format::of(tree.path(id))).collect();
        let resolver = Resolver::new(tree, &contract.site, redirects);
        Site { tree, contract, resolver, formats, suggested: Mutex::default() }
    }

    /// A file's format.
    pub fn format(&self, file: FileId) -> Format {
        self.formats[file as usize]
    }

    /// The path in the export that one which is not there most likely means.
    pub(crate) fn nearest_path(&self, wanted: &[u8]) -> Option<Near> {
        let Ok(mut suggested) = self.suggested.lock() else { return None };
        if let Some(near) = suggested.get(wanted) {
            return near.clone();
        }
        let near = nearest_path(self.tree, wanted);
        suggested.insert(wanted.to_vec(), near.clone());
        near
    }

    /// Makes a page ready to be parsed.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn load(&self, file: FileId, page: &mut Page) -> std::io::Result<()> {
        page.clear(file);
        let mut content = page.source.take();
        self.read(file, &mut content)?;
        page.source = Source::decoded(content);
        Ok(())
    }

    /// Reads a whole file into a buffer that is kept from file to file.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn read(&self, file: FileId, buffer: &mut Vec<u8>) -> std::io::Result<()> {
        buffer.clear();
        File::open(self.tree.disk_path(file))?.read_to_end(buffer)?;
        Ok(())
    }

    /// The HTML pages, in the order of paths.
    pub fn pages(&self) -> impl Iterator<Item = FileId> + '_ {
        self.tree.ids().filter(|&id| self.format(id) == Format::Html)
    }

    /// Whether the file is the one that answers unknown paths.
    pub fn is_not_found_page(&self, file: FileId) -> bool {
        self.tree.path(file) == self.contract.site.not_found_file().as_bytes()
    }
}

/// One page as rules see it, while its source is at hand.
pub struct PageView<'p> {
    /// What its parse yielded.
    pub page: &'p Page,
    /// The site it belongs to.
    pub site: &'p Site<'p>,
    /// What its references are relative to.
    pub base: &'p Base,
    /// Its path in the contract's terms (see [`crate::contract::page_path`]); empty where there are no
    /// assertions.
    pub path: &'p str,
    /// The assertions that hold for it.
    pub selected: &'p [(usize, &'p Assertion)],
}

/// A file of any kind, while its bytes are at hand.
pub struct FileView<'f> {
    /// The site it belongs to.
    pub site: &'f Site<'f>,
    /// The file.
    pub file: FileId,
    /// Its bytes.
    pub content: &'f [u8],
}

/// A fragment that a reference asks for, as hashes (see [`Index::fragment`]).
#[derive(Clone, Debug)]
pub struct Jump {
    /// The page that refers.
    pub file: FileId,
    /// The page it leads to.
    pub target: FileId,
    /// The reference.
    pub span: Range<u32>,
    raw: u64,
    pub(crate) decoded: u64,
}

/// A fragment directive that a reference ends in: `:~:` and what to look for on the page it leads to.
#[derive(Clone, Debug)]
pub struct TextJump {
    /// The page that refers.
    pub file: FileId,
    /// The page it leads to.
    pub target: FileId,
    /// The reference.
    pub span: Range<u32>,
    /// What follows `:~:`, as it is written.
    pub directive: Box<str>,
}

/// The fragments that are kept as hashes, as text.
pub(crate) type Fragments = HashMap<u64, Box<str>, FixedState>;

/// A value that an assertion wants to be the same everywhere.
#[derive(Clone, Debug)]
pub struct SharedValue {
    /// The assertion, by its place in the contract.
    pub assertion: usize,
    /// The attribute.
    pub attribute: String,
    /// Its value; `None` where the element does not have it.
    pub value: Option<String>,
    /// The page.
    pub file: FileId,
    /// The start tag there.
    pub span: Range<u32>,
}

/// Everything that was learnt from all pages.
pub struct Index<'a> {
    /// The site.
    pub site: &'a Site<'a>,
    /// Fragments that lead nowhere, in the order of places.
    pub dangling: Vec<Jump>,
    /// For some of those, by their place in the list: the id that was most likely meant.
    pub near: BTreeMap<usize, String>,
    pub(crate) fragments: Fragments,
    /// Fragment directives, in the order of places; only where a rule needs them.
    pub texts: Vec<TextJump>,
    /// The files that each page and style sheet makes a browser load, each once; only where a rule needs them.
    pub loads: BTreeMap<FileId, Vec<FileId>>,
    /// Values to be compared across pages, in the order of places.
    pub shared: Vec<SharedValue>,
    /// What each page says of itself, in the order of paths.
    pub facts: Vec<PageFacts>,
    /// The translations that pages name, in the order of places.
    pub alternates: Vec<Alternate>,
    /// The first link to each directory that spells out `index.html`, by the file it leads to.
    pub index_links: BTreeMap<FileId, IndexLink>,
    /// The `integrity` attributes that do not hold, in the order of places.
    pub broken_claims: Vec<BrokenClaim>,
    /// How each file is referred to.
    pub usage: Usage,
}

impl Index<'_> {
    /// The fragment that a reference asks for, decoded.
    pub fn fragment(&self, jump: &Jump) -> &str {
        self.fragments.get(&jump.decoded).map_or("", |text| text)
    }

    /// What a page says of itself; none for a file that is no page.
    pub fn page(&self, file: FileId) -> Option<&PageFacts> {
        let at = self.facts.binary_search_by_key(&file, |facts| facts.file).ok()?;
        self.facts.get(at)
    }
}

/// The ids that fragments can reach, as sorted hashes for each page; a page's are set once it is parsed.
pub(crate) struct Anchors {
    by_file: Vec<OnceLock<Box<[u64]>>>,
    hasher: FixedState,
}

impl Anchors {
    pub fn new(files: usize) -> Self {
        let by_file = (0..files).map(|_| OnceLock::new()).collect();
        Anchors { by_file, hasher: FixedState::default() }
    }

    /// Hashes 64 bits wide stand for ids: of a million, two are equal with a chance of 1 to 37 million.
    fn hash(&self, id: &[u8]) -> u64 {
        self.hasher.hash_one(id)
    }

    /// Publishes what a parsed page defines. Says whether two of its ids are equal.
    pub fn define(&self, page: &Page) -> bool {
        let hash = |text: &[u8]| (!text.is_empty()).then(|| self.hash(text));
        let mut hashes: Vec<u64> = page.ids.iter().filter_map(|(id, _)| hash(page.bytes(*id))).collect();
        hashes.sort_unstable();
        let repeats = hashes.windows(2).any(|pair| pair[0] == pair[1]);
        if !page.names.is_empty() {
            hashes.extend(page.names.iter().filter_map(|name| hash(page.bytes(*name))));
            hashes.sort_unstable();
        }
        hashes.dedup();
        let _ = self.by_file[page.file as usize].set(hashes.into_boxed_slice());
        repeats
    }

    /// Makes a fragment ready to be looked up.
    pub(crate) fn jump(
        &self,
        file: FileId,
        span: Range<u32>,
        target: FileId,
        fragment: &Fragment<'_>,
    ) -> Jump {
        let decoded = self.hash(fragment.decoded.as_bytes());
        let raw = match fragment.raw == fragment.decoded {
            true => decoded,
            false => self.hash(fragment.raw.as_bytes()),
        };
        Jump { file, target, span, raw, decoded }
    }

    /// Whether the page that a fragment leads to answers it; none where that page is not parsed yet.
    pub fn answers(&self, jump: &Jump) -> Option<bool> {
        let defined = self.by_file[jump.target as usize].get()?;
        let has = |hash| defined.binary_search(&hash).is_ok();
        Some(has(jump.raw) || (jump.raw != jump.decoded && has(jump.decoded)))
    }
}

impl Jump {
    /// Keeps the text of a fragment that may have to be told.
    pub(crate) fn keep(&self, fragment: &Fragment<'_>, fragments: &mut Fragments) {
        fragments.entry(self.decoded).or_insert_with(|| fragment.decoded.as_ref().into());
    }
}
