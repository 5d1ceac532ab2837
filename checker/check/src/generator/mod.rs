//! Defines the supported static site generators, and recognizes their files.

mod definition;
mod docusaurus;
mod generators;
mod sphinx;

pub(crate) use definition::{
    AddressKind, BasePath, ConfigurationFile, ContractSetting, Generator, PageRoute, SourceLayout,
    SourceRoutes, UnresolvedReference,
};

pub(crate) use generators::{GENERATORS, HUGO};

use std::path::Path;

use sitegate_address::SitePath;

/// Output folders to try if no configuration names one, the most common first.
pub(crate) const OUTPUT_FOLDERS: [&str; 12] = [
    "dist/client",
    "dist",
    "build/client",
    "build",
    "out",
    "public",
    "_site",
    "site",
    "book",
    "docs/_build/html",
    "_build/html",
    "output",
];

/// Folders of hashed files that several bundlers use.
const HASHED_FOLDERS: [&str; 2] = ["assets", "static/js"];

/// Returns the folders in which all file names may contain a hash.
pub(crate) fn hashed_folders() -> impl Iterator<Item = &'static str> {
    let own = hashed_generator_folders();
    HASHED_FOLDERS[..1].iter().copied().chain(own).chain(HASHED_FOLDERS[1..].iter().copied())
}

/// Returns the folders of hashed files that only one generator uses.
pub(crate) fn hashed_generator_folders() -> impl Iterator<Item = &'static str> {
    GENERATORS.iter().flat_map(|generator| generator.hashed_folders).copied()
}

/// Returns the generator of a page, if the page shows it.
pub(crate) fn detect_generator(page: &[u8]) -> Option<&'static Generator> {
    let is_on_page = |mark| memchr::memmem::find(page, mark).is_some();
    GENERATORS.iter().find(|generator| generator.page_marker.is_some_and(is_on_page))
}

/// Returns the routes of sources in folders for versions and translations, of all generators.
pub(crate) fn source_routes() -> impl Iterator<Item = &'static SourceRoutes> {
    GENERATORS.iter().filter_map(|generator| generator.routes.as_ref())
}

/// Returns the leaf bundle that contains a document: the outermost folder above it with `index.md`. Hugo makes no page of
/// other documents in it.
pub(crate) fn leaf_bundle<'p>(folder: &Path, document: &'p str) -> Option<&'p str> {
    let mut parents = SitePath::new(document).ancestors();
    let own = document.strip_suffix("/index.md");
    parents.find(|parent| own != Some(parent) && folder.join(parent).join("index.md").is_file())
}
