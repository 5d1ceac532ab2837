//! Statements of Python, and what strings that are statements are.

use super::tokens::PythonToken;

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
