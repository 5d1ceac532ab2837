//! Splits HTML into markup (HTML standard, 13.2.5): tags, comments, doctypes and CDATA sections. What is between them is
//! text.
//!
//! The consumer decides what depends on the tree: whether the content of an element is markup, and whether `<![CDATA[`
//! begins a section. It is a type, so that the compiler leaves out what it does not ask for.

use std::ops::Range;

use memchr::{memchr, memmem};

use crate::attributes::{AttributeAt, attribute_value};
use crate::element::Name;
use crate::key::key;
use crate::raw_text::RawText;
use crate::scan::{self, ends_name, find};
use crate::syntax::PageSyntax;

/// A piece of markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A start tag.
    Start(Tag),
    /// An end tag.
    End(Tag),
    /// A comment, or markup that counts as one: `<?…>`, `<!…>`.
    Comment(Range<usize>),
    /// A CDATA section.
    Section(Range<usize>),
    /// A doctype.
    Doctype(Range<usize>),
}

/// A tag as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// From `<` to `>`.
    pub range: Range<usize>,
    /// Its name as written.
    pub name_range: Range<usize>,
    /// The key of its name (see [`crate::key::key`]).
    pub key: u128,
    /// Its name.
    pub name: Name,
    /// Whether it ends in `/>`, which HTML ignores but SVG does not.
    pub is_empty: bool,
}

/// Receives the attributes of the tags that a [`Tokenizer`] reads.
pub trait AttributeSink {
    /// Begins a tag.
    fn begin(&mut self, name: Name);

    /// Receives an attribute of the tag.
    fn attribute(&mut self, text: &[u8], attribute: AttributeAt);
}

/// Ignores all attributes.
impl AttributeSink for () {
    fn begin(&mut self, _: Name) {}

    fn attribute(&mut self, _: &[u8], _: AttributeAt) {}
}

/// Which of the attributes a tag has that most selectors ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttributeSet(u8);

impl AttributeSet {
    /// Any attribute.
    pub const ANY: AttributeSet = AttributeSet(1);
    /// An `id`, as one of the attributes.
    pub const ID: AttributeSet = AttributeSet(1 | 1 << 1);
    /// A `class`, as one of the attributes.
    pub const CLASS: AttributeSet = AttributeSet(1 | 1 << 2);

    /// The attribute with this key (see [`crate::key::key`]).
    fn of_key(attribute: u128) -> AttributeSet {
        const ID: u128 = key(b"id");
        const CLASS: u128 = key(b"class");
        match attribute {
            ID => AttributeSet::ID,
            CLASS => AttributeSet::CLASS,
            _ => AttributeSet::ANY,
        }
    }

    /// Returns the attributes of both.
    #[must_use]
    pub fn with(self, other: AttributeSet) -> AttributeSet {
        AttributeSet(self.0 | other.0)
    }

    /// Whether it has all of these attributes.
    #[must_use]
    pub fn contains(self, other: AttributeSet) -> bool {
        self.0 & other.0 == other.0
    }
}

impl AttributeSink for AttributeSet {
    fn begin(&mut self, _: Name) {
        *self = AttributeSet::default();
    }

    fn attribute(&mut self, _: &[u8], attribute: AttributeAt) {
        *self = self.with(AttributeSet::of_key(attribute.key));
    }
}

/// Constructs that may be incomplete at the end of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Construct {
    /// A start tag.
    StartTag,
    /// An end tag.
    EndTag,
    /// A comment, or markup that HTML treats as one: `<?…>`, `<!…>`.
    Comment,
    /// An element whose content is not markup, with its name.
    Element(Range<usize>),
}

/// Reads tokens from a text.
#[derive(Clone)]
pub struct Tokenizer<'t> {
    text: &'t [u8],
    at: usize,
    syntax: PageSyntax,
    unclosed: Option<(Construct, usize)>,
}

impl<'t> Tokenizer<'t> {
    /// Starts at the beginning of a text, after its byte order mark.
    #[must_use]
    pub fn new(text: &'t [u8]) -> Self {
        const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
        let at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Tokenizer { text, at, syntax: PageSyntax::Html, unclosed: None }
    }

    /// Reads another syntax than HTML.
    #[must_use]
    pub fn with_syntax(self, syntax: PageSyntax) -> Self {
        Tokenizer { syntax, ..self }
    }

    /// Returns the offset after the last token, and after its content that is not markup.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Continues in another text that is equal up to the offset.
    #[must_use]
    pub fn continued(self, text: &[u8]) -> Tokenizer<'_> {
        Tokenizer { text, at: self.at, syntax: self.syntax, unclosed: self.unclosed }
    }

    /// Returns the construct that is incomplete at the end of the text, and its start.
    #[must_use]
    pub fn unclosed(&self) -> Option<&(Construct, usize)> {
        self.unclosed.as_ref()
    }

    /// Returns the end of the text after the last token. An incomplete tag does not count.
    #[must_use]
    pub fn text_end(&self) -> usize {
        match self.unclosed {
            Some((Construct::StartTag | Construct::EndTag, start)) => start,
            _ => self.text.len(),
        }
    }

    /// Reads the text up to the next markup, for consumers whose state depends on it. Character references are not decoded.
    pub fn text(&mut self) -> Range<usize> {
        let start = self.at;
        while let Some(next) = find(self.text, self.at, b'<') {
            self.at = next;
            if self.begins_markup() {
                return start..next;
            }
            self.at = next + 1;
        }
        self.at = self.text.len();
        start..self.at
    }

    /// Whether the `<` at the current offset begins markup.
    fn begins_markup(&self) -> bool {
        match &self.text[self.at + 1..] {
            [b'/', _, ..] | [b'!' | b'?', ..] => true,
            [next, ..] => next.is_ascii_alphabetic(),
            [] => false,
        }
    }

    /// Returns the next token; `None` at the end. A tag that is incomplete at the end of the text does not count.
    /// `allows_sections` says whether the current element is one of SVG or `MathML`.
    #[inline]
    pub fn next(&mut self, allows_sections: bool, attributes: &mut impl AttributeSink) -> Option<Token> {
        Some(match self.markup(allows_sections, attributes)? {
            Markup::Tag(tag) if tag.is_end => Token::End(tag.into()),
            Markup::Tag(tag) => Token::Start(tag.into()),
            Markup::Other(token) => token,
        })
    }

    /// Returns the next markup.
    // Each consumer is to have its own loop, in which the parts of tags that it skips stay in registers.
    #[inline(always)]
    pub(crate) fn markup(
        &mut self,
        allows_sections: bool,
        attributes: &mut impl AttributeSink,
    ) -> Option<Markup> {
        loop {
            // Tags often follow each other.
            let start = match self.text.get(self.at)? {
                b'<' => self.at,
                _ => find(self.text, self.at, b'<')?,
            };
            let next = *self.text.get(start + 1)?;
            let is_end = next == b'/';
            let name = start + 1 + usize::from(is_end);
            if self.text.get(name)?.is_ascii_alphabetic() {
                let tag = self.tag(start, name, is_end, attributes);
                if tag.is_none() {
                    let construct = if is_end { Construct::EndTag } else { Construct::StartTag };
                    self.unclosed = Some((construct, start));
                }
                return tag.map(Markup::Tag);
            }
            if let Some(token) = self.other_markup(start, next, allows_sections) {
                return Some(Markup::Other(token));
            }
            self.at = start + 1;
        }
    }

    /// Reads a tag whose name begins at `name`.
    #[inline(always)]
    fn tag(
        &mut self,
        start: usize,
        name: usize,
        is_end: bool,
        attributes: &mut impl AttributeSink,
    ) -> Option<TagAt> {
        let text = self.text;
        let (name_end, key) = scan::name_end::<false>(text, name)?;
        let element = Name::from_key(key);
        attributes.begin(element);
        let mut at = name_end;
        let mut is_empty = false;
        loop {
            match *text.get(at)? {
                b'>' => break,
                b'/' | b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' => {
                    is_empty = text[at] == b'/';
                    at += 1;
                }
                _ => {
                    is_empty = false;
                    let attribute = AttributeAt::read(text, at)?;
                    at = attribute.end;
                    attributes.attribute(text, attribute);
                }
            }
        }
        self.at = at + 1;
        Some(TagAt { start, name, name_end, end: at + 1, key, element, is_end, is_empty })
    }

    /// Reads a comment, a doctype or a section that begins with `<`; `None` if that is text.
    #[inline(never)]
    fn other_markup(&mut self, start: usize, next: u8, allows_sections: bool) -> Option<Token> {
        const SECTION: &[u8] = b"<![CDATA[";
        const DOCTYPE: &[u8] = b"<!doctype";
        let rest = &self.text[start..];
        let is_comment = rest.starts_with(b"<!--");
        let is_xml = self.syntax == PageSyntax::Xml;
        let is_section = (allows_sections || is_xml) && rest.starts_with(SECTION);
        let end = match next {
            b'!' if is_comment && is_xml => after(self.text, start + 4, b"-->"),
            b'?' if is_xml => after(self.text, start + 2, b"?>"),
            b'!' if is_xml && !is_section => declaration_end(self.text, start + 2),
            b'!' if is_comment => comment_end(self.text, start + 4),
            b'!' if is_section => after(self.text, start + SECTION.len(), b"]]>"),
            b'!' | b'/' | b'?' => after(self.text, start + 2, b">"),
            _ => return None,
        };
        if end.is_none() {
            self.unclosed = Some((Construct::Comment, start));
        }
        self.at = end.unwrap_or(self.text.len());
        let range = start..self.at;
        let is_doctype =
            || rest.get(..DOCTYPE.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(DOCTYPE));
        Some(match () {
            () if is_section => Token::Section(range),
            () if is_doctype() => Token::Doctype(range),
            () => Token::Comment(range),
        })
    }

    /// Reads the content of a start tag's element in XML up to its end tag, with comments and sections.
    pub fn xml_content(&mut self, tag: &Tag) -> Range<usize> {
        let start = self.at;
        while let Some(token) = self.next(true, &mut ()) {
            let is_end = |end: &Tag| self.text[end.name_range.clone()] == self.text[tag.name_range.clone()];
            if let Token::End(end) = &token
                && is_end(end)
            {
                self.at = end.range.start;
                return start..self.at;
            }
        }
        self.at = self.text.len();
        start..self.at
    }

    /// Reads the content of a start tag's element that is not markup, from the current offset to its end tag.
    pub fn raw_text(&mut self, kind: RawText, tag: &Tag) -> Range<usize> {
        let end = kind.end(self.text, self.at, &self.text[tag.name_range.clone()]);
        if end.is_none() && !matches!(kind, RawText::Endless) {
            self.unclosed = Some((Construct::Element(tag.name_range.clone()), tag.range.start));
        }
        let content = self.at..end.unwrap_or(self.text.len());
        self.at = content.end;
        content
    }
}

/// The next markup of a text.
pub(crate) enum Markup {
    Tag(TagAt),
    /// A comment, a section or a doctype.
    Other(Token),
}

/// A tag by its offsets, so that its parts stay in registers until a consumer wants a [`Tag`].
#[derive(Clone, Copy)]
pub struct TagAt {
    /// The offset of its `<`.
    pub start: usize,
    name: usize,
    name_end: usize,
    /// The offset after its `>`.
    pub end: usize,
    key: u128,
    /// Its element.
    pub element: Name,
    /// Whether it is an end tag.
    pub is_end: bool,
    is_empty: bool,
}

impl From<TagAt> for Tag {
    #[inline(always)]
    fn from(TagAt { start, name, name_end, end, key, element, is_empty, .. }: TagAt) -> Tag {
        Tag { range: start..end, name_range: name..name_end, key, name: element, is_empty }
    }
}

impl Token {
    /// Returns its range in the text.
    #[must_use]
    pub fn range(&self) -> &Range<usize> {
        match self {
            Token::Start(tag) | Token::End(tag) => &tag.range,
            Token::Comment(range) | Token::Section(range) | Token::Doctype(range) => range,
        }
    }
}

impl Tag {
    /// Returns the value of an attribute as written, by its name in any case; empty without a value.
    #[must_use]
    pub fn attribute<'t>(&self, text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
        attribute_value(text, self.name_range.end, name)
    }
}

/// Returns the end of the name in a start tag.
#[must_use]
pub fn name_end(text: &[u8], tag: &Range<usize>) -> usize {
    let name = text.get(tag.start + 1..tag.end).unwrap_or_default();
    tag.start + 1 + name.iter().position(|byte| ends_name(*byte)).unwrap_or(name.len())
}

/// Returns the content of a CDATA section.
#[must_use]
pub fn section_content(text: &[u8], section: &Range<usize>) -> Range<usize> {
    let end = if text[section.clone()].ends_with(b"]]>") { section.end - 3 } else { section.end };
    let start = section.start + b"<![CDATA[".len();
    start..end.max(start)
}

/// Returns the end of a comment whose content begins at `at`.
#[must_use]
pub fn comment_end(text: &[u8], at: usize) -> Option<usize> {
    match &text[at..] {
        [b'>', ..] => Some(at + 1),
        [b'-', b'>', ..] => Some(at + 2),
        _ => after_comment(text, at),
    }
}

/// Returns the end of a declaration of XML whose content begins at `at`. A doctype may contain others between brackets.
fn declaration_end(text: &[u8], mut at: usize) -> Option<usize> {
    let mut is_in_brackets = false;
    loop {
        at += text.get(at..)?.iter().position(|byte| b"\"'[]<>".contains(byte))?;
        at = match &text[at..] {
            [b'>', ..] if !is_in_brackets => return Some(at + 1),
            [quote @ (b'"' | b'\''), ..] => after(text, at + 1, &[*quote])?,
            rest if rest.starts_with(b"<!--") => after(text, at + 4, b"-->")?,
            [bracket, ..] => {
                is_in_brackets = (is_in_brackets || *bracket == b'[') && *bracket != b']';
                at + 1
            }
            [] => return None,
        };
    }
}

/// Returns the offset after the next `-->` or `--!>`.
fn after_comment(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at = after(text, at, b"--")?;
        // The two dashes may be the first of many.
        at += text[at..].iter().take_while(|b| **b == b'-').count();
        match &text[at..] {
            [b'>', ..] => return Some(at + 1),
            [b'!', b'>', ..] => return Some(at + 2),
            _ => {}
        }
    }
}

/// Returns the offset after the next `end`.
#[must_use]
pub fn after(text: &[u8], start: usize, end: &[u8]) -> Option<usize> {
    let at = match end {
        [byte] => memchr(*byte, &text[start..]),
        _ => memmem::find(&text[start..], end),
    }?;
    Some(start + at + end.len())
}
