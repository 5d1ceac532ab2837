//! Escapes text for HTML and XML, and writes HTML that contains untrusted text only in escaped form: a raw text does
//! not compile.
//!
//! [`write_html!`](write_html) writes parts: literals are markup, and everything else must be an [`HtmlPart`],
//! which text becomes by [`Html::text`] and others.

use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use crate::sanitize::{is_unseen, visible};

/// Escapes text for elements and attributes. `other` writes every character that is not markup.
pub fn escaped(text: &str, other: impl Fn(char, &mut String)) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c => other(c, &mut safe),
        }
    }
    safe
}

/// Escapes untrusted text for HTML, including control characters, which HTML does not allow.
fn escaped_html(text: &str) -> String {
    escaped(&visible(text), |c, safe| safe.push(c))
}

/// Formats text in which backticks mark code. Code may contain backticks itself. Text with an odd number of backticks is
/// formatted as plain.
pub fn with_code(text: &str, plain: impl Fn(&str) -> String, code: impl Fn(&str) -> String) -> String {
    if !text.matches('`').count().is_multiple_of(2) {
        return plain(text);
    }
    let (mut formatted, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('`') {
        let end = end_of_code(after);
        formatted += &plain(before);
        formatted += &code(&after[..end]);
        rest = after.get(end + 1..).unwrap_or_default();
    }
    formatted + &plain(rest)
}

/// Returns the index of the backtick that ends the code at the start of a text. It is the first one, unless that is before
/// a letter or another backtick, as inside of a word, and a later one can end the code before other code begins.
fn end_of_code(text: &str) -> usize {
    let mut ends = text.match_indices('`').map(|(at, _)| at);
    let first = ends.next().unwrap_or(text.len());
    let is_inside = |at: usize| text[at + 1..].starts_with(|c: char| c == '`' || c.is_alphanumeric());
    if first >= text.len() || !is_inside(first) {
        return first;
    }
    for at in ends {
        let begins = text[..at].ends_with(|c: char| c.is_whitespace() || c == '(') && is_inside(at);
        if begins {
            return first;
        }
        if !is_inside(at) {
            // All later ones are in pairs.
            let is_paired = text[at + 1..].matches('`').count().is_multiple_of(2);
            return if is_paired { at } else { first };
        }
    }
    first
}

/// Characters of a fragment that need no encoding.
const FRAGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// HTML whose untrusted parts are escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    /// Escapes text for elements and attributes.
    pub fn text(text: impl AsRef<str>) -> Html {
        Html(escaped_html(text.as_ref()))
    }

    /// Returns a code span.
    pub fn code(text: impl AsRef<str>) -> Html {
        Html(format!("<code>{}</code>", escaped_html(text.as_ref())))
    }

    /// Converts a message, in which backticks mark code.
    pub fn prose(text: impl AsRef<str>) -> Html {
        Html(with_code(text.as_ref(), escaped_html, |code| Html::code(code).0))
    }

    /// Encodes text for the fragment of a URL.
    pub fn fragment(text: &str) -> Html {
        Html(utf8_percent_encode(text, FRAGMENT).to_string())
    }

    /// Returns JSON for a script element. Escapes `<`, which could end the element or start a comment, and invisible
    /// characters, which could reorder the source text.
    ///
    /// # Errors
    /// If the value cannot be written as JSON.
    pub fn json(value: &impl Serialize) -> io::Result<Html> {
        let text = serde_json::to_string(value)?;
        let mut safe = String::with_capacity(text.len());
        for c in text.chars() {
            if c == '<' || is_unseen(c) {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(safe, "\\u{unit:04x}");
                }
            } else {
                safe.push(c);
            }
        }
        Ok(Html(safe))
    }

    /// Joins parts by markup.
    pub fn joined(parts: impl IntoIterator<Item = Html>, separator: &'static str) -> Html {
        let parts: Vec<String> = parts.into_iter().map(|part| part.0).collect();
        Html(parts.join(separator))
    }

    /// Adds a part; for [`html!`](html).
    pub fn push(&mut self, part: &(impl HtmlPart + ?Sized)) {
        let _ = write!(self.0, "{}", Shown(part));
    }

    /// Adds markup of the program itself; for [`html!`](html).
    pub fn push_markup(&mut self, markup: &'static str) {
        self.0.push_str(markup);
    }
}

/// A value that is safe in HTML as it is. Not implemented for text.
pub trait HtmlPart {
    /// Writes it.
    ///
    /// # Errors
    /// If the formatter fails.
    fn write_part(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl HtmlPart for Html {
    fn write_part(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl HtmlPart for $number {
            fn write_part(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                Display::fmt(self, out)
            }
        })*
    };
}

numbers!(u8, u32, u64, usize, i64);

struct Shown<'p, P: ?Sized>(&'p P);

impl<P: HtmlPart + ?Sized> Display for Shown<'_, P> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_part(out)
    }
}

/// An output that only takes HTML.
pub struct HtmlWriter<'w>(&'w mut dyn Write);

impl<'w> HtmlWriter<'w> {
    /// Returns a writer to an output.
    pub fn new(out: &'w mut dyn Write) -> HtmlWriter<'w> {
        HtmlWriter(out)
    }

    /// Writes markup of the program itself.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn markup(&mut self, markup: &'static str) -> io::Result<()> {
        self.0.write_all(markup.as_bytes())
    }

    /// Writes a part.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn part(&mut self, part: &(impl HtmlPart + ?Sized)) -> io::Result<()> {
        write!(self.0, "{}", Shown(part))
    }
}

/// Writes literals and [`HtmlPart`]s to an [`HtmlWriter`]; a result.
///
/// ```
/// # use sitegate_base::html_writer::{Html, HtmlWriter, write_html};
/// let mut page = Vec::new();
/// let mut out = HtmlWriter::new(&mut page);
/// let number = 3_usize;
/// write_html!(out, "<li>", Html::text("a < b"), ": ", number, "</li>")?;
/// assert_eq!(page, b"<li>a &lt; b: 3</li>");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Text must be escaped:
///
/// ```compile_fail
/// # use sitegate_base::html_writer::{HtmlWriter, write_html};
/// let (mut page, text) = (Vec::new(), String::from("a < b"));
/// let mut out = HtmlWriter::new(&mut page);
/// write_html!(out, "<li>", text.as_str(), "</li>")?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[macro_export]
macro_rules! write_html {
    ($out:expr $(,)?) => { ::std::io::Result::Ok(()) };
    ($out:expr, $markup:literal $(, $($rest:tt)*)?) => {
        $out.markup($markup).and_then(|()| $crate::html_writer::write_html!($out $(, $($rest)*)?))
    };
    ($out:expr, $part:expr $(, $($rest:tt)*)?) => {
        $out.part(&$part).and_then(|()| $crate::html_writer::write_html!($out $(, $($rest)*)?))
    };
}

/// Returns literals and [`HtmlPart`]s as [`Html`].
#[macro_export]
macro_rules! html {
    (@push $html:ident) => {};
    (@push $html:ident, $markup:literal $(, $($rest:tt)*)?) => {
        $html.push_markup($markup);
        $crate::html_writer::html!(@push $html $(, $($rest)*)?);
    };
    (@push $html:ident, $part:expr $(, $($rest:tt)*)?) => {
        $html.push(&$part);
        $crate::html_writer::html!(@push $html $(, $($rest)*)?);
    };
    ($($parts:tt)*) => {{
        let mut html = $crate::html_writer::Html::default();
        $crate::html_writer::html!(@push html, $($parts)*);
        html
    }};
}

pub use {html, write_html};

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::Html;

    #[test]
    fn parts_are_escaped() {
        let number = 1_usize;
        let hostile = "\"><img src=x onerror=alert(1)>";
        let html = html!(
            "<a href=\"#",
            Html::fragment(hostile),
            "\" title=\"",
            Html::text(hostile),
            "\">",
            number,
            "</a>"
        );
        let expected = "<a href=\"#%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E\" \
                        title=\"&quot;&gt;&lt;img src=x onerror=alert(1)&gt;\">1</a>";
        assert_eq!(html, html!(Html(expected.to_owned())));
        assert_eq!(Html::json(&"</script>").unwrap(), Html("\"\\u003c/script>\"".to_owned()));
    }
}
