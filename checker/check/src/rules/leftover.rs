//! Finds unrendered template syntax and script values in references.

use sitegate_address::{UrlReference, percent};

use crate::parse::leftover_values::OBJECT;

/// Explains what a reference contains instead of a value; `None` if nothing is wrong. `is_local`: the reference is a
/// path of this site, which has no page `undefined`.
pub(super) fn leftover(text: &str, is_local: bool) -> Option<String> {
    let text = text.trim_matches(|c: char| c <= ' ');
    if let Some(reason) = explain_quotes(text)
        && (is_local || text == "\\")
    {
        return Some(reason.to_owned());
    }
    if let Some(reason) = unsafe_value(text) {
        return Some(reason);
    }
    // Fragments are not checked: scripts of the page may use any text.
    let reference = UrlReference::new(text);
    let (requested, path) = (reference.without_fragment(), reference.path());
    // Fast path: almost no reference contains any of these.
    if requested.bytes().any(|b| matches!(b, b'{' | b'[' | b'<' | b'%'))
        && let Some(reason) = unfilled(requested, path, is_local)
    {
        return Some(reason);
    }
    let is_value = |part: &&str| VALUES.contains(part);
    let segment = if is_local { path.split('/').find(is_value) } else { None };
    let value = segment.or_else(|| written_host(requested).filter(is_value));
    value.map(|value| format!("`{value}` is the text of a missing value in a script"))
}

/// The text that Go's `html/template`, and so Hugo, writes for a URL with an unknown scheme or for unsafe CSS.
const GO_UNSAFE: &str = "ZgotmplZ";

/// Explains a value that a template of Go did not write.
pub(super) fn unsafe_value(text: &str) -> Option<String> {
    memchr::memmem::find(text.as_bytes(), GO_UNSAFE.as_bytes())?;
    Some(format!(
        "Go's template wrote `{GO_UNSAFE}` instead of a value that it takes for unsafe: see `safeURL`"
    ))
}

/// Explains a part that a template or a script did not replace. External sites may have files named like templates,
/// so escaped braces are accepted there.
fn unfilled(text: &str, path: &str, is_local: bool) -> Option<String> {
    let path = percent::decode_lossy(path);
    if path.contains(OBJECT) || text.contains(OBJECT) {
        return Some(format!("`{OBJECT}` is the text of an object in a script"));
    }
    placeholder(text)
        .or_else(|| if is_local { placeholder(&path) } else { None })
        .map(|placeholder| format!("the template did not replace `{}`", one_line(placeholder)))
}

/// The text of missing values in scripts.
const VALUES: [&str; 3] = ["undefined", "null", "NaN"];

/// Explains quotes that are part of a reference.
fn explain_quotes(text: &str) -> Option<&'static str> {
    match text.as_bytes() {
        [b'\\'] => Some("`\\` does not escape a quote in HTML: the quote ends the value"),
        [b'"' | b'\'', ..] | [b'\\', b'"' | b'\'', ..] => Some("the quotes are part of the URL"),
        _ if text.starts_with(['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}']) => {
            Some("typographic quotes do not delimit a value: they are part of the URL")
        }
        _ => None,
    }
}

/// Returns the first template placeholder.
fn placeholder(text: &str) -> Option<&str> {
    const PLACEHOLDERS: [(&str, &str); 4] = [("{{", "}}"), ("{%", "%}"), ("<%", "%>"), ("${", "}")];
    let between = PLACEHOLDERS.iter().find_map(|(open, close)| {
        let start = text.find(open)?;
        let length = text[start + open.len()..].find(close)?;
        text.get(start..start + open.len() + length + close.len())
    });
    between.or_else(|| variable(text))
}

/// Returns the first variable between percent signs: `%PUBLIC_URL%` (Create React App, Vite), `%sveltekit.assets%`.
/// Its name has several words, since `%AB%` may be an escaped byte.
fn variable(text: &str) -> Option<&str> {
    let name = |part: &str| {
        let all = |parts: &[&str], is_part: fn(u8) -> bool| {
            parts.len() > 1 && parts.iter().all(|word| !word.is_empty() && word.bytes().all(is_part))
        };
        all(&part.split('_').collect::<Vec<_>>(), |byte| byte.is_ascii_uppercase())
            || all(&part.split('.').collect::<Vec<_>>(), |byte| byte.is_ascii_lowercase())
    };
    let mut start = text.find('%')?;
    while let Some(length) = text[start + 1..].find('%') {
        let end = start + 1 + length;
        if name(&text[start + 1..end]) {
            return text.get(start..=end);
        }
        start = end;
    }
    None
}

/// Returns the host of a URL or mail address, as written.
fn written_host(text: &str) -> Option<&str> {
    let rest = match text.split_once("//") {
        Some((scheme, rest)) if scheme.is_empty() || scheme.ends_with(':') => rest,
        _ => text.strip_prefix("mailto:")?.split_once('@')?.1,
    };
    let authority = rest.split(['/', '\\', '?', ',']).next().unwrap_or(rest);
    authority.rsplit('@').next()?.split(':').next()
}

fn one_line(text: &str) -> String {
    const LIMIT: usize = 40;
    let mut line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LIMIT).collect();
    if text.chars().nth(LIMIT).is_some() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::leftover;

    #[test]
    fn names_of_folders_and_quotes_differ_by_origin() {
        for (text, is_local, is_leftover) in [
            ("/undefined/x", true, true),
            ("https://a.test/docs/undefined", false, false),
            ("/%7B%7B%20page.url%20%7D%7D", true, true),
            ("https://a.test/?q=%7B%7Bx%7D%7D", false, false),
            ("\"/x/\"", true, true),
            ("\\\"/x/\\\"", true, true),
            ("\u{201d}/x/\u{201d}", true, true),
            ("it's.html", false, false),
            ("/fn.undefined.html", true, false),
        ] {
            assert_eq!(leftover(text, is_local).is_some(), is_leftover, "{text}");
        }
    }
}
