//! The generators of static sites that are known: one file for each, and all that is known of it there.

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
    SourceRoutes, UnresolvedReference, join,
};

/// Every generator. Those that others are built with come last.
pub(crate) static GENERATORS: [&Generator; 15] = [
    &astro::ASTRO,
    &docusaurus::DOCUSAURUS,
    &vitepress::VITEPRESS,
    &eleventy::ELEVENTY,
    &next::NEXT,
    &sveltekit::SVELTEKIT,
    &nuxt::NUXT,
    &hugo::HUGO,
    &mkdocs::MKDOCS,
    &sphinx::SPHINX,
    &mdbook::MDBOOK,
    &jekyll::JEKYLL,
    &pelican::PELICAN,
    &zola::ZOLA,
    &vite::VITE,
];

/// Output folders to look for if no configuration names one, the likeliest first.
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

/// Folders of files with a hash in their name that are not of one generator.
const HASHED_FOLDERS: [&str; 2] = ["assets", "static/js"];

/// Folders in which all files may have a hash in their name.
pub(crate) fn hashed_folders() -> impl Iterator<Item = &'static str> {
    let own = GENERATORS.iter().flat_map(|generator| generator.hashed_folders);
    HASHED_FOLDERS.iter().take(1).chain(own).chain(HASHED_FOLDERS.iter().skip(1)).copied()
}

/// The generator of a page, if the page shows it.
pub(crate) fn of_page(page: &[u8]) -> Option<&'static Generator> {
    let is_on_page = |mark| memchr::memmem::find(page, mark).is_some();
    GENERATORS.iter().copied().find(|generator| generator.page_mark.is_some_and(is_on_page))
}

/// The routes of sources in folders for versions and translations, of all generators.
pub(crate) fn source_routes() -> impl Iterator<Item = &'static SourceRoutes> {
    GENERATORS.iter().filter_map(|generator| generator.routes.as_ref())
}
