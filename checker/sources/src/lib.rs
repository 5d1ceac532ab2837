#![doc = include_str!("../README.md")]

mod css;
mod data;
pub mod edits;
mod format;
mod markdown;
mod markup;
mod mdx;
mod proof;
mod python;
mod redirects;
mod reference;
mod restructured;
mod scripts;
mod sidebars;
mod templates;
mod url_attributes;
mod values;

pub use format::SourceFormat;
pub use proof::keeps_references;
pub use reference::{Manner, SourceReference, SourceScan, SourceTag};

/// What a scan must know of the project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScanOptions {
    /// Whether the default role of Sphinx accepts names of documents, so that text in single backquotes may be one.
    pub default_role: bool,
}

/// Finds the references of a text, by the format that its path has.
///
/// Finds nothing if the format is not known ([`SourceFormat::of`]). Never fails: a text that its parser does not
/// accept has no references, and is inert as a whole.
pub fn scan<'t>(path: &str, text: &'t str, options: ScanOptions) -> SourceScan<'t> {
    let mut scan = SourceScan::default();
    let whole = 0..text.len();
    match SourceFormat::of(path, text) {
        None => {}
        Some(SourceFormat::Markdown) => markdown::scan(text, whole, options, &mut scan),
        Some(SourceFormat::Mdx) => mdx::scan(text, whole, &mut scan),
        Some(SourceFormat::Restructured) => restructured::scan_file(path, text, options, &mut scan),
        Some(SourceFormat::Html) => templates::scan_document(text, &mut scan),
        Some(SourceFormat::Template) => templates::scan(path, text, &mut scan),
        Some(SourceFormat::Css) => css::scan(text, whole, &mut scan),
        Some(SourceFormat::Json) => data::json_file(path, text, &mut scan),
        Some(SourceFormat::Yaml) => data::yaml_file(path, text, &mut scan),
        Some(SourceFormat::Toml) => data::toml(text, whole, &mut scan),
        Some(SourceFormat::Script) => scripts::scan(path, text, whole, &mut scan),
        Some(SourceFormat::Python) => python::scan(path, text, options, &mut scan),
        Some(SourceFormat::Redirects) => redirects::scan(text, &mut scan),
    }
    scan.sort();
    scan
}
