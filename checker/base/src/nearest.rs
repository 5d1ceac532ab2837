//! Suggests the most similar known name for an unknown one: "did you mean".

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use foldhash::fast::FixedState;
use unicode_normalization::UnicodeNormalization;

/// Returns the known word that is most similar to a misspelled one.
pub fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let length = word.chars().count();
    nearest_by(word, known, if length < 3 { 0 } else { (length / 3).max(1) })
}

/// Returns the known word that is most similar to another one, and differs by at most `limit` edits: a letter added, removed
/// or replaced, or two letters swapped.
pub fn nearest_by<'w>(word: &str, known: impl IntoIterator<Item = &'w str>, limit: usize) -> Option<&'w str> {
    let length = word.chars().count();
    known
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .map(|candidate| (strsim::osa_distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Returns the path of the file or folder whose name is most similar to that of a missing one, in the same folder.
pub fn nearest_entry(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(listed).ok()?.flatten();
    let names = entries.map(|entry| PathBuf::from(entry.file_name()));
    // Equal extensions make names no more similar.
    let (same, others): (Vec<PathBuf>, Vec<PathBuf>) =
        names.partition(|name| name.extension() == path.extension());
    let stem = |name: &PathBuf| Some(name.file_stem()?.to_str()?.to_owned());
    let stems: Vec<String> = same.iter().filter_map(stem).collect();
    if let Some(near) = nearest(path.file_stem()?.to_str()?, stems.iter().map(String::as_str)) {
        return same
            .into_iter()
            .find(|name| stem(name).as_deref() == Some(near))
            .map(|name| folder.join(name));
    }
    let others = others.iter().filter_map(|name| name.to_str());
    nearest(path.file_name()?.to_str()?, others).map(|near| folder.join(near))
}

/// Folds a name for comparisons that ignore case, `-`, `_`, spaces and Unicode composition. A separator between
/// two digits is kept: 1-2 is not 12.
pub fn folded(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    let mut gap = false;
    let mut push = |c: char| {
        if matches!(c, '-' | '_' | ' ' | '+') {
            gap = true;
            return;
        }
        if gap && c.is_ascii_digit() && folded.ends_with(|last: char| last.is_ascii_digit()) {
            folded.push('-');
        }
        gap = false;
        folded.push(c);
    };
    if name.is_ascii() {
        name.chars().for_each(|c| push(c.to_ascii_lowercase()));
    } else {
        name.nfc().flat_map(char::to_lowercase).for_each(push);
    }
    folded
}

/// An index of names for finding misspellings, in a time independent of the number of names.
///
/// A misspelling is one edit inside of a word: an extra, missing or wrong letter, or two swapped letters. Names
/// at a larger distance count as different. So do names that differ in a digit, in the first letter of a word (unless it
/// is swapped with the second), or in a word of fewer than four letters: on real sites, hardly any such suggestion was
/// right.
#[derive(Debug, Default)]
pub struct SpellingIndex {
    names: Vec<Box<str>>,
    /// For the hash of each name, and of each name without one of its characters: the index of the last entry
    /// in `listed`.
    shortened: HashMap<u64, u32, FixedState>,
    /// Names, each with the index of the previous entry with the same hash.
    listed: Vec<(u32, Option<u32>)>,
}

impl SpellingIndex {
    /// Builds the index.
    pub fn new(names: impl IntoIterator<Item = Box<str>>) -> Self {
        let mut known = SpellingIndex { names: names.into_iter().collect(), ..SpellingIndex::default() };
        let hashes = known.names.iter().map(|name| name.len() + 1).sum();
        known.shortened.reserve(hashes);
        known.listed.reserve(hashes);
        for (at, name) in known.names.iter().enumerate() {
            for hash in shortened(name) {
                let before = known.shortened.get(&hash).copied();
                let is_new = before.is_none_or(|before| known.listed[before as usize].0 != at as u32);
                if is_new {
                    known.shortened.insert(hash, known.listed.len() as u32);
                    known.listed.push((at as u32, before));
                }
            }
        }
        known
    }

    /// Returns the number of names.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// Returns the indexes of the names at a distance of one edit, in order.
    pub fn find_similar(&self, word: &str) -> Vec<usize> {
        let mut hashes: Vec<u64> = shortened(word).collect();
        hashes.sort_unstable();
        hashes.dedup();
        let mut indexes: Vec<usize> = hashes
            .iter()
            .filter_map(|hash| self.shortened.get(hash))
            .flat_map(|last| std::iter::successors(Some(*last), |&at| self.listed[at as usize].1))
            .map(|at| self.listed[at as usize].0 as usize)
            .collect();
        indexes.sort_unstable();
        indexes.dedup();
        indexes.retain(|&at| is_misspelling(word, &self.names[at]));
        indexes
    }
}

/// Returns the hashes of a name, and of the name without each of its characters, in linear time. Collisions are
/// possible.
fn shortened(name: &str) -> impl Iterator<Item = u64> + '_ {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let digit = |byte: u8| u64::from(byte) + 1;
    // The hash of each suffix.
    let mut behind = vec![0u64; name.len() + 1];
    for (at, byte) in name.bytes().enumerate().rev() {
        behind[at] = digit(byte).wrapping_add(behind[at + 1].wrapping_mul(FACTOR));
    }
    let whole = behind[0];
    let (mut before, mut weight) = (0u64, 1u64);
    let without = name.char_indices().map(move |(at, c)| {
        let end = at + c.len_utf8();
        let hash = before.wrapping_add(weight.wrapping_mul(behind[end]));
        for &byte in &name.as_bytes()[at..end] {
            before = before.wrapping_add(weight.wrapping_mul(digit(byte)));
            weight = weight.wrapping_mul(FACTOR);
        }
        hash
    });
    std::iter::once(whole).chain(without)
}

/// The ids of a page, prepared for finding similar ones.
pub struct Ids<'i> {
    ids: Vec<&'i str>,
    /// Hashes that distinguish most of them, in the same order.
    keys: Vec<Option<u64>>,
}

impl<'i> Ids<'i> {
    /// Prepares ids.
    pub fn new(ids: impl Iterator<Item = &'i str>) -> Self {
        let ids: Vec<&str> = ids.filter(|id| !id.is_empty()).take(MAX_IDS).collect();
        let keys = ids.iter().map(|id| letters_key(id)).collect();
        Ids { ids, keys }
    }

    /// Returns the id that a fragment most likely means.
    ///
    /// It is the only one that differs just in case and punctuation. Otherwise it is the only one that
    /// documentation generators use for the same item: `map` for `map(int)`, `method.map` or `Stream.map`.
    /// Otherwise it is the only one at a distance of one edit.
    pub fn nearest(&self, fragment: &str) -> Option<&'i str> {
        let letters = letters(fragment);
        if letters.chars().filter(|c| c.is_alphabetic()).count() < MIN_COMPARED {
            return None;
        }
        let signless = |id: &'_ str| id.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        let only = |is_it: &dyn Fn(&str) -> bool| {
            let mut found = self.ids.iter().filter(|id| is_it(id));
            let first = found.next()?;
            found.all(|other| other == first).then_some(*first)
        };
        let key = letters_key(&letters);
        let may_be = |(_, known): &(&&'i str, &Option<u64>)| known.is_none() || **known == key;
        let similar = self.ids.iter().zip(&self.keys).filter(may_be).map(|(id, _)| *id);
        let mut similar = similar.filter(|id| self::letters(id) == letters);
        match similar.next() {
            // In code, such as `v:Maybe` and `v:maybe` in Haskell, case matters.
            Some(first) => similar
                .all(|other| other == first)
                .then_some(first)
                .filter(|same| !fragment.contains(':') || signless(same) == signless(fragment)),
            None if fragment.contains(':') => None,
            None => {
                only(&|id| is_same_thing(fragment, id)).or_else(|| only(&|id| is_misspelling(fragment, id)))
            }
        }
    }
}

/// Maximum number of ids to compare.
const MAX_IDS: usize = 5_000;

/// Minimum number of letters and digits for a comparison that ignores everything else.
const MIN_COMPARED: usize = 3;

/// Returns the letters and digits of an id, ignoring case.
fn letters(id: &str) -> String {
    let mut letters = folded(id);
    letters.retain(|c| c.is_alphanumeric() || c == '-');
    letters
}

/// Returns a hash of the letters of an id, computed without a copy; `None` if it is not ASCII.
fn letters_key(id: &str) -> Option<u64> {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let letters =
        id.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| u64::from(byte.to_ascii_lowercase()));
    id.is_ascii().then(|| letters.fold(0, |key, letter| (key ^ letter).wrapping_mul(FACTOR).rotate_left(29)))
}

/// Whether two ids mean the same item: a method with or without its parameters or class, required or provided.
fn is_same_thing(a: &str, b: &str) -> bool {
    let (a, b) = (without_parameters(a), without_parameters(b));
    let is_in = |name: &str, whole: &str| whole.strip_suffix(name).is_some_and(|class| class.ends_with('.'));
    let method =
        |id: &'_ str| id.strip_prefix("method.").or_else(|| id.strip_prefix("tymethod.")).map(str::len);
    let is_name =
        |name: &str| name.len() >= MIN_COMPARED && name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_name(a)
        && is_name(b)
        && (a == b
            || is_in(a, b)
            || is_in(b, a)
            || matches!((method(a), method(b)), (Some(m), Some(n)) if m == n && a[a.len() - m..] == b[b.len() - n..]))
}

/// Removes parameters: `map` for `map(int)`, and for `map-int-` of older Java documentation.
fn without_parameters(id: &str) -> &str {
    let cut = if id.ends_with('-') { id.find('-') } else { id.find('(') };
    &id[..cut.unwrap_or(id.len())]
}

/// Minimum length of a word in which a misspelling is distinguishable from another word.
const MIN_LETTERS: usize = 4;

/// Whether a word may be a misspelling of a name (see [`SpellingIndex`]).
pub fn is_misspelling(word: &str, name: &str) -> bool {
    if !is_almost_equal(word, name) {
        return false;
    }
    let (word, name): (Vec<char>, Vec<char>) = (word.chars().collect(), name.chars().collect());
    let at = word.iter().zip(&name).take_while(|(a, b)| a == b).count();
    if !is_one_edit(&word[at..], &name[at..]) {
        return false;
    }
    let letters = |index| letters_around(&word, index).min(letters_around(&name, index));
    // The first two letters of another word are rarely the same ones.
    if is_swap(&word[at..], &name[at..]) && starts_word(&name, at) {
        return letters(at + 1) > MIN_LETTERS;
    }
    let differs_inside = |text: &[char]| text[at].is_alphabetic() && !starts_word(text, at);
    let is_inside = match word.len().cmp(&name.len()) {
        Ordering::Equal => differs_inside(&word) && differs_inside(&name),
        Ordering::Less => differs_inside(&name),
        Ordering::Greater => differs_inside(&word),
    };
    // An extra letter at the end makes another name, except for a plural or a repeated letter.
    let is_behind = || {
        word.len() > name.len()
            && word.get(at + 1).is_none_or(|c| !c.is_alphabetic())
            && word[at] != 's'
            && word[at] != word[at - 1]
    };
    is_inside && !is_behind() && letters(at) >= MIN_LETTERS
}

/// Whether two words have the same start and end, and differ in between by at most one edit's length.
fn is_almost_equal(a: &str, b: &str) -> bool {
    const MAX_EDIT_BYTES: usize = 8;
    let start = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let rest = a.len().max(b.len()) - start;
    let end = a.bytes().rev().zip(b.bytes().rev()).take(rest).take_while(|(a, b)| a == b).count();
    a.len().abs_diff(b.len()) <= 4 && rest <= end + MAX_EDIT_BYTES
}

/// Whether two different texts have an optimal string alignment distance of 1: one extra or wrong letter, or
/// two swapped ones.
fn is_one_edit(a: &[char], b: &[char]) -> bool {
    match (a, b) {
        ([first, second, a @ ..], [other, last, b @ ..]) if first == last && second == other && a == b => {
            true
        }
        ([_, a_rest @ ..], [_, b_rest @ ..]) => a_rest == b_rest || a_rest == b || a == b_rest,
        ([_], []) | ([], [_]) => true,
        _ => false,
    }
}

/// Whether two texts differ in two swapped letters at their start.
fn is_swap(a: &[char], b: &[char]) -> bool {
    matches!((a, b), ([first, second, a @ ..], [other, last, b @ ..])
        if first == last && second == other && a == b && first.is_alphabetic() && second.is_alphabetic())
}

/// Whether a word begins at an index: after a non-letter, or at a capital after a lowercase letter.
fn starts_word(name: &[char], at: usize) -> bool {
    name[at].is_alphabetic()
        && (at == 0
            || !name[at - 1].is_alphabetic()
            || (name[at].is_uppercase() && name[at - 1].is_lowercase()))
}

/// Returns the number of letters of the word at an index, or right before it.
fn letters_around(name: &[char], at: usize) -> usize {
    let is_edge = |index: &usize| !name[*index].is_alphabetic() || starts_word(name, *index);
    let edge = (0..at).rev().find(is_edge);
    let start = edge.map_or(0, |edge| if name[edge].is_alphabetic() { edge } else { edge + 1 });
    let end = (at..name.len()).find(is_edge).unwrap_or(name.len());
    end - start
}

#[cfg(test)]
mod tests {
    use super::{Ids, SpellingIndex, folded};

    #[test]
    fn recognizes_misspellings_but_not_other_names() {
        for (word, name, expected) in [
            ("pricng", "pricing", true),
            ("teem", "team", true),
            ("guied", "guide", true),
            ("mergin", "merging", true),
            ("vhost", "vhosts", true),
            ("Template_paramater_scope", "Template_parameter_scope", true),
            ("mod_authnnz_ldap", "mod_authnz_ldap", true),
            ("installl", "install", true),
            ("omdule", "module", true),
            ("short_avriables", "short_variables", true),
            ("fn.sah", "fn.ash", false),
            // Different names, which are common on real sites.
            ("index-19", "index-18", false),
            ("page1", "page", false),
            ("fn.log10f32", "fn.cosf32", false),
            ("fn.sin", "fn.asin", false),
            ("nunique", "unique", false),
            ("intro", "cintro", false),
            ("trait.Unsize", "trait.Unpin", false),
            ("ptr", "str", false),
            ("GHC-Tc-Utils", "GHC-Hs-Utils", false),
            ("setName", "getName", false),
            ("a", "b", false),
            ("guide", "guide", false),
            ("qDebugx", "qDebug", false),
        ] {
            let found = SpellingIndex::new([Box::from(name)]).find_similar(word);
            assert_eq!(!found.is_empty(), expected, "{word}, {name}");
        }
    }

    #[test]
    fn finds_the_id_of_the_same_item() {
        let ids = [
            "map()",
            "method.fold",
            "list.append",
            "insert-int-",
            "Getting_Started",
            "_update",
            "step-1-2",
            "step-12",
            "of(K)",
            "of(V)",
            "a",
            "Alignment",
        ];
        for (fragment, expected) in [
            ("map", Some("map()")),
            ("tymethod.fold", Some("method.fold")),
            ("append", Some("list.append")),
            ("builtins.list.append", Some("list.append")),
            ("str.append", None),
            ("insert(int)", Some("insert-int-")),
            ("getting-started", Some("Getting_Started")),
            ("update", Some("_update")),
            ("step_1_2", Some("step-1-2")),
            ("step-1", None),
            ("of(T)", None),
            ("A", None),
            ("alignmnet", None),
            ("Alignmnet", Some("Alignment")),
        ] {
            assert_eq!(Ids::new(ids.into_iter()).nearest(fragment), expected, "{fragment}");
        }
    }

    #[test]
    fn folds_names_but_keeps_distinctions() {
        assert_eq!(folded("Getting_Started"), folded("getting-started"));
        assert_eq!(folded("cafe\u{301}"), folded("caf\u{e9}"));
        assert_ne!(folded("release-1-2"), folded("release-12"));
    }

    proptest::proptest! {
        #[test]
        fn one_edit_is_a_distance_of_one(word in "[abä]{0,5}", name in "[abä]{0,5}") {
            let (x, y): (Vec<char>, Vec<char>) = (word.chars().collect(), name.chars().collect());
            let at = x.iter().zip(&y).take_while(|(a, b)| a == b).count();
            let is_one = super::is_almost_equal(&word, &name) && super::is_one_edit(&x[at..], &y[at..]);
            proptest::prop_assert_eq!(is_one, strsim::osa_distance(&word, &name) == 1);
        }
    }
}
