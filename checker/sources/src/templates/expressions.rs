//! Reads expressions in attributes: a literal that is the whole expression, or that a filter for URLs gets, is a
//! reference. All others are computed.

use std::ops::Range;

use super::masking::Dialect;
use crate::positions::range_of;
use crate::reference::Manner;

/// The value of an attribute, as a template language sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expression {
    /// It has no expression.
    None,
    /// It is an expression with this literal as its value.
    Literal(Range<usize>, Manner),
    /// It is computed, or has a computed part.
    Unknown,
}

/// Filters and functions that make URLs of paths.
const URL_FILTERS: [&str; 26] = [
    "absLangURL",
    "absURL",
    "absoluteUrl",
    "absolute_url",
    "asset",
    "base",
    "baseUrl",
    "escape",
    "e",
    "htmlBaseUrl",
    "locale_url",
    "markAsSafe",
    "relLangURL",
    "relURL",
    "relative_url",
    "resolve",
    "safe",
    "safeURL",
    "toAbsoluteUrl",
    "uri_escape",
    "url",
    "url_encode",
    "useBaseUrl",
    "withBase",
    "$withBase",
    "strip",
];

/// Functions of Hugo for names of documents.
const DOCUMENT_FUNCTIONS: [&str; 2] = ["ref", "relref"];

/// Reads the value of an attribute at a range. `is_bound`: whether all of it is an expression of a script.
pub(crate) fn in_attribute(text: &str, range: Range<usize>, dialect: Dialect, is_bound: bool) -> Expression {
    let value = &text[range];
    let found = if is_bound {
        script_literal(value)
    } else if dialect.has_braces() {
        match value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some(inner) => script_literal(inner),
            None if value.contains(['{', '}']) => None,
            None => return Expression::None,
        }
    } else if let Some(inner) = whole_construct(value, dialect) {
        if let Some(path) = link_tag(inner) { Some((path, Manner::File)) } else { pipeline(inner) }
    } else if ["{{", "{%", "<%"].iter().any(|open| value.contains(open)) {
        None
    } else {
        return Expression::None;
    };
    match found {
        Some((literal, manner)) => Expression::Literal(range_of(literal, text), manner),
        None => Expression::Unknown,
    }
}

/// Returns the path of a statement `{% link path %}` of Jekyll, without its delimiters.
pub(crate) fn link_tag(inner: &str) -> Option<&str> {
    let path = inner.strip_prefix("link ").map(str::trim)?;
    (!path.is_empty() && !path.contains(|c: char| c.is_whitespace() || "{}\"'|".contains(c))).then_some(path)
}

/// Returns the inside of a value that is one construct of a template language.
pub(crate) fn whole_construct(value: &str, dialect: Dialect) -> Option<&str> {
    for (kind, (open, close)) in [("{{", "}}"), ("{%", "%}"), ("<%", "%>")].into_iter().enumerate() {
        let inner = value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = inner.filter(|_| dialect.has_construct(kind)) {
            let inner =
                inner.trim_start_matches(['=', '-', '~', '{']).trim_end_matches(['-', '~', '}']).trim();
            let is_one = !inner.contains(open) && !inner.contains(close);
            return is_one.then_some(inner);
        }
    }
    None
}

/// Reads an expression of Liquid, Jinja, Go, ERB or similar.
fn pipeline(expression: &str) -> Option<(&str, Manner)> {
    if let Some((literal, filters)) = leading_literal(expression) {
        return is_filter_chain(filters).then_some((literal, Manner::Value));
    }
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$".contains(byte);
    let length = expression.bytes().take_while(is_name).count();
    let (function, arguments) = expression.split_at(length);
    let arguments = arguments.trim_start();
    if DOCUMENT_FUNCTIONS.contains(&function) {
        document_argument(arguments).map(|literal| (literal, Manner::Document))
    } else {
        let inside = match arguments.strip_prefix('(') {
            Some(inside) => inside.strip_suffix(')')?.trim(),
            None => arguments,
        };
        url_argument(function, inside).map(|literal| (literal, Manner::Value))
    }
}

/// Returns the name of a document after the page in whose folder it is: `.`, `.Page` or a variable.
fn document_argument(arguments: &str) -> Option<&str> {
    let (page, name) = arguments.split_once(char::is_whitespace)?;
    let (literal, filters) = leading_literal(name.trim_start())?;
    (page.starts_with(['.', '$']) && is_filter_chain(filters)).then_some(literal)
}

/// Returns the path that a function makes a URL of.
fn url_argument<'e>(function: &str, arguments: &'e str) -> Option<&'e str> {
    // Zola names the argument.
    let argument = match function {
        "get_url" => arguments.strip_prefix("path")?.trim_start().strip_prefix('=')?.trim_start(),
        _ => arguments,
    };
    let (literal, after) = leading_literal(argument)?;
    let is_url = match function {
        "get_url" => after.is_empty() || after.starts_with(','),
        // A path in Hexo, and the name of an endpoint in Flask.
        "url_for" => after.is_empty() && literal.starts_with('/'),
        _ => URL_FILTERS.contains(&function) && is_filter_chain(after),
    };
    is_url.then_some(literal)
}

/// Reads an expression of a script: a literal, or one with a function for URLs.
fn script_literal(expression: &str) -> Option<(&str, Manner)> {
    let expression = expression.trim();
    let call = expression.split_once('(').filter(|(function, _)| URL_FILTERS.contains(function));
    let value = match call {
        Some((_, arguments)) => arguments.strip_suffix(')')?.trim(),
        None => expression,
    };
    let (literal, after) = leading_literal(value)?;
    let is_text = !literal.contains("${") && !literal.contains('&');
    (is_text && after.is_empty()).then_some((literal, Manner::Value))
}

/// Returns the literal at the start of an expression, and the text after it. Literals with escapes are not read.
fn leading_literal(expression: &str) -> Option<(&str, &str)> {
    let quote = expression.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let (literal, rest) = expression[1..].split_once(quote)?;
    let is_plain = !literal.is_empty() && !literal.contains(['\\', '\n']);
    is_plain.then_some((literal, rest.trim()))
}

/// Whether a text is a chain of filters that keep the path.
fn is_filter_chain(chain: &str) -> bool {
    let mut parts = chain.split('|');
    parts.next().is_some_and(|before| before.trim().is_empty())
        && parts.all(|filter| {
            let filter = filter.trim();
            let name = filter.split([':', '(', ' ']).next().unwrap_or_default();
            let is_base = name == "prepend" && filter.contains("site.");
            URL_FILTERS.contains(&name) || is_base
        })
}

#[cfg(test)]
mod tests {
    use super::{Expression, in_attribute};
    use crate::reference::Manner;
    use crate::templates::masking::Dialect;

    #[track_caller]
    fn literal(value: &str, dialect: Dialect, is_bound: bool) -> Option<(&str, Manner)> {
        match in_attribute(value, 0..value.len(), dialect, is_bound) {
            Expression::Literal(range, manner) => Some((&value[range], manner)),
            Expression::Unknown => None,
            Expression::None => panic!("{value} has no expression"),
        }
    }

    #[test]
    fn a_literal_that_becomes_a_url_is_a_reference() {
        for value in [
            "{{ '/x/' | relative_url }}",
            "{{'/x/'|url}}",
            "{{- \"/x/\" | prepend: site.baseurl -}}",
            "{{ \"/x/\" | relURL | safeURL }}",
            "{{ relURL \"/x/\" }}",
            "{{ get_url(path=\"/x/\", trailing_slash=true) }}",
            "{{ \"/x/\" }}",
            "<%= '/x/' %>",
            "<%- url_for('/x/') -%>",
            "{{ url('/x/') }}",
        ] {
            assert_eq!(literal(value, Dialect::Html, false), Some(("/x/", Manner::Value)), "{value}");
        }
        let document = Some(("x.md", Manner::Document));
        for value in ["{{ relref . \"x.md\" }}", "{{ ref .Page \"x.md\" }}", "{{ ref $p `x.md` | safeURL }}"]
        {
            assert_eq!(literal(value, Dialect::Html, false), document, "{value}");
        }
        let file = Some(("x.md", Manner::File));
        assert_eq!(literal("{% link x.md %}", Dialect::Html, false), file);
        for value in ["'/x/'", " \"/x/\" ", "`/x/`", "withBase('/x/')"] {
            assert_eq!(literal(value, Dialect::Vue, true), Some(("/x/", Manner::Value)), "{value}");
        }
        assert_eq!(literal("{'/x/'}", Dialect::Astro, false), Some(("/x/", Manner::Value)));
    }

    #[test]
    fn a_computed_value_is_no_reference() {
        for value in [
            "/a/{{ b }}/",
            "{{ a }}/b/",
            "{{ '/a/' }}{{ b }}",
            "{{ '/a/' | append: b }}",
            "{{ url_for('a') }}",
            "{{ a['/x/'] }}",
            "{{ '/a\\'b' }}",
            "{% if a %}/b{% endif %}",
            "<%= '/a/' + b %>",
            "<%= link_to('/a/') %>",
        ] {
            assert_eq!(literal(value, Dialect::Html, false), None, "{value}");
        }
        for value in ["a", "'/a/' + b", "`/a/${b}`", "{ path: '/a' }", "a ? '/b' : '/c'", "'/a&amp;b'"] {
            assert_eq!(literal(value, Dialect::Vue, true), None, "{value}");
        }
        assert_eq!(literal("/a/{b}", Dialect::Svelte, false), None);
        assert_eq!(in_attribute("/a", 0..2, Dialect::Html, false), Expression::None);
    }
}
