//! A file while it is parsed: its source, what was found in it, and what only the parser needs to know.

use std::ops::Range;

use encoding_rs::Encoding;

use super::facts::Facts;
use super::idrefs::NamedId;
use super::reference::Value;
use super::source::Source;
use super::text::decode_references;

/// A file while it is parsed. A worker reuses it from file to file.
#[derive(Debug, Default)]
pub struct Page {
    /// Its content.
    pub source: Source,
    /// What it says.
    pub facts: Facts,
    /// The ids that fragments can reach, with their places.
    pub ids: Vec<(Value, Range<u32>)>,
    /// The names of `a` elements, which fragments can reach too.
    pub names: Vec<Value>,
    /// How many of the ids are the document's own: those of `noscript` come after them.
    pub(super) document_ids: usize,
    /// Those of them that stand in a shadow tree, which has ids of its own, and in which.
    pub(super) shadow_ids: Vec<(usize, u32)>,
    /// The ranges of the source that hold no live elements: templates, and the texts of scripts and styles.
    pub(super) inert: Vec<Range<usize>>,
    /// The ids that attributes name.
    pub(super) named_ids: Vec<NamedId>,
    /// The content of the first `title`.
    pub(super) title: Option<Range<u32>>,
    /// The declared encoding, where it is not UTF-8.
    pub(super) charset: Option<&'static Encoding>,
}

impl Page {
    /// A file's content, to be parsed.
    pub fn new(source: Source) -> Page {
        Page { source, ..Page::default() }
    }

    /// Empties it for the next file, whose content then becomes [`Page::source`]. The largest buffers keep their memory.
    pub fn clear(&mut self) {
        let Page { source, mut facts, mut ids, mut names, mut named_ids, mut inert, .. } =
            std::mem::take(self);
        facts.clear();
        ids.clear();
        names.clear();
        named_ids.clear();
        inert.clear();
        *self = Page { source, facts, ids, names, inert, named_ids, ..Page::default() };
    }

    /// A value's bytes.
    pub fn bytes(&self, value: Value) -> &[u8] {
        if value.in_source {
            &self.source[value.start as usize..value.end as usize]
        } else {
            self.facts.text(value).as_bytes()
        }
    }

    /// A value's text; empty where that is not UTF-8.
    pub fn str(&self, value: Value) -> &str {
        if value.in_source {
            self.source.text(value.start as usize, value.end as usize).unwrap_or("")
        } else {
            self.facts.text(value)
        }
    }

    /// Lets the facts own every text that is a slice of the source: decoded from the page's encoding, with
    /// character references taken out.
    pub(super) fn own_values(&mut self) {
        let Page { source, facts, ids, names, named_ids, charset, .. } = self;
        let mut references = std::mem::take(&mut facts.references);
        for value in references.iter_mut().filter_map(|reference| reference.value.as_mut()) {
            own(value, source, *charset, facts);
        }
        facts.references = references;
        let mut maps = std::mem::take(&mut facts.maps);
        let mut usemaps = std::mem::take(&mut facts.usemaps);
        let mut base = facts.base;
        let values = maps.iter_mut().chain(usemaps.iter_mut().map(|(value, _)| value)).chain(&mut base);
        for value in values {
            own(value, source, *charset, facts);
        }
        facts.maps = maps;
        facts.usemaps = usemaps;
        facts.base = base;
        // Ids and names are only hashed, so that most may stay where they are.
        let named = named_ids.iter_mut().map(|named| &mut named.id);
        for value in ids.iter_mut().map(|(value, _)| value).chain(names).chain(named) {
            if value.in_source && !is_plain(value, source) {
                own(value, source, *charset, facts);
            }
        }
    }

    /// Keeps the title: character references decoded, white space folded.
    pub(super) fn keep_title(&mut self) {
        let Some(range) = self.title.clone() else { return };
        let bytes = &self.source[range.start as usize..range.end as usize];
        let text = match self.charset {
            Some(encoding) if std::str::from_utf8(bytes).is_err() => encoding.decode(bytes).0,
            _ => String::from_utf8_lossy(bytes),
        };
        let title = htmlize::unescape(&*text).split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        let value = self.facts.keep(&title);
        self.facts.about.title = Some((value, range));
    }

    /// Whether it begins with a doctype, comments and white space left aside.
    pub(super) fn has_doctype(&self) -> bool {
        const DOCTYPE: &[u8] = b"<!doctype";
        let mut rest = self.source.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&self.source);
        loop {
            rest = rest.trim_ascii_start();
            let end: &[u8] = match rest {
                [b'<', b'!', b'-', b'-', ..] => b"-->",
                [b'<', b'?', ..] => b">",
                _ => {
                    return rest
                        .get(..DOCTYPE.len())
                        .is_some_and(|start| start.eq_ignore_ascii_case(DOCTYPE));
                }
            };
            let Some(at) = memchr::memmem::find(rest, end) else { return false };
            rest = &rest[at + end.len()..];
        }
    }
}

/// Whether a slice of the source is UTF-8 without character references.
fn is_plain(value: &Value, source: &Source) -> bool {
    let (start, end) = (value.start as usize, value.end as usize);
    memchr::memchr(b'&', &source[start..end]).is_none() && source.text(start, end).is_some()
}

/// Makes a text the facts' own.
fn own(value: &mut Value, source: &Source, charset: Option<&'static Encoding>, facts: &mut Facts) {
    if !value.in_source {
        return;
    }
    let (start, end) = (value.start as usize, value.end as usize);
    *value = match source.text(start, end) {
        Some(text) if memchr::memchr(b'&', text.as_bytes()).is_none() => facts.keep(text),
        Some(text) => facts.keep(&decode_references(text)),
        None => {
            let bytes = &source[start..end];
            let text = match charset {
                Some(encoding) => encoding.decode(bytes).0,
                None => String::from_utf8_lossy(bytes),
            };
            facts.keep(&decode_references(&text))
        }
    };
}
