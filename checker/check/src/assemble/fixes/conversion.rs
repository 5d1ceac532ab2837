//! Decides whether a relative reference to another source works on the page. `MkDocs`, for example, converts
//! `setup.md` to the address of its page. Hugo, without a render hook, and Eleventy leave it as it is, so that browsers
//! request a file `setup.md` below the page.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use memchr::memmem;
use sitegate_address::extension::is_source_extension;
use sitegate_address::relative::join;
use sitegate_address::{SitePath, UrlReference};
use sitegate_sources::{Manner, SourceOptions, SourceReference, scan};

use super::siblings::{Sibling, Siblings};
use crate::generator::GENERATORS;
use crate::parse::decode_references;
use crate::project::Project;
use crate::report::result::CheckResult;
use crate::resolve::{Resolver, Target};
use crate::source_map::{SourceLocation, SourceMap, raw_form};
use crate::walk::FileId;

/// Maximum number of references to compare with pages, and of sources to read for them.
const MAX_REFERENCES: usize = 64;
const MAX_SOURCES: u32 = 2_000;

/// References that a generator converts in the same way: the manner, whether they name documents, and the extension of
/// their source.
type ReferenceKind = (Manner, bool, String);

/// The references to sources that the generator of a site converts.
pub(super) struct Conversion<'r> {
    result: &'r CheckResult,
    map: &'r SourceMap,
    resolver: Resolver<'r>,
    pub siblings: Siblings,
    known: HashMap<ReferenceKind, bool>,
}

impl<'r> Conversion<'r> {
    pub fn new(result: &'r CheckResult, map: &'r SourceMap) -> Conversion<'r> {
        let CheckResult { tree, deployment, redirects, .. } = result;
        let resolver = Resolver::new(tree, &deployment.settings, redirects.clone());
        Conversion { result, map, resolver, siblings: Siblings::default(), known: HashMap::new() }
    }

    /// Whether a reference to an existing source works on a page, if it is written at a location.
    pub fn works(&mut self, reference: &str, manner: Manner, location: SourceLocation, page: FileId) -> bool {
        // The syntax says that the generator reads the source.
        if matches!(manner, Manner::Document | Manner::File | Manner::FileBelow | Manner::Id) {
            return true;
        }
        if self.resolves(&decode_references(reference), page) {
            return true;
        }
        let kind = kind(reference, manner, self.map.file(location));
        if let Some(known) = self.known.get(&kind) {
            return *known;
        }
        let is_converted = self.is_converted(&kind);
        self.known.insert(kind, is_converted);
        is_converted
    }

    /// Returns the address of the page that a reference to an existing source names, relative to another page.
    pub fn address(&self, reference: &str, location: SourceLocation, page: FileId) -> Option<String> {
        let reference = UrlReference::new(reference);
        let path = reference.path();
        let folder = SitePath::new(self.map.file(location)).folder();
        let source = join(folder, &raw_form(path)).within_root()?;
        let target = self.map.page_of(&source)?;
        // With the slash, the reference is to a folder, if the page is the index of one.
        let bare = SitePath::new(path).without_extension();
        let like = format!("{bare}/{}", reference.query_and_fragment());
        Some(self.resolver.respell(&self.resolver.document(page), &like, target)?.text)
    }

    /// Whether a reference on a page points to a file of the export.
    fn resolves(&self, reference: &str, page: FileId) -> bool {
        let base = self.resolver.document(page);
        matches!(self.resolver.resolve(&base, reference, &mut Vec::new()), Target::File { .. })
    }

    /// Whether most references of a kind to existing sources are not on the pages as they are in the sources. If there is
    /// no such reference, the generator decides.
    fn is_converted(&mut self, kind: &ReferenceKind) -> bool {
        let (mut converted, mut verbatim) = (0, 0);
        for (source, page) in self.map.pages().take_while(|(source, _)| *source < MAX_SOURCES) {
            if converted + verbatim >= MAX_REFERENCES {
                break;
            }
            let path = self.map.source_path(source);
            if extension(path) != kind.2 {
                continue;
            }
            let Some(text) = self.map.read(source).and_then(|bytes| String::from_utf8(bytes).ok()) else {
                continue;
            };
            let references = scan(path, &text, SourceOptions::default()).references;
            let (folder, disk_path) = (self.map.folder(), self.map.folder().join(path));
            let siblings = &mut self.siblings;
            let mut names_source = |found: &&SourceReference<'_>| {
                found.uses > 0
                    && self::kind(&found.target, found.manner, path) == *kind
                    && siblings.find(folder, &disk_path, &found.target) == Sibling::Exists
            };
            let named: Vec<_> = references.iter().filter(|found| names_source(found)).collect();
            if named.is_empty() {
                continue;
            }
            let shown = fs::read(self.result.tree.disk_path(page)).unwrap_or_default();
            for found in named {
                if !is_value(&shown, text[found.range.clone()].as_bytes()) {
                    converted += 1;
                } else if !self.resolves(&found.target, page) {
                    verbatim += 1;
                }
            }
        }
        if converted == verbatim { self.is_converted_by_generator(kind) } else { converted > verbatim }
    }

    /// Whether the generator converts references of a kind. An unknown one may, as most do.
    fn is_converted_by_generator(&self, (manner, _, extension): &ReferenceKind) -> bool {
        let mut projects = Project::all(self.map.folder());
        if projects.iter().any(|project| project.owns(self.result.tree.root())) {
            projects.retain(|project| project.owns(self.result.tree.root()));
        }
        let is_markdown = ["md", "mdx", "markdown"].contains(&&**extension);
        let converts = |project: &Project| {
            let known = GENERATORS.iter().find(|known| known.name == project.generator);
            known.is_some_and(|known| known.converts_links)
        };
        projects.is_empty() || *manner == Manner::Link && is_markdown && projects.iter().any(converts)
    }
}

fn kind(reference: &str, manner: Manner, source: &str) -> ReferenceKind {
    let is_document = is_source_extension(extension(UrlReference::new(reference).path()));
    (manner, is_document, extension(source))
}

fn extension(path: &str) -> String {
    let extension = Path::new(path).extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}

/// Whether a page has an attribute with this value.
fn is_value(page: &[u8], value: &[u8]) -> bool {
    let is_start = |at: usize| at > 0 && matches!(page[at - 1], b'"' | b'\'' | b'=');
    memmem::find_iter(page, value).any(is_start)
}
