//! Maps findings to the lines of sources that people edit. A location is certain only if the finding cannot come from
//! anywhere else.

mod context;
mod documents;
mod front_matter;
mod needles;
mod page_sources;
mod ranking;
mod search;
mod source_files;

pub(crate) use documents::{DocumentFindings, DocumentReader};
pub(crate) use front_matter::{StatedAddress, relative_aliases, stated_address, stated_id};
pub(crate) use needles::{Needle, Needles, Occurrence, Roots, page_form, raw_form, target_form};
pub(crate) use page_sources::{PageSources, as_slugs, moved_pages, without_order};
pub use page_sources::{SourceHistory, SourceRename};
pub use ranking::SourceMatch;
pub use source_files::{SourceExcerpts, SourceLocation};
pub(crate) use source_files::{SourceFiles, authored_export, bytes_of, line_starts};

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::contract::{Contract, SourceSettings};
use crate::raw_finding::{DocumentId, RawFinding};
use crate::report::document_names::{below, from_here, repository};
use crate::report::result::CheckResult;
use crate::resolve::Resolver;
use crate::walk::FileId;
use needles::{resolve_target, without_language};
use search::{Hits, search};

/// The source locations of a report's findings.
#[derive(Default)]
pub struct SourceMap {
    files: SourceFiles,
    page_sources: PageSources,
    settings: SourceSettings,
    repository: PathBuf,
    /// For each finding; empty if the contract names no sources.
    matches: Vec<Option<SourceMatch>>,
}

/// A search for the sources of a report's findings.
pub(crate) struct SourceSearch<'r> {
    report: &'r CheckResult,
    settings: &'r SourceSettings,
    files: SourceFiles,
    page_sources: PageSources,
}

impl<'r> SourceSearch<'r> {
    /// Lists the sources that the contract names; `None` if there are no findings or no sources.
    pub fn new(report: &'r CheckResult, contract: &'r Contract) -> Option<Self> {
        let settings = &contract.source_files;
        let is_in_file = |found: &RawFinding| matches!(found.location.document, DocumentId::File(_));
        if settings.is_empty() || !report.findings.iter().any(is_in_file) {
            return None;
        }
        let files = SourceFiles::list(settings, report.tree.root());
        let page_sources = PageSources::new(&files, settings, &report.tree);
        Some(SourceSearch { report, settings, files, page_sources })
    }

    /// Returns a reader of documents, for one thread.
    pub fn reader(&self) -> DocumentReader<'_> {
        let SourceSearch { report, settings, files, page_sources } = self;
        let CheckResult { tree, deployment, redirects, .. } = report;
        let resolver = Resolver::new(tree, &deployment.settings, redirects.clone());
        DocumentReader { report, files, page_sources, settings, resolver }
    }

    /// Searches the sources for the findings of all documents, in the order of the report.
    pub fn find(self, mut documents: Vec<DocumentFindings>) -> SourceMap {
        let SourceSearch { report, settings, files, mut page_sources } = self;
        let mut needles = Needles::default();
        let mut values = Vec::new();
        for finding in documents.iter_mut().flat_map(|document| &mut document.findings) {
            for (needle, key) in finding.tag.iter_mut().flat_map(|tag| &mut tag.features) {
                [*key, _] = needles.add(needle).unwrap_or_default();
                values.resize(needles.len(), false);
                if let (Needle::Text { is_value: true, .. }, Some(key)) = (needle, *key) {
                    values[key as usize] = true;
                }
            }
            let Some(needle) = &finding.needle else { continue };
            finding.keys = needles.add(needle).unwrap_or_default();
            finding.without_slash = needles.add_without_slash(needle);
            values.resize(needles.len(), false);
            if let (Needle::Text { is_value: true, .. }, [Some(key), _]) = (needle, finding.keys) {
                values[key as usize] = true;
            }
        }
        let base_path = &report.deployment.settings.base_path;
        let found = search(&files, &page_sources, &needles, &values, base_path, &report.tree);
        page_sources.add_stated_pages(found.stated, &report.tree);
        for document in &mut documents {
            document.set_sources(&page_sources);
        }
        let mut hits =
            Hits::new(found.hits, needles.len(), &page_sources, found.is_complete && files.is_complete);
        hits.count_shown(&documents);
        drop(needles);
        let ranked: Vec<Vec<Option<SourceMatch>>> =
            documents.par_iter().map(|document: &DocumentFindings| ranking::rank(document, &hits)).collect();
        let matches = ranked.into_iter().flatten().collect();
        SourceMap { files, page_sources, settings: settings.clone(), repository: repository(), matches }
    }
}

impl SourceMap {
    /// Returns the source locations of a finding, by its index in [`CheckResult::findings`]; `None` if there are none.
    pub fn get(&self, finding: usize) -> Option<&SourceMatch> {
        self.matches.get(finding)?.as_ref()
    }

    /// Returns the source location of a finding, if it is certain.
    pub fn certain(&self, finding: usize) -> Option<SourceLocation> {
        self.get(finding).filter(|written| written.is_certain).map(|written| written.locations[0])
    }

    /// Returns the page that a reference in a source names, as [`target_form`] writes it; `None` if it depends on a page that
    /// is not known.
    pub(crate) fn target(&self, source: u32, written: &str, base_path: &str) -> Option<String> {
        let folder = self.page_sources.folder(source);
        let target = resolve_target(&raw_form(written), folder, base_path)?;
        Some(without_language(&target, &self.page_sources.languages).to_owned())
    }

    /// Reads a source; `None` if it is not text.
    pub(crate) fn read(&self, source: u32) -> Option<Vec<u8>> {
        self.files.read(source)
    }

    /// Returns the sources whose pages are known, with their pages.
    pub(crate) fn pages(&self) -> impl Iterator<Item = (u32, FileId)> {
        let sources = 0..self.files.paths.len() as u32;
        sources.filter_map(|source| Some((source, self.page_sources.page(source)?)))
    }

    /// Returns the page of a source, by its path from the contract's folder.
    pub(crate) fn page_of(&self, path: &str) -> Option<FileId> {
        self.page_sources.page(self.files.find(path)?)
    }

    /// Returns a source's path from the contract's folder, with `/`.
    pub(crate) fn source_path(&self, source: u32) -> &str {
        &self.files.paths[source as usize]
    }

    /// Returns a reader for lines of sources.
    pub fn excerpts(&self) -> SourceExcerpts<'_> {
        SourceExcerpts::new(&self.files)
    }

    /// Returns the path to open a source by.
    pub fn disk_path(&self, location: SourceLocation) -> PathBuf {
        self.files.disk_path(location.source)
    }

    /// Returns the folder that contains all sources: that of the contract.
    pub fn folder(&self) -> &Path {
        &self.files.folder
    }

    /// Returns a source's path from the contract's folder, with `/`.
    pub fn file(&self, location: SourceLocation) -> &str {
        &self.files.paths[location.source as usize]
    }

    /// Returns a source's path from the working directory, with `/`.
    pub fn name(&self, location: SourceLocation) -> String {
        from_here(&self.files.disk_path(location.source))
    }

    /// Returns a source's path from the root of its repository, with `/`, as CI systems name it.
    pub fn path(&self, location: SourceLocation) -> String {
        below(&self.files.disk_path(location.source), &self.repository)
    }

    /// Returns the web link to a source line, if the contract has a link template.
    pub fn link(&self, location: SourceLocation) -> Option<String> {
        self.settings.link(&self.path(location), location.line)
    }
}
