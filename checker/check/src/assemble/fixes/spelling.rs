//! Changes references as sources write them. A source may encode a reference differently than the export, leave out
//! the base path or the language, or name the source of a page instead of the page.

use std::borrow::Cow;
use std::ops::Range;

use crate::source_map::{page_form, raw_form};
use sitegate_address::UrlReference;
use sitegate_address::percent::{decode, escape_fragment, escape_path};

/// Returns the reference of a source with the change between two references of the export, if it is equal to the
/// first one except for its encoding. Unchanged parts keep their encoding.
pub(super) fn change_like(written: &str, old: &str, new: &str) -> Option<String> {
    // Generators encode a backslash, which is no delimiter then.
    let with_slashes = written.replace('\\', "/");
    if with_slashes == new && raw_form(written) == raw_form(old) {
        return Some(with_slashes);
    }
    let (written, old, new) = (parts(written), parts(old.trim()), parts(new.trim()));
    let is_equal = |(a, b): (&&str, &&str)| a == b || raw_form(a) == raw_form(b);
    if written.len() != old.len() || !written.iter().zip(&old).all(is_equal) {
        return None;
    }
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    // A scheme is no segment, but has no encoding either.
    let changed = &new[start..new.len() - end];
    Some([&written[..start], changed, &written[written.len() - end..]].concat().concat())
}

/// Splits a reference into its delimiters and the texts between them.
fn parts(reference: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = reference;
    while !rest.is_empty() {
        let is_delimiter = |c: char| matches!(c, '/' | '?' | '#' | '\\');
        let at = rest.find(is_delimiter).unwrap_or(rest.len());
        // `&#x2f;` contains no delimiter.
        let at =
            if rest[..at].ends_with('&') { rest.find(';').map_or(rest.len(), |end| end + 1) } else { at };
        let length = if at == 0 { 1 } else { at };
        let (part, after) = rest.split_at(length);
        parts.push(part);
        rest = after;
    }
    parts
}

/// Returns the reference of a source with one segment changed, if the path of the page that it means differs in one
/// segment from the path of another. `old` and `new` are paths in the export.
pub(super) fn change_segment(written: &str, old: &str, new: &str) -> Option<String> {
    let path = UrlReference::new(written).path();
    let (old, new): (Vec<&str>, Vec<&str>) = (segments(page_form(old)), segments(page_form(new)));
    let mut differing = old.iter().zip(&new).enumerate().filter(|(_, (old, new))| old != new);
    let (at, (old_name, new_name)) = differing.next()?;
    if old.len() != new.len() || differing.next().is_some() {
        return None;
    }
    // The path in the source ends as the page does, without its extension and the name of an index.
    let bare = page_form(path);
    let bare_start = bare.as_ptr() as usize - path.as_ptr() as usize;
    let behind = old.len() - 1 - at;
    let name = segments(bare).into_iter().rev().nth(behind)?;
    let decoded = decode(name)?;
    if decoded != **old_name {
        return None;
    }
    let start = name.as_ptr() as usize - bare.as_ptr() as usize + bare_start;
    let new_name = if name == *old_name && !name.contains('%') && !new_name.contains([' ', '%']) {
        Cow::Borrowed(*new_name)
    } else {
        Cow::Owned(escape_path(new_name))
    };
    Some(replace(written, start..start + name.len(), &new_name))
}

/// Returns the reference of a source with another fragment, if it has the old one.
pub(super) fn change_fragment(written: &str, old: &str, new: &str) -> Option<String> {
    // Fragments contain `#`, and so do numeric character references such as `&#39;` before them.
    let mut fragments = written.match_indices('#').map(|(at, _)| (at + 1, written[at + 1..].trim_end()));
    let (start, fragment) = fragments.find(|(_, fragment)| *fragment == old || raw_form(fragment) == old)?;
    Some(replace(written, start..start + fragment.len(), &escape_fragment(new)))
}

fn segments(path: &str) -> Vec<&str> {
    path.split('/').filter(|segment| !segment.is_empty()).collect()
}

fn replace(text: &str, range: Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..range.start], &text[range.end..])
}

#[cfg(test)]
mod tests {
    use super::{change_fragment, change_like, change_segment};

    #[test]
    fn changes_only_what_differs() {
        for (written, old, new, expected) in [
            ("../setpu/", "../setpu/", "../setup/", "../setup/"),
            (
                "/caf%C3%A9/setpu?a=1&amp;b=2#x",
                "/café/setpu?a=1&b=2#x",
                "/café/setup?a=1&b=2#x",
                "/caf%C3%A9/setup?a=1&amp;b=2#x",
            ),
            ("img/a b.png", "img/a%20b.png", "../img/a%20b.png", "../img/a b.png"),
            ("../../x.md#y", "../../x.md#y", "../x.md#y", "../x.md#y"),
            ("a\\b/c", "a\\b/c", "a/b/c", "a/b/c"),
            ("a//b", "a//b", "a/b", "a/b"),
            ("a\\b", "a%5Cb", "a/b", "a/b"),
            ("htps://e.example/a", "htps://e.example/a", "https://e.example/a", "https://e.example/a"),
            ("http:/e.example/a", "http:/e.example/a", "http://e.example/a", "http://e.example/a"),
            ("/old/?q#f", "/old/?q#f", "/new/page/?q#f", "/new/page/?q#f"),
        ] {
            assert_eq!(change_like(written, old, new).as_deref(), Some(expected), "{written}");
        }
        for (written, old) in [("setpu.md", "setpu/"), ("../setpu/", "setpu/"), ("", "a")] {
            assert_eq!(change_like(written, old, "x"), None, "{written}");
        }
    }

    #[test]
    fn changes_the_name_of_a_source() {
        for (written, old, new, expected) in [
            ("../guide/setpu.md#x", "guide/setpu", "guide/setup/index.html", Some("../guide/setup.md#x")),
            ("/gide/setup", "gide/setup/", "guide/setup/index.html", Some("/guide/setup")),
            ("@/gide/_index.md", "gide/", "guide/index.html", Some("@/guide/_index.md")),
            ("se%20tpu.md", "se tpu.html", "se tup.html", Some("se%20tup.md")),
            ("other.md", "guide/setpu", "guide/setup.html", None),
            ("setpu.md", "guide/setpu", "setup.html", None),
        ] {
            assert_eq!(change_segment(written, old, new).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn changes_the_fragment() {
        assert_eq!(change_fragment("a.md#instal", "instal", "install").as_deref(), Some("a.md#install"));
        assert_eq!(change_fragment("#caf%C3%A8", "cafè", "café").as_deref(), Some("#café"));
        assert_eq!(change_fragment("a.md#c#-api", "c#-api", "c-api").as_deref(), Some("a.md#c-api"));
        assert_eq!(change_fragment("it&#39;s.md#a", "a", "b").as_deref(), Some("it&#39;s.md#b"));
        assert_eq!(change_fragment("a.md#other", "instal", "install"), None);
        assert_eq!(change_fragment("a.md", "instal", "install"), None);
    }
}
