//! Where findings were written: the line of a source that a person edits, as far as it can be told. What is only likely is never told
//! as certain.

mod context;
mod dead_parts;
mod documents;
mod docusaurus;
mod excerpts;
mod forms;
mod front_matter;
mod listing;
mod owners;
mod search;
mod sphinx;
mod uses;
mod wanted_words;
mod weighing;

pub use excerpts::SourceExcerpts;
pub use search::SourcePlace;
pub use weighing::WrittenAt;

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rayon::prelude::*;

use crate::contract::{Contract, SourceSettings};
use crate::diagnostic::{Diagnostic, Place};
use crate::report::Report;
use crate::report::sources::{below, from_here, repository};
use documents::DocumentFindings;
use listing::SourceListing;
use owners::Owners;
use search::search;
use wanted_words::{Sought, WantedWords};
use weighing::Hits;

/// Where the findings of a report were written.
#[derive(Default)]
pub struct Provenance {
    listing: SourceListing,
    settings: SourceSettings,
    repository: PathBuf,
    /// For each finding; empty where the contract names no sources.
    of: Vec<Option<WrittenAt>>,
}

impl Provenance {
    /// Looks for the findings of a report in the sources that its contract names. Where there is no finding, or the contract
    /// names none, nothing is read.
    pub fn of(report: &Report, contract: &Contract) -> Provenance {
        let settings = &contract.source_files;
        let is_in_file = |found: &Diagnostic| matches!(found.location.place, Place::File(_));
        if settings.is_empty() || !report.diagnostics.iter().any(is_in_file) {
            return Provenance::default();
        }
        let listing = SourceListing::of(settings, report.tree.root());
        let mut owners = Owners::of(&listing, settings, &report.tree);
        let mut documents = documents::documents(report, contract, &listing, &owners);
        let mut wanted = WantedWords::default();
        let mut values = Vec::new();
        for finding in documents.iter_mut().flat_map(|document| &mut document.findings) {
            let Some(sought) = &finding.sought else { continue };
            finding.keys = wanted.add(sought).unwrap_or_default();
            values.resize(wanted.len(), false);
            if let (Sought::Text { is_value: true, .. }, [Some(key), _]) = (sought, finding.keys) {
                values[key as usize] = true;
            }
        }
        let base_path = &report.whereabouts.settings.base_path;
        let found = search(&listing, &owners, &wanted, &values, base_path, &report.tree);
        owners.settle(found.stated, &report.tree);
        documents.iter_mut().for_each(|document| document.settle(&owners));
        let mut hits = Hits::new(found.hits, wanted.len(), &owners, found.is_whole && listing.is_whole);
        hits.count_shown(&documents);
        drop(wanted);
        let weighed: Vec<Vec<Option<WrittenAt>>> = documents
            .par_iter()
            .map(|document: &DocumentFindings| weighing::weigh(document, &hits))
            .collect();
        let of = weighed.into_iter().flatten().collect();
        Provenance { listing, settings: settings.clone(), repository: repository(), of }
    }

    /// Where a finding was written, by its place in [`Report::diagnostics`]; `None` where nothing is known of it.
    pub fn get(&self, finding: usize) -> Option<&WrittenAt> {
        self.of.get(finding)?.as_ref()
    }

    /// The one place where a finding was written, where that is beyond doubt.
    pub fn certain(&self, finding: usize) -> Option<SourcePlace> {
        self.get(finding).filter(|written| written.is_certain).map(|written| written.places[0])
    }

    /// Whether the place of any finding is known.
    pub fn is_empty(&self) -> bool {
        self.of.iter().all(Option::is_none)
    }

    /// Reads sources back for what is printed.
    pub fn excerpts(&self) -> SourceExcerpts<'_> {
        SourceExcerpts::new(&self.listing)
    }

    /// A source's path from the contract's folder, with `/`.
    pub fn file(&self, place: SourcePlace) -> &str {
        &self.listing.paths[place.source as usize]
    }

    /// A source's path from the working directory, with `/`.
    pub fn name(&self, place: SourcePlace) -> String {
        from_here(&self.listing.disk_path(place.source))
    }

    /// A source's path from the root of its repository, with `/`: what CI systems know it by.
    pub fn path(&self, place: SourcePlace) -> String {
        below(&self.listing.disk_path(place.source), &self.repository)
    }

    /// Where people look at a source's line, where the contract says so.
    pub fn link(&self, place: SourcePlace) -> Option<String> {
        self.settings.link(&self.path(place), place.line)
    }

    /// The path that leads from a folder to a source, encoded as in addresses.
    pub fn from_folder(&self, folder: &Path, place: SourcePlace) -> String {
        /// All but what a segment of a path may hold as it is.
        const PATH: &AsciiSet =
            &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
        let root = Path::new("/");
        let (from, to) = (below(folder, root), below(&self.listing.disk_path(place.source), root));
        let from: Vec<&str> = from.split('/').filter(|name| !name.is_empty()).collect();
        let to: Vec<&str> = to.split('/').collect();
        let common = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
        let path = format!("{}{}", "../".repeat(from.len() - common), to[common..].join("/"));
        percent_encode(path.as_bytes(), PATH).to_string()
    }
}
