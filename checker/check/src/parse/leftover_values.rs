//! Recognizes what templates and scripts leave in texts instead of a value.

use super::character_references::decode_references;

/// The text of an object in scripts.
pub(crate) const OBJECT: &str = "[object Object]";

/// Maximum length in bytes of a placeholder.
pub(crate) const MAX_PLACEHOLDER: usize = 80;

/// Whether a whole text is that of a missing value in a script.
pub(crate) fn is_missing_value(text: &str) -> bool {
    matches!(text, "undefined" | "null" | "NaN" | OBJECT)
}

/// Returns the first placeholder of a template with the name of a value, `{{ site.email }}`, or the text of an object,
/// with its offset. Other text in braces may be intended.
pub(crate) fn leftover_value(text: &str) -> Option<(usize, &str)> {
    // Titles and descriptions of all pages are read, and hardly any has such a character.
    memchr::memchr2(b'{', b'[', text.as_bytes())?;
    if let Some(at) = text.find(OBJECT) {
        return Some((at, OBJECT));
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
    use super::{escaped_twice, leftover_value};

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
        for text in
            ["{{ }}", "{{ name }}", "{{{ a.b }}}", "{{ 1.5 }}", "{{ a.b", "{{ a . b }}", "object Object"]
        {
            assert_eq!(leftover_value(text), None, "{text}");
        }
    }
}
