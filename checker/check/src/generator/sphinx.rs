//! Sphinx, with `MyST`. On its pages, references that it could not resolve differ from their source.

use super::definition::{ConfigurationFile, Generator, SourceLayout, UnresolvedReference};
use crate::parse::FileKind;

/// Text that `MyST` writes after an unresolved reference.
const UNRESOLVED: &[u8] = b"\"><span class=\"xref myst\">";

pub(crate) static SPHINX: Generator = Generator {
    name: "Sphinx",
    configurations: &[ConfigurationFile {
        names: &["conf.py", "source/conf.py"],
        required_keys: &["project"],
        prefix: "",
    }],
    output_folders: &["_build/html", "build/html", "_build/dirhtml", "build/dirhtml"],
    origin_keys: &["html_baseurl"],
    sources: SourceLayout { key: "", folder: ".", globs: &["**/*.{rst,md,txt,ipynb}", "_templates/**"] },
    page_marker: Some(b"documentation_options.js"),
    converts_links: true,
    unresolved,
    ..Generator::UNKNOWN
};

fn unresolved(written: &str, end: usize, page: &[u8]) -> Option<UnresolvedReference> {
    // MyST turns a link that it cannot resolve into a fragment link: `[a](gone.md)` becomes `#gone.md`.
    if let Some(link) = written.strip_prefix('#')
        && page[end..].starts_with(UNRESOLVED)
    {
        return Some(UnresolvedReference::Link(link.to_owned()));
    }
    // The path of an image that cannot be read is relative to the root of the sources, on every page.
    let is_image = matches!(FileKind::of_path(written.as_bytes()), FileKind::Image | FileKind::Svg);
    (is_image && !written.starts_with(['/', '.']) && !written.contains(':'))
        .then(|| UnresolvedReference::FromRoot(written.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::UnresolvedReference;
    use crate::generator::detect_generator;

    #[track_caller]
    fn unresolved(page: &str, reference: &str) -> Option<UnresolvedReference> {
        let end = page.find(reference).map_or(0, |start| start + reference.len());
        detect_generator(page.as_bytes())
            .and_then(|generator| (generator.unresolved)(reference, end, page.as_bytes()))
    }

    #[test]
    fn returns_the_source_form_of_unresolved_references() {
        let page = "<script src=\"_static/documentation_options.js\"></script><a class=\"reference internal\" href=\"#gone.md\"><span \
                    class=\"xref myst\">a</span></a><img src=\"guide/gone.png\"><a href=\"#here\">";
        assert_eq!(unresolved(page, "#gone.md"), Some(UnresolvedReference::Link("gone.md".to_owned())));
        let image = Some(UnresolvedReference::FromRoot("guide/gone.png".to_owned()));
        assert_eq!(unresolved(page, "guide/gone.png"), image);
        assert_eq!(unresolved(page, "#here"), None);
        assert_eq!(unresolved("<img src=\"guide/gone.png\">", "guide/gone.png"), None);
    }
}
