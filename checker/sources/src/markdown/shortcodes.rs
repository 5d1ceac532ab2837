//! Shortcodes, includes and tags of generators that name a source: they are replaced before Markdown is read.

use std::ops::Range;

use crate::reference::Manner;

use super::directives::trimmed;

/// Preprocessor commands of mdBook whose argument is a path.
const INCLUDES: [&str; 5] = ["include", "rustdoc_include", "playground", "playpen", "template"];

/// Tags of the plugin mkdocs-include-markdown, whose argument is a path.
const MARKDOWN_INCLUDES: [&str; 2] = ["include-markdown", "include"];

/// Filters of Liquid, Jinja and Hugo whose input is an address.
const ADDRESS_FILTERS: [&str; 6] = ["relative_url", "absolute_url", "url", "relURL", "absURL", "prepend:"];

/// Parameters of shortcodes whose values are URLs in the themes of Hugo, Jekyll and Zola.
const PARAMETERS: [&str; 7] = ["href", "src", "link", "url", "to", "image", "poster"];

/// A reference in a shortcode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shortcode {
    pub range: Range<usize>,
    pub manner: Manner,
    /// Whether it is replaced in code, too.
    pub is_in_code: bool,
}

/// Returns the references in shortcodes in a range of a text.
pub(super) fn references(text: &str, range: Range<usize>) -> Vec<Shortcode> {
    let bytes = &text.as_bytes()[..range.end];
    let mut found = Vec::new();
    let mut at = range.start;
    while let Some(open) = memchr::memchr(b'{', &bytes[at..]).map(|open| at + open) {
        at = open + 1;
        let (start, end) = match bytes.get(open + 1) {
            Some(b'{') => (open + 2, "}}"),
            Some(b'%') => (open + 2, "%}"),
            _ => continue,
        };
        // A shortcode is short: what has no end nearby is none.
        let near = nearby(text, start, range.end);
        let Some(length) = near.find(end).filter(|length| !near[..*length].contains("\n\n")) else {
            continue;
        };
        // Generators show it as it is after a backslash.
        let is_escaped = bytes[..open].last() == Some(&b'\\');
        if is_escaped {
            continue;
        }
        let inner = start..start + length;
        if let Some(shortcode) = shortcode(text, inner.clone(), end) {
            found.push(shortcode);
        } else if end == "%}" || text[inner.clone()].starts_with(['<', '%']) {
            found.extend(parameters(text, inner));
        } else {
            continue;
        }
        at = start + length;
    }
    found
}

/// Returns the text after an offset that can belong to one shortcode.
fn nearby(text: &str, start: usize, end: usize) -> &str {
    /// Maximum length of a shortcode in bytes.
    const MAX_SHORTCODE: usize = 1000;
    let mut near = end.min(start + MAX_SHORTCODE);
    while !text.is_char_boundary(near) {
        near += 1;
    }
    &text[start..near]
}

/// Returns the reference in the content between `{{` and `}}`, or `{%` and `%}`.
fn shortcode(text: &str, inner: Range<usize>, end: &str) -> Option<Shortcode> {
    let content = &text[inner.clone()];
    let shortcode = |range, manner| Some(Shortcode { range, manner, is_in_code: false });
    if end == "%}" {
        let (name, argument) = word(text, trimmed_dashes(text, inner));
        let manner = match &text[name.clone()] {
            "link" => Manner::File,
            "include_relative" => Manner::FileBelow,
            known if MARKDOWN_INCLUDES.contains(&known) => {
                let path = quoted(text, trimmed(text, argument))?;
                // Jinja and Liquid look up other names in folders of their own.
                let is_relative =
                    text[path.clone()].starts_with("./") || text[path.clone()].starts_with("../");
                let is_path = known == "include-markdown" || is_relative;
                return is_path.then_some(Shortcode {
                    range: path,
                    manner: Manner::File,
                    is_in_code: is_path,
                });
            }
            _ => return None,
        };
        let (path, _) = word(text, argument);
        let is_path = !path.is_empty() && !text[path.clone()].contains(['{', '"', '\'']);
        return if is_path { shortcode(path, manner) } else { None };
    }
    match content.as_bytes().first()? {
        b'#' => {
            let (name, argument) = word(text, inner.start + 1..inner.end);
            let (path, _) = word(text, argument);
            let length = text[path.clone()].find(':').unwrap_or(path.len());
            let range = path.start..path.start + length;
            let is_known = INCLUDES.contains(&&text[name]) && !range.is_empty();
            is_known.then_some(Shortcode { range, manner: Manner::File, is_in_code: true })
        }
        b'<' | b'%' => {
            let length = content[1..].strip_suffix(['>', '%'])?.len();
            let (name, argument) = word(text, inner.start + 1..inner.start + 1 + length);
            let argument = trimmed(text, argument);
            if !matches!(&text[name], "ref" | "relref") {
                return None;
            }
            let start = match text[argument.clone()].find("path") {
                Some(0) => argument.start + text[argument.clone()].find('=')? + 1,
                _ => argument.start,
            };
            shortcode(quoted(text, trimmed(text, start..argument.end))?, Manner::Document)
        }
        _ => {
            let inner = trimmed_dashes(text, inner);
            let value = quoted(text, inner.clone())?;
            let filter = text[value.end + 1..inner.end].trim_start().strip_prefix('|')?.trim_start();
            let is_address = ADDRESS_FILTERS.iter().any(|name| {
                let rest = filter.strip_prefix(name);
                rest.is_some_and(|rest| {
                    name.ends_with(':') || rest.is_empty() || rest.starts_with([' ', '|'])
                })
            });
            if is_address { shortcode(value, Manner::Link) } else { None }
        }
    }
}

/// Returns the parameters of a shortcode that are URLs, such as `{{< figure src="a.png" link="/b/" >}}`.
fn parameters(text: &str, inner: Range<usize>) -> Vec<Shortcode> {
    let mut found = Vec::new();
    let mut at = inner.start;
    while let Some(equals) = text[at..inner.end].find('=').map(|equals| at + equals) {
        at = equals + 1;
        let Some(value) = quoted(text, at..inner.end) else { continue };
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let name = text[inner.start..equals].rsplit(|c| !is_name(c)).next().unwrap_or_default();
        at = value.end + 1;
        if PARAMETERS.contains(&name) && !text[value.clone()].contains(char::is_whitespace) {
            found.push(Shortcode { range: value, manner: Manner::Attribute, is_in_code: false });
        }
    }
    found
}

/// Returns the range of a value in quotes at the start of a range.
fn quoted(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let content = &text[range.clone()];
    let quote = content.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let length = content[1..].find(quote)?;
    let value = range.start + 1..range.start + 1 + length;
    (length > 0 && !text[value.clone()].contains(['\\', '{'])).then_some(value)
}

/// Returns the first word of a range, and the rest.
fn word(text: &str, range: Range<usize>) -> (Range<usize>, Range<usize>) {
    let range = trimmed(text, range);
    let length = text[range.clone()].find(char::is_whitespace).unwrap_or(range.len());
    (range.start..range.start + length, range.start + length..range.end)
}

/// Returns a range without the dashes that remove white space around a tag.
fn trimmed_dashes(text: &str, range: Range<usize>) -> Range<usize> {
    let content = &text[range.clone()];
    let start = range.start + usize::from(content.starts_with('-'));
    let end = range.end - usize::from(content.ends_with('-') && range.end > start);
    trimmed(text, start..end)
}

#[cfg(test)]
mod tests {
    use super::references;

    fn found(text: &str) -> Vec<String> {
        let found = references(text, 0..text.len()).into_iter();
        found.map(|found| format!("{:?} {}", found.manner, &text[found.range])).collect()
    }

    #[test]
    fn finds_names_of_sources() {
        for (text, expected) in [
            ("[x]({{< ref \"h.md#a\" >}})", "Document h.md#a"),
            ("{{% relref path=`b c` lang=\"de\" %}}", "Document b c"),
            ("{{<ref 'x'>}}", "Document x"),
            ("{{#include ../a.rs:here}}", "File ../a.rs"),
            ("{{#rustdoc_include a.rs}}", "File a.rs"),
            ("[x]({% link _posts/a.md %}#b)", "File _posts/a.md"),
            ("{%- include_relative a/b.md x=\"y\" -%}", "FileBelow a/b.md"),
            ("{{#template ../t.md a=b c=d}}", "File ../t.md"),
            ("{% include-markdown \"part.md\" start=\"a\" %}", "File part.md"),
            ("{%\n  include './part.md'\n%}", "File ./part.md"),
            ("{{< figure title=\"a=b\" src=\"i.png\" >}}", "Attribute i.png"),
            ("{{< figure\n  src=\"i.png\"\n>}}", "Attribute i.png"),
            ("{% include card.html url='/x/' %}", "Attribute /x/"),
            ("[x]({{ '/guide/' | relative_url }})", "Link /guide/"),
            ("[x]({{ \"/guide/\" | prepend: site.baseurl }})", "Link /guide/"),
        ] {
            assert_eq!(found(text), [expected], "{text}");
        }
        for text in [
            "{{#each items}}",
            "\\{{#include a.rs}}",
            "{% post_url 2020-a %}",
            "{% include 'part.md' %}",
            "{% include part.md %}",
            "{% link {{ a }} %}",
            "{{< figure \"a\" >}}",
            "{{ \"a\" | upcase }}",
            "{{ a }}",
            "{{#include }}",
            "{{<ref>}}",
            "{{< ref >}}",
            "{{",
            "{%",
            "{{}}",
            "{%%}",
            "{%-%}",
            "{{< ref",
            "{{ \"a }}",
            "{{<>}}",
            "{{<}}",
            "{{#}}",
            "{{<b>é}}",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
