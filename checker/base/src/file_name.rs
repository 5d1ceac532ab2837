//! Finds file names that cannot be published, and names that are equal on case-insensitive file systems.

use std::borrow::Cow;
use std::fmt;

use unicode_normalization::UnicodeNormalization;

/// The folder of the target state, with a trailing `/`.
pub const STATE_FOLDER: &str = ".sitegate/";

/// Maximum length of a key in a bucket, in bytes of UTF-8: the limit of Amazon S3 and Google Cloud Storage.
/// Azure counts characters.
pub const MAX_KEY_LENGTH: usize = 1_024;

/// The reason why no target can store a file with this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unpublishable {
    /// It is in the folder of the target state.
    StateFolder,
    /// It has a character that no store accepts, or that XML 1.0 listings cannot represent.
    Character(char),
    /// It has an empty segment, or one that is `.` or `..`.
    Segment,
}

impl fmt::Display for Unpublishable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unpublishable::StateFolder => {
                write!(f, "`{STATE_FOLDER}` is reserved for the state of a target")
            }
            Unpublishable::Character(found) => {
                write!(f, "its name has the character U+{:04X}, which no bucket can store", u32::from(*found))
            }
            Unpublishable::Segment => f.write_str("its path has a segment that is empty, `.` or `..`"),
        }
    }
}

/// Returns the reason why a file cannot be published, by its path below the root; none if it can.
pub fn unpublishable(path: &str) -> Option<Unpublishable> {
    if is_plain(path.as_bytes()) {
        return None;
    }
    if path.split('/').any(is_state_folder) {
        return Some(Unpublishable::StateFolder);
    }
    let is_invalid_character = |c: &char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    if let Some(found) = path.chars().find(is_invalid_character) {
        return Some(Unpublishable::Character(found));
    }
    let is_invalid_segment = |segment| matches!(segment, "" | "." | "..");
    path.split('/').any(is_invalid_segment).then_some(Unpublishable::Segment)
}

/// Whether a path is printable ASCII, without empty segments and segments that begin with a dot. Nearly all
/// paths are.
fn is_plain(path: &[u8]) -> bool {
    let is_visible = path.iter().fold(true, |so_far, byte| so_far & (b' '..=b'~').contains(byte));
    let begins = |byte: Option<&u8>| !matches!(byte, None | Some(b'.' | b'/'));
    is_visible && begins(path.first()) && memchr::memchr_iter(b'/', path).all(|at| begins(path.get(at + 1)))
}

/// Whether a segment is the folder of the target state, or equal to it on some file system. macOS ignores case
/// and may ignore invisible characters; Windows ignores dots and spaces at the end.
fn is_state_folder(segment: &str) -> bool {
    // Only short names fold to one of nine characters, and most names differ in the first byte.
    let begins =
        segment.starts_with(['.', '\u{feff}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}']);
    begins && segment.len() <= 64 && {
        let shown: String = segment.chars().filter(|c| !is_hidden(*c)).collect();
        folded(shown.trim_end_matches(['.', ' '])) == STATE_FOLDER.trim_end_matches('/')
    }
}

/// Whether HFS+ ignores a character when it compares names.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Folds a path as a case-insensitive file system does (Unicode NFD and simple case folding, as on macOS).
pub fn folded(path: &str) -> Cow<'_, str> {
    if path.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(path);
    }
    if path.is_ascii() {
        return Cow::Owned(path.to_ascii_lowercase());
    }
    // Uppercase first, so that `ſ` becomes `s`, and `ς` becomes `σ`.
    Cow::Owned(path.nfd().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfd().collect())
}

#[cfg(test)]
mod tests {
    use super::{Unpublishable, folded, unpublishable};

    #[test]
    fn recognizes_the_state_folder_in_every_disguise() {
        for path in [
            ".sitegate/runs/0000000009.json",
            ".sitegate",
            ".SiteGate/kept/x",
            "blog/.sitegate/runs/1.json",
            ".\u{17f}itegate/x",
            ".site\u{200c}gate/x",
            "\u{feff}.sitegate/x",
            ".sitegate. /x",
        ] {
            assert_eq!(unpublishable(path), Some(Unpublishable::StateFolder), "{path:?}");
        }
        for path in ["sitegate/x", ".sitegates/x", ".well-known/security.txt", "a.sitegate", ".sitegate.toml"]
        {
            assert_eq!(unpublishable(path), None, "{path}");
        }
    }

    #[test]
    fn rejects_names_that_no_store_accepts() {
        for path in ["a\u{7f}", "a\u{1}b", "a\nb", "x\u{85}", "\u{fffe}"] {
            assert!(matches!(unpublishable(path), Some(Unpublishable::Character(_))), "{path:?}");
        }
        for path in ["a//b", "/a", "a/", "a/./b", "..", "a/.."] {
            assert_eq!(unpublishable(path), Some(Unpublishable::Segment), "{path}");
        }
        for path in ["a b", "käse/a.html", "a#1", "a%2Fb", "...", "a/.b", "日本/語"] {
            assert_eq!(unpublishable(path), None, "{path}");
        }
    }

    #[test]
    fn folds_equal_names_to_one() {
        for [a, b] in
            [["Readme", "README"], ["ka\u{308}se", "K\u{c4}SE"], ["\u{3c2}", "\u{3a3}"], ["\u{fb01}", "FI"]]
        {
            assert_eq!(folded(a), folded(b));
        }
        assert_ne!(folded("a/b"), folded("a-b"));
    }
}
