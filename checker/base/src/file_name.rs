//! Which names of files can be published at all, and which are one name to a file system that folds them.

use std::borrow::Cow;
use std::fmt;

use unicode_normalization::UnicodeNormalization;

/// Everything that publishing remembers of a target lies below this folder, with its `/`.
pub const MEMORY: &str = ".sitegate/";

/// The longest key that a bucket holds, in bytes of UTF-8: Amazon S3 and Google Cloud Storage say so; Azure counts
/// characters.
pub const LONGEST_KEY: usize = 1_024;

/// What keeps a file of this name from being published, wherever it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unpublishable {
    /// It lies where a publisher keeps its memory.
    InMemory,
    /// It holds a character that listings of buckets, in XML 1.0, cannot hold or that no store accepts.
    Character(char),
    /// It has an empty segment, or one that is `.` or `..`.
    Segment,
}

impl fmt::Display for Unpublishable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unpublishable::InMemory => {
                write!(f, "`{MEMORY}` is where publishing keeps its memory of a target")
            }
            Unpublishable::Character(found) => {
                write!(f, "U+{:04X} in its name is a character that no bucket can hold", u32::from(*found))
            }
            Unpublishable::Segment => f.write_str("its path has a segment that is empty, `.` or `..`"),
        }
    }
}

/// What keeps a file from being published, by its path below the root; none where nothing does.
pub fn unpublishable(path: &str) -> Option<Unpublishable> {
    if is_plain(path.as_bytes()) {
        return None;
    }
    if path.split('/').any(is_memory) {
        return Some(Unpublishable::InMemory);
    }
    let is_odd_character = |c: &char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    if let Some(found) = path.chars().find(is_odd_character) {
        return Some(Unpublishable::Character(found));
    }
    let is_odd_segment = |segment| matches!(segment, "" | "." | "..");
    path.split('/').any(is_odd_segment).then_some(Unpublishable::Segment)
}

/// Whether a path is of visible ASCII alone, and no name in it is empty or begins with a dot: nearly every path is.
fn is_plain(path: &[u8]) -> bool {
    let is_visible = path.iter().fold(true, |so_far, byte| so_far & (b' '..=b'~').contains(byte));
    let begins = |byte: Option<&u8>| !matches!(byte, None | Some(b'.' | b'/'));
    is_visible && begins(path.first()) && memchr::memchr_iter(b'/', path).all(|at| begins(path.get(at + 1)))
}

/// Whether a segment of a path is the publisher's memory, or the same to some file system: macOS takes letters of
/// either case for one and may leave out characters that are not shown, Windows leaves out dots and spaces at the end.
fn is_memory(segment: &str) -> bool {
    // Nothing folds to a name of nine letters that is much longer, and most names are told apart by their first byte.
    let begins =
        segment.starts_with(['.', '\u{feff}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}']);
    begins && segment.len() <= 64 && {
        let shown: String = segment.chars().filter(|c| !is_hidden(*c)).collect();
        folded(shown.trim_end_matches(['.', ' '])) == MEMORY.trim_end_matches('/')
    }
}

/// Whether HFS+ leaves a character out of account when it compares names.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A path as a file system sees it that takes letters of either case, and the ways to write an accented letter, for one
/// (Unicode NFD and simple case folding, as macOS has it).
pub fn folded(path: &str) -> Cow<'_, str> {
    if path.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(path);
    }
    if path.is_ascii() {
        return Cow::Owned(path.to_ascii_lowercase());
    }
    // By way of upper case, so that `ſ` is `s` and `ς` is `σ`.
    Cow::Owned(path.nfd().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfd().collect())
}

#[cfg(test)]
mod tests {
    use super::{Unpublishable, folded, unpublishable};

    #[test]
    fn the_memory_is_known_in_every_disguise() {
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
            assert_eq!(unpublishable(path), Some(Unpublishable::InMemory), "{path:?}");
        }
        for path in ["sitegate/x", ".sitegates/x", ".well-known/security.txt", "a.sitegate", ".sitegate.toml"]
        {
            assert_eq!(unpublishable(path), None, "{path}");
        }
    }

    #[test]
    fn what_no_store_holds_is_named() {
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
    fn names_that_a_file_system_takes_for_one_fold_to_one() {
        for [a, b] in
            [["Readme", "README"], ["ka\u{308}se", "K\u{c4}SE"], ["\u{3c2}", "\u{3a3}"], ["\u{fb01}", "FI"]]
        {
            assert_eq!(folded(a), folded(b));
        }
        assert_ne!(folded("a/b"), folded("a-b"));
    }
}
