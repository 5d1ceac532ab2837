//! A file while it is parsed: its source, its facts, and the parser's state.

use std::borrow::Cow;
use std::ops::Range;

use sitegate_html::syntax::PageSyntax;

use super::facts::{Facts, MARK, store};
use super::html_text::decode_references;
use super::reference::{ReferencedId, Value};
use super::reference_kind::ReferenceKind;
use super::source::Source;
use super::xml::syntax::Entities;
use crate::resolve::fragment;

/// A file while it is parsed. Each thread reuses one for all its files.
#[derive(Debug, Default)]
pub struct Page {
    /// The content.
    pub source: Source,
    /// The facts.
    pub facts: Facts,
    /// Ids with their locations.
    pub ids: Vec<(Value, Range<u32>)>,
    /// Names of `a` elements, which fragments can also refer to.
    pub names: Vec<Value>,
    /// Whether the texts of anchors are stored.
    pub(super) names_anchors: bool,
    /// Indexes of ids that belong to headings, terms, sections and figures. Filled only if anchors are named.
    pub(super) heading_ids: Vec<usize>,
    /// Indexes of ids that belong to elements that are not rendered. Filled only if anchors are named.
    pub(super) hidden_ids: Vec<usize>,
    /// Number of ids of the document itself; those in `noscript` come after them.
    pub(super) own_ids: usize,
    /// Indexes of ids in a shadow tree, and the tree.
    pub(super) shadow_ids: Vec<(usize, u32)>,
    /// Fragments that SVG elements in a shadow tree refer to, and the tree.
    pub(super) shadow_uses: Vec<(Value, Range<u32>, u32)>,
    /// Ranges of the source without live elements: templates, scripts and styles.
    pub(super) inert: Vec<Range<usize>>,
    /// Ids that attributes refer to.
    pub(super) referenced_ids: Vec<ReferencedId>,
    /// Content of the first `title`.
    pub(super) title: Option<Range<u32>>,
    /// How browsers parse it.
    pub(crate) syntax: PageSyntax,
    /// The entities that it defines, if it is XML.
    pub(super) entities: Entities,
    /// Whether offsets are those of the decoded text, not of the file.
    pub(crate) is_transcoded: bool,
}

impl Page {
    /// Creates a page of HTML with this content.
    pub fn new(source: Source) -> Page {
        Page { source, ..Page::default() }
    }

    /// Clears the page for the next file. The largest buffers keep their memory.
    pub fn clear(&mut self) {
        let Page { source, mut facts, mut ids, mut names, mut referenced_ids, mut inert, .. } =
            std::mem::take(self);
        facts.clear();
        ids.clear();
        names.clear();
        referenced_ids.clear();
        inert.clear();
        *self = Page { source, facts, ids, names, inert, referenced_ids, ..Page::default() };
    }

    /// Returns a value's bytes.
    pub fn bytes(&self, value: Value) -> &[u8] {
        if value.in_source {
            &self.source[value.start as usize..value.end as usize]
        } else {
            self.facts.text(value).as_bytes()
        }
    }

    /// Returns a value's text; empty if it is not UTF-8.
    pub fn str(&self, value: Value) -> &str {
        if value.in_source {
            self.source.text(value.start as usize, value.end as usize).unwrap_or("")
        } else {
            self.facts.text(value)
        }
    }

    /// Returns the ids that fragments of the page can refer to, with their indexes: those of the document, not of its
    /// shadow trees (HTML 7.4.6.4).
    pub(crate) fn document_ids(&self) -> impl Iterator<Item = (usize, &(Value, Range<u32>))> {
        let mut shadow = self.shadow_ids.iter().map(|(index, _)| *index).peekable();
        self.ids.iter().enumerate().filter(move |(index, _)| shadow.next_if_eq(index).is_none())
    }

    /// Whether an element of a shadow tree has an id.
    pub(crate) fn has_shadow_id(&self, id: &str) -> bool {
        self.shadow_ids.iter().any(|(index, _)| self.str(self.ids[*index].0) == id)
    }

    /// Adds the references of SVG elements in shadow trees to ids that their trees do not have. Such references are to
    /// the tree of the element.
    pub(super) fn add_unresolved_uses(&mut self) {
        for (value, span, tree) in std::mem::take(&mut self.shadow_uses) {
            let text = decode_references(self.str(value)).into_owned();
            let wanted = fragment(&text);
            let is_found = wanted.is_none_or(|wanted| {
                let own = self.shadow_ids.iter().filter(|(_, of)| *of == tree);
                let mut ids = own.map(|(index, _)| self.str(self.ids[*index].0));
                ids.any(|id| id == wanted.raw || id == wanted.decoded)
            });
            if !is_found {
                self.facts.push(ReferenceKind::SvgUse, Some(value), span);
            }
        }
    }

    /// Copies all texts that are slices of the source to the facts, with character references resolved.
    pub(super) fn copy_values(&mut self) {
        let Page { source, facts, ids, names, referenced_ids, entities, .. } = self;
        let Facts { text, references, maps, usemaps, base, .. } = facts;
        let of_references = references.iter_mut().filter_map(|reference| reference.value.as_mut());
        let of_maps = maps.iter_mut().chain(usemaps.iter_mut().map(|(value, _)| value));
        let in_source = of_references.chain(of_maps).chain(base).filter(|value| value.in_source);
        in_source.for_each(|value| copy_value(value, source, entities, text));
        // Ids and names are only hashed, so that most may stay in the source.
        let referenced = referenced_ids.iter_mut().map(|referenced| &mut referenced.id);
        let all = ids.iter_mut().map(|(value, _)| value).chain(names).chain(referenced);
        let encoded = all.filter(|value| value.in_source && !is_plain(value, source));
        encoded.for_each(|value| copy_value(value, source, entities, text));
    }

    /// Stores the title: character references are decoded, white space is folded.
    pub(super) fn store_title(&mut self) {
        let Some(range) = self.title.clone() else { return };
        let bytes = &self.source[range.start as usize..range.end as usize];
        let title = htmlize::unescape(String::from_utf8_lossy(bytes))
            .split_ascii_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let value = self.facts.store(&title);
        self.facts.metadata.title = Some((value, range));
    }

    /// Returns the offset of a byte order mark between the start of the file and the head. There it is text, and so the
    /// first content of the body. Templates that were saved with one write it.
    pub(super) fn stray_mark(&self) -> Option<usize> {
        let start = if self.source.starts_with(MARK.as_bytes()) { MARK.len() } else { 0 };
        let before = self.source.get(start..self.source.len().min(start + MAX_BEFORE_HEAD))?;
        let at = memchr::memchr_iter(MARK.as_bytes()[0], before)
            .find(|at| before[*at..].starts_with(MARK.as_bytes()))?;
        let mut rest = &before[..at];
        loop {
            rest = rest.trim_ascii_start();
            let (start, end): (&[u8], &[u8]) = match rest {
                [] => return Some(start + at),
                [b'<', b'!', b'-', b'-', ..] => (b"<!--", b"-->"),
                [b'<', b'!' | b'?', ..] => (b"<", b">"),
                _ if rest.get(..5).is_some_and(|tag| tag.eq_ignore_ascii_case(b"<html")) => (b"<html", b">"),
                _ => return None,
            };
            rest = &rest[start.len()..];
            rest = &rest[memchr::memmem::find(rest, end)? + end.len()..];
        }
    }

    /// Whether the file begins with a doctype, after comments, white space and byte order marks.
    pub(super) fn has_doctype(&self) -> bool {
        const DOCTYPE: &[u8] = b"<!doctype";
        let mut rest = &*self.source;
        loop {
            rest = rest.trim_ascii_start();
            while let Some(after) = rest.strip_prefix(MARK.as_bytes()) {
                rest = after.trim_ascii_start();
            }
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

/// Number of bytes in which the head begins. Chosen: comments of licenses are shorter.
const MAX_BEFORE_HEAD: usize = 4096;

/// Whether a slice of the source is UTF-8 without character references.
fn is_plain(value: &Value, source: &Source) -> bool {
    let (start, end) = (value.start as usize, value.end as usize);
    memchr::memchr(b'&', &source[start..end]).is_none() && source.text(start, end).is_some()
}

/// Copies a text of the source to the stored ones.
fn copy_value(value: &mut Value, source: &Source, entities: &Entities, stored: &mut String) {
    let (start, end) = (value.start as usize, value.end as usize);
    *value = match source.text(start, end) {
        Some(text) if memchr::memchr(b'&', text.as_bytes()).is_none() => store(stored, text),
        Some(text) => {
            let expanded = entities.expand(text).unwrap_or(Cow::Borrowed(text));
            store(stored, &decode_references(&expanded))
        }
        None => store(stored, &decode_references(&String::from_utf8_lossy(&source[start..end]))),
    };
}
