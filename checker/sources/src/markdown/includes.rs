//! Includes of other files in Markdown: `<<< ./snippet.ts` and `<!--@include: ./part.md-->` of VitePress, and
//! `src={require("./image.png").default}` of Docusaurus, which reads `.md` as MDX.

use std::ops::Range;

use memchr::memmem;

use crate::reference::Manner;

use super::directives::trimmed;
use super::shortcodes::Shortcode;

const SNIPPET: &str = "<<<";
const COMMENT: &str = "<!--";
const INCLUDE: &str = "@include:";
const REQUIRE: &str = "={require(";

/// Returns the references in includes in a range of a text, in order.
pub(super) fn references(text: &str, range: Range<usize>) -> Vec<Shortcode> {
    let mut found = snippets(text, range.clone());
    found.extend(comments(text, range.clone()));
    found.extend(required(text, range));
    found.sort_by_key(|shortcode| shortcode.range.start);
    found
}

/// Returns the paths after `<<<` at the start of a line.
fn snippets(text: &str, range: Range<usize>) -> Vec<Shortcode> {
    let mut found = Vec::new();
    for at in memmem::find_iter(text[range.clone()].as_bytes(), SNIPPET).map(|at| range.start + at) {
        let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        if !text[line..at].trim().is_empty() {
            continue;
        }
        let start = at + SNIPPET.len();
        let end = text[start..range.end].find('\n').map_or(range.end, |length| start + length);
        // A region, lines and a title follow.
        let end = text[start..end].find(['#', '{', '[']).map_or(end, |length| start + length);
        found.extend(path(text, start..end, false));
    }
    found
}

/// Returns the paths in comments, which VitePress replaces in code, too.
fn comments(text: &str, range: Range<usize>) -> Vec<Shortcode> {
    let mut found = Vec::new();
    for at in memmem::find_iter(text[range.clone()].as_bytes(), COMMENT).map(|at| range.start + at) {
        let rest = &text[at + COMMENT.len()..range.end];
        let Some(written) = rest.trim_start().strip_prefix(INCLUDE) else { continue };
        let start = range.end - written.len();
        let Some(length) = written.find("-->").filter(|length| !written[..*length].contains('\n')) else {
            continue;
        };
        let end = written[..length].find(['#', '{']).unwrap_or(length);
        found.extend(path(text, start..start + end, true));
    }
    found
}

/// Returns the modules in attributes that are required.
fn required(text: &str, range: Range<usize>) -> Vec<Shortcode> {
    let starts = memmem::find_iter(text[range.clone()].as_bytes(), REQUIRE);
    let modules = starts.filter_map(|at| {
        let start = range.start + at + REQUIRE.len() - "{require(".len();
        let length = text[start..range.end].find('}')?;
        required_module(text, start + 1..start + length)
    });
    modules.map(|module| Shortcode { range: module, manner: Manner::File, is_in_code: false }).collect()
}

/// Returns the name of the module in an expression that is `require("./x")` or `require("./x").default`.
pub(crate) fn required_module(text: &str, expression: Range<usize>) -> Option<Range<usize>> {
    let range = trimmed(text, expression);
    let argument = text[range.clone()].strip_prefix("require(")?;
    let argument = argument.strip_suffix(".default").unwrap_or(argument).trim_end().strip_suffix(')')?.trim();
    let quote = argument.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let name = argument.strip_prefix(quote)?.strip_suffix(quote)?;
    let is_plain = !name.is_empty() && !name.contains([quote, '\\', '\n']);
    let start = range.start + text[range.clone()].find(quote)? + 1;
    is_plain.then_some(start..start + name.len())
}

fn path(text: &str, range: Range<usize>, is_in_code: bool) -> Option<Shortcode> {
    let range = trimmed(text, range);
    let written = &text[range.clone()];
    let is_path = !written.is_empty() && !written.contains(['<', '>', '"', '`', '*', '\\']);
    is_path.then_some(Shortcode { range, manner: Manner::File, is_in_code })
}

#[cfg(test)]
mod tests {
    use super::references;

    #[test]
    fn finds_included_files() {
        let found = |text: &str| -> Vec<String> {
            references(text, 0..text.len()).into_iter().map(|found| text[found.range].to_owned()).collect()
        };
        for (text, expected) in [
            ("<<< ./snip.ts\n", "./snip.ts"),
            ("a\n\n  <<< @/a/b.ts#region{1,2 ts} [title]\n", "@/a/b.ts"),
            ("<<<../a.js {2}", "../a.js"),
            ("<!--@include: ./part.md-->", "./part.md"),
            ("<!-- @include: ../a b.md#part{3,} -->", "../a b.md"),
            ("<img src={require('./a.png').default} />", "./a.png"),
            ("<img src={require(\"./a.png\") } />", "./a.png"),
        ] {
            assert_eq!(found(text), [expected], "{text}");
        }
        for text in [
            "a <<< b",
            "<<<",
            "<<< \n",
            "<!-- include: a -->",
            "<!--@include: a",
            "<!--@include: -->",
            "<a b={require(x)}>",
            "<a b={require('a' + 'b')}>",
            "={require(",
            "={require('a",
            "<!--@include:\n-->",
            "<<< `é`",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
