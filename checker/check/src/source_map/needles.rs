//! The needles to search for in the sources: for each finding its reference or text, found by its most distinctive
//! word.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::forms::{self, ends_reference, is_word};

/// The number of a needle in one form.
pub(crate) type NeedleKey = u32;

/// The needle of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Needle {
    /// A reference: as written, and the page of this site that it resolves to.
    Reference { raw: String, target: Option<String> },
    /// A reference that may be written with or without `#`.
    Link { raw: String },
    /// A text or the value of an attribute.
    Text { text: String, is_value: bool },
}

impl Needle {
    /// Whether it is a reference that has another target on every page.
    pub fn is_relative(&self) -> bool {
        match self {
            Needle::Reference { raw, .. } => !(raw.starts_with('/') || raw.contains("://")),
            Needle::Link { .. } => true,
            Needle::Text { .. } => false,
        }
    }
}

/// The bases of references in a source.
#[derive(Clone, Copy)]
pub(crate) struct Roots<'r> {
    /// The site folder of the source's page.
    pub folder: Option<&'r str>,
    pub base_path: &'r str,
    /// Language folders, which references may omit.
    pub languages: &'r [String],
    /// Whether only the path of a text counts, in any syntax: it ends at any byte that paths rarely have.
    pub is_path: bool,
}

/// All needles, by the words that find them.
#[derive(Default)]
pub(crate) struct Needles {
    words: HashMap<Box<[u8]>, NeedleWord, RandomState>,
    references: HashMap<String, NeedleKey, RandomState>,
    targets: HashMap<String, NeedleKey, RandomState>,
    texts: HashMap<Box<[u8]>, NeedleKey, RandomState>,
    keys: NeedleKey,
}

/// The needles that a word finds.
#[derive(Default)]
struct NeedleWord {
    /// Whether references contain the word.
    is_in_reference: bool,
    /// For the texts that contain the word: the offset of the word in them, and their length.
    shapes: Vec<(u32, u32)>,
}

/// Maximum number of shapes per word.
const MAX_SHAPES: usize = 32;

/// Maximum distance of the ends of a reference from a word.
const MAX_DISTANCE: usize = 1_024;

/// Macros of `AsciiDoc` before URLs.
const MACROS: [&str; 4] = ["link:", "xref:", "image::", "image:"];

/// An occurrence of a needle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Occurrence {
    pub key: NeedleKey,
    pub start: usize,
    pub end: usize,
    pub is_reference: bool,
}

impl Needles {
    /// Adds a needle, and returns the keys of its forms: as written, and its target.
    pub fn add(&mut self, needle: &Needle) -> Option<[Option<NeedleKey>; 2]> {
        match needle {
            Needle::Reference { raw, target } => {
                let word = forms::distinctive_word(raw)?;
                self.entry(word.as_bytes()).is_in_reference = true;
                let as_written = key_of(&mut self.references, raw, &mut self.keys);
                if raw.bytes().any(ends_reference) {
                    self.add_text(raw.as_bytes(), as_written);
                }
                // The raw form may have a word of the path, and the target a fragment after it.
                let resolved =
                    target.as_ref().map(|target| key_of(&mut self.targets, target, &mut self.keys));
                Some([Some(as_written), resolved])
            }
            Needle::Link { raw } => {
                let word = forms::distinctive_word(raw)?;
                self.entry(word.as_bytes()).is_in_reference = true;
                let as_written = key_of(&mut self.references, raw, &mut self.keys);
                self.references.entry(format!("#{raw}")).or_insert(as_written);
                Some([Some(as_written), None])
            }
            Needle::Text { text, .. } => {
                let key = match self.texts.get(text.as_bytes()) {
                    Some(key) => *key,
                    None => next_key(&mut self.keys),
                };
                self.add_text(text.as_bytes(), key).then_some([Some(key), None])
            }
        }
    }

    /// Adds a reference from the root without its leading slash, which a template or a script may add. Returns `None` for
    /// other needles.
    pub fn add_without_slash(&mut self, needle: &Needle) -> Option<NeedleKey> {
        let Needle::Reference { raw, .. } = needle else { return None };
        let bare =
            raw.strip_prefix('/').filter(|bare| !bare.starts_with('/') && bare.contains(['/', '.']))?;
        let word = forms::distinctive_word(bare)?;
        self.entry(word.as_bytes()).is_in_reference = true;
        Some(key_of(&mut self.references, bare, &mut self.keys))
    }

    /// Number of needles.
    pub fn len(&self) -> usize {
        self.keys as usize
    }

    fn entry(&mut self, word: &[u8]) -> &mut NeedleWord {
        self.words.entry(word.into()).or_default()
    }

    /// Adds a text. Returns false if it has no word to find it by, or if the word has too many shapes.
    fn add_text(&mut self, text: &[u8], key: NeedleKey) -> bool {
        let Ok(written) = std::str::from_utf8(text) else { return false };
        let Some(word) = forms::longest_word(written) else { return false };
        let shape = (written.find(word).unwrap_or_default() as u32, text.len() as u32);
        let shapes = &mut self.entry(word.as_bytes()).shapes;
        if !shapes.contains(&shape) {
            if shapes.len() == MAX_SHAPES {
                return false;
            }
            shapes.push(shape);
        }
        self.texts.entry(text.into()).or_insert(key);
        true
    }

    /// Finds the needles in a source.
    pub fn find(&self, text: &[u8], roots: Roots<'_>, found: &mut Vec<Occurrence>) {
        let mut last = 0..0;
        forms::words(text, &mut |word| {
            let Some(needle_word) = self.words.get(&text[word.clone()]) else { return };
            if needle_word.is_in_reference && !(last.start <= word.start && word.end <= last.end) {
                let ends = if roots.is_path { ends_path } else { ends_reference };
                last = text_around(text, word.clone(), ends);
                self.find_reference(text, last.clone(), roots, found);
            }
            for (before, length) in &needle_word.shapes {
                let Some(start) = word.start.checked_sub(*before as usize) else { continue };
                let end = start + *length as usize;
                let Some(key) = text.get(start..end).and_then(|text| self.texts.get(text)) else {
                    continue;
                };
                let is_cut = |at: usize, inner: usize| {
                    text.get(at).is_some_and(|byte| is_word(*byte)) && is_word(text[inner])
                };
                if !start.checked_sub(1).is_some_and(|at| is_cut(at, start)) && !is_cut(end, end - 1) {
                    found.push(Occurrence { key: *key, start, end, is_reference: false });
                }
            }
        });
    }

    /// Finds a reference of a source, also without the punctuation after it.
    fn find_reference(
        &self,
        text: &[u8],
        range: std::ops::Range<usize>,
        roots: Roots<'_>,
        found: &mut Vec<Occurrence>,
    ) {
        let written = String::from_utf8_lossy(&text[range.clone()]);
        let whole = written.as_ref();
        // An unquoted attribute, or a macro of AsciiDoc.
        let attribute = whole.find('=').filter(|at| !whole[..*at].contains(['/', '?', '#', ':', '.']));
        let is_macro = |name: &&&str| whole.starts_with(**name);
        let value =
            attribute.map(|at| at + 1).or_else(|| MACROS.iter().find(is_macro).map(|name| name.len()));
        let value = value.unwrap_or_default();
        let short = whole.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '\\']);
        // `-->` ends a comment.
        let short = if roots.is_path { short.trim_end_matches('-') } else { short };
        for part in
            [whole.get(value..), Some(short).filter(|short| short.len() < whole.len())].into_iter().flatten()
        {
            let start = if part.len() == whole.len() - value { range.start + value } else { range.start };
            let raw = forms::raw_form(part);
            let as_written = self.references.get(&raw).copied();
            let resolved = forms::resolve_target(&raw, roots.folder, roots.base_path);
            let resolved = resolved.and_then(|resolved| {
                self.targets.get(forms::without_language(&resolved, roots.languages)).copied()
            });
            for key in [as_written, resolved].into_iter().flatten() {
                found.push(Occurrence { key, start, end: start + part.len(), is_reference: true });
            }
            if as_written.or(resolved).is_some() {
                return;
            }
        }
    }
}

/// Whether a byte ends a path in any kind of text.
fn ends_path(byte: u8) -> bool {
    byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"/.-_%~@+".contains(&byte)
}

/// Returns the range around a word that has no byte which ends it.
fn text_around(
    text: &[u8],
    word: std::ops::Range<usize>,
    ends: impl Fn(u8) -> bool,
) -> std::ops::Range<usize> {
    let first = word.start.saturating_sub(MAX_DISTANCE);
    let start = text[first..word.start].iter().rposition(|byte| ends(*byte));
    let start = start.map_or(first, |at| first + at + 1);
    let rest = &text[word.end..text.len().min(word.end + MAX_DISTANCE)];
    let end = word.end + rest.iter().position(|byte| ends(*byte)).unwrap_or(rest.len());
    start..end
}

/// Returns the number of a text, a new one if it is not known.
fn key_of(
    keys_by_text: &mut HashMap<String, NeedleKey, RandomState>,
    text: &str,
    keys: &mut NeedleKey,
) -> NeedleKey {
    if let Some(known) = keys_by_text.get(text) {
        return *known;
    }
    let key = next_key(keys);
    keys_by_text.insert(text.to_owned(), key);
    key
}

fn next_key(keys: &mut NeedleKey) -> NeedleKey {
    *keys += 1;
    *keys - 1
}
