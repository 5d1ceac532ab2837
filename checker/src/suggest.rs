//! Finds what a reference that leads nowhere most likely means: "did you mean".

use unicode_normalization::UnicodeNormalization;

use crate::walk::Tree;

/// Names of one directory that are compared at the most.
const MAX_NAMES: usize = 2_000;

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

/// The id closest to a fragment: the same in another case, or a misspelling away.
pub fn nearest_id<'i>(fragment: &str, ids: impl Iterator<Item = &'i str>) -> Option<&'i str> {
    let ids: Vec<&str> = ids.filter(|id| !id.is_empty()).take(MAX_NAMES).collect();
    let same = ids.iter().find(|id| id.eq_ignore_ascii_case(fragment)).copied();
    same.or_else(|| misspelt(fragment, ids))
}

/// The name that a misspelt one most likely means. Names that differ in their digits alone are others of a series.
fn misspelt<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let stem = wanted.rsplit_once('.').map_or(wanted, |(stem, _)| stem).chars().count();
    let limit = if stem < 3 { 0 } else { (stem / 4).clamp(1, 3) };
    let length = wanted.chars().count();
    let without_digits = |name: &str| name.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let wanted_letters = without_digits(wanted);
    names
        .into_iter()
        .filter(|name| name.chars().count().abs_diff(length) <= limit)
        .map(|name| (strsim::osa_distance(wanted, name), name))
        .filter(|(distance, name)| *distance <= limit && without_digits(name) != wanted_letters)
        .min()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::misspelt;

    #[test]
    fn a_slip_is_recognised_and_another_name_is_not_taken_for_one() {
        assert_eq!(misspelt("pricng", ["pricing", "prices"]), Some("pricing"));
        assert_eq!(misspelt("teem.webp", ["team.webp", "hero.webp"]), Some("team.webp"));
        assert_eq!(misspelt("index-19", ["index-1", "index-18"]), None);
        assert_eq!(misspelt("fn.log10f32.html", ["fn.cosf32.html"]), None);
        assert_eq!(misspelt("a", ["b"]), None);
    }
}
