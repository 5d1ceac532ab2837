//! What generators replace before they read Markdown, if it names a source: shortcodes, tags and includes of other files.

use std::ops::Range;

use memchr::memmem;

use crate::positions::range_of;
use crate::reference::Manner;

/// Preprocessor commands of mdBook whose argument is a path.
const INCLUDES: [&str; 5] = ["include", "rustdoc_include", "playground", "playpen", "template"];

/// Tags of the plugin mkdocs-include-markdown, whose argument is a path.
const MARKDOWN_INCLUDES: [&str; 2] = ["include-markdown", "include"];

/// Filters of Liquid, Jinja and Hugo whose input is an address.
const ADDRESS_FILTERS: [&str; 6] = ["relative_url", "absolute_url", "url", "relURL", "absURL", "prepend:"];

/// Parameters of shortcodes whose values are URLs in the themes of Hugo, Jekyll and Zola.
const PARAMETERS: [&str; 7] = ["href", "src", "link", "url", "to", "image", "poster"];

/// A snippet of VitePress: `<<< ./snippet.ts`.
const SNIPPET: &str = "<<<";

/// An include of VitePress: `<!--@include: ./part.md-->`.
const COMMENT: &str = "<!--";
const INCLUDE: &str = "@include:";

/// A module of Docusaurus, which reads `.md` as MDX: `src={require("./image.png").default}`.
const REQUIRE: &str = "={require(";

/// A reference in a shortcode.
pub(super) struct Shortcode {
    pub range: Range<usize>,
    pub manner: Manner,
    /// Whether it is replaced in code, too.
    pub is_in_code: bool,
}

/// A value in a shortcode: its text, its manner, and whether it is replaced in code, too.
type ShortcodeValue<'t> = (&'t str, Manner, bool);

/// Returns the references in shortcodes in a range of a text, sorted and disjoint.
pub(super) fn references(text: &str, range: Range<usize>) -> Vec<Shortcode> {
    let body = &text[range];
    let values = [braced(body), snippets(body), comments(body), required(body)].concat();
    let to_shortcode =
        |(value, manner, is_in_code)| Shortcode { range: range_of(value, text), manner, is_in_code };
    let mut found: Vec<Shortcode> = values.into_iter().map(to_shortcode).collect();
    found.sort_by_key(|shortcode| shortcode.range.start);
    found.dedup_by(|next, before| next.range.start < before.range.end);
    found
}

/// Returns the values in shortcodes and tags between braces.
fn braced(text: &str) -> Vec<ShortcodeValue<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'{', &text.as_bytes()[at..]).map(|open| at + open) {
        at = open + 1;
        let end = match text.as_bytes().get(at) {
            Some(b'{') => "}}",
            Some(b'%') => "%}",
            _ => continue,
        };
        // A shortcode is short: what has no end nearby is none.
        let Some((inner, _)) =
            nearby(&text[open + 2..]).split_once(end).filter(|(inner, _)| !inner.contains("\n\n"))
        else {
            continue;
        };
        // Generators show it as it is after a backslash.
        if text[..open].ends_with('\\') {
            continue;
        }
        let value = if end == "%}" { tag_value(inner) } else { shortcode_value(inner) };
        if let Some(value) = value {
            found.push(value);
        } else if end == "%}" || inner.starts_with(['<', '%']) {
            found.extend(parameters(inner));
        } else {
            continue;
        }
        at = open + 2 + inner.len();
    }
    found
}

/// Returns the start of a text that can belong to one shortcode.
fn nearby(text: &str) -> &str {
    /// Maximum length of a shortcode in bytes.
    const MAX_SHORTCODE: usize = 1000;
    &text[..text.ceil_char_boundary(MAX_SHORTCODE)]
}

/// Returns the path in the content between `{%` and `%}`.
fn tag_value(inner: &str) -> Option<ShortcodeValue<'_>> {
    let (name, argument) = word(without_dashes(inner));
    let manner = match name {
        "link" => Manner::File,
        "include_relative" => Manner::FileBelow,
        _ if MARKDOWN_INCLUDES.contains(&name) => {
            let path = quoted(argument.trim())?;
            // Jinja and Liquid look up other names in folders of their own.
            let is_path = name == "include-markdown" || path.starts_with("./") || path.starts_with("../");
            return is_path.then_some((path, Manner::File, true));
        }
        _ => return None,
    };
    let (path, _) = word(argument);
    (!path.is_empty() && !path.contains(['{', '"', '\''])).then_some((path, manner, false))
}

/// Returns the reference in the content between `{{` and `}}`.
fn shortcode_value(inner: &str) -> Option<ShortcodeValue<'_>> {
    match inner.as_bytes().first()? {
        b'#' => {
            let (name, argument) = word(&inner[1..]);
            let (path, _) = word(argument);
            let path = path.split(':').next().unwrap_or_default();
            (INCLUDES.contains(&name) && !path.is_empty()).then_some((path, Manner::File, true))
        }
        b'<' | b'%' => {
            let (name, argument) = word(inner[1..].strip_suffix(['>', '%'])?);
            let argument = argument.trim();
            let argument = if argument.starts_with("path") { argument.split_once('=')?.1 } else { argument };
            let is_known = matches!(name, "ref" | "relref");
            is_known.then(|| quoted(argument.trim()))?.map(|document| (document, Manner::Document, false))
        }
        _ => {
            let inner = without_dashes(inner);
            let value = quoted(inner)?;
            let filter = inner[1 + value.len() + 1..].trim_start().strip_prefix('|')?.trim_start();
            let is_address = ADDRESS_FILTERS.iter().any(|name| {
                let rest = filter.strip_prefix(name);
                rest.is_some_and(|rest| {
                    name.ends_with(':') || rest.is_empty() || rest.starts_with([' ', '|'])
                })
            });
            is_address.then_some((value, Manner::Link, false))
        }
    }
}

/// Returns the parameters of a shortcode that are URLs, such as `{{< figure src="a.png" link="/b/" >}}`.
fn parameters(inner: &str) -> Vec<ShortcodeValue<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(equals) = inner[at..].find('=').map(|equals| at + equals) {
        at = equals + 1;
        let Some(value) = quoted(&inner[at..]) else { continue };
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let name = inner[..equals].rsplit(|c| !is_name(c)).next().unwrap_or_default();
        at += 1 + value.len() + 1;
        if PARAMETERS.contains(&name) && !value.contains(char::is_whitespace) {
            found.push((value, Manner::Attribute, false));
        }
    }
    found
}

/// Returns the value in quotes at the start of a text.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let (value, _) = text[1..].split_once(quote)?;
    (!value.is_empty() && !value.contains(['\\', '{'])).then_some(value)
}

/// Returns the first word of a text, and the rest.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// Returns the content of a tag without the dashes that remove white space around it.
fn without_dashes(text: &str) -> &str {
    let text = text.strip_prefix('-').unwrap_or(text);
    text.strip_suffix('-').unwrap_or(text).trim()
}

/// Returns the paths after `<<<` at the start of a line.
fn snippets(text: &str) -> Vec<ShortcodeValue<'_>> {
    let starts = memmem::find_iter(text.as_bytes(), SNIPPET).filter(|at| {
        let before = text[..*at].rsplit('\n').next();
        before.is_none_or(|before| before.trim().is_empty())
    });
    let values = starts.filter_map(|at| {
        let line = text[at + SNIPPET.len()..].split('\n').next()?;
        // A region, lines and a title follow.
        path(line.split(['#', '{', '[']).next()?, false)
    });
    values.collect()
}

/// Returns the paths in comments, which VitePress replaces in code, too.
fn comments(text: &str) -> Vec<ShortcodeValue<'_>> {
    let values = memmem::find_iter(text.as_bytes(), COMMENT).filter_map(|at| {
        let written = text[at + COMMENT.len()..].trim_start().strip_prefix(INCLUDE)?;
        let (written, _) = written.split_once("-->").filter(|(written, _)| !written.contains('\n'))?;
        path(written.split(['#', '{']).next()?, true)
    });
    values.collect()
}

fn path(text: &str, is_in_code: bool) -> Option<ShortcodeValue<'_>> {
    let path = text.trim();
    let is_path = !path.is_empty() && !path.contains(['<', '>', '"', '`', '*', '\\']);
    is_path.then_some((path, Manner::File, is_in_code))
}

/// Returns the modules in attributes that are required.
fn required(text: &str) -> Vec<ShortcodeValue<'_>> {
    let values = memmem::find_iter(text.as_bytes(), REQUIRE).filter_map(|at| {
        let (expression, _) = text[at + "={".len()..].split_once('}')?;
        Some((required_module(expression)?, Manner::File, false))
    });
    values.collect()
}

/// Returns the name of the module in an expression that is `require("./x")` or `require("./x").default`.
pub(crate) fn required_module(expression: &str) -> Option<&str> {
    let argument = expression.trim().strip_prefix("require(")?;
    let argument = argument.strip_suffix(".default").unwrap_or(argument).trim_end().strip_suffix(')')?.trim();
    let quote = argument.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let name = argument.strip_prefix(quote)?.strip_suffix(quote)?;
    (!name.is_empty() && !name.contains([quote, '\\', '\n'])).then_some(name)
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
            ("<<< ./snip.ts\n", "File ./snip.ts"),
            ("a\n\n  <<< @/a/b.ts#region{1,2 ts} [title]\n", "File @/a/b.ts"),
            ("<<<../a.js {2}", "File ../a.js"),
            ("<!--@include: ./part.md-->", "File ./part.md"),
            ("<!-- @include: ../a b.md#part{3,} -->", "File ../a b.md"),
            ("<img src={require('./a.png').default} />", "File ./a.png"),
            ("<img src={require(\"./a.png\") } />", "File ./a.png"),
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
