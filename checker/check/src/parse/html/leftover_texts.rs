//! Finds what templates and scripts left in the text that visitors read: `{{ site.email }}`, `[object Object]`, and the
//! heading `undefined`.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;
use regex::bytes::Regex;

use crate::parse::leftover_values::{
    MAX_LINK_PART, MAX_PLACEHOLDER, OBJECT, is_invalid_date, is_missing_value, leftover_value, markdown_link,
};
use crate::parse::page::Page;
use crate::parse::page_metadata::NoteKind;
use sitegate_html::attributes::attribute_value;
use sitegate_html::element::{Name, Namespace};
use sitegate_html::misnesting::written_name;
use sitegate_html::nesting::{NestedElement, NestingEvents, read_nesting};
use sitegate_html::nesting_filter::NestingFilter;
use sitegate_html::syntax::PageSyntax;
use sitegate_html::tag_reader::TagSink;
use sitegate_html::tokenizer::{Tag, TagAt};

/// Maximum length in bytes of a heading that is a value of a script.
const MAX_VALUE: usize = 24;

/// Receives all tags of a page.
pub(super) struct PageTags<'t> {
    text: &'t [u8],
    pub filter: NestingFilter<'t>,
    syntax: PageSyntax,
    /// The start of the body of a page of XML.
    xml_body: usize,
    /// The start tag of the last heading.
    heading: Range<usize>,
    /// Headings that are a value of a script: start tags and texts.
    pub values: Vec<(Range<usize>, Range<usize>)>,
}

impl<'t> PageTags<'t> {
    /// Starts before the first tag. Reads nothing in text that is not a page.
    pub fn new(text: &'t [u8], syntax: PageSyntax, is_page: bool) -> Self {
        let filter = NestingFilter::new(text, is_page && syntax == PageSyntax::Html);
        let xml_body = match syntax {
            PageSyntax::Html => 0,
            PageSyntax::Xml => memmem::find(text, b"<body").unwrap_or(0),
        };
        let text = if is_page { text } else { b"" };
        PageTags { text, filter, syntax, xml_body, heading: 0..0, values: Vec::new() }
    }

    /// Whether a tag at an offset, the last one, is in the body.
    pub fn is_in_body(&self, at: usize) -> bool {
        match self.syntax {
            PageSyntax::Html => self.filter.is_in_body(),
            PageSyntax::Xml => at >= self.xml_body,
        }
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

/// Maximum number of texts to find on a page: one template writes them all.
const MAX_FOUND: usize = 3;

/// Marks of frameworks that replace `{{ … }}` in the browser: attributes of `AngularJS`, Vue and Alpine, and names of
/// libraries of templates.
const CLIENT_TEMPLATES: [&[u8]; 14] = [
    b"ng-app",
    b"ng-controller",
    b"ng-bind",
    b"v-cloak",
    b"v-if",
    b"v-for",
    b"v-bind",
    b"x-data",
    b"createApp",
    b"new Vue",
    b"angular",
    b"mustache",
    b"handlebars",
    b"Handlebars",
];

/// Texts that may be left. One search for all: two would take as long as the pass over the tags, and so would a pattern
/// that is more than a list of texts.
static CANDIDATES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?-u:\{\{|\[object Object\]|Invalid Date|Invalid date|HAHAHUGOSHORTCODE|\]\()").ok()
});

/// Marks of libraries that render Markdown in the browser.
const CLIENT_MARKDOWN: [&[u8]; 8] = [
    b"data-markdown",
    b"docsify",
    b"marked",
    b"markdown-it",
    b"md-block",
    b"remark",
    b"showdown",
    b"zero-md",
];

/// Notes what is left in the texts and headings of a page.
pub(super) fn add_leftovers(page: &mut Page, text: &[u8], tags: &PageTags<'_>) {
    let mut add = |place: &'static str, range: &Range<usize>, left: String| {
        page.facts.note(NoteKind::Leftover(place, left), range.start as u32..range.end as u32);
    };
    for (tag, content) in &tags.values {
        let has_id = attribute_value(text, tag.start + "<h1".len(), b"id").is_some();
        // Documentation of a value has a heading with an anchor.
        if !has_id || text[tag.start + 2] == b'1' {
            add("heading", content, String::from_utf8_lossy(text[content.clone()].trim_ascii()).into_owned());
        }
    }
    for (range, left) in leftover_texts(text, tags.syntax) {
        add("text", &range, left);
    }
}

/// Returns the locations and texts of what is left, outside of code.
fn leftover_texts(text: &[u8], syntax: PageSyntax) -> Vec<(Range<usize>, String)> {
    let Some(candidates) = &*CANDIDATES else { return Vec::new() };
    // The text at an offset, as far as it is UTF-8.
    let near = |at: usize, length: usize| {
        let bytes = &text[at..text.len().min(at + length)];
        let valid = str::from_utf8(bytes).or_else(|error| str::from_utf8(&bytes[..error.valid_up_to()]));
        valid.unwrap_or_default()
    };
    let is_value = |at: usize| {
        if text[at] == b'I' {
            return text[..at].trim_ascii_end().ends_with(b">");
        }
        if text[at] == b']' {
            let line = &text[at - at.min(MAX_LINK_PART)..at];
            let link = memchr::memrchr2(b'[', b'<', line).filter(|open| line[*open] == b'[');
            let start = link.map(|open| at - line.len() + open);
            return start.is_some_and(|start| markdown_link(near(start, 2 * MAX_LINK_PART)).is_some());
        }
        leftover_value(near(at, OBJECT.len() + MAX_PLACEHOLDER)).is_some_and(|(start, _)| start == 0)
    };
    let mut values = candidates.find_iter(text).filter(|found| is_value(found.start())).peekable();
    let Some(first) = values.peek() else { return Vec::new() };
    let has = |mark: &&[u8]| memmem::find(text, mark).is_some();
    let is_client = CLIENT_TEMPLATES.iter().any(has);
    if is_client && first.len() == 2 {
        return Vec::new();
    }
    let is_markdown = !CLIENT_MARKDOWN.iter().any(has);
    let texts = LeftoverTexts {
        text,
        is_client,
        is_markdown,
        code: 0,
        headings: 0,
        has_code: false,
        found: Vec::new(),
    };
    match read_nesting(text, syntax, true, texts) {
        // A page with code like this is about templates.
        Ok(read) if !read.has_code => read.found,
        _ => Vec::new(),
    }
}

/// Reads the texts of a page.
struct LeftoverTexts<'t> {
    text: &'t [u8],
    /// Whether a script replaces `{{ … }}`.
    is_client: bool,
    /// Whether no script renders Markdown.
    is_markdown: bool,
    /// Number of open elements with code, or without text for visitors.
    code: usize,
    /// Number of open headings and links, which may be about an invalid date.
    headings: usize,
    /// Whether one of them has such text.
    has_code: bool,
    found: Vec<(Range<usize>, String)>,
}

impl LeftoverTexts<'_> {
    fn is_code(&self, element: &NestedElement) -> bool {
        let is_named = || {
            let name = written_name(self.text, &element.tag).to_ascii_lowercase();
            matches!(&*name, b"kbd" | b"samp" | b"listing")
        };
        element.is_inert
            || matches!(
                element.name,
                Name::Code
                    | Name::Pre
                    | Name::Tt
                    | Name::Var
                    | Name::Xmp
                    | Name::Textarea
                    | Name::Template
                    | Name::Title
            )
            || is_named()
    }
}

impl NestingEvents for LeftoverTexts<'_> {
    fn open(&mut self, element: &NestedElement) {
        self.code += usize::from(self.is_code(element));
        self.headings += usize::from(is_subject(element.name));
    }

    fn close(&mut self, element: &NestedElement, _: &Range<usize>) {
        self.code -= usize::from(self.is_code(element));
        self.headings -= usize::from(is_subject(element.name));
    }

    fn text(&mut self, range: &Range<usize>, is_verbatim: bool) {
        let text = str::from_utf8(&self.text[range.clone()]).unwrap_or_default();
        if is_verbatim {
            return;
        }
        let whole = text.trim_ascii();
        let date =
            || (is_invalid_date(whole) && self.headings == 0).then(|| (text.find(whole).unwrap_or(0), whole));
        let link = || if self.is_markdown { markdown_link(text) } else { None };
        let found = leftover_value(text).filter(|(_, value)| *value == OBJECT || !self.is_client);
        let Some((at, value)) = found.or_else(date).or_else(link) else { return };
        if self.code > 0 {
            self.has_code = true;
        } else if self.found.len() < MAX_FOUND {
            let start = range.start + at;
            self.found.push((start..start + value.len(), value.to_owned()));
        }
    }
}

/// Whether an element names what a text is about: a heading, a link, or a term.
fn is_subject(name: Name) -> bool {
    name.is_heading()
        || matches!(name, Name::A | Name::Dt | Name::Em | Name::Strong | Name::B | Name::I | Name::Th)
}
