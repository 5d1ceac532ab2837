//! Finds the name that was most likely meant by one that is not known: "did you mean".

use std::cmp::Ordering;
use std::collections::HashMap;

use foldhash::fast::FixedState;
use unicode_normalization::UnicodeNormalization;

/// The known word that a misspelt one most likely means.
pub fn nearest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let length = word.chars().count();
    let limit = if length < 3 { 0 } else { (length / 3).max(1) };
    known
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .map(|candidate| (strsim::osa_distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// A name as it is compared where upper and lower case, `-`, `_`, spaces and the composition of characters make no
/// difference. What stands between two digits stays: 1-2 is not 12.
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

/// Names, made ready to be found by misspellings of them, in a time that does not grow with their number.
///
/// A misspelling is one slip inside a word: a letter too many or too few, another letter, two that changed places.
/// Names further away are other names, and so are those that differ in a digit, in a word's first letter, or in a word
/// of fewer than four letters: of all suggestions of that kind that were judged on real sites, hardly one was right.
#[derive(Debug, Default)]
pub struct Spellings {
    names: Vec<Box<str>>,
    /// Each name by itself, and without each of its characters in turn, as hashes: the place of the last such in `listed`.
    shortened: HashMap<u64, u32, FixedState>,
    /// Names, each with the place of the one before it that has the same hash.
    listed: Vec<(u32, Option<u32>)>,
}

impl Spellings {
    /// Makes names ready.
    pub fn new(names: impl IntoIterator<Item = Box<str>>) -> Self {
        let mut known = Spellings { names: names.into_iter().collect(), ..Spellings::default() };
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

    /// How many names there are.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The places of the names that are one slip away, in their order.
    pub fn of(&self, word: &str) -> Vec<usize> {
        let mut hashes: Vec<u64> = shortened(word).collect();
        hashes.sort_unstable();
        hashes.dedup();
        let mut places: Vec<usize> = hashes
            .iter()
            .filter_map(|hash| self.shortened.get(hash))
            .flat_map(|last| std::iter::successors(Some(*last), |&at| self.listed[at as usize].1))
            .map(|at| self.listed[at as usize].0 as usize)
            .collect();
        places.sort_unstable();
        places.dedup();
        places.retain(|&at| is_slip(word, &self.names[at]));
        places
    }
}

/// Hashes of a name, and of what is left without each of its characters, in a time that grows with its length alone. Two names may
/// well have the same.
fn shortened(name: &str) -> impl Iterator<Item = u64> + '_ {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let digit = |byte: u8| u64::from(byte) + 1;
    // Of what stands behind each place, as if it began there.
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

/// The ids of a page, made ready to be found by fragments that no element has.
pub struct Ids<'i> {
    ids: Vec<&'i str>,
    /// What tells most of them apart, in the same order.
    keys: Vec<Option<u64>>,
}

impl<'i> Ids<'i> {
    /// Makes ids ready.
    pub fn new(ids: impl Iterator<Item = &'i str>) -> Self {
        let ids: Vec<&str> = ids.filter(|id| !id.is_empty()).take(MAX_IDS).collect();
        let keys = ids.iter().map(|id| letters_key(id)).collect();
        Ids { ids, keys }
    }

    /// The id that a fragment most likely means.
    ///
    /// It is the only one that is the same but for case and signs; or else the only one that names the same thing in the
    /// way of a documentation generator: `map` for `map(int)`, `method.map` or `Stream.map`; or else the only one that
    /// is a slip away.
    pub fn nearest(&self, fragment: &str) -> Option<&'i str> {
        let letters = letters(fragment);
        if letters.chars().filter(|c| c.is_alphabetic()).count() < MIN_ALIKE {
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
        let alike = self.ids.iter().zip(&self.keys).filter(may_be).map(|(id, _)| *id);
        let mut alike = alike.filter(|id| self::letters(id) == letters);
        match alike.next() {
            // In code, as `v:Maybe` and `v:maybe` of Haskell, case tells names apart.
            Some(first) => alike
                .all(|other| other == first)
                .then_some(first)
                .filter(|same| !fragment.contains(':') || signless(same) == signless(fragment)),
            None if fragment.contains(':') => None,
            None => only(&|id| is_same_thing(fragment, id)).or_else(|| only(&|id| is_slip(fragment, id))),
        }
    }
}

/// Ids of a page that are compared at the most.
const MAX_IDS: usize = 5_000;

/// Letters and digits that a fragment has at the least where it is compared by these alone.
const MIN_ALIKE: usize = 3;

/// The letters and digits of an id, without regard to case.
fn letters(id: &str) -> String {
    let mut letters = folded(id);
    letters.retain(|c| c.is_alphanumeric() || c == '-');
    letters
}

/// A hash that two ids share where their letters are the same, made without a copy of them; `None` for what is not ASCII.
fn letters_key(id: &str) -> Option<u64> {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let letters =
        id.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| u64::from(byte.to_ascii_lowercase()));
    id.is_ascii().then(|| letters.fold(0, |key, letter| (key ^ letter).wrapping_mul(FACTOR).rotate_left(29)))
}

/// Whether two ids name one thing: a method with and without its parameters or its class, required or provided.
fn is_same_thing(a: &str, b: &str) -> bool {
    let (a, b) = (without_parameters(a), without_parameters(b));
    let is_in = |name: &str, whole: &str| whole.strip_suffix(name).is_some_and(|class| class.ends_with('.'));
    let method =
        |id: &'_ str| id.strip_prefix("method.").or_else(|| id.strip_prefix("tymethod.")).map(str::len);
    let is_name =
        |name: &str| name.len() >= MIN_ALIKE && name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_name(a)
        && is_name(b)
        && (a == b
            || is_in(a, b)
            || is_in(b, a)
            || matches!((method(a), method(b)), (Some(m), Some(n)) if m == n && a[a.len() - m..] == b[b.len() - n..]))
}

/// `map` of `map(int)`, and of `map-int-` as older documentation of Java has it.
fn without_parameters(id: &str) -> &str {
    let cut = if id.ends_with('-') { id.find('-') } else { id.find('(') };
    &id[..cut.unwrap_or(id.len())]
}

/// Letters that a word has at the least where a slip in it can be told from another word.
const MIN_LETTERS: usize = 4;

/// Whether a word may be a misspelling of a name (see [`Spellings`]).
fn is_slip(word: &str, name: &str) -> bool {
    if word.chars().next() != name.chars().next() || !is_all_but_alike(word, name) {
        return false;
    }
    let (word, name): (Vec<char>, Vec<char>) = (word.chars().collect(), name.chars().collect());
    let at = word.iter().zip(&name).take_while(|(a, b)| a == b).count();
    if !is_one_edit(&word[at..], &name[at..]) {
        return false;
    }
    let differs_inside = |text: &[char]| text[at].is_alphabetic() && !starts_word(text, at);
    let is_inside = match word.len().cmp(&name.len()) {
        Ordering::Equal => differs_inside(&word) && differs_inside(&name),
        Ordering::Less => differs_inside(&name),
        Ordering::Greater => differs_inside(&word),
    };
    // Another letter behind a word makes another name of it, but for a plural's, and one that is held down.
    let is_behind = || {
        word.len() > name.len()
            && word.get(at + 1).is_none_or(|c| !c.is_alphabetic())
            && word[at] != 's'
            && word[at] != word[at - 1]
    };
    is_inside && !is_behind() && letters_around(&word, at).min(letters_around(&name, at)) >= MIN_LETTERS
}

/// Whether two words have the same start and the same end, and no more between them than one slip can change.
fn is_all_but_alike(a: &str, b: &str) -> bool {
    const LONGEST_SLIP: usize = 8;
    let start = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let rest = a.len().max(b.len()) - start;
    let end = a.bytes().rev().zip(b.bytes().rev()).take(rest).take_while(|(a, b)| a == b).count();
    a.len().abs_diff(b.len()) <= 4 && rest <= end + LONGEST_SLIP
}

/// Whether one letter too many, another letter, or two that changed places make all the difference between what begins with another
/// letter: a distance of 1 (optimal string alignment).
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

/// Whether a word begins at a place of a name: after what is no letter, or with a capital after a small letter.
fn starts_word(name: &[char], at: usize) -> bool {
    name[at].is_alphabetic()
        && (at == 0
            || !name[at - 1].is_alphabetic()
            || (name[at].is_uppercase() && name[at - 1].is_lowercase()))
}

/// The letters of the word that a place of a name lies in, or right after.
fn letters_around(name: &[char], at: usize) -> usize {
    let is_edge = |place: &usize| !name[*place].is_alphabetic() || starts_word(name, *place);
    let edge = (0..at).rev().find(is_edge);
    let start = edge.map_or(0, |edge| if name[edge].is_alphabetic() { edge } else { edge + 1 });
    let end = (at..name.len()).find(is_edge).unwrap_or(name.len());
    end - start
}

#[cfg(test)]
mod tests {
    use super::{Ids, Spellings, folded};

    #[test]
    fn a_slip_is_recognised_and_another_name_is_not_taken_for_one() {
        for (word, name, expected) in [
            ("pricng", "pricing", true),
            ("teem", "team", true),
            ("guied", "guide", true),
            ("mergin", "merging", true),
            ("vhost", "vhosts", true),
            ("Template_paramater_scope", "Template_parameter_scope", true),
            ("mod_authnnz_ldap", "mod_authnz_ldap", true),
            ("installl", "install", true),
            // Other names, of which real sites are full.
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
            let found = Spellings::new([Box::from(name)]).of(word);
            assert_eq!(!found.is_empty(), expected, "{word}, {name}");
        }
    }

    #[test]
    fn an_id_is_recognised_by_what_it_names() {
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
    fn names_are_folded_up_to_what_tells_them_apart() {
        assert_eq!(folded("Getting_Started"), folded("getting-started"));
        assert_eq!(folded("cafe\u{301}"), folded("caf\u{e9}"));
        assert_ne!(folded("release-1-2"), folded("release-12"));
    }

    proptest::proptest! {
        #[test]
        fn one_edit_is_a_distance_of_one(word in "[abä]{0,5}", name in "[abä]{0,5}") {
            let (x, y): (Vec<char>, Vec<char>) = (word.chars().collect(), name.chars().collect());
            let at = x.iter().zip(&y).take_while(|(a, b)| a == b).count();
            let is_one = super::is_all_but_alike(&word, &name) && super::is_one_edit(&x[at..], &y[at..]);
            proptest::prop_assert_eq!(is_one, strsim::osa_distance(&word, &name) == 1);
        }
    }
}
