//! What is looked for in the sources: for each finding the reference or the text that stands at its place, by the word of it that
//! says most.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::forms::{self, ends_reference, is_word};

/// A text that is looked for, in whatever form.
pub(super) type NeedleKey = u32;

/// What is looked for on behalf of one finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Needle {
    /// A reference, as it is written, and the page of this site that it means.
    Reference { raw: String, target: Option<String> },
    /// A reference that may be written with or without the sign in front of it.
    Link { raw: String },
    /// A text or the value of an attribute.
    Text { text: String, is_value: bool },
}

impl Needle {
    /// Whether it is a reference that means something else on every page.
    pub fn is_relative(&self) -> bool {
        match self {
            Needle::Reference { raw, .. } => !(raw.starts_with('/') || raw.contains("://")),
            Needle::Link { .. } => true,
            Needle::Text { .. } => false,
        }
    }
}

/// What references in a source are relative to.
#[derive(Clone, Copy)]
pub(super) struct Roots<'r> {
    /// The folder of the site that its page lies in.
    pub folder: Option<&'r str>,
    pub base_path: &'r str,
    /// Folders of languages, which references may be written without.
    pub languages: &'r [String],
}

/// The texts that are looked for, by the words that tell where they may stand.
#[derive(Default)]
pub(super) struct Needles {
    words: HashMap<Box<[u8]>, NeedleWord, RandomState>,
    references: HashMap<String, NeedleKey, RandomState>,
    targets: HashMap<String, NeedleKey, RandomState>,
    texts: HashMap<Box<[u8]>, NeedleKey, RandomState>,
    keys: NeedleKey,
}

/// How a word is looked for.
#[derive(Default)]
struct NeedleWord {
    /// Whether references have it.
    is_of_reference: bool,
    /// For the texts that have it: how many bytes come before it in them, and how long they are.
    shapes: Vec<(u32, u32)>,
}

/// Texts of different shapes that one word leads to; more are not looked for.
const SHAPES: usize = 32;

/// Bytes of a reference that are looked at on each side of a word.
const NEAR: usize = 1_024;

/// What stands in front of addresses in `AsciiDoc`.
const MACROS: [&str; 4] = ["link:", "xref:", "image::", "image:"];

/// Where a text stands that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occurrence {
    pub key: NeedleKey,
    pub start: usize,
    pub end: usize,
    pub is_reference: bool,
}

impl Needles {
    /// Adds what is looked for, and gives the forms in which it may be found: as it is written, and what it means.
    pub fn add(&mut self, needle: &Needle) -> Option<[Option<NeedleKey>; 2]> {
        match needle {
            Needle::Reference { raw, target } => {
                let word = forms::telling_word(raw)?;
                self.word(word.as_bytes()).is_of_reference = true;
                let as_written = number(&mut self.references, raw, &mut self.keys);
                if raw.bytes().any(ends_reference) {
                    self.text(raw.as_bytes(), as_written);
                }
                // It may be a word of the path that a fragment stands behind, in the form of what it means.
                let meant = target.as_ref().map(|target| number(&mut self.targets, target, &mut self.keys));
                Some([Some(as_written), meant])
            }
            Needle::Link { raw } => {
                let word = forms::telling_word(raw)?;
                self.word(word.as_bytes()).is_of_reference = true;
                let as_written = number(&mut self.references, raw, &mut self.keys);
                self.references.entry(format!("#{raw}")).or_insert(as_written);
                Some([Some(as_written), None])
            }
            Needle::Text { text, .. } => {
                let key = match self.texts.get(text.as_bytes()) {
                    Some(key) => *key,
                    None => next(&mut self.keys),
                };
                self.text(text.as_bytes(), key).then_some([Some(key), None])
            }
        }
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.keys as usize
    }

    fn word(&mut self, word: &[u8]) -> &mut NeedleWord {
        self.words.entry(word.into()).or_default()
    }

    /// Looks for a text; whether there is a word in it to find it by, and room.
    fn text(&mut self, text: &[u8], key: NeedleKey) -> bool {
        let Ok(written) = std::str::from_utf8(text) else { return false };
        let Some(word) = forms::longest_word(written) else { return false };
        let shape = (written.find(word).unwrap_or_default() as u32, text.len() as u32);
        let shapes = &mut self.word(word.as_bytes()).shapes;
        if !shapes.contains(&shape) {
            if shapes.len() == SHAPES {
                return false;
            }
            shapes.push(shape);
        }
        self.texts.entry(text.into()).or_insert(key);
        true
    }

    /// Finds what is looked for in a source.
    pub fn find(&self, text: &[u8], roots: Roots<'_>, found: &mut Vec<Occurrence>) {
        let mut last = 0..0;
        forms::words(text, &mut |word| {
            let Some(wanted) = self.words.get(&text[word.clone()]) else { return };
            if wanted.is_of_reference && !(last.start <= word.start && word.end <= last.end) {
                last = reference_around(text, word.clone());
                self.reference(text, last.clone(), roots, found);
            }
            for (before, length) in &wanted.shapes {
                let Some(start) = word.start.checked_sub(*before as usize) else { continue };
                let end = start + *length as usize;
                let Some(key) = text.get(start..end).and_then(|text| self.texts.get(text)) else { continue };
                let is_cut = |at: usize, inner: usize| {
                    text.get(at).is_some_and(|byte| is_word(*byte)) && is_word(text[inner])
                };
                if !start.checked_sub(1).is_some_and(|at| is_cut(at, start)) && !is_cut(end, end - 1) {
                    found.push(Occurrence { key: *key, start, end, is_reference: false });
                }
            }
        });
    }

    /// Looks a reference of a source up, also without the mark of a sentence behind it.
    fn reference(
        &self,
        text: &[u8],
        range: std::ops::Range<usize>,
        roots: Roots<'_>,
        found: &mut Vec<Occurrence>,
    ) {
        let written = String::from_utf8_lossy(&text[range.clone()]);
        let whole = written.as_ref();
        // An attribute without quotes, or a macro of AsciiDoc.
        let attribute = whole.find('=').filter(|at| !whole[..*at].contains(['/', '?', '#', ':', '.']));
        let is_macro = |name: &&&str| whole.starts_with(**name);
        let value =
            attribute.map(|at| at + 1).or_else(|| MACROS.iter().find(is_macro).map(|name| name.len()));
        let value = value.unwrap_or_default();
        let short = whole.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '\\']);
        for part in
            [whole.get(value..), Some(short).filter(|short| short.len() < whole.len())].into_iter().flatten()
        {
            let start = if part.len() == whole.len() - value { range.start + value } else { range.start };
            let raw = forms::raw_form(part);
            let as_written = self.references.get(&raw).copied();
            let meant = forms::meant(&raw, roots.folder, roots.base_path);
            let meant = meant
                .and_then(|meant| self.targets.get(forms::in_any_language(&meant, roots.languages)).copied());
            for key in [as_written, meant].into_iter().flatten() {
                found.push(Occurrence { key, start, end: start + part.len(), is_reference: true });
            }
            if as_written.or(meant).is_some() {
                return;
            }
        }
    }
}

/// The reference that a word stands in.
fn reference_around(text: &[u8], word: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let first = word.start.saturating_sub(NEAR);
    let start = text[first..word.start].iter().rposition(|byte| ends_reference(*byte));
    let start = start.map_or(first, |at| first + at + 1);
    let rest = &text[word.end..text.len().min(word.end + NEAR)];
    let end = word.end + rest.iter().position(|byte| ends_reference(*byte)).unwrap_or(rest.len());
    start..end
}

/// The number of a text; a new one for one that is new.
fn number(
    numbers: &mut HashMap<String, NeedleKey, RandomState>,
    text: &str,
    keys: &mut NeedleKey,
) -> NeedleKey {
    if let Some(known) = numbers.get(text) {
        return *known;
    }
    let key = next(keys);
    numbers.insert(text.to_owned(), key);
    key
}

fn next(keys: &mut NeedleKey) -> NeedleKey {
    *keys += 1;
    *keys - 1
}
