//! What templates and scripts leave in references where they should have put a value.

use percent_encoding::percent_decode_str;

/// What a reference holds in the place of a value, and what that means, in words; `None` where nothing is wrong.
/// `is_local` where it leads to a path of this site, on which there is no page `undefined`.
pub(super) fn leftover(text: &str, is_local: bool) -> Option<String> {
    let text = text.trim_matches(|c: char| c <= ' ');
    if let Some(quoted) = quoted(text).filter(|_| is_local || text == "\\") {
        return Some(quoted.to_owned());
    }
    // Fragments are for scripts of the page, which may put anything there.
    let text = text.split('#').next().unwrap_or(text);
    let path = text.split('?').next().unwrap_or(text);
    // Nearly no reference holds any of these.
    if text.bytes().any(|b| matches!(b, b'{' | b'[' | b'<' | b'%'))
        && let Some(reason) = unfilled(text, path, is_local)
    {
        return Some(reason);
    }
    let is_value = |part: &&str| VALUES.contains(part);
    let mut segments = path.split('/').filter(|_| is_local);
    let value = segments.find(is_value).or_else(|| written_host(text).filter(is_value));
    value.map(|value| format!("`{value}` is what scripts write for a value that is not there"))
}

/// What is said of a part that a template or a script left as it was. Another site may have files whose names are
/// templates: braces that are escaped are meant there.
fn unfilled(text: &str, path: &str, is_local: bool) -> Option<String> {
    let path = percent_decode_str(path).decode_utf8_lossy();
    if path.contains(OBJECT) || text.contains(OBJECT) {
        return Some(format!("`{OBJECT}` is what scripts write for a value that is no text"));
    }
    hole(text)
        .or_else(|| hole(&path).filter(|_| is_local))
        .map(|hole| format!("`{}` was never filled in", one_line(hole)))
}

/// What scripts write for values that are no text.
const VALUES: [&str; 3] = ["undefined", "null", "NaN"];

/// What scripts write for an object.
const OBJECT: &str = "[object Object]";

/// What is said of quotes that belong to a reference.
fn quoted(text: &str) -> Option<&'static str> {
    match text.as_bytes() {
        [b'\\'] => Some("a quote that is escaped by `\\` ends the value all the same"),
        [b'"' | b'\'', ..] | [b'\\', b'"' | b'\'', ..] => Some("the quotes are part of the address"),
        _ if text.starts_with(['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}']) => {
            Some("typographic quotes do not delimit a value, they are part of the address")
        }
        _ => None,
    }
}

/// The first part that a template engine or a script was to replace.
fn hole(text: &str) -> Option<&str> {
    const HOLES: [(&str, &str); 4] = [("{{", "}}"), ("{%", "%}"), ("<%", "%>"), ("${", "}")];
    HOLES.iter().find_map(|(open, close)| {
        let start = text.find(open)?;
        let length = text[start + open.len()..].find(close)?;
        text.get(start..start + open.len() + length + close.len())
    })
}

/// The host of an address or of a mail address, as it is written.
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
    fn what_was_not_filled_in() {
        for text in [
            "https://a.test/{{ page.url }}",
            "https://a.test/?u=<%= url %>",
            "https://${host}/x",
            "https://a.test/[object%20Object]",
            "https://undefined/x",
            "mailto:a@undefined",
            "\\",
        ] {
            assert!(leftover(text, false).is_some(), "{text}");
        }
        for text in
            ["/undefined/x", "/%7B%7B%20page.url%20%7D%7D", "\"/x/\"", "\\\"/x/\\\"", "\u{201d}/x/\u{201d}"]
        {
            assert!(leftover(text, true).is_some(), "{text}");
        }
    }

    #[test]
    fn what_is_meant() {
        for text in [
            "https://a.test/docs/undefined",
            "https://a.test/?q={searchTerms}",
            "https://a.test/#{{x}}",
            "https://a.test/{x}/$1",
            "https://a.test/?q=%7B%7Bx%7D%7D",
            "https://null.test/",
            "https://a.test/%7B%7Bcookiecutter.name%7D%7D/setup.py",
            "it's.html",
        ] {
            assert_eq!(leftover(text, false), None, "{text}");
        }
        assert_eq!(leftover("/fn.undefined.html", true), None);
    }
}
