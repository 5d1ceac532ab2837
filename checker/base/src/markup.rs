//! Escapes text for HTML and XML.

use crate::sanitize::visible;

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
pub fn html(text: &str) -> String {
    escaped(&visible(text), |c, safe| safe.push(c))
}

/// Returns a code span of HTML.
pub fn html_code(text: &str) -> String {
    format!("<code>{}</code>", html(text))
}

/// Converts a message, in which backticks mark code, to HTML.
pub fn html_prose(text: &str) -> String {
    with_code(text, html, html_code)
}

/// Formats text in which backticks mark code. Text with an odd number of backticks is formatted as plain.
pub fn with_code(text: &str, plain: impl Fn(&str) -> String, code: impl Fn(&str) -> String) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return plain(text);
    }
    let part = |(index, part): (usize, &&str)| if index % 2 == 0 { plain(part) } else { code(part) };
    parts.iter().enumerate().map(part).collect()
}
