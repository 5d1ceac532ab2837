//! Reads what needs every tag of a page in the pass over its tags: whether it may be misnested, and headings that are a
//! value of a script.

use std::ops::Range;

use sitegate_html::element::Namespace;
use sitegate_html::nesting_filter::NestingFilter;
use sitegate_html::tag_reader::TagSink;
use sitegate_html::tokenizer::{Tag, TagAt};

use crate::parse::leftover_values::is_missing_value;

/// Maximum length in bytes of a heading that is a value of a script.
const MAX_VALUE: usize = 24;

/// Receives all tags of a page.
pub(super) struct PageTags<'t> {
    text: &'t [u8],
    pub filter: NestingFilter<'t>,
    /// The start tag of the last heading.
    heading: Range<usize>,
    /// Headings that are a value of a script: start tags and texts.
    pub values: Vec<(Range<usize>, Range<usize>)>,
}

impl<'t> PageTags<'t> {
    /// Starts before the first tag. Reads nothing in text that is not a page.
    pub fn new(text: &'t [u8], is_page: bool) -> Self {
        let filter = NestingFilter::new(text, is_page);
        PageTags { text: if is_page { text } else { b"" }, filter, heading: 0..0, values: Vec::new() }
    }

    /// Handles a tag of a heading.
    fn heading_tag(&mut self, tag: Range<usize>, is_end: bool) {
        if !is_end {
            self.heading = tag;
            return;
        }
        let content = self.heading.end..tag.start;
        if content.len() <= MAX_VALUE
            && let Some(text) = self.text.get(content.clone()).and_then(|text| str::from_utf8(text).ok())
            && is_missing_value(text.trim())
        {
            self.values.push((self.heading.clone(), content));
        }
    }
}

impl TagSink for PageTags<'_> {
    #[inline(always)]
    fn tag(&mut self, tag: &Tag, content: Namespace) {
        self.filter.tag(tag, content);
        if tag.name.is_heading() {
            let is_end = tag.name_range.start - tag.range.start == 2;
            self.heading_tag(tag.range.clone(), is_end);
        }
    }

    #[inline(always)]
    fn skipped(&mut self, tag: TagAt) {
        self.filter.skipped(tag);
        if tag.element.is_heading() {
            self.heading_tag(tag.start..tag.end, tag.is_end);
        }
    }

    #[inline(always)]
    fn comment(&mut self, range: Range<usize>) {
        self.filter.comment(range);
    }
}
