//! The tags and the comments of a document, by location: one reading for all who ask what is at an offset.

use std::ops::Range;

use sitegate_html::attributes::{AttributeAt, attributes, find_attribute};
use sitegate_html::element::Namespace;
use sitegate_html::syntax::PageSyntax;
use sitegate_html::tag_reader::{TagReader, TagSink};
use sitegate_html::tokenizer::Tag;

/// The tags of a document, and its comments.
#[derive(Default)]
pub(crate) struct TagIndex<'t> {
    text: &'t [u8],
    tags: Vec<Tag>,
    comments: Vec<Range<usize>>,
}

impl<'t> TagIndex<'t> {
    /// Reads a document. The content of `noscript` is markup, as for most rules.
    pub fn read(text: &'t [u8], syntax: PageSyntax) -> Self {
        let mut index = TagIndex { text, ..TagIndex::default() };
        let mut attributes = Vec::new();
        let mut reader = TagReader::<false>::new(text, false).with_syntax(syntax);
        while reader.next(&mut attributes, &mut index).is_some() {}
        index
    }

    /// Returns all tags, in order.
    pub fn tags(&self) -> impl Iterator<Item = IndexedTag<'_>> {
        self.tags.iter().map(|tag| IndexedTag { text: self.text, tag })
    }

    /// Returns the last tag that begins before an offset, or at it.
    pub fn last_tag(&self, at: usize) -> Option<IndexedTag<'_>> {
        let index = self.tags.partition_point(|tag| tag.range.start <= at).checked_sub(1)?;
        Some(IndexedTag { text: self.text, tag: &self.tags[index] })
    }

    /// Returns the start tag at an offset.
    pub fn start_tag(&self, at: usize) -> Option<IndexedTag<'_>> {
        self.last_tag(at).filter(|found| found.tag.range.start == at && !found.is_end())
    }

    /// Returns the comment that contains an offset, if it is closed.
    pub fn comment(&self, at: usize) -> Option<Range<usize>> {
        let index = self.comments.partition_point(|comment| comment.start <= at).checked_sub(1)?;
        let comment = self.comments[index].clone();
        let text = &self.text[comment.clone()];
        (at < comment.end && text.starts_with(b"<!--") && text.ends_with(b"-->")).then_some(comment)
    }
}

/// A tag of a [`TagIndex`].
#[derive(Clone, Copy)]
pub(crate) struct IndexedTag<'i> {
    text: &'i [u8],
    tag: &'i Tag,
}

impl<'i> IndexedTag<'i> {
    /// Returns its range, from `<` to `>`.
    pub fn range(self) -> Range<usize> {
        self.tag.range.clone()
    }

    /// Whether it is an end tag.
    pub fn is_end(self) -> bool {
        self.tag.name_range.start > self.tag.range.start + 1
    }

    /// Returns its name as written.
    pub fn name(self) -> &'i [u8] {
        &self.text[self.tag.name_range.clone()]
    }

    /// Returns its attributes as written.
    pub fn attributes(self) -> impl Iterator<Item = AttributeAt> {
        attributes(self.text, self.tag.name_range.end)
    }

    /// Returns the place of an attribute's value, without quotes; `None` without `=`.
    pub fn value(self, name: &str) -> Option<Range<usize>> {
        find_attribute(self.text, self.tag.name_range.end, name.as_bytes())?.value
    }
}

impl TagSink for TagIndex<'_> {
    fn tag(&mut self, tag: &Tag, _: Namespace) {
        self.tags.push(tag.clone());
    }

    fn comment(&mut self, range: Range<usize>) {
        self.comments.push(range);
    }
}

#[cfg(test)]
mod tests {
    use super::{PageSyntax, TagIndex};

    #[test]
    fn finds_what_is_at_an_offset() {
        let text = "<!doctype html><p id=a>b<!-- c --><noscript><img src='d'></noscript><script>'<i>'</script><!-- e";
        let index = TagIndex::read(text.as_bytes(), PageSyntax::Html);
        let at = |part: &str| text.find(part).unwrap_or_default();
        let comment = index.comment(at("c --")).map(|range| &text[range]);
        assert_eq!(comment, Some("<!-- c -->"));
        assert_eq!(
            [index.comment(at("b<")), index.comment(at("e")), index.comment(text.len() - 1)],
            [None, None, None]
        );
        let value = |part: &str, name: &str| index.start_tag(at(part))?.value(name).map(|range| &text[range]);
        assert_eq!(value("<p", "ID"), Some("a"));
        assert_eq!(value("<img", "src"), Some("d"));
        assert!(index.start_tag(at("<i>")).is_none() && index.start_tag(at("</script>")).is_none());
        assert_eq!(index.last_tag(at("<i>")).map(super::IndexedTag::name), Some(&b"script"[..]));
        assert_eq!(index.tags().count(), 6);
    }
}
