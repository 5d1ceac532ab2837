//! Where findings were written: the line of a source that a person edits, as far as it can be told. What is only likely is never told
//! as certain.

mod context;
mod documents;
mod excerpts;
mod forms;
mod front_matter;
mod hits;
mod ignored_ranges;
mod link_definitions;
mod needles;
mod page_sources;
mod ranking;
mod search;
mod source_files;

pub use excerpts::SourceExcerpts;
pub use ranking::SourceMatch;
pub use search::SourceLocation;

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rayon::prelude::*;

use crate::contract::{Contract, SourceSettings};
use crate::raw_finding::DocumentId;
use crate::report::finding_reader::{below, from_here, repository};
use crate::report::result::CheckResult;
use crate::report::stages::RatedFinding;
use documents::DocumentFindings;
use hits::Hits;
use needles::{Needle, Needles};
use page_sources::PageSources;
use search::search;
use source_files::SourceFiles;

/// Where the findings of a report were written.
#[derive(Default)]
pub struct SourceMap {
    files: SourceFiles,
    settings: SourceSettings,
    repository: PathBuf,
    /// For each finding; empty where the contract names no sources.
    matches: Vec<Option<SourceMatch>>,
}

impl SourceMap {
    /// Looks for the findings of a report in the sources that its contract names. Where there is no finding, or the contract
    /// names none, nothing is read.
    pub fn build(report: &CheckResult, contract: &Contract) -> SourceMap {
        let settings = &contract.source_files;
        let is_in_file = |found: &RatedFinding| matches!(found.raw.location.document, DocumentId::File(_));
        if settings.is_empty() || !report.findings.iter().any(is_in_file) {
            return SourceMap::default();
        }
        let files = SourceFiles::of(settings, report.tree.root());
        let mut page_sources = PageSources::of(&files, settings, &report.tree);
        let mut documents = documents::documents(report, contract, &files, &page_sources);
        let mut needles = Needles::default();
        let mut values = Vec::new();
        for finding in documents.iter_mut().flat_map(|document| &mut document.findings) {
            let Some(needle) = &finding.needle else { continue };
            finding.keys = needles.add(needle).unwrap_or_default();
            values.resize(needles.len(), false);
            if let (Needle::Text { is_value: true, .. }, [Some(key), _]) = (needle, finding.keys) {
                values[key as usize] = true;
            }
        }
        let base_path = &report.deployment.settings.base_path;
        let found = search(&files, &page_sources, &needles, &values, base_path, &report.tree);
        page_sources.settle(found.stated, &report.tree);
        documents.iter_mut().for_each(|document| document.settle(&page_sources));
        let mut hits =
            Hits::new(found.hits, needles.len(), &page_sources, found.is_complete && files.is_complete);
        hits.count_shown(&documents);
        drop(needles);
        let ranked: Vec<Vec<Option<SourceMatch>>> =
            documents.par_iter().map(|document: &DocumentFindings| ranking::rank(document, &hits)).collect();
        let matches = ranked.into_iter().flatten().collect();
        SourceMap { files, settings: settings.clone(), repository: repository(), matches }
    }

    /// Where a finding was written, by its place in [`CheckResult::findings`]; `None` where nothing is known of it.
    pub fn get(&self, finding: usize) -> Option<&SourceMatch> {
        self.matches.get(finding)?.as_ref()
    }

    /// The one place where a finding was written, where that is beyond doubt.
    pub fn certain(&self, finding: usize) -> Option<SourceLocation> {
        self.get(finding).filter(|written| written.is_certain).map(|written| written.locations[0])
    }

    /// Whether the place of any finding is known.
    pub fn is_empty(&self) -> bool {
        self.matches.iter().all(Option::is_none)
    }

    /// Reads sources back for what is printed.
    pub fn excerpts(&self) -> SourceExcerpts<'_> {
        SourceExcerpts::new(&self.files)
    }

    /// A source's path from the contract's folder, with `/`.
    pub fn file(&self, place: SourceLocation) -> &str {
        &self.files.paths[place.source as usize]
    }

    /// A source's path from the working directory, with `/`.
    pub fn name(&self, place: SourceLocation) -> String {
        from_here(&self.files.disk_path(place.source))
    }

    /// A source's path from the root of its repository, with `/`: what CI systems know it by.
    pub fn path(&self, place: SourceLocation) -> String {
        below(&self.files.disk_path(place.source), &self.repository)
    }

    /// Where people look at a source's line, where the contract says so.
    pub fn link(&self, place: SourceLocation) -> Option<String> {
        self.settings.link(&self.path(place), place.line)
    }

    /// The path that leads from a folder to a source, encoded as in addresses.
    pub fn from_folder(&self, folder: &Path, place: SourceLocation) -> String {
        /// All but what a segment of a path may hold as it is.
        const PATH: &AsciiSet =
            &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
        let root = Path::new("/");
        let (from, to) = (below(folder, root), below(&self.files.disk_path(place.source), root));
        let from: Vec<&str> = from.split('/').filter(|name| !name.is_empty()).collect();
        let to: Vec<&str> = to.split('/').collect();
        let common = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
        let path = format!("{}{}", "../".repeat(from.len() - common), to[common..].join("/"));
        percent_encode(path.as_bytes(), PATH).to_string()
    }
}
