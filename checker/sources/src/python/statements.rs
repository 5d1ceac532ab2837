//! Statements of Python, and what strings that are statements are. Tokens are read as far as strings, comments and
//! statements need them: broken code has tokens, too.

use std::ops::Range;

/// The purpose of a statement that is only a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringRole {
    /// The documentation of a module, a class, a function or an attribute.
    Docstring,
    /// Text that nothing shows.
    Unused,
}

/// A statement.
pub(super) struct ModuleStatement<'k> {
    pub tokens: &'k [PythonToken],
    pub role: StringRole,
    /// Whether it sets an attribute that can have documentation.
    pub is_attribute: bool,
}

/// What precedes a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BeforeStatement {
    /// The start of a module, a class or a function.
    Start,
    /// A value of a module, a class or an instance.
    Attribute,
    Other,
}

/// A class or a function around a statement.
struct ModuleScope {
    column: usize,
    is_function: bool,
    is_constructor: bool,
}

/// Returns the statements of a module, from its tokens without comments.
pub(super) fn statements<'k>(text: &str, tokens: &'k [PythonToken]) -> Vec<ModuleStatement<'k>> {
    let mut reader =
        ModuleReader { text, scopes: Vec::new(), before: BeforeStatement::Start, found: Vec::new() };
    let mut start = 0;
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        let is_end = match token {
            PythonToken::Newline => true,
            PythonToken::Mark(b'(' | b'[' | b'{', _) => {
                depth += 1;
                false
            }
            PythonToken::Mark(b')' | b']' | b'}', _) => {
                depth = depth.saturating_sub(1);
                false
            }
            PythonToken::Mark(b';', _) => depth == 0,
            PythonToken::Mark(b':', _) => depth == 0 && reader.is_header(&tokens[start..at]),
            _ => false,
        };
        if matches!(token, PythonToken::Newline) {
            depth = 0;
        }
        if is_end {
            reader.read(&tokens[start..at]);
            start = at + 1;
        }
    }
    reader.found
}

struct ModuleReader<'t, 'k> {
    text: &'t str,
    scopes: Vec<ModuleScope>,
    before: BeforeStatement,
    found: Vec<ModuleStatement<'k>>,
}

impl<'k> ModuleReader<'_, 'k> {
    fn word(&self, token: Option<&PythonToken>) -> &str {
        match token {
            Some(PythonToken::Word(range)) => &self.text[range.clone()],
            _ => "",
        }
    }

    fn is_header(&self, tokens: &[PythonToken]) -> bool {
        matches!(self.word(tokens.first()), "def" | "class")
            || self.word(tokens.first()) == "async" && self.word(tokens.get(1)) == "def"
    }

    fn read(&mut self, tokens: &'k [PythonToken]) {
        let Some(column) = tokens.first().map(|token| self.column(token)) else { return };
        let is_string = matches!(tokens, [PythonToken::Text(_)]);
        if let (false, Some(column)) = (is_string && self.before == BeforeStatement::Start, column) {
            while self.scopes.last().is_some_and(|scope| scope.column >= column) {
                self.scopes.pop();
            }
        }
        let is_documentation = matches!(tokens, [PythonToken::Text(string)] if string.is_text);
        let role = if is_documentation && self.before != BeforeStatement::Other {
            StringRole::Docstring
        } else {
            StringRole::Unused
        };
        let is_attribute = !is_string && !self.is_header(tokens) && self.is_attribute(tokens);
        self.found.push(ModuleStatement { tokens, role, is_attribute });
        self.before = if self.is_header(tokens) {
            self.enter(tokens, column.unwrap_or(usize::MAX))
        } else if is_attribute {
            BeforeStatement::Attribute
        } else {
            BeforeStatement::Other
        };
    }

    /// Enters a class or a function. Functions in functions are not documented.
    fn enter(&mut self, tokens: &[PythonToken], column: usize) -> BeforeStatement {
        let is_nested = self.scopes.last().is_some_and(|scope| scope.is_function);
        let name = self
            .word(tokens.iter().find(|token| !matches!(self.word(Some(token)), "async" | "def" | "class")));
        let is_constructor = name == "__init__";
        let is_function = self.word(tokens.first()) != "class" || is_nested;
        self.scopes.push(ModuleScope { column, is_function, is_constructor });
        if is_nested { BeforeStatement::Other } else { BeforeStatement::Start }
    }

    /// Whether a statement sets an attribute that can have documentation.
    fn is_attribute(&self, tokens: &[PythonToken]) -> bool {
        let is_place = match self.scopes.last() {
            Some(scope) if scope.is_function => scope.is_constructor && self.word(tokens.first()) == "self",
            _ => matches!(tokens.first(), Some(PythonToken::Word(_))),
        };
        is_place && (is_assignment(tokens) || matches!(tokens.get(1), Some(PythonToken::Mark(b':', _))))
    }

    /// Returns the column of a token that begins a line.
    fn column(&self, token: &PythonToken) -> Option<usize> {
        if *token == PythonToken::Newline {
            return None;
        }
        let start = token.range().start;
        let before = self.text[..start].trim_end_matches([' ', '\t', '\x0c']);
        let is_first = before.is_empty() || before.ends_with(['\n', '\u{feff}']);
        is_first.then_some(start - before.len())
    }
}

/// Whether a statement has `=` outside of brackets.
pub(super) fn is_assignment(tokens: &[PythonToken]) -> bool {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            PythonToken::Mark(b'(' | b'[' | b'{', _) => depth += 1,
            PythonToken::Mark(b')' | b']' | b'}', _) => depth = depth.saturating_sub(1),
            PythonToken::Mark(b'=', _) if depth == 0 => {
                let is_mark = |other: Option<&PythonToken>| {
                    matches!(other, Some(PythonToken::Mark(b'=' | b'<' | b'>' | b'!', _)))
                };
                if !is_mark(tokens.get(at + 1)) && (at == 0 || !is_mark(tokens.get(at - 1))) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PythonToken {
    /// A name, a keyword or a number.
    Word(Range<usize>),
    Text(StringToken),
    /// One byte of an operator or a bracket.
    Mark(u8, usize),
    Comment(Range<usize>),
    /// The end of a line that no bracket or backslash continues.
    Newline,
}

impl PythonToken {
    /// Returns the bytes of the token.
    pub fn range(&self) -> Range<usize> {
        match self {
            PythonToken::Word(range) | PythonToken::Comment(range) => range.clone(),
            PythonToken::Text(string) => string.range.clone(),
            PythonToken::Mark(_, at) => *at..at + 1,
            PythonToken::Newline => 0..0,
        }
    }
}

/// A string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StringToken {
    /// With prefix and quotes.
    pub range: Range<usize>,
    /// Between the quotes.
    pub content: Range<usize>,
    pub is_raw: bool,
    /// Whether it is neither bytes nor has expressions.
    pub is_text: bool,
}

/// Returns the tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<PythonToken> {
    let mut tokenizer = PythonTokenizer { bytes: text.as_bytes(), tokens: Vec::new(), depth: 0 };
    let mut at = 0;
    while at < text.len() {
        at = tokenizer.token(at);
    }
    tokenizer.tokens.push(PythonToken::Newline);
    tokenizer.tokens
}

struct PythonTokenizer<'t> {
    bytes: &'t [u8],
    tokens: Vec<PythonToken>,
    /// Number of open brackets.
    depth: usize,
}

impl PythonTokenizer<'_> {
    /// Adds the token at an offset, and returns the offset after it.
    fn token(&mut self, at: usize) -> usize {
        match self.bytes[at] {
            b'\n' => {
                if self.depth == 0 {
                    self.tokens.push(PythonToken::Newline);
                }
                at + 1
            }
            b'\\' if self.bytes[at + 1..].starts_with(b"\r\n") => at + 3,
            b'\\' if self.bytes.get(at + 1) == Some(&b'\n') => at + 2,
            b' ' | b'\t' | b'\r' | 0x0c => at + 1,
            b'#' => {
                let end = memchr::memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |end| at + end);
                self.tokens.push(PythonToken::Comment(at..end));
                end
            }
            b'"' | b'\'' => self.string(at, at),
            first if is_word(first) => {
                let end = at + self.bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
                let is_prefix =
                    end - at <= 2 && self.bytes[at..end].iter().all(|byte| b"rRbBuUfFtT".contains(byte));
                if is_prefix && matches!(self.bytes.get(end), Some(b'"' | b'\'')) {
                    return self.string(at, end);
                }
                self.tokens.push(PythonToken::Word(at..end));
                end
            }
            mark => {
                match mark {
                    b'(' | b'[' | b'{' => self.depth += 1,
                    b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
                self.tokens.push(PythonToken::Mark(mark, at));
                at + 1
            }
        }
    }

    /// Adds a string with a prefix.
    fn string(&mut self, start: usize, open: usize) -> usize {
        let has = |prefix: &[u8]| self.bytes[start..open].iter().any(|byte| prefix.contains(byte));
        let (is_raw, is_format) = (has(b"rR"), has(b"fFtT"));
        let is_text = !is_format && !has(b"bB");
        let quote = self.bytes[open];
        let length = if self.bytes[open..].starts_with(&[quote; 3]) { 3 } else { 1 };
        let from = open + length;
        let (content, is_closed) = self.string_end(from, quote, length, is_format);
        let end = if is_closed { content + length } else { content };
        let is_text = is_text && is_closed;
        self.tokens.push(PythonToken::Text(StringToken {
            range: start..end,
            content: from..content,
            is_raw,
            is_text,
        }));
        end
    }

    /// Returns the end of the content of a string, and whether it has closing quotes.
    fn string_end(&self, from: usize, quote: u8, length: usize, is_format: bool) -> (usize, bool) {
        let bytes = self.bytes;
        let closing = [quote; 3];
        let mut at = from;
        // Number of open braces. Inside of them, quotes begin a string of their own, since Python 3.12.
        let mut braces = 0_usize;
        while at < bytes.len() {
            match bytes[at] {
                b'\\' => at += 1,
                b'\n' if length == 1 => return (at, false),
                b'{' if is_format => braces += 1,
                b'}' if is_format => braces = braces.saturating_sub(1),
                byte if byte == quote
                    && bytes[at..].starts_with(&closing[..length])
                    && (braces == 0 || length == 3) =>
                {
                    return (at, true);
                }
                byte @ (b'"' | b'\'') if braces > 0 => {
                    let line = memchr::memchr2(byte, b'\n', &bytes[at + 1..]);
                    at += line.map_or(0, |end| if bytes[at + 1 + end] == byte { end + 1 } else { 0 });
                }
                _ => {}
            }
            at += 1;
        }
        (bytes.len(), false)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
