//! Lists the supported static site generators: one file for each, with all its properties.

mod astro;
mod definition;
mod docusaurus;
mod eleventy;
mod hugo;
mod jekyll;
mod mdbook;
mod mkdocs;
mod next;
mod nuxt;
mod pelican;
mod sphinx;
mod sveltekit;
mod vite;
mod vitepress;
mod zola;

pub(crate) use definition::{
    AddressKind, BasePath, ConfigurationFile, ContractSetting, Generator, PageRoute, SourceLayout,
    SourceRoutes, UnresolvedReference,
};

pub(crate) use hugo::{HUGO, leaf_bundle};

/// All generators. Those that others are built with come last.
pub(crate) static GENERATORS: [&Generator; 15] = [
    &astro::ASTRO,
    &docusaurus::DOCUSAURUS,
    &vitepress::VITEPRESS,
    &eleventy::ELEVENTY,
    &next::NEXT,
    &sveltekit::SVELTEKIT,
    &nuxt::NUXT,
    &HUGO,
    &mkdocs::MKDOCS,
    &sphinx::SPHINX,
    &mdbook::MDBOOK,
    &jekyll::JEKYLL,
    &pelican::PELICAN,
    &zola::ZOLA,
    &vite::VITE,
];

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
    GENERATORS.iter().copied().find(|generator| generator.page_marker.is_some_and(is_on_page))
}

/// Returns the routes of sources in folders for versions and translations, of all generators.
pub(crate) fn source_routes() -> impl Iterator<Item = &'static SourceRoutes> {
    GENERATORS.iter().filter_map(|generator| generator.routes.as_ref())
}
