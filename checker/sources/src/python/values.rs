//! Strings that are addresses as a whole: values of settings, and constants.

use sitegate_address::{SitePath, UrlReference};

use sitegate_address::extension::is_one_of;

use super::statements::is_assignment;
use super::tokens::{PythonToken, StringToken};
use crate::reference::{Manner, SourceScan};

/// Extensions of pages, sources and files of a site. In other words with a dot, such as `sphinx.ext.todo`, it is part of
/// a name.
#[rustfmt::skip]
const EXTENSIONS: [&str; 26] = [
    "html", "htm", "xhtml", "rst", "md", "txt", "ipynb", "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "css", "js",
    "json", "xml", "pdf", "zip", "woff", "woff2", "mp4", "webm", "webmanifest",
];

/// Adds the strings of a statement that are addresses. In an assignment they have a manner, but not the arguments of
/// calls, which may be parts of a path.
pub(super) fn add_values<'t>(
    text: &'t str,
    tokens: &[PythonToken],
    manner: Manner,
    scan: &mut SourceScan<'t>,
) {
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
