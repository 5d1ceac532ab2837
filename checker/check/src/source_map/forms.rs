//! Normalizes references for comparison. A reference in a source and in the export may differ in extensions, encodings
//! and base.

use sitegate_address::extension::is_document_extension;
use sitegate_address::relative::join;
use sitegate_address::{SitePath, UrlReference};
use sitegate_sources::decoded_reference;

use crate::generator::GENERATORS;

/// File names that represent their folder.
const INDEX_NAMES: [&str; 3] = ["index", "readme", "_index"];

/// Decodes the entities and percent-encoding of a reference.
pub(crate) fn raw_form(written: &str) -> String {
    decoded_reference(written.trim())
}

/// Returns the page or file of a path with its fragment, in a form that is equal for all variants:
/// `/guide/setup#linux` for `guide/setup.md` and for `guide/setup/index.html`.
pub(crate) fn target_form(path: &str, fragment: &str) -> String {
    let mut form = format!("/{}", page_form(path));
    if !fragment.is_empty() {
        form.push('#');
        form.push_str(fragment);
    }
    form
}

/// Removes the language folder from a form: in translations Docusaurus adds it to references without one.
pub(super) fn without_language<'f>(form: &'f str, languages: &[String]) -> &'f str {
    let rest = languages.iter().find_map(|language| form.strip_prefix(language.as_str()));
    rest.filter(|rest| rest.starts_with('/')).unwrap_or(form)
}

/// Removes the extension of a page, an index name, and slashes at both ends from a path.
pub(crate) fn page_form(path: &str) -> &str {
    let path = SitePath::new(path.trim_matches('/'));
    let is_document = path.extension().is_some_and(is_document_extension);
    let path = if is_document { path.without_extension() } else { path.as_text() };
    let (folder, name) = SitePath::new(path).split();
    if INDEX_NAMES.iter().any(|index| name.eq_ignore_ascii_case(index)) { folder } else { path }
}

/// Resolves a reference in a source to a [`target_form`]. Paths from the root are on this site; others are relative to
/// `folder`, the folder of the source's page.
pub(super) fn resolve_target(raw: &str, folder: Option<&str>, base_path: &str) -> Option<String> {
    let reference = UrlReference::new(raw);
    let (path, fragment) = (reference.path(), reference.fragment().unwrap_or_default());
    let path = GENERATORS.iter().find_map(|generator| (generator.strip_prefix)(path)).unwrap_or(path);
    if path.contains(':') || path.starts_with("//") || path.is_empty() {
        return None;
    }
    if let Some(rooted) = path.strip_prefix('/') {
        let below = rooted.strip_prefix(base_path.trim_start_matches('/')).unwrap_or(rooted);
        return Some(target_form(below, fragment));
    }
    // As in URLs, `..` stops at the root.
    Some(target_form(&join(folder?, path).path, fragment))
}

/// Returns the most distinctive word of a reference that all its variants contain: of its fragment, or else of its
/// last segment.
pub(super) fn distinctive_word(raw: &str) -> Option<&str> {
    let reference = UrlReference::new(raw);
    let (query, fragment) = (reference.query().unwrap_or_default(), reference.fragment().unwrap_or_default());
    let stem = |segment| match str::rsplit_once(segment, '.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 8 => stem,
        _ => segment,
    };
    let segments = reference.path().rsplit('/').map(stem);
    std::iter::once(fragment).chain(segments).chain([query]).find_map(longest_word)
}

/// Returns the longest word of a text, the first of several. Prefers ASCII, since other words may be encoded.
pub(super) fn longest_word(text: &str) -> Option<&str> {
    let is_better = |word: &str, other: Option<&str>| {
        other.is_none_or(|other| (word.is_ascii(), word.len()) > (other.is_ascii(), other.len()))
    };
    let mut best: Option<&str> = None;
    let mut each = |range: std::ops::Range<usize>| {
        if let Some(word) = text.get(range).filter(|word| is_better(word, best)) {
            best = Some(word);
        }
    };
    words(text.as_bytes(), &mut each);
    best
}

/// Calls `each` with the words of a text: letters, digits, `-` and `_` of ASCII, or sequences of other characters.
/// Skips percent-encoded bytes.
pub(super) fn words(text: &[u8], each: &mut dyn FnMut(std::ops::Range<usize>)) {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let start = at;
        if byte == b'%' && text.get(at + 1..at + 3).is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit))
        {
            at += 3;
        } else if is_word(byte) {
            at += text[at..].iter().take_while(|next| is_word(**next)).count();
            each(start..at);
        } else if !byte.is_ascii() {
            at += text[at..].iter().take_while(|next| !next.is_ascii()).count();
            each(start..at);
        } else {
            at += 1;
        }
    }
}

/// Whether a byte belongs to an ASCII word.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Whether a byte ends a reference in any kind of source.
pub(super) fn ends_reference(byte: u8) -> bool {
    matches!(
        byte,
        b'"' | b'\'' | b'`' | b'<' | b'>' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'|' | b'\0'..=b' '
    )
}

#[cfg(test)]
mod tests {
    use super::{distinctive_word, raw_form, resolve_target, target_form, without_language};

    #[test]
    fn variants_of_a_reference_have_the_same_target() {
        for raw in
            ["./setup.md", "setup.html", "../guide/setup/", "/guide/setup", "/docs/guide/setup/index.html"]
        {
            assert_eq!(
                resolve_target(raw, Some("guide"), "/docs/").as_deref(),
                Some("/guide/setup"),
                "{raw}"
            );
        }
        assert_eq!(resolve_target("setup.md#linux", Some(""), "/").as_deref(), Some("/setup#linux"));
        assert_eq!(resolve_target("pathname:///prices.pdf", None, "/").as_deref(), Some("/prices.pdf"));
        assert_eq!(resolve_target("@/guide/_index.md", None, "/").as_deref(), Some("/guide"));
        for raw in ["https://e.org/x", "mailto:a@e.org", "//e.org/x", "#here"] {
            assert_eq!(resolve_target(raw, Some("guide"), "/"), None, "{raw}");
        }
        assert_eq!(resolve_target("setup", None, "/"), None);
        assert_eq!(resolve_target("../../x", Some("guide"), "/").as_deref(), Some("/x"));
        assert_eq!(target_form("guide/README.md", ""), "/guide");
        assert_eq!(target_form("", "top"), "/#top");
        let languages = ["/fr".to_owned()];
        assert_eq!(without_language("/fr/setup", &languages), "/setup");
        assert_eq!(without_language("/friends", &languages), "/friends");
        assert_eq!(raw_form(" /a%20b?x&amp;y "), "/a b?x&y");
    }

    #[test]
    fn distinctive_word_is_the_same_in_all_encodings() {
        let word = |raw| distinctive_word(raw);
        assert_eq!(word("../guide/setup.html"), Some("setup"));
        assert_eq!(word("/setup/#on-linux"), Some("on-linux"));
        assert_eq!(word("/café-menu"), Some("-menu"));
        assert_eq!(word("https://www.example.org/"), Some("example"));
        assert_eq!(word("/日本"), Some("日本"));
        assert_eq!(word("/?page=2"), Some("page"));
        assert_eq!(word("../"), None);
    }
}
