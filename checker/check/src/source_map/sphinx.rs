//! What Sphinx makes of references that lead nowhere, so that they are found as they are written.

use memchr::memmem;

use super::forms::{raw_form, target_form};
use super::needles::Needle;
use crate::parse::{FileKind, decode_references};

/// What MyST writes behind an address that it could not resolve.
const UNRESOLVED: &[u8] = b"\"><span class=\"xref myst\">";

/// Whether Sphinx made a page: all of its pages load this.
pub(super) fn is_maker_of(page: &[u8]) -> bool {
    memmem::find(page, b"documentation_options.js").is_some()
}

/// What was written where a page of Sphinx has this reference, which ends at `end`; nothing where that is the reference itself.
pub(super) fn needle(written: &str, end: usize, page: &[u8]) -> Option<Needle> {
    // MyST takes a link that it does not understand for the name of a place on the page: `[a](gone.md)` becomes `#gone.md`.
    if let Some(link) = written.strip_prefix('#').filter(|_| page[end..].starts_with(UNRESOLVED)) {
        return Some(Needle::Link { raw: raw_form(link) });
    }
    // A picture that cannot be read is named from the top of the sources, whatever page it is on.
    let is_picture = matches!(FileKind::of(written.as_bytes()), FileKind::Picture | FileKind::Drawing);
    if !is_picture || written.starts_with(['/', '.']) || written.contains(':') {
        return None;
    }
    let path = raw_form(&decode_references(written));
    Some(Needle::Reference { raw: path.clone(), target: Some(target_form(&path, "")) })
}

#[cfg(test)]
mod tests {
    use super::{Needle, is_maker_of, needle};

    #[track_caller]
    fn written_as(page: &str, reference: &str) -> Option<(String, Option<String>)> {
        let end = page.find(reference).map_or(0, |start| start + reference.len());
        match is_maker_of(page.as_bytes()).then(|| needle(reference, end, page.as_bytes()))? {
            Some(Needle::Reference { raw, target }) => Some((raw, target)),
            Some(Needle::Link { raw }) => Some((raw, None)),
            _ => None,
        }
    }

    #[test]
    fn what_sphinx_could_not_resolve_is_looked_for_as_it_is_written() {
        let page = "<script src=\"_static/documentation_options.js\"></script><a class=\"reference internal\" href=\"#gone.md\"><span \
                    class=\"xref myst\">a</span></a><img src=\"guide/gone.png\"><a href=\"#here\">";
        assert_eq!(written_as(page, "#gone.md"), Some(("gone.md".to_owned(), None)));
        assert_eq!(
            written_as(page, "guide/gone.png"),
            Some(("guide/gone.png".to_owned(), Some("/guide/gone.png".to_owned())))
        );
        assert_eq!(written_as(page, "#here"), None);
        assert_eq!(written_as("<img src=\"guide/gone.png\">", "guide/gone.png"), None);
    }
}
