//! Values of response headers that browsers ignore, so that the header has no effect.

/// The policies of the Referrer Policy (section 3).
pub const REFERRER_POLICIES: [&str; 8] = [
    "no-referrer",
    "no-referrer-when-downgrade",
    "origin",
    "origin-when-cross-origin",
    "same-origin",
    "strict-origin",
    "strict-origin-when-cross-origin",
    "unsafe-url",
];

/// Headers that have one of these words, before parameters.
const WORDS: [(&str, &[&str]); 6] = [
    ("Cross-Origin-Embedder-Policy", &["credentialless", "require-corp", "unsafe-none"]),
    (
        "Cross-Origin-Opener-Policy",
        &["noopener-allow-popups", "same-origin", "same-origin-allow-popups", "unsafe-none"],
    ),
    ("Cross-Origin-Resource-Policy", &["cross-origin", "same-origin", "same-site"]),
    ("Referrer-Policy", &REFERRER_POLICIES),
    ("X-Content-Type-Options", &["nosniff"]),
    // No browser reads `ALLOW-FROM` since 2020 (Fetch and HTML, 7.7.1).
    ("X-Frame-Options", &["deny", "sameorigin"]),
];

/// Returns why browsers ignore the value of a header; `None` if they read it, or if nothing is known about the header.
///
/// ```
/// use sitegate_host::header_values::ignored_value;
///
/// assert_eq!(ignored_value("X-Content-Type-Options", "nosniff"), None);
/// assert!(ignored_value("X-Content-Type-Options", "no-sniff").is_some());
/// ```
pub fn ignored_value(name: &str, value: &str) -> Option<String> {
    let is = |known: &str| name.eq_ignore_ascii_case(known);
    let has_no_value = value.trim().is_empty();
    if let Some((_, words)) = WORDS.iter().find(|(known, _)| is(known)) {
        // A policy that a browser does not know is skipped in a list of them.
        let parts = value.split(',').map(|part| part.split(';').next().unwrap_or(part).trim());
        let is_known = parts.into_iter().any(|part| words.iter().any(|word| part.eq_ignore_ascii_case(word)));
        let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        return (!is_known && !has_no_value).then(|| format!("they know only {}", words.join(", ")));
    }
    if is("Strict-Transport-Security") {
        return (!has_max_age(value)).then(|| "it has no `max-age` in seconds".to_owned());
    }
    let is_old = is("Permissions-Policy") && has_quoted_keyword(value);
    is_old.then(|| {
        "it has the syntax of `Feature-Policy`; write `camera=(), geolocation=(self)`, with commas".to_owned()
    })
}

/// Whether the value has the directive that RFC 6797, 6.1.1 requires.
fn has_max_age(value: &str) -> bool {
    value.split(';').filter_map(|directive| directive.split_once('=')).any(|(directive, seconds)| {
        let seconds = seconds.trim().trim_matches('"');
        directive.trim().eq_ignore_ascii_case("max-age")
            && !seconds.is_empty()
            && seconds.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// Whether an item of a structured field begins with `'`, as `'self'` did in Feature-Policy. No item can, so that browsers
/// drop the whole field (RFC 9651, 4.2).
fn has_quoted_keyword(value: &str) -> bool {
    let (mut in_string, mut before) = (false, ' ');
    for c in value.chars() {
        match c {
            '"' if before != '\\' => in_string = !in_string,
            '\'' if !in_string && matches!(before, ' ' | '\t' | '(' | '=' | ',') => return true,
            _ => {}
        }
        before = c;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::ignored_value;

    #[test]
    fn finds_values_that_browsers_ignore() {
        for (name, value, is_ignored) in [
            ("x-content-type-options", "NoSniff", false),
            ("X-Content-Type-Options", "no-sniff", true),
            ("Referrer-Policy", "no-referrer, strict-origin-when-cross-origin", false),
            ("Referrer-Policy", "no-referer", true),
            ("Referrer-Policy", "unknown, origin", false),
            ("X-Frame-Options", "ALLOW-FROM https://a.example/", true),
            ("X-Frame-Options", "Deny", false),
            ("Cross-Origin-Opener-Policy", "same-origin; report-to=\"coop\"", false),
            ("Cross-Origin-Embedder-Policy", "require-cors", true),
            ("Strict-Transport-Security", "max-age=\"63072000\"; includeSubDomains", false),
            ("Strict-Transport-Security", "includeSubDomains; preload", true),
            ("Strict-Transport-Security", "max-age=1y", true),
            ("Permissions-Policy", "geolocation=(self \"https://it's.example\"), camera=()", false),
            ("Permissions-Policy", "geolocation 'none'; camera 'self'", true),
            ("Permissions-Policy", "geolocation=('self')", true),
            ("Permissions-Policy", "interest-cohort=()", false),
            ("Cache-Control", "'x'", false),
        ] {
            assert_eq!(ignored_value(name, value).is_some(), is_ignored, "{name}: {value}");
        }
    }
}
