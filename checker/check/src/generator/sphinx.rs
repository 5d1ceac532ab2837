//! References on pages of Sphinx, with `MyST`, that it could not resolve: they differ from their source.

use super::definition::UnresolvedReference;
use crate::parse::FileKind;

/// Text that `MyST` writes after an unresolved reference.
const UNRESOLVED: &[u8] = b"\"><span class=\"xref myst\">";

pub(super) fn unresolved(written: &str, end: usize, page: &[u8]) -> Option<UnresolvedReference> {
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
