//! Python: docstrings in reStructuredText, and settings of Sphinx and Pelican.

mod docstrings;
mod statements;
mod tokens;
mod values;

use std::ops::Range;

use sitegate_address::SitePath;

use self::docstrings::scan_docstring;
use self::statements::{ModuleStatement, StringRole, statements};
use self::tokens::{PythonToken, tokens};
use self::values::add_values;
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
