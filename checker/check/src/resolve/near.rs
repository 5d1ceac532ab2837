//! Finds what a reference that leads nowhere most likely means: "did you mean".

use unicode_normalization::UnicodeNormalization;

use crate::nearest::{MAX_NAMES, misspelt};
use crate::walk::Tree;

/// A path in the export that is close to one that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Near {
    /// The same but for upper and lower case.
    Case(String),
    /// The same characters, composed otherwise (Unicode NFC and NFD).
    Composition(String),
    /// The same but for `.html` at the end.
    Html(String),
    /// A misspelling away.
    Spelling(String),
}

/// The path closest to `wanted` (decoded, no leading `/`).
pub fn nearest_path(tree: &Tree, wanted: &[u8]) -> Option<Near> {
    let wanted = std::str::from_utf8(wanted).ok()?.trim_end_matches('/');
    let with_html = format!("{wanted}.html");
    if tree.find(with_html.as_bytes()).is_some() {
        return Some(Near::Html(with_html));
    }
    let mut folder = String::new();
    let mut segments = wanted.split('/').peekable();
    while let Some(segment) = segments.next() {
        let path = if folder.is_empty() { segment.to_owned() } else { format!("{folder}/{segment}") };
        if segments.peek().is_some() && tree.is_folder(path.as_bytes()) {
            folder = path;
            continue;
        }
        let names = children(tree, &folder);
        let others = || names.iter().map(String::as_str).filter(|name| *name != segment);
        let case = others().find(|name| name.to_lowercase() == segment.to_lowercase());
        let composition = || others().find(|name| name.nfc().eq(segment.nfc()));
        type Kind = fn(String) -> Near;
        let (close, kind): (&str, Kind) = match (case, composition()) {
            (Some(name), _) => (name, Near::Case),
            (None, Some(name)) => (name, Near::Composition),
            (None, None) => (misspelt(segment, others())?, Near::Spelling),
        };
        let rest: String = segments.map(|segment| format!("/{segment}")).collect();
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let whole = format!("{prefix}{close}{rest}");
        let exists = tree.find(whole.as_bytes()).is_some() || tree.is_folder(whole.as_bytes());
        let path = if exists { whole } else { format!("{prefix}{close}") };
        let index = format!("{path}/index.html");
        return Some(kind(if tree.find(index.as_bytes()).is_some() { index } else { path }));
    }
    None
}

/// The names directly in a directory, found by jumping over what lies deeper.
fn children(tree: &Tree, folder: &str) -> Vec<String> {
    let range = tree.below(folder.as_bytes());
    let skip = if folder.is_empty() { 0 } else { folder.len() + 1 };
    let mut names = Vec::new();
    let mut at = range.start;
    while at < range.end && names.len() < MAX_NAMES {
        let path = tree.path(at);
        let rest = &path[skip..];
        match memchr::memchr(b'/', rest) {
            None => {
                names.push(String::from_utf8_lossy(rest).into_owned());
                at += 1;
            }
            Some(length) => {
                names.push(String::from_utf8_lossy(&rest[..length]).into_owned());
                at = tree.below(&path[..skip + length]).end.max(at + 1);
            }
        }
    }
    names
}
