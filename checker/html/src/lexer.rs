//! Splits HTML into tokens (HTML standard, 13.2.5). The consumer decides what depends on the tree: whether the content
//! of an element is markup, and whether `<![CDATA[` begins a section.

use std::ops::Range;

use memchr::{memchr, memmem};

use crate::attributes::{AttributeAt, attributes};
use crate::element::Name;
use crate::key::key;
use crate::raw_text::RawText;
use crate::scan::{find, is_space, name_end};

/// A part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// Text, up to the next markup. Character references are not decoded.
    Text(Range<usize>),
    /// The text in a CDATA section.
    Section(Range<usize>),
    /// A start tag.
    Start(Tag),
    /// An end tag.
    End(Tag),
    /// A comment, or markup that counts as one: `<?…>`, `<!…>`.
    Comment(Range<usize>),
    /// A doctype.
    Doctype(Range<usize>),
}

/// A tag as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// From `<` to `>`.
    pub range: Range<usize>,
    /// The end of its name, which begins after `<` or `</`.
    pub name_end: usize,
    /// Its name.
    pub name: Name,
    /// Whether it ends in `/>`, which HTML ignores but SVG does not.
    pub is_empty: bool,
    /// The attributes that it has.
    pub attributes: AttributeSet,
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

/// Reads tokens from a text.
pub struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Lexer<'t> {
    /// Starts at the beginning of a text, after its byte order mark.
    #[must_use]
    pub fn new(text: &'t [u8]) -> Self {
        const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
        let at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Lexer { text, at }
    }

    /// Returns the offset after the last token.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Returns the next token; `None` at the end. A tag that is incomplete at the end of the text does not count.
    /// `allows_sections` says whether the current element is one of SVG or `MathML`.
    pub fn next(&mut self, allows_sections: bool) -> Option<Token> {
        let start = self.at;
        let markup = match self.text.get(start)? {
            b'<' => self.markup(start),
            _ => None,
        };
        if let Some(markup) = markup {
            return self.token(markup, start, allows_sections);
        }
        let mut end = start + usize::from(self.text[start] == b'<');
        while let Some(next) = find(self.text, end, b'<') {
            if self.markup(next).is_some() {
                self.at = next;
                return Some(Token::Text(start..next));
            }
            end = next + 1;
        }
        self.at = self.text.len();
        Some(Token::Text(start..self.at))
    }

    /// Reads the content of an element that is not markup, from the current offset to its end tag.
    pub fn raw_text(&mut self, kind: RawText, name: Name) -> Range<usize> {
        let end = kind.end(self.text, self.at, name.as_str().as_bytes()).unwrap_or(self.text.len());
        let content = self.at..end;
        self.at = end;
        content
    }

    /// Returns the kind of markup that begins with the `<` at an offset, if it is no text.
    fn markup(&self, at: usize) -> Option<Markup> {
        match self.text.get(at + 1..)? {
            [b'/', next, ..] if next.is_ascii_alphabetic() => Some(Markup::End),
            [b'/', _, ..] | [b'?', ..] => Some(Markup::Bogus),
            [b'!', ..] => Some(Markup::Declaration),
            [next, ..] if next.is_ascii_alphabetic() => Some(Markup::Start),
            _ => None,
        }
    }

    fn token(&mut self, markup: Markup, start: usize, allows_sections: bool) -> Option<Token> {
        match markup {
            Markup::Start => self.tag(start, start + 1).map(Token::Start),
            Markup::End => self.tag(start, start + 2).map(Token::End),
            Markup::Bogus => Some(self.bogus_comment(start)),
            Markup::Declaration => Some(self.declaration(start, allows_sections)),
        }
    }

    /// Reads a tag whose name begins at `name`.
    fn tag(&mut self, start: usize, name: usize) -> Option<Tag> {
        let text = self.text;
        // At the end of the text, an incomplete tag is dropped, and nothing follows.
        self.at = text.len();
        let (name_end, name_key) = name_end::<false>(text, name)?;
        let mut at = name_end;
        let mut is_empty = false;
        let mut attributes = AttributeSet::default();
        loop {
            match *text.get(at)? {
                b'>' => break,
                byte if byte == b'/' || is_space(byte) => {
                    is_empty = byte == b'/';
                    at += 1;
                }
                _ => {
                    is_empty = false;
                    let attribute = AttributeAt::read(text, at)?;
                    attributes = attributes.with(AttributeSet::of_key(attribute.key));
                    at = attribute.end;
                }
            }
        }
        self.at = at + 1;
        Some(Tag { range: start..self.at, name_end, name: Name::from_key(name_key), is_empty, attributes })
    }

    /// Reads `<?…>` and the like, up to the next `>`.
    fn bogus_comment(&mut self, start: usize) -> Token {
        self.at = after(self.text, start + 2, b">").unwrap_or(self.text.len());
        Token::Comment(start..self.at)
    }

    /// Reads a comment, a doctype or a CDATA section.
    fn declaration(&mut self, start: usize, allows_sections: bool) -> Token {
        const SECTION: &[u8] = b"<![CDATA[";
        const DOCTYPE: &[u8] = b"<!doctype";
        let end = self.text.len();
        let rest = &self.text[start..];
        if rest.starts_with(b"<!--") {
            self.at = comment_end(self.text, start + 4).unwrap_or(end);
            return Token::Comment(start..self.at);
        }
        if rest.starts_with(SECTION) && allows_sections {
            let content = start + SECTION.len();
            let length = memmem::find(&self.text[content..], b"]]>");
            self.at = length.map_or(end, |length| content + length + 3);
            return Token::Section(content..length.map_or(end, |length| content + length));
        }
        if rest.get(..DOCTYPE.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(DOCTYPE)) {
            self.at = after(self.text, start, b">").unwrap_or(end);
            return Token::Doctype(start..self.at);
        }
        self.bogus_comment(start)
    }
}

impl Tag {
    /// Returns the value of an attribute as written, by its name in any case; empty without a value.
    #[must_use]
    pub fn attribute<'t>(&self, text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
        let mut all = attributes(text, self.name_end);
        let found = all.find(|own| text[own.name.clone()].eq_ignore_ascii_case(name))?;
        Some(found.value.map_or(b"", |value| &text[value]))
    }
}

#[derive(Clone, Copy)]
enum Markup {
    Start,
    End,
    /// Markup that counts as a comment.
    Bogus,
    /// `<!`
    Declaration,
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
