//! Finds the references of a file by its format.

use crate::format::SourceFormat;
use crate::reference::{SourceOptions, SourceScan};
use crate::{css, data, markdown, mdx, python, redirects, restructured, scripts, templates};

/// Finds the references of a text, by the format that its path has.
///
/// Finds nothing if the format is not known ([`SourceFormat::of`]). Never fails: a text that its parser does not
/// accept has no references, and is inert as a whole.
pub fn scan<'t>(path: &str, text: &'t str, options: SourceOptions) -> SourceScan<'t> {
    let mut scan = SourceScan::default();
    let whole = 0..text.len();
    match SourceFormat::of(path, text) {
        None => {}
        Some(SourceFormat::Markdown) => markdown::scan(text, whole, options, &mut scan),
        Some(SourceFormat::Mdx) => mdx::scan(text, whole, &mut scan),
        Some(SourceFormat::Restructured) => restructured::scan_file(path, text, options, &mut scan),
        Some(SourceFormat::Html) => templates::scan_document(text, &mut scan),
        Some(SourceFormat::Template) => templates::scan(path, text, &mut scan),
        Some(SourceFormat::Css) => css::scan_file(path, text, &mut scan),
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
