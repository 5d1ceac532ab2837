//! Locates findings in the text of their document: line and column, the text at the location, the line around it, and
//! the thing that caused them.
//!
//! The scan locates the findings of a file while it has the file in memory ([`OpenDocument::of_scan`]), up to a limit.
//! The others, and those of the whole site, are located later ([`FindingLocator`]), one document after the other.

use std::borrow::Cow;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::document_names::document_name;
use super::excerpt::{NEAR, Position, Snippet, TextPosition};
use crate::contract::{BaselineFile, Contract};
use crate::index::view::FileView;
use crate::parse::{self, DecodedFile, Format, decompress_sitemap, syntax_of};
use crate::raw_finding::{Cause, DocumentId, Located, Location, RawFinding};
use crate::report::result::CheckResult;
use crate::resolve::{Base, Resolver, Target, fragment};
use crate::walk::Tree;
use sitegate_base::hex::hex;
use sitegate_html::syntax::PageSyntax;

/// Maximum length of the name of a thing in bytes. A `data:` URL may contain a whole image.
const MAX_LENGTH: usize = 512;

/// A document in memory.
pub(crate) struct OpenDocument<'t> {
    id: DocumentId,
    text: Cow<'t, [u8]>,
    format: Format,
    syntax: PageSyntax,
    is_transcoded: bool,
    /// The location of the last finding, from which the next is counted.
    position: TextPosition,
    /// The base URL of its references, once it is known.
    base: Option<Cow<'t, Base>>,
    /// Memory for resolving references.
    buffer: Vec<u8>,
}

impl<'t> OpenDocument<'t> {
    /// Returns the document of a scan, whose text is in memory. `is_transcoded` is whether it has other bytes than the
    /// file.
    pub fn of_scan(view: &'t FileView<'_>, text: &'t [u8], is_transcoded: bool) -> Self {
        let format = view.site.format(view.file);
        OpenDocument {
            id: DocumentId::File(view.file),
            text: Cow::Borrowed(text),
            format,
            syntax: syntax_of(view.site.tree.path(view.file)),
            is_transcoded,
            position: TextPosition::default(),
            // Only HTML has a base element.
            base: (format == Format::Html).then_some(Cow::Borrowed(view.base)),
            buffer: Vec::new(),
        }
    }

    /// Returns the bytes at a finding: those of a reference, or else as many as can be shown.
    fn bytes_at(&self, found: &RawFinding) -> Option<&[u8]> {
        let span = found.location.span.start as usize..found.location.span.end as usize;
        self.text.get(span).filter(|text| found.is_reference || (1..=NEAR).contains(&text.len()))
    }

    /// Returns the text at a finding, if it can be shown.
    fn marked(&self, found: &RawFinding) -> Option<Cow<'_, str>> {
        let bytes = self.bytes_at(found).filter(|bytes| (1..=NEAR).contains(&bytes.len()))?;
        Some(String::from_utf8_lossy(bytes))
    }

    /// Returns the reference of a finding as written; `None` if the finding is not about a reference.
    pub fn reference(&self, found: &RawFinding) -> Option<Cow<'_, str>> {
        self.bytes_at(found).filter(|_| found.is_reference).map(String::from_utf8_lossy)
    }

    /// Returns the base URL of its references; `None` if it is not in the export.
    pub fn base(&mut self, resolver: &Resolver<'_>) -> Option<&Base> {
        let DocumentId::File(file) = self.id else { return None };
        let OpenDocument { text, format, syntax, base, .. } = self;
        Some(base.get_or_insert_with(|| {
            let href = (*format == Format::Html).then(|| parse::base_href(text, *syntax)).flatten();
            Cow::Owned(resolver.base(file, href.as_deref()))
        }))
    }

    /// Locates a finding, without the line around it.
    pub fn locate(&mut self, found: &RawFinding, tree: &Tree, resolver: &Resolver<'_>) -> Located {
        let span = &found.location.span;
        self.position = self.position.advance_to(span.start as usize, &self.text);
        let end = self.position.advance_to(span.end.max(span.start) as usize, &self.text);
        let text: Option<Box<str>> = self.bytes_at(found).map(|bytes| String::from_utf8_lossy(bytes).into());
        let thing = match (&found.cause, &text) {
            (Cause::Target, Some(text)) if found.is_reference => self.target(text, tree, resolver),
            (Cause::Marked, _) => self.marked(found).map(Cow::into_owned),
            _ => None,
        };
        Located {
            start: self.position.position(),
            end: end.position(),
            text,
            snippet: None,
            is_transcoded: self.is_transcoded && !span.is_empty(),
            thing: thing.map(|thing| bounded(Cow::Owned(thing)).into()),
        }
    }

    /// Locates a finding, with the line around it; `None` if its text is empty or too long to be kept in memory.
    pub fn locate_shown(
        &mut self,
        found: &RawFinding,
        tree: &Tree,
        resolver: &Resolver<'_>,
    ) -> Option<Box<Located>> {
        self.marked(found)?;
        let located = self.locate(found, tree, resolver);
        Some(Box::new(Located { snippet: self.snippet(found), ..located }))
    }

    /// Returns the line that a finding begins on.
    pub fn snippet(&self, found: &RawFinding) -> Option<Snippet> {
        let marked = if found.is_reference { None } else { self.marked(found) };
        let span = found.location.span.start as usize..found.location.span.end as usize;
        Snippet::around(&self.text, span, marked.as_deref())
    }

    /// Returns the path that a reference points to, with the fragment if the page exists; or the reference, if it is
    /// external.
    fn target(&mut self, written: &str, tree: &Tree, resolver: &Resolver<'_>) -> Option<String> {
        let text = match self.format {
            Format::Css => Cow::Borrowed(written),
            _ => parse::decode_references(written),
        };
        if text.trim().is_empty() {
            return None;
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        let base = self.base(resolver)?;
        let target = resolver.resolve(base, &text, &mut buffer);
        let name = match target {
            Target::File { file, .. } => {
                let path = resolver.served_path(&tree.display(file));
                let fragment = fragment(&text).map(|fragment| format!("#{}", fragment.decoded));
                Some(format!("{path}{}", fragment.unwrap_or_default()))
            }
            Target::Missing(_) => {
                let path = resolver.local_path(base, &text);
                path.map(|path| resolver.served_path(&String::from_utf8_lossy(&path)))
            }
            _ => Some(text.clone().into_owned()),
        };
        self.buffer = buffer;
        name
    }
}

/// Reads documents again. The last one stays in memory.
pub(crate) struct DocumentOpener<'r> {
    tree: &'r Tree,
    contract: &'r Contract,
    current: Option<OpenDocument<'static>>,
}

impl<'r> DocumentOpener<'r> {
    pub fn new(tree: &'r Tree, contract: &'r Contract) -> Self {
        DocumentOpener { tree, contract, current: None }
    }

    /// Opens a document. A file that was removed during the check is treated as empty.
    pub fn open(&mut self, id: &DocumentId) -> &mut OpenDocument<'static> {
        let document = match self.current.take() {
            Some(current) if current.id == *id => current,
            previous => {
                // Frees the previous document first, so that only one is in memory.
                drop(previous);
                self.read(id)
            }
        };
        self.current.insert(document)
    }

    fn read(&self, id: &DocumentId) -> OpenDocument<'static> {
        let mut format = Format::Other;
        let mut syntax = PageSyntax::Html;
        let text = match id {
            DocumentId::File(file) => {
                let path = self.tree.path(*file);
                (format, syntax) = (Format::of(path), syntax_of(path));
                decompress_sitemap(path, std::fs::read(self.tree.disk_path(*file)).unwrap_or_default())
            }
            DocumentId::Contract => self.contract.source.clone().into_bytes(),
            DocumentId::Base(base) => self.contract.bases[usize::from(*base)].source.clone().into_bytes(),
            DocumentId::Baseline => {
                self.contract.baseline.as_ref().map_or(&[][..], BaselineFile::bytes).to_vec()
            }
            DocumentId::HostConfig => {
                self.contract.host_config.as_ref().map_or(&[][..], |config| &config.content).to_vec()
            }
            DocumentId::Path(_) => Vec::new(),
        };
        let DecodedFile { mut source, is_transcoded, .. } = DecodedFile::read(format, syntax, text);
        OpenDocument {
            id: id.clone(),
            is_transcoded,
            text: Cow::Owned(source.take_bytes()),
            format,
            syntax,
            position: TextPosition::default(),
            base: None,
            buffer: Vec::new(),
        }
    }
}

/// Locates the findings of a check, which are sorted by document and location.
pub struct FindingLocator<'r> {
    documents: DocumentOpener<'r>,
    resolver: Resolver<'r>,
}

impl<'r> FindingLocator<'r> {
    /// Creates a locator for the findings of a check.
    pub fn new(result: &'r CheckResult, contract: &'r Contract) -> Self {
        let settings = &result.deployment.settings;
        let resolver = Resolver::new(&result.tree, settings, Arc::clone(&result.redirects));
        FindingLocator {
            documents: DocumentOpener::new(&result.tree, contract),
            resolver: resolver.with_live_site(result.live.clone()),
        }
    }

    /// Locates a finding. The line around it is left out, unless the scan has located it.
    pub fn locate<'f>(&mut self, found: &'f RawFinding) -> Cow<'f, Located> {
        match &found.located {
            Some(located) => Cow::Borrowed(&**located),
            None if found.location.span == (0..0) => Cow::Owned(Located::of_document(found.is_reference)),
            None => {
                let tree = self.documents.tree;
                let document = self.documents.open(&found.location.document);
                Cow::Owned(document.locate(found, tree, &self.resolver))
            }
        }
    }

    /// Returns the line that a finding begins on; `None` if it is about the whole document.
    pub fn snippet(&mut self, found: &RawFinding) -> Option<Snippet> {
        match &found.located {
            Some(located) => located.snippet.clone(),
            None if found.location.span.is_empty() => None,
            None => self.documents.open(&found.location.document).snippet(found),
        }
    }

    /// Returns the reference of a finding as written; `None` if the finding is not about a reference.
    pub fn reference(&mut self, found: &RawFinding) -> Option<String> {
        match &found.located {
            _ if !found.is_reference => None,
            Some(located) => located.text.as_deref().map(str::to_owned),
            None => self.documents.open(&found.location.document).reference(found).map(Cow::into_owned),
        }
    }

    /// Returns the text at the location of a finding; `None` if it is empty or too long to be shown.
    pub fn marked(&mut self, found: &RawFinding) -> Option<String> {
        match &found.located {
            Some(located) => located.text.as_deref().map(str::to_owned),
            None => self.documents.open(&found.location.document).marked(found).map(Cow::into_owned),
        }
    }

    /// Returns the position where a location begins.
    pub(crate) fn start(&mut self, location: &Location) -> Position {
        if location.span.start == 0 {
            return TextPosition::default().position();
        }
        let document = self.documents.open(&location.document);
        document.position = document.position.advance_to(location.span.start as usize, &document.text);
        document.position.position()
    }

    /// Returns the name of a document: its path below the root with `/`, or the name of the contract.
    pub fn name(&self, document: &DocumentId) -> String {
        document_name(document, self.documents.tree, self.documents.contract)
    }

    /// Returns the text of a document.
    pub(crate) fn text(&mut self, document: &DocumentId) -> &[u8] {
        &self.documents.open(document).text
    }
}

impl RawFinding {
    /// Returns the thing that caused the finding: the one that its rule names, or the path, fragment or URL that its
    /// reference points to, or the text at its location. `None` if the cause is the message.
    pub(crate) fn thing<'d>(&'d self, located: &'d Located) -> Option<Cow<'d, str>> {
        match &self.cause {
            Cause::Thing(thing) => Some(bounded(Cow::Borrowed(thing))),
            Cause::Target | Cause::Marked => located.thing.as_deref().map(Cow::Borrowed),
            Cause::Message | Cause::Kind(_) => None,
        }
    }
}

/// Shortens a name to a bounded length. A digest distinguishes long names with the same start.
fn bounded(name: Cow<'_, str>) -> Cow<'_, str> {
    if name.len() <= MAX_LENGTH {
        return name;
    }
    let digest: [u8; 32] = Sha256::digest(name.as_bytes()).into();
    let start = name.char_indices().take_while(|(at, _)| *at < MAX_LENGTH / 2).map(|(_, c)| c);
    Cow::Owned(format!("{}… ({})", start.collect::<String>(), hex(&digest[..4])))
}
