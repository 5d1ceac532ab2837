//! Encodes and decodes percent-encoding, by the sets of the URL standard.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// The fragment percent-encode set of the URL standard.
pub const FRAGMENT: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`');

/// Characters to escape when a file path becomes a URL path: its delimiters and `%`.
const PATH: &AsciiSet = &FRAGMENT.add(b'#').add(b'?').add(b'%').add(b'{').add(b'}').add(b'^').add(b'\\');

/// Decodes a text; `None` if the result is not UTF-8. Incomplete escapes such as `%2` stay unchanged.
#[inline]
pub fn decode(text: &str) -> Option<Cow<'_, str>> {
    percent_decode_str(text).decode_utf8().ok()
}

/// Decodes a text, with U+FFFD for bytes that are not UTF-8, as browsers show it.
#[inline]
pub fn decode_lossy(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}

/// Escapes a decoded path for a URL.
pub fn escape_path(path: &str) -> String {
    utf8_percent_encode(path, PATH).to_string()
}

/// Escapes characters of a reference that URLs must not contain; its delimiters and escapes stay unchanged.
pub fn escape_reference(reference: &str) -> String {
    utf8_percent_encode(reference, FRAGMENT).to_string()
}

/// Escapes a decoded fragment for a URL; characters other than ASCII stay readable.
pub fn escape_fragment(fragment: &str) -> String {
    let mut escaped = String::with_capacity(fragment.len());
    for c in fragment.chars() {
        match c {
            c if c.is_ascii() => escaped.extend(utf8_percent_encode(c.encode_utf8(&mut [0; 4]), FRAGMENT)),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{decode, decode_lossy, escape_fragment, escape_path, escape_reference};

    #[test]
    fn escapes_by_the_part_of_a_url() {
        assert_eq!(escape_path("a b/50%?#.html"), "a%20b/50%25%3F%23.html");
        assert_eq!(escape_reference("a b?c=%20#é"), "a%20b?c=%20#%C3%A9");
        assert_eq!(escape_fragment("é \"x\""), "é%20%22x%22");
    }

    #[test]
    fn decodes_only_whole_escapes() {
        assert_eq!(decode("a%20b%2").as_deref(), Some("a b%2"));
        assert_eq!(decode("%ff"), None);
        assert_eq!(decode_lossy("%ff"), "\u{fffd}");
    }

    proptest! {
        #[test]
        fn decodes_what_it_escapes(path in "\\PC{0,12}") {
            let escaped = escape_path(&path);
            prop_assert_eq!(decode(&escaped).unwrap_or_default(), path);
        }
    }
}
