//! Masks the expressions in braces of Astro and Svelte: in tags as a whole, and between tags their texts and comments,
//! since an expression may contain elements.

use memchr::memmem;
use sitegate_html::element::Name;
use sitegate_html::key::key;
use sitegate_html::raw_text::find_end_tag;
use sitegate_html::tokenizer::after;

use super::masked::Masked;

/// Masks the expressions of a component.
pub(super) fn mask(masked: &mut Masked) {
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
