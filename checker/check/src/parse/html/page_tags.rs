//! Reads the tags of a page that may have facts, with the attributes that the parser knows.
//!
//! Most tags have no facts: `<p>`, `</span>`, `<td class=…>`. They are skipped, unless a reader needs all of them.

use std::ops::Range;

use sitegate_html::attribute_name::Attribute;
use sitegate_html::attributes::AttributeAt;
use sitegate_html::element::{Name, Namespace};
use sitegate_html::element_table::{is_read, needs_attributes};
use sitegate_html::tag_reader::{ReadTag, TagConsumer, TagReader};
use sitegate_html::tokenizer::{AttributeSink, Construct, Tag as HtmlTag};

/// A tag in the text.
pub(crate) struct Token {
    /// From `<` to `>`.
    pub range: Range<usize>,
    /// Its name as written.
    pub name: Range<usize>,
    pub tag: Name,
    /// Whether it is an end tag.
    pub is_end: bool,
    /// Whether it ends in `/>`, which HTML ignores but SVG does not.
    pub is_empty: bool,
    /// The namespace of its element.
    pub namespace: Namespace,
    /// The content of a start tag's element if it is not markup, up to its end tag or the end of the text.
    pub raw: Option<Range<usize>>,
}

/// An attribute as written.
pub(crate) struct WrittenAttribute {
    pub name: Attribute,
    pub name_range: Range<usize>,
    /// The value without quotes; `None` without `=`.
    pub value: Option<Range<usize>>,
}

/// Receives every tag and every comment, also those without facts.
pub(crate) trait TagSink {
    /// Receives a tag, and the namespace after it.
    fn tag(&mut self, _: &HtmlTag, _: Namespace) {}

    /// Receives the ranges between tags that are no text, up to their end or that of the text: a comment, a doctype.
    fn comment(&mut self, _: Range<usize>) {}
}

/// Ignores all tags.
impl TagSink for () {}

/// Reads the tags of a page: those that may have facts with their known attributes, or all with all attributes.
#[derive(Clone)]
pub(crate) struct PageTags<'t, const ALL: bool> {
    reader: TagReader<'t>,
}

impl<'t, const ALL: bool> PageTags<'t, ALL> {
    pub fn new(text: &'t [u8], runs_scripts: bool) -> Self {
        PageTags { reader: TagReader::new(text, runs_scripts) }
    }

    /// Returns the offset after the last tag and its content.
    pub fn offset(&self) -> usize {
        self.reader.offset()
    }

    /// Returns the end of the text after the last tag.
    pub fn text_end(&self) -> usize {
        self.reader.text_end()
    }

    /// Returns the construct that is incomplete at the end of the text, and its start.
    pub fn unclosed(&self) -> Option<&(Construct, usize)> {
        self.reader.unclosed()
    }

    /// Continues in another text that is equal up to the offset.
    pub fn continued(self, text: &[u8]) -> PageTags<'_, ALL> {
        PageTags { reader: self.reader.continued(text) }
    }

    /// Continues with all tags.
    pub fn with_all(self) -> PageTags<'t, true> {
        PageTags { reader: self.reader }
    }

    /// Returns the next tag, and its attributes in `attributes`; of several with one name, the first counts. A tag that
    /// is incomplete at the end of the text does not count. `sink` also receives the tags that are skipped.
    pub fn next(&mut self, attributes: &mut Vec<WrittenAttribute>, sink: &mut impl TagSink) -> Option<Token> {
        let mut facts = FactsConsumer::<ALL, _> { attributes, sink, tag: Name::Other, is_foreign: false };
        let ReadTag { tag, is_end, namespace, raw } = self.reader.next(&mut facts)?;
        let HtmlTag { range, name_range: name, is_empty, .. } = tag;
        Some(Token { range, name, tag: facts.tag, is_end, is_empty, namespace, raw })
    }
}

/// Decides which tags and attributes may have facts.
struct FactsConsumer<'a, const ALL: bool, S> {
    attributes: &'a mut Vec<WrittenAttribute>,
    sink: &'a mut S,
    /// The current tag.
    tag: Name,
    is_foreign: bool,
}

impl<const ALL: bool, S> FactsConsumer<'_, ALL, S> {
    /// Whether an attribute of the current tag may have facts.
    #[inline(always)]
    fn is_reported(&self, name: Attribute) -> bool {
        match name {
            Attribute::Other => ALL,
            name => ALL || self.is_foreign || is_read(self.tag, name),
        }
    }
}

impl<const ALL: bool, S> AttributeSink for FactsConsumer<'_, ALL, S> {
    #[inline(always)]
    fn begin(&mut self, name: Name) {
        self.attributes.clear();
        self.tag = name;
    }

    #[inline(always)]
    fn attribute(&mut self, text: &[u8], attribute: AttributeAt) {
        let AttributeAt { name: name_range, key, value, .. } = attribute;
        let written = &text[name_range.clone()];
        let name = Attribute::from_key(written, key);
        // Several names may be equal, such as those of all attributes that refer to ids.
        let is_repeated = |known: &WrittenAttribute| {
            known.name == name && text[known.name_range.clone()].eq_ignore_ascii_case(written)
        };
        if self.is_reported(name) && (name == Attribute::Other || !self.attributes.iter().any(is_repeated)) {
            self.attributes.push(WrittenAttribute { name, name_range, value });
        }
    }
}

impl<const ALL: bool, S: TagSink> TagConsumer for FactsConsumer<'_, ALL, S> {
    #[inline(always)]
    fn enter(&mut self, is_foreign: bool) {
        self.is_foreign = is_foreign;
    }

    #[inline(always)]
    fn skips(&self, is_end: bool) -> bool {
        let has_no_facts = match is_end {
            true => self.tag != Name::Template,
            false => needs_attributes(self.tag) && self.attributes.is_empty(),
        };
        !ALL && has_no_facts
    }

    #[inline(always)]
    fn tag(&mut self, tag: &HtmlTag, content: Namespace) {
        self.sink.tag(tag, content);
    }

    fn comment(&mut self, range: Range<usize>) {
        self.sink.comment(range);
    }
}
