//! Encodes and decodes percent-encoding, by the sets of the URL standard.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use crate::site_path::segments;

/// The fragment percent-encode set of the URL standard.
const FRAGMENT: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`');

/// Characters to escape when a file path becomes a URL path: its delimiters and `%`.
const PATH: &AsciiSet = &FRAGMENT.add(b'#').add(b'?').add(b'%').add(b'{').add(b'}').add(b'^').add(b'\\');

/// Decodes only characters that are not ASCII, so that an address is readable and still a valid one.
pub fn decode_readable(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut readable = Vec::with_capacity(text.len());
    for (at, part) in text.split('%').enumerate() {
        let byte = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| at > 0);
        match byte {
            Some(byte) if !byte.is_ascii() => {
                readable.push(byte);
                readable.extend_from_slice(&part.as_bytes()[2..]);
            }
            _ => {
                readable.extend_from_slice(if at > 0 { b"%" } else { b"" });
                readable.extend_from_slice(part.as_bytes());
            }
        }
    }
    String::from_utf8(readable).map_or(Cow::Borrowed(text), Cow::Owned)
}

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

/// Decodes a URL path segment by segment, without its leading `/`. Returns whether a segment contained `%2F`.
pub fn decode_path(path: &str, out: &mut Vec<u8>) -> bool {
    let path = path.strip_prefix('/').unwrap_or(path);
    let mut encoded_slash = false;
    for (index, segment) in segments(path).enumerate() {
        if index > 0 {
            out.push(b'/');
        }
        let start = out.len();
        out.extend(percent_decode_str(segment));
        encoded_slash |= out[start..].contains(&b'/');
    }
    encoded_slash
}

/// Escapes a decoded path for a URL.
pub fn escape_path(path: &str) -> String {
    Cow::from(utf8_percent_encode(path, PATH)).into_owned()
}

/// Escapes characters of a reference that URLs must not contain; its delimiters and escapes stay unchanged.
pub fn escape_reference(reference: &str) -> Cow<'_, str> {
    utf8_percent_encode(reference, FRAGMENT).into()
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

    use super::{decode, decode_lossy, decode_readable, escape_fragment, escape_path, escape_reference};

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

    #[test]
    fn keeps_escapes_of_ascii_readable() {
        for (text, expected) in [
            ("/%C3%A9%20%2F%25/a", "/é%20%2F%25/a"),
            ("/%e9%95%b7é", "/長é"),
            ("/%ff", "/%ff"),
            ("%", "%"),
            ("/a%4é%C3%A9", "/a%4éé"),
        ] {
            assert_eq!(decode_readable(text), expected);
        }
    }

    proptest! {
        #[test]
        fn decodes_what_it_escapes(path in "\\PC{0,12}") {
            let escaped = escape_path(&path);
            prop_assert_eq!(decode(&escaped).unwrap_or_default(), path);
        }
    }
}
