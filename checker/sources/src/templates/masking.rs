//! Masks what template languages and components add to markup, so that quotes and brackets in expressions are not
//! taken for those of tags.
//!
//! Most languages have expressions and statements between delimiters: `{{`, `{%`, `<%`. Astro and Svelte have
//! expressions in braces: in tags, they are masked as a whole, and between tags only their texts and comments are,
//! since an expression may contain elements.

use std::ops::Range;

use memchr::memmem;
use sitegate_html::element::Name;
use sitegate_html::key::key;
use sitegate_html::raw_text::find_end_tag;
use sitegate_html::tokenizer::after;

use super::hidden::Ends;
use crate::positions::shifted;

/// A language of templates, by what it does to markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// HTML, which most template languages write in files of their own or of HTML.
    Html,
    /// XHTML and SVG in a document of their own, also in a template.
    Xml,
    /// Vue: expressions in attributes.
    Vue,
    /// Astro: expressions in braces, and a script as front matter.
    Astro,
    /// Svelte: expressions in braces.
    Svelte,
}

impl Dialect {
    /// Whether elements can be components, which import scripts and styles.
    pub fn is_component(self) -> bool {
        !matches!(self, Dialect::Html | Dialect::Xml)
    }

    /// Whether an element can be empty in one tag, and its name depends on the case.
    pub fn has_empty_tags(self) -> bool {
        self != Dialect::Html
    }

    /// Whether expressions are in braces.
    pub fn has_braces(self) -> bool {
        matches!(self, Dialect::Astro | Dialect::Svelte)
    }

    /// Whether it has expressions between the delimiters of an index: `{{`, `{%`, `<%`.
    pub fn has_construct(self, index: usize) -> bool {
        match self {
            Dialect::Html | Dialect::Xml => true,
            Dialect::Vue => index == 0,
            Dialect::Astro | Dialect::Svelte => false,
        }
    }
}

/// Markup whose expressions are replaced, and the offset of its start in the text.
pub(crate) struct Masked {
    pub bytes: Vec<u8>,
    start: usize,
    /// The expressions and statements of the template language, from the first to the last delimiter.
    pub constructs: Vec<Range<usize>>,
    /// Comments in expressions.
    pub comments: Vec<Range<usize>>,
}

/// Replaces an expression at which a value or a name must not end. It is in no name and no URL.
const FILLER: u8 = b'\x01';

impl Masked {
    /// Copies a range of a text, of which nothing is masked yet.
    pub fn new(text: &str, range: Range<usize>) -> Masked {
        let bytes = text.as_bytes()[range.clone()].to_vec();
        Masked { bytes, start: range.start, constructs: Vec::new(), comments: Vec::new() }
    }

    /// Converts a range of the masked bytes to one of the text.
    pub fn in_text(&self, range: Range<usize>) -> Range<usize> {
        shifted(range, self.start)
    }

    /// Replaces a range. Line ends are replaced, too: no offset changes.
    pub fn fill(&mut self, range: Range<usize>, filler: u8) {
        self.bytes[range].fill(filler);
    }

    /// Replaces an expression: between attributes by spaces, so that the names next to it are apart, and in values by a
    /// filler that does not end them.
    pub fn fill_expression(&mut self, range: Range<usize>) {
        let before = range.start.checked_sub(1).map_or(b' ', |at| self.bytes[at]);
        let is_apart = before.is_ascii_whitespace() || matches!(before, b'"' | b'\'' | b'>');
        self.fill(range, if is_apart { b' ' } else { FILLER });
    }
}

/// Masks a range of a text. `hidden` are ranges of the text that are not read at all.
pub(crate) fn mask(text: &str, range: Range<usize>, hidden: &[Range<usize>], dialect: Dialect) -> Masked {
    let mut masked = Masked::new(text, range.clone());
    for part in hidden.iter().filter(|part| part.start >= range.start && part.end <= range.end) {
        masked.fill(part.start - range.start..part.end - range.start, b' ');
    }
    if dialect.has_braces() {
        mask_braces(&mut masked);
    } else {
        mask_constructs(&mut masked, dialect);
    }
    masked
}

/// Delimiters of expressions, statements and comments.
const DELIMITERS: [(&[u8], &str); 3] = [(b"{{", "}}"), (b"{%", "%}"), (b"<%", "%>")];

/// Masks expressions and statements by their delimiters.
fn mask_constructs(masked: &mut Masked, dialect: Dialect) {
    let mut ends = Ends::default();
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'{', b'<', &masked.bytes[at..]) {
        let start = at + found;
        at = start + 1;
        let kind = DELIMITERS.iter().position(|(open, _)| masked.bytes[start..].starts_with(open));
        let Some(kind) = kind.filter(|kind| dialect.has_construct(*kind)) else { continue };
        let Some(mut end) = ends.after(&masked.bytes, DELIMITERS[kind].1, start + 2) else { continue };
        if kind == 0 && masked.bytes[start..].starts_with(b"{{{") && masked.bytes.get(end) == Some(&b'}') {
            end += 1;
        }
        if is_construct(&masked.bytes[start..end]) {
            let range = start..end;
            masked.constructs.push(masked.in_text(range.clone()));
            masked.fill_expression(range);
            at = end;
        }
    }
}

/// Whether a text between delimiters is an expression, and not braces of a script with tags between them.
fn is_construct(text: &[u8]) -> bool {
    const MAX_LENGTH: usize = 4096;
    text.len() <= MAX_LENGTH
        && memmem::find(text, b"</script").is_none()
        && memmem::find(text, b"</style").is_none()
}

/// Masks the expressions of a component.
fn mask_braces(masked: &mut Masked) {
    let mut reader = BraceReader { masked, at: 0, open: vec![BraceLevel::Markup(0)], has_no_template: false };
    while reader.at < reader.masked.bytes.len() {
        match reader.open.last() {
            Some(BraceLevel::Script) => reader.script(),
            _ => reader.markup(),
        }
    }
}

/// The part of a component that is read.
#[derive(Clone, Copy)]
enum BraceLevel {
    /// Markup, with the number of open elements.
    Markup(usize),
    /// An expression.
    Script,
}

struct BraceReader<'m> {
    masked: &'m mut Masked,
    at: usize,
    open: Vec<BraceLevel>,
    /// Whether no template literal ends after here, so that it need not be searched for again.
    has_no_template: bool,
}

impl BraceReader<'_> {
    fn rest(&self) -> &[u8] {
        &self.masked.bytes[self.at..]
    }

    /// Skips to the end of a text after the current offset, or to the end of all.
    fn skip_after(&mut self, end: &[u8]) {
        self.at = after(&self.masked.bytes, self.at, end).unwrap_or(self.masked.bytes.len());
    }

    /// Reads the next part of markup.
    fn markup(&mut self) {
        match self.rest() {
            [b'<', b'!', b'-', b'-', ..] => self.skip_after(b"-->"),
            [b'<', b'/', ..] => {
                self.skip_after(b">");
                self.close_element(true);
            }
            [b'<', next, ..] if next.is_ascii_alphabetic() => self.tag(),
            [b'<', b'>', ..] => {
                self.at += 2;
                self.open_element();
            }
            [b'{', ..] => {
                self.at += 1;
                self.open.push(BraceLevel::Script);
            }
            _ => {
                let next = memchr::memchr2(b'<', b'{', &self.masked.bytes[self.at + 1..]);
                self.at = next.map_or(self.masked.bytes.len(), |next| self.at + 1 + next);
            }
        }
    }

    fn open_element(&mut self) {
        if let Some(BraceLevel::Markup(count)) = self.open.last_mut() {
            *count += 1;
        }
    }

    /// Ends an element, and the markup in an expression after its outermost element.
    fn close_element(&mut self, is_end_tag: bool) {
        let is_inner = self.open.len() > 1;
        if let Some(BraceLevel::Markup(count)) = self.open.last_mut() {
            *count = count.saturating_sub(usize::from(is_end_tag));
            if *count == 0 && is_inner {
                self.open.pop();
            }
        }
    }

    /// Reads a start tag, and the content of an element that is not markup.
    fn tag(&mut self) {
        let start = self.at + 1;
        let length =
            self.rest()[1..].iter().take_while(|b| !b.is_ascii_whitespace() && !b"/>{".contains(b)).count();
        self.at = start + length;
        let name = self.masked.bytes[start..self.at].to_vec();
        while let Some(byte) = self.masked.bytes.get(self.at).copied() {
            match byte {
                b'>' => break,
                b'{' => self.attribute_expression(),
                b'"' | b'\'' if self.masked.bytes[self.at - 1] == b'=' => self.quoted_value(byte),
                _ => self.at += 1,
            }
        }
        let is_empty = self.masked.bytes[self.at - 1] == b'/';
        self.at = (self.at + 1).min(self.masked.bytes.len());
        let element = Name::from_key(key(&name));
        let is_raw = matches!(name.as_slice(), b"script" | b"style" | b"textarea" | b"title");
        if is_empty || element.is_void() && name.first().is_some_and(u8::is_ascii_lowercase) {
            self.close_element(false);
        } else if is_raw {
            let end = find_end_tag(self.rest(), &name);
            self.at = end.map_or(self.masked.bytes.len(), |end| self.at + end);
            self.open_element();
        } else {
            self.open_element();
        }
    }

    /// Masks an expression in a tag, to its closing brace.
    fn attribute_expression(&mut self) {
        let start = self.at;
        self.at += 1;
        let mut depth = 1;
        while let Some(byte) = self.masked.bytes.get(self.at).copied() {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                b'"' | b'\'' | b'`' | b'/' if self.skip_text() => continue,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                self.masked.fill_expression(start..self.at);
                return;
            }
        }
    }

    /// Reads a value in quotes, and masks the expressions in it.
    fn quoted_value(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.masked.bytes.get(self.at).copied() {
            match byte {
                _ if byte == quote => {
                    self.at += 1;
                    return;
                }
                b'{' => self.attribute_expression(),
                _ => self.at += 1,
            }
        }
    }

    /// Reads the next part of an expression between tags.
    fn script(&mut self) {
        let start = self.at;
        let first = self.masked.bytes[start];
        let next = self.masked.bytes.get(start + 1).copied().unwrap_or_default();
        match first {
            b'{' => {
                self.at += 1;
                self.open.push(BraceLevel::Script);
            }
            b'}' => {
                self.at += 1;
                self.open.pop();
            }
            b'"' | b'\'' | b'`' | b'/' if self.skip_text() => {
                let text = start..self.at;
                if first == b'/' {
                    let comment = self.masked.in_text(text.clone());
                    self.masked.comments.push(comment);
                }
                self.masked.fill(text, b' ');
            }
            b'<' if (next.is_ascii_alphabetic() || next == b'>') && self.begins_operand() => {
                self.open.push(BraceLevel::Markup(0));
            }
            _ => self.at += 1,
        }
    }

    /// Skips a string, a template literal or a comment. Returns false if there is none.
    fn skip_text(&mut self) -> bool {
        let rest = self.rest();
        let end = match rest {
            [b'/', b'/', ..] => Some(memchr::memchr(b'\n', rest).unwrap_or(rest.len())),
            [b'/', b'*', ..] => Some(memmem::find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4)),
            [b'/', ..] | [] => None,
            [b'`', ..] if self.has_no_template => None,
            [quote, ..] => text_end(rest, *quote),
        };
        self.has_no_template |= end.is_none() && rest.starts_with(b"`");
        self.at += end.unwrap_or(0);
        end.is_some()
    }

    /// Whether an operand, such as an element, can begin at the current offset, and not only an operator.
    fn begins_operand(&self) -> bool {
        let before = self.masked.bytes[..self.at].trim_ascii_end();
        before.last().is_none_or(|byte| b"(,?:&|={[;>}".contains(byte)) || before.ends_with(b"return")
    }
}

/// Returns the length of a text in quotes. Only template literals have more than one line.
fn text_end(text: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    loop {
        match *text.get(at)? {
            b'\\' => at += 2,
            b'\n' if quote != b'`' => return None,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}
