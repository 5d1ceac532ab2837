//! Escapes text for HTML and XML.

/// Escapes text for elements and attributes. `other` writes every character that is not markup.
pub(super) fn escaped(text: &str, other: impl Fn(char, &mut String)) -> String {
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
