//! The needles to search for in the sources: for each finding its reference or text, found by its most distinctive
//! word. References are normalized for comparison: in a source and in the export, one may differ in extensions, encodings
//! and base.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use sitegate_address::extension::is_document_extension;
use sitegate_address::relative::join;
use sitegate_address::{SitePath, UrlReference};
use sitegate_sources::decoded_reference;

use crate::generator::GENERATORS;

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
                let word = distinctive_word(raw)?;
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
                let word = distinctive_word(raw)?;
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
        let word = distinctive_word(bare)?;
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
        let Some(word) = longest_word(written) else { return false };
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
        words(text, &mut |word| {
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
            let raw = raw_form(part);
            let as_written = self.references.get(&raw).copied();
            let resolved = resolve_target(&raw, roots.folder, roots.base_path);
            let resolved = resolved
                .and_then(|resolved| self.targets.get(without_language(&resolved, roots.languages)).copied());
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

/// File names that represent their folder.
const INDEX_NAMES: [&str; 3] = ["index", "readme", "_index"];

/// Decodes the entities and percent-encoding of a reference.
pub(crate) fn raw_form(written: &str) -> String {
    decoded_reference(written.trim())
}

/// Returns the page or file of a path with its fragment, in a form that is equal for all variants:
/// `/guide/setup#linux` for `guide/setup.md` and for `guide/setup/index.html`.
pub(crate) fn target_form(path: &str, fragment: &str) -> String {
    let mut form = format!("/{}", page_form(path));
    if !fragment.is_empty() {
        form.push('#');
        form.push_str(fragment);
    }
    form
}

/// Removes the language folder from a form: in translations Docusaurus adds it to references without one.
pub(super) fn without_language<'f>(form: &'f str, languages: &[String]) -> &'f str {
    let rest = languages.iter().find_map(|language| form.strip_prefix(language.as_str()));
    rest.filter(|rest| rest.starts_with('/')).unwrap_or(form)
}

/// Removes the extension of a page, an index name, and slashes at both ends from a path.
pub(crate) fn page_form(path: &str) -> &str {
    let path = SitePath::new(path.trim_matches('/'));
    let is_document = path.extension().is_some_and(is_document_extension);
    let path = if is_document { path.without_extension() } else { path.as_text() };
    let (folder, name) = SitePath::new(path).split();
    if INDEX_NAMES.iter().any(|index| name.eq_ignore_ascii_case(index)) { folder } else { path }
}

/// Resolves a reference in a source to a [`target_form`]. Paths from the root are on this site; others are relative to
/// `folder`, the folder of the source's page.
pub(super) fn resolve_target(raw: &str, folder: Option<&str>, base_path: &str) -> Option<String> {
    let reference = UrlReference::new(raw);
    let (path, fragment) = (reference.path(), reference.fragment().unwrap_or_default());
    let path = GENERATORS.iter().find_map(|generator| (generator.strip_prefix)(path)).unwrap_or(path);
    if path.contains(':') || path.starts_with("//") || path.is_empty() {
        return None;
    }
    if let Some(rooted) = path.strip_prefix('/') {
        let below = rooted.strip_prefix(base_path.trim_start_matches('/')).unwrap_or(rooted);
        return Some(target_form(below, fragment));
    }
    // As in URLs, `..` stops at the root.
    Some(target_form(&join(folder?, path).path, fragment))
}

/// Returns the most distinctive word of a reference that all its variants contain: of its fragment, or else of its
/// last segment.
pub(super) fn distinctive_word(raw: &str) -> Option<&str> {
    let reference = UrlReference::new(raw);
    let (query, fragment) = (reference.query().unwrap_or_default(), reference.fragment().unwrap_or_default());
    let stem = |segment| match str::rsplit_once(segment, '.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 8 => stem,
        _ => segment,
    };
    let segments = reference.path().rsplit('/').map(stem);
    std::iter::once(fragment).chain(segments).chain([query]).find_map(longest_word)
}

/// Returns the longest word of a text, the first of several. Prefers ASCII, since other words may be encoded.
pub(super) fn longest_word(text: &str) -> Option<&str> {
    let is_better = |word: &str, other: Option<&str>| {
        other.is_none_or(|other| (word.is_ascii(), word.len()) > (other.is_ascii(), other.len()))
    };
    let mut best: Option<&str> = None;
    let mut each = |range: std::ops::Range<usize>| {
        if let Some(word) = text.get(range).filter(|word| is_better(word, best)) {
            best = Some(word);
        }
    };
    words(text.as_bytes(), &mut each);
    best
}

/// Calls `each` with the words of a text: letters, digits, `-` and `_` of ASCII, or sequences of other characters.
/// Skips percent-encoded bytes.
pub(super) fn words(text: &[u8], each: &mut dyn FnMut(std::ops::Range<usize>)) {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let start = at;
        if byte == b'%' && text.get(at + 1..at + 3).is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit))
        {
            at += 3;
        } else if is_word(byte) {
            at += text[at..].iter().take_while(|next| is_word(**next)).count();
            each(start..at);
        } else if !byte.is_ascii() {
            at += text[at..].iter().take_while(|next| !next.is_ascii()).count();
            each(start..at);
        } else {
            at += 1;
        }
    }
}

/// Whether a byte belongs to an ASCII word.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Whether a byte ends a reference in any kind of source.
pub(super) fn ends_reference(byte: u8) -> bool {
    matches!(
        byte,
        b'"' | b'\'' | b'`' | b'<' | b'>' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'|' | b'\0'..=b' '
    )
}

#[cfg(test)]
mod tests {
    use super::{distinctive_word, raw_form, resolve_target, target_form, without_language};

    #[test]
    fn variants_of_a_reference_have_the_same_target() {
        for raw in
            ["./setup.md", "setup.html", "../guide/setup/", "/guide/setup", "/docs/guide/setup/index.html"]
        {
            assert_eq!(
                resolve_target(raw, Some("guide"), "/docs/").as_deref(),
                Some("/guide/setup"),
                "{raw}"
            );
        }
        assert_eq!(resolve_target("setup.md#linux", Some(""), "/").as_deref(), Some("/setup#linux"));
        assert_eq!(resolve_target("pathname:///prices.pdf", None, "/").as_deref(), Some("/prices.pdf"));
        assert_eq!(resolve_target("@/guide/_index.md", None, "/").as_deref(), Some("/guide"));
        for raw in ["https://e.org/x", "mailto:a@e.org", "//e.org/x", "#here"] {
            assert_eq!(resolve_target(raw, Some("guide"), "/"), None, "{raw}");
        }
        assert_eq!(resolve_target("setup", None, "/"), None);
        assert_eq!(resolve_target("../../x", Some("guide"), "/").as_deref(), Some("/x"));
        assert_eq!(target_form("guide/README.md", ""), "/guide");
        assert_eq!(target_form("", "top"), "/#top");
        let languages = ["/fr".to_owned()];
        assert_eq!(without_language("/fr/setup", &languages), "/setup");
        assert_eq!(without_language("/friends", &languages), "/friends");
        assert_eq!(raw_form(" /a%20b?x&amp;y "), "/a b?x&y");
    }

    #[test]
    fn distinctive_word_is_the_same_in_all_encodings() {
        let word = |raw| distinctive_word(raw);
        assert_eq!(word("../guide/setup.html"), Some("setup"));
        assert_eq!(word("/setup/#on-linux"), Some("on-linux"));
        assert_eq!(word("/café-menu"), Some("-menu"));
        assert_eq!(word("https://www.example.org/"), Some("example"));
        assert_eq!(word("/日本"), Some("日本"));
        assert_eq!(word("/?page=2"), Some("page"));
        assert_eq!(word("../"), None);
    }
}
