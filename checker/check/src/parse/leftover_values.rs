//! Recognizes what templates and scripts leave in texts instead of a value.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use sitegate_address::UrlReference;

use super::html_text::decode_references;

/// The text of an object in scripts.
pub(crate) const OBJECT: &str = "[object Object]";

/// Maximum length in bytes of a placeholder.
pub(crate) const MAX_PLACEHOLDER: usize = 80;

/// Texts of a date that is none: of `Date`, Moment and Luxon.
const INVALID_DATES: [&str; 3] = ["Invalid Date", "Invalid date", "Invalid DateTime"];

/// The beginning of the mark that Hugo writes for a page inside of another one, and replaces later.
const CONTEXT_MARK: &str = "{{__hugo_ctx";

/// The mark that Hugo writes for a shortcode, and replaces later.
const SHORTCODE_MARK: &str = "HAHAHUGOSHORTCODE";

static SHORTCODE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(SHORTCODE_MARK));

/// The texts of missing values in scripts.
const MISSING_VALUES: [&str; 4] = [UNDEFINED, "null", "NaN", OBJECT];

/// The only one of them that is hardly ever the name of something.
const UNDEFINED: &str = "undefined";

static UNDEFINED_TEXT: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(UNDEFINED));

/// What separates the parts of a title or of a description.
const SEPARATORS: [&str; 7] = [" | ", " - ", " / ", " \u{2013} ", " \u{2014} ", " \u{b7} ", " \u{2022} "];

/// Whether a whole text is that of a missing value in a script.
pub(crate) fn is_missing_value(text: &str) -> bool {
    MISSING_VALUES.contains(&text)
}

/// Returns the missing value that a text is, or that one of its parts is: `undefined | Acme`. In parts after the first,
/// `null` and `NaN` may be words of a list.
pub(crate) fn missing_value(text: &str) -> Option<&str> {
    let text = text.trim();
    let ends = |after: &str| after.is_empty() || SEPARATORS.iter().any(|part| after.starts_with(part));
    let begins_with = |value: &&str| text.strip_prefix(*value).is_some_and(ends);
    if let Some(value) = MISSING_VALUES.iter().find(|value| begins_with(value)) {
        return Some(&text[..value.len()]);
    }
    let is_later = |at: &usize| {
        let begins = SEPARATORS.iter().any(|part| text[..*at].ends_with(part));
        begins && ends(&text[at + UNDEFINED.len()..])
    };
    let found = UNDEFINED_TEXT.find_iter(text.as_bytes()).find(is_later);
    found.map(|at| &text[at..at + UNDEFINED.len()])
}

/// Returns what a template or a script left in a text that is shown as it is, such as a title.
pub(crate) fn left_in(text: &str) -> Option<&str> {
    let value = || leftover_value(text).map(|(_, left)| left);
    value().or_else(|| missing_value(text)).or_else(|| markup_in(text))
}

/// Whether a whole text is that of a date that is none.
pub(crate) fn is_invalid_date(text: &str) -> bool {
    INVALID_DATES.contains(&text)
}

/// Whether a text is a link of Markdown.
pub(crate) fn is_markdown(text: &str) -> bool {
    text.starts_with('[') && text.ends_with(')')
}

/// Returns the first placeholder of a template with the name of a value, `{{ site.email }}`, or the text of an object,
/// with its offset. Other text in braces may be intended.
pub(crate) fn leftover_value(text: &str) -> Option<(usize, &str)> {
    // Titles and descriptions of all pages are read, and hardly any has such a character.
    if memchr::memchr2(b'{', b'[', text.as_bytes()).is_none() {
        return SHORTCODE.find(text.as_bytes()).map(|at| (at, SHORTCODE_MARK));
    }
    if let Some(at) = text.find(OBJECT) {
        return Some((at, OBJECT));
    }
    if let Some(at) = text.find(CONTEXT_MARK) {
        let whole =
            text[at..].find("}}").map(|length| length + 2).filter(|length| *length <= MAX_PLACEHOLDER);
        return Some((at, &text[at..at + whole.unwrap_or(CONTEXT_MARK.len())]));
    }
    if let Some(at) = SHORTCODE.find(text.as_bytes()) {
        return Some((at, SHORTCODE_MARK));
    }
    let starts = text.match_indices("{{").map(|(at, _)| at);
    starts.filter(|at| !text[at + 2..].starts_with('{')).find_map(|at| {
        // Only near its start: a page may have any number of braces.
        let near = text.as_bytes()[at..].get(..MAX_PLACEHOLDER).unwrap_or(&text.as_bytes()[at..]);
        let length = memchr::memmem::find(near, b"}}")? + 2;
        let found = &text[at..at + length];
        is_path(found[2..length - 2].trim()).then_some((at, found))
    })
}

/// Returns the first markup in a text that has none: a character reference, an element, or a link of Markdown.
pub(crate) fn markup_in(text: &str) -> Option<&str> {
    escaped_twice(text)
        .or_else(|| written_element(text))
        .or_else(|| markdown_link(text).map(|(_, link)| link))
}

/// Maximum length in bytes of a link's text in Markdown, and of its URL.
pub(crate) const MAX_LINK_PART: usize = 120;

/// Returns the first link of Markdown, `[text](url)`, with its offset: the URL is of another site, or the path of a page.
/// Other text in brackets, such as that of formulas and of footnotes, may be intended.
pub(crate) fn markdown_link(text: &str) -> Option<(usize, &str)> {
    memchr::memchr_iter(b']', text.as_bytes()).find_map(|at| {
        let url = text[at + 1..].strip_prefix('(')?;
        let end = url.bytes().take(MAX_LINK_PART).position(|byte| byte == b')')?;
        let url = &url[..end];
        let path = UrlReference::new(url).path();
        let is_page =
            || [".md", ".mdx", ".html"].iter().any(|page| path.len() > page.len() && path.ends_with(page));
        let is_external = url.starts_with("https://") || url.starts_with("http://");
        let is_word =
            |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>' | b'"' | b'(' | b'{' | b'\\');
        if !(is_external || is_page()) || !url.bytes().all(is_word) {
            return None;
        }
        let near = text.floor_char_boundary(at.saturating_sub(MAX_LINK_PART));
        let start = near + text[near..at].rfind('[')?;
        let label = text[start + 1..at].trim();
        let is_label = !label.is_empty() && label.len() <= MAX_LINK_PART && !label.contains(['<', '>', ']']);
        is_label.then(|| (start, &text[start..=at + 2 + end]))
    })
}

/// Maximum length in bytes of an element in a text without markup. Chosen: titles and descriptions are shorter.
const MAX_ELEMENT: usize = 500;

/// Elements that a template writes into texts without markup.
const TEXT_ELEMENTS: [&str; 16] = [
    "a", "b", "code", "div", "em", "h1", "h2", "h3", "i", "p", "section", "small", "span", "strong", "sub",
    "sup",
];

/// Returns the first element that is written out in a text without markup, such as `<em>new</em>`, from its start tag to
/// its end tag. A tag alone may be the subject: `<p>: the paragraph element`.
pub(crate) fn written_element(text: &str) -> Option<&str> {
    memchr::memchr_iter(b'<', text.as_bytes()).find_map(|at| {
        // Only near its start: a title may have any number of tags.
        let rest = &text[at + 1..];
        let rest = &rest[..rest.floor_char_boundary(MAX_ELEMENT)];
        let length = rest.bytes().position(|byte| !byte.is_ascii_alphanumeric())?;
        let name = TEXT_ELEMENTS.into_iter().find(|known| rest[..length].eq_ignore_ascii_case(known))?;
        let tag_end = length + memchr::memchr(b'>', &rest.as_bytes()[length..])? + 1;
        if !matches!(rest.as_bytes()[length], b'>' | b' ') {
            return None;
        }
        let end_tag = format!("</{name}>");
        let content = rest[tag_end..].find(&*end_tag)?;
        let content_text = &rest[tag_end..tag_end + content];
        let is_filled = !content_text.is_empty() && !content_text.starts_with(' ');
        is_filled.then(|| &text[at..at + 1 + tag_end + content + end_tag.len()])
    })
}

/// Maximum length in bytes of a character reference: `&CounterClockwiseContourIntegral;`.
const MAX_REFERENCE: usize = 33;

/// Returns the first character reference in a text that is already decoded, such as `&amp;`: the template escaped it
/// twice (sebastienrousseau/static-site-generator#589).
pub(crate) fn escaped_twice(text: &str) -> Option<&str> {
    memchr::memchr_iter(b'&', text.as_bytes()).find_map(|at| {
        let near = &text.as_bytes()[at..text.len().min(at + MAX_REFERENCE)];
        let found = &text[at..=at + memchr::memchr(b';', near)?];
        let is_word =
            found[1..found.len() - 1].bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'#');
        (is_word && decode_references(found) != found).then_some(found)
    })
}

/// Whether a text is a name with at least one part below it, and perhaps filters: `page.title | escape`.
fn is_path(text: &str) -> bool {
    let name = text.split('|').next().unwrap_or(text).trim();
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
    };
    name.contains('.') && name.split('.').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::{escaped_twice, leftover_value, markdown_link, markup_in, missing_value, written_element};

    #[test]
    fn finds_links_of_markdown() {
        for (text, expected) in [
            ("a [b c](d.md) e", Some((2, "[b c](d.md)"))),
            ("[x](https://a.example/b) [y](c.md)", Some((0, "[x](https://a.example/b)"))),
            ("see [i](../install.html#top).", Some((4, "[i](../install.html#top)"))),
            ("f[0](x) [a](b)", None),
            ("[](a.md)", None),
            ("[a](b c.md)", None),
            ("[a](.md)", None),
            ("a](b.md)", None),
            ("[é](é.md)", None),
            ("[é](e.md)", Some((0, "[é](e.md)"))),
            ("](", None),
        ] {
            assert_eq!(markdown_link(text), expected, "{text}");
        }
    }

    #[test]
    fn finds_missing_values_as_whole_parts() {
        for (text, expected) in [
            (" null ", Some("null")),
            ("undefined / undefined", Some("undefined")),
            ("Acme \u{b7} undefined", Some("undefined")),
            ("Acme \u{2013} undefined \u{2013} Prices", Some("undefined")),
            ("NaN - Acme", Some("NaN")),
            ("[object Object] | Acme", Some("[object Object]")),
            ("true / false / null", None),
            ("undefined behavior", None),
            ("undefined-behavior", None),
            ("Values that are undefined", None),
            ("nullable | Acme", None),
            ("Null | Acme", None),
            ("", None),
        ] {
            assert_eq!(missing_value(text), expected, "{text}");
        }
    }

    #[test]
    fn finds_elements_in_texts() {
        for (text, expected) in [
            ("Tip: <code>make</code> it", Some("<code>make</code>")),
            ("<p class=\"a\">Hello</p>", Some("<p class=\"a\">Hello</p>")),
            ("<p>: the paragraph element", None),
            ("<em></em>", None),
            ("<a> or </a>", None),
            ("<T>x</T> and a < b", None),
            ("Vec<i32> and <i", None),
            ("<prefix>a</prefix>", None),
            ("<", None),
        ] {
            assert_eq!(written_element(text), expected, "{text}");
        }
    }

    #[test]
    fn repeated_markup_takes_no_quadratic_time() {
        for part in ["<a ", "<a>", "](https://x)", "{{", "&", "[", "HAHA", "{{__hugo_ctx"] {
            let text = part.repeat(300_000);
            let _ = (markup_in(&text), leftover_value(&text));
        }
    }

    #[test]
    fn finds_references_in_decoded_texts() {
        for (text, expected) in [
            ("AI &amp; Payments", Some("&amp;")),
            ("H&acirc;te-toi", Some("&acirc;")),
            ("don&#039;t", Some("&#039;")),
            ("a & b; &x &amp;", Some("&amp;")),
            ("a & b; c", None),
            ("Q&A; more", None),
            ("&", None),
            ("&é;", None),
        ] {
            assert_eq!(escaped_twice(text), expected, "{text}");
        }
    }

    #[test]
    fn finds_placeholders_of_values() {
        for text in
            ["Mail: {{ site.email }}", "{{page.title | escape}}", "a {{ x }} {{ a.b-c }}", "[object Object]"]
        {
            assert!(leftover_value(text).is_some(), "{text}");
        }
        let long = format!("{{{{__hugo_ctx {}}}}}", "\u{e9}".repeat(60));
        assert_eq!(leftover_value(&long), Some((0, "{{__hugo_ctx")));
        assert_eq!(leftover_value("{{__hugo_ctx pid=3}} a"), Some((0, "{{__hugo_ctx pid=3}}")));
        assert_eq!(leftover_value("a HAHAHUGOSHORTCODE1s0HBHB"), Some((2, "HAHAHUGOSHORTCODE")));
        for text in
            ["{{ }}", "{{ name }}", "{{{ a.b }}}", "{{ 1.5 }}", "{{ a.b", "{{ a . b }}", "object Object"]
        {
            assert_eq!(leftover_value(text), None, "{text}");
        }
    }
}
