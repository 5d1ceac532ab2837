//! Python: docstrings in reStructuredText, and settings of Sphinx and Pelican.

mod docstrings;
mod statements;

use std::ops::Range;

use sitegate_address::extension::is_one_of;
use sitegate_address::{SitePath, UrlReference};

use self::docstrings::scan_docstring;
use self::statements::{
    ModuleStatement, PythonToken, StringRole, StringToken, is_assignment, statements, tokens,
};
use crate::reference::{Manner, SourceOptions, SourceScan};
use crate::restructured::{SourceLine, line, scan_lines};

/// Settings of Sphinx and Pelican.
const SETTINGS: [&str; 4] = ["conf.py", "pelicanconf.py", "publishconf.py", "nikola.py"];

/// Finds the references of a module.
pub(crate) fn scan<'t>(path: &str, text: &'t str, options: SourceOptions, scan: &mut SourceScan<'t>) {
    let name = SitePath::new(path).name();
    let manner = if SETTINGS.contains(&name) { Manner::Value } else { Manner::Text };
    let (comments, code): (Vec<PythonToken>, Vec<PythonToken>) =
        tokens(text).into_iter().partition(|token| matches!(token, PythonToken::Comment(_)));
    let is_comment = |range: &Range<usize>| !text[range.clone()].starts_with("#:");
    scan.inert.extend(comments.iter().map(PythonToken::range).filter(is_comment));
    let comments = documentation(text, &comments);
    for ModuleStatement { tokens, role, is_attribute } in statements(text, &code) {
        match (role, tokens) {
            (StringRole::Docstring, [PythonToken::Text(string)]) => {
                scan_docstring(text, string, options, scan);
            }
            (StringRole::Unused, [PythonToken::Text(string)]) => scan.inert.push(string.range.clone()),
            (_, tokens) => add_values(text, tokens, manner, scan),
        }
        if let (true, [first, ..], Some(last)) = (is_attribute, tokens, tokens.last()) {
            for comment in attribute_comments(text, &comments, first.range().start..last.range().end) {
                scan_lines(text, &comment.lines, false, options, scan);
            }
        }
    }
}

/// Successive comments that begin with `#:`. Sphinx shows those at attributes.
struct DocumentationComment {
    range: Range<usize>,
    lines: Vec<SourceLine>,
}

fn documentation(text: &str, comments: &[PythonToken]) -> Vec<DocumentationComment> {
    let mut found: Vec<DocumentationComment> = Vec::new();
    for range in comments.iter().map(PythonToken::range).filter(|range| text[range.clone()].starts_with("#:"))
    {
        let line = line(text, range.start + 2..range.end);
        match found.last_mut().filter(|last| newlines_between(text, last.range.end..range.start) == Some(1)) {
            Some(last) => {
                last.lines.push(line);
                last.range.end = range.end;
            }
            None => found.push(DocumentationComment { range, lines: vec![line] }),
        }
    }
    for comment in &mut found {
        let shown = comment.lines.iter().filter(|line| !line.is_blank());
        let margin = shown.map(|line| line.indent).min().unwrap_or(0);
        for line in &mut comment.lines {
            *line = line.dedented(margin);
        }
    }
    found
}

/// Returns the comments on the lines before a statement, and at its end.
fn attribute_comments<'c>(
    text: &'c str,
    comments: &'c [DocumentationComment],
    statement: Range<usize>,
) -> impl Iterator<Item = &'c DocumentationComment> {
    let next = comments.partition_point(|comment| comment.range.start < statement.start);
    let before = comments[..next]
        .last()
        .filter(|comment| newlines_between(text, comment.range.end..statement.start) == Some(1));
    let after = comments[next..].iter().find(|comment| comment.range.start >= statement.end);
    let after = after.filter(|comment| newlines_between(text, statement.end..comment.range.start) == Some(0));
    before.into_iter().chain(after)
}

/// Returns the number of line feeds in a range; `None` if it has other text.
fn newlines_between(text: &str, range: Range<usize>) -> Option<usize> {
    let between = text.get(range)?;
    between.trim().is_empty().then(|| between.matches('\n').count())
}

/// Extensions of pages, sources and files of a site. In other words with a dot, such as `sphinx.ext.todo`, it is part of
/// a name.
#[rustfmt::skip]
const EXTENSIONS: [&str; 26] = [
    "html", "htm", "xhtml", "rst", "md", "txt", "ipynb", "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "css", "js",
    "json", "xml", "pdf", "zip", "woff", "woff2", "mp4", "webm", "webmanifest",
];

/// Adds the strings of a statement that are addresses. In an assignment they have a manner, but not the arguments of
/// calls, which may be parts of a path.
fn add_values<'t>(text: &'t str, tokens: &[PythonToken], manner: Manner, scan: &mut SourceScan<'t>) {
    let is_value = is_assignment(tokens);
    // For each open bracket, whether it is that of a call.
    let mut brackets: Vec<bool> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        match token {
            PythonToken::Mark(b'(' | b'[' | b'{', _) => {
                let is_call = match before {
                    Some(PythonToken::Word(range)) => {
                        !matches!(&text[range.clone()], "dict" | "list" | "tuple" | "set")
                    }
                    Some(PythonToken::Mark(b')' | b']', _)) => true,
                    _ => false,
                };
                brackets.push(is_call || brackets.last() == Some(&true));
            }
            PythonToken::Mark(b')' | b']' | b'}', _) => {
                brackets.pop();
            }
            PythonToken::Text(string) if is_whole(before, tokens.get(at + 1)) && is_address(text, string) => {
                let is_argument = brackets.last() == Some(&true);
                let manner = if is_value && !is_argument { manner } else { Manner::Text };
                scan.add(text, string.content.clone(), manner);
            }
            _ => {}
        }
    }
}

/// Whether a string is a value by the tokens around it, not a part of a longer text or a key.
fn is_whole(before: Option<&PythonToken>, after: Option<&PythonToken>) -> bool {
    let is_before = match before {
        Some(PythonToken::Mark(mark, _)) => matches!(mark, b'=' | b'(' | b'[' | b'{' | b',' | b':'),
        Some(PythonToken::Word(_)) | None => true,
        Some(_) => false,
    };
    let is_after = match after {
        Some(PythonToken::Mark(mark, _)) => matches!(mark, b')' | b']' | b'}' | b','),
        Some(PythonToken::Word(_)) | None => true,
        Some(_) => false,
    };
    is_before && is_after
}

fn is_address(text: &str, string: &StringToken) -> bool {
    let content = &text[string.content.clone()];
    let has_other = content.contains(|char: char| char.is_whitespace() || "\\<>{}*|\"'`$%".contains(char));
    if !string.is_text || content.is_empty() || content.len() > 500 || has_other {
        return false;
    }
    let path = UrlReference::new(content).path();
    let extension = SitePath::new(path).extension();
    path.contains('/') || extension.is_some_and(|extension| is_one_of(extension.as_bytes(), &EXTENSIONS))
}
