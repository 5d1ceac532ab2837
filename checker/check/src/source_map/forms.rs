//! The forms in which references are compared: as they are written in a source and as they came out in the export they may differ
//! in endings, encodings and what they are relative to.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::generator::GENERATORS;
use crate::parse::decode_references;

/// Endings of pages, in sources and in exports.
const PAGES: [&str; 12] =
    ["html", "htm", "xhtml", "md", "mdx", "markdown", "mdoc", "rst", "adoc", "asciidoc", "org", "ipynb"];

/// Names that stand for their folder.
const INDEXES: [&str; 3] = ["index", "readme", "_index"];

/// A reference as it is written, without regard to entities and percent-encoding.
pub(super) fn raw_form(written: &str) -> String {
    let decoded = decode_references(written.trim());
    // JSON may be written with `\/` for `/`, as PHP does.
    let decoded = if decoded.contains("\\/") { Cow::Owned(decoded.replace("\\/", "/")) } else { decoded };
    percent_decode_str(&decoded).decode_utf8_lossy().into_owned()
}

/// The page or file that a path means, however it is written, with the fragment: `/guide/setup#linux` for `guide/setup.md` and for
/// `guide/setup/index.html`.
pub(super) fn target_form(path: &str, fragment: &str) -> String {
    let mut form = format!("/{}", page_form(path));
    if !fragment.is_empty() {
        form.push('#');
        form.push_str(fragment);
    }
    form
}

/// What is meant by a form, in whichever language: in translations Docusaurus puts that in front of what is written without it.
pub(super) fn in_any_language<'f>(form: &'f str, languages: &[String]) -> &'f str {
    let rest = languages.iter().find_map(|language| form.strip_prefix(language.as_str()));
    rest.filter(|rest| rest.starts_with('/')).unwrap_or(form)
}

/// A path without the ending of a page, without a name that stands for its folder, and without slashes at its ends.
pub(super) fn page_form(path: &str) -> &str {
    let path = path.trim_matches('/');
    let path = match path.rsplit_once('.') {
        Some((stem, ending)) if is_page_ending(ending) => stem,
        _ => path,
    };
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if INDEXES.iter().any(|index| name.eq_ignore_ascii_case(index)) { folder } else { path }
}

/// Whether files with this ending are pages, or become pages.
pub(super) fn is_page_ending(ending: &str) -> bool {
    PAGES.iter().any(|page| ending.eq_ignore_ascii_case(page))
}

/// What a reference in a source means, in [`target_form`]: one of this site by a path of its own, or one that is relative to `folder`,
/// the folder that the source's page lies in.
pub(super) fn meant(raw: &str, folder: Option<&str>, base_path: &str) -> Option<String> {
    let (path, fragment) = raw.split_once('#').unwrap_or((raw, ""));
    let path = path.split('?').next().unwrap_or(path);
    let path = GENERATORS.iter().find_map(|generator| (generator.strip_prefix)(path)).unwrap_or(path);
    if path.contains(':') || path.starts_with("//") || path.is_empty() {
        return None;
    }
    if let Some(rooted) = path.strip_prefix('/') {
        let below = rooted.strip_prefix(base_path.trim_start_matches('/')).unwrap_or(rooted);
        return Some(target_form(below, fragment));
    }
    let mut segments: Vec<&str> = folder?.split('/').filter(|segment| !segment.is_empty()).collect();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            // As in addresses, nothing is above the top.
            ".." => drop(segments.pop()),
            segment => segments.push(segment),
        }
    }
    Some(target_form(&segments.join("/"), fragment))
}

/// The word of a reference that says most, and that every way to write it has: of its fragment, or else of its last segment.
pub(super) fn telling_word(raw: &str) -> Option<&str> {
    let (rest, fragment) = raw.split_once('#').unwrap_or((raw, ""));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let stem = |segment| match str::rsplit_once(segment, '.') {
        Some((stem, ending)) if !stem.is_empty() && ending.len() <= 8 => stem,
        _ => segment,
    };
    let segments = path.rsplit('/').map(stem);
    std::iter::once(fragment).chain(segments).chain([query]).find_map(longest_word)
}

/// The longest word of a text, the first of several; one of ASCII where there is any, since others may be encoded.
pub(super) fn longest_word(text: &str) -> Option<&str> {
    let is_better = |best: &Option<&str>, word: &str| {
        best.is_none_or(|best| (word.is_ascii(), word.len()) > (best.is_ascii(), best.len()))
    };
    let mut best: Option<&str> = None;
    let mut each = |range: std::ops::Range<usize>| {
        if let Some(word) = text.get(range).filter(|word| is_better(&best, word)) {
            best = Some(word);
        }
    };
    words(text.as_bytes(), &mut each);
    best
}

/// The words of a text: letters, digits, `-` and `_` of ASCII, or else other characters in a row. What is percent-encoded is none.
pub(super) fn words(text: &[u8], each: &mut dyn FnMut(std::ops::Range<usize>)) {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let start = at;
        if byte == b'%' && text.get(at + 1..at + 3).is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit))
        {
            at += 3;
        } else if is_word(byte) {
            at += text[at..].iter().take_while(|byte| is_word(**byte)).count();
            each(start..at);
        } else if !byte.is_ascii() {
            at += text[at..].iter().take_while(|byte| !byte.is_ascii()).count();
            each(start..at);
        } else {
            at += 1;
        }
    }
}

/// Whether a byte belongs to a word of ASCII.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Whether a byte ends a reference, wherever that is written.
pub(super) fn ends_reference(byte: u8) -> bool {
    matches!(
        byte,
        b'"' | b'\'' | b'`' | b'<' | b'>' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'|' | b'\0'..=b' '
    )
}

#[cfg(test)]
mod tests {
    use super::{in_any_language, meant, raw_form, target_form, telling_word};

    #[test]
    fn what_is_written_in_different_ways_means_the_same() {
        for raw in
            ["./setup.md", "setup.html", "../guide/setup/", "/guide/setup", "/docs/guide/setup/index.html"]
        {
            assert_eq!(meant(raw, Some("guide"), "/docs/").as_deref(), Some("/guide/setup"), "{raw}");
        }
        assert_eq!(meant("setup.md#linux", Some(""), "/").as_deref(), Some("/setup#linux"));
        assert_eq!(meant("pathname:///prices.pdf", None, "/").as_deref(), Some("/prices.pdf"));
        assert_eq!(meant("@/guide/_index.md", None, "/").as_deref(), Some("/guide"));
        for raw in ["https://e.org/x", "mailto:a@e.org", "//e.org/x", "#here"] {
            assert_eq!(meant(raw, Some("guide"), "/"), None, "{raw}");
        }
        assert_eq!(meant("setup", None, "/"), None);
        assert_eq!(meant("../../x", Some("guide"), "/").as_deref(), Some("/x"));
        assert_eq!(target_form("guide/README.md", ""), "/guide");
        assert_eq!(target_form("", "top"), "/#top");
        let languages = ["/fr".to_owned()];
        assert_eq!(in_any_language("/fr/setup", &languages), "/setup");
        assert_eq!(in_any_language("/friends", &languages), "/friends");
        assert_eq!(raw_form(" /a%20b?x&amp;y "), "/a b?x&y");
    }

    #[test]
    fn the_word_that_says_most_survives_every_encoding() {
        let word = |raw| telling_word(raw);
        assert_eq!(word("../guide/setup.html"), Some("setup"));
        assert_eq!(word("/setup/#on-linux"), Some("on-linux"));
        assert_eq!(word("/café-menu"), Some("-menu"));
        assert_eq!(word("https://www.example.org/"), Some("example"));
        assert_eq!(word("/日本"), Some("日本"));
        assert_eq!(word("/?page=2"), Some("page"));
        assert_eq!(word("../"), None);
    }
}
