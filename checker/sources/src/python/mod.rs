//! Python: docstrings in reStructuredText, and settings of Sphinx and Pelican.

mod docstrings;
mod statements;
mod tokens;
mod values;

use self::docstrings::scan_docstring;
use self::statements::{Statement, StringRole, statements};
use self::tokens::{Token, tokens};
use self::values::add_values;
use crate::restructured::{Line, line, scan_lines};
use crate::{Manner, ScanOptions, SourceScan};

/// Settings of Sphinx and Pelican.
const SETTINGS: [&str; 4] = ["conf.py", "pelicanconf.py", "publishconf.py", "nikola.py"];

/// Finds the references of a module.
pub(crate) fn scan<'t>(path: &str, text: &'t str, options: ScanOptions, scan: &mut SourceScan<'t>) {
    let name = path.rsplit('/').next().unwrap_or(path);
    let manner = if SETTINGS.contains(&name) { Manner::Value } else { Manner::Text };
    let (comments, tokens): (Vec<Token>, Vec<Token>) =
        tokens(text).into_iter().partition(|token| matches!(token, Token::Comment(_)));
    scan_comments(text, &comments, options, scan);
    for Statement { tokens, role } in statements(text, &tokens) {
        match (role, tokens) {
            (StringRole::Docstring, [Token::Text(string)]) => scan_docstring(text, string, options, scan),
            (StringRole::Unused, [Token::Text(string)]) => scan.inert.push(string.range.clone()),
            (_, tokens) => add_values(text, tokens, manner, scan),
        }
    }
}

/// Marks comments, and scans those that Sphinx shows: lines that begin with `#:`.
fn scan_comments<'t>(text: &'t str, comments: &[Token], options: ScanOptions, scan: &mut SourceScan<'t>) {
    let mut documentation: Vec<Line> = Vec::new();
    let mut last_end = 0;
    for comment in comments {
        let Token::Comment(range) = comment else { continue };
        let is_next = text[last_end..range.start].trim().is_empty()
            && text[last_end..range.start].matches('\n').count() == 1;
        if !is_next {
            scan_documentation(text, &mut documentation, options, scan);
        }
        last_end = range.end;
        if text[range.clone()].starts_with("#:") {
            documentation.push(line(text, range.start + 2..range.end));
        } else {
            scan.inert.push(range.clone());
            scan_documentation(text, &mut documentation, options, scan);
        }
    }
    scan_documentation(text, &mut documentation, options, scan);
}

fn scan_documentation<'t>(
    text: &'t str,
    lines: &mut Vec<Line>,
    options: ScanOptions,
    scan: &mut SourceScan<'t>,
) {
    let lines = std::mem::take(lines);
    let margin = lines.iter().filter(|line| !line.is_blank()).map(|line| line.indent).min().unwrap_or(0);
    let lines: Vec<Line> = lines.into_iter().map(|line| line.dedented(margin)).collect();
    scan_lines(text, &lines, false, options, scan);
}
