//! Finds parts of a policy that browsers ignore, or do not read as they were meant: keywords without quotes, missing
//! semicolons, misspelled directives.

/// A part of a policy that browsers ignore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredPart {
    /// The part, as written.
    pub part: String,
    /// The reason, as the rest of a sentence about the part.
    pub reason: &'static str,
    /// How to write it.
    pub help: String,
}

/// Keywords of sources, which have quotes (CSP 3, 2.3.1).
const KEYWORDS: [&str; 12] = [
    "inline-speculation-rules",
    "none",
    "report-sample",
    "self",
    "strict-dynamic",
    "trusted-types-eval",
    "unsafe-allow-redirects",
    "unsafe-eval",
    "unsafe-hashes",
    "unsafe-inline",
    "unsafe-webtransport-hashes",
    "wasm-unsafe-eval",
];

/// Quotes that are written by mistake: browsers read single ones only.
const OTHER_QUOTES: [char; 6] = ['"', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '`'];

/// Beginnings of sources that have quotes.
const QUOTED_STARTS: [&str; 4] = ["nonce-", "sha256-", "sha384-", "sha512-"];

/// The directives with sources.
const SOURCE_DIRECTIVES: [&str; 22] = [
    "base-uri",
    "child-src",
    "connect-src",
    "default-src",
    "fenced-frame-src",
    "font-src",
    "form-action",
    "frame-ancestors",
    "frame-src",
    "img-src",
    "manifest-src",
    "media-src",
    "navigate-to",
    "object-src",
    "prefetch-src",
    "script-src",
    "script-src-attr",
    "script-src-elem",
    "style-src",
    "style-src-attr",
    "style-src-elem",
    "worker-src",
];

/// The other directives, and those of earlier versions.
const OTHER_DIRECTIVES: [&str; 14] = [
    "block-all-mixed-content",
    "disown-opener",
    "plugin-types",
    "referrer",
    "reflected-xss",
    "report-to",
    "report-uri",
    "require-sri-for",
    "require-trusted-types-for",
    "sandbox",
    "treat-as-public-address",
    "trusted-types",
    "upgrade-insecure-requests",
    "webrtc",
];

/// Returns the parts of a policy that browsers ignore. Placeholders of a template are skipped.
pub fn ignored_parts(policy: &str) -> Vec<IgnoredPart> {
    let mut found = Vec::new();
    for directive in policy.split([';', ',']) {
        let mut words = directive.split_ascii_whitespace();
        let Some(written) = words.next() else { continue };
        let name = written.to_ascii_lowercase();
        if SOURCE_DIRECTIVES.contains(&&*name) {
            found.extend(words.filter_map(ignored_source));
        } else if !OTHER_DIRECTIVES.contains(&&*name)
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        {
            let help = "browsers skip the whole directive; correct its name".to_owned();
            found.push(IgnoredPart { part: written.to_owned(), reason: "is no directive", help });
        }
    }
    found
}

fn ignored_source(word: &str) -> Option<IgnoredPart> {
    let lower = word.to_ascii_lowercase();
    let part = |reason, help: String| Some(IgnoredPart { part: word.to_owned(), reason, help });
    let bare = lower.trim_matches(OTHER_QUOTES);
    let is_keyword = KEYWORDS.contains(&bare) || QUOTED_STARTS.iter().any(|start| bare.starts_with(start));
    if is_keyword {
        let written = word.trim_matches(OTHER_QUOTES);
        let reason = if bare.len() == lower.len() {
            "is the name of a host: keywords have single quotes"
        } else {
            "has quotes that browsers do not read"
        };
        return part(reason, format!("write `'{written}'`"));
    }
    let is_directive = SOURCE_DIRECTIVES.contains(&&*lower) || OTHER_DIRECTIVES.contains(&&*lower);
    if is_directive && lower != "referrer" && lower != "sandbox" && lower != "webrtc" {
        return part(
            "is taken for a source of the directive before it",
            format!("write `;` before `{lower}`"),
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use super::ignored_parts;

    #[test]
    fn finds_what_browsers_ignore() {
        for (policy, expected) in [
            ("default-src self", vec!["self"]),
            ("img-src 'none' script-src 'none'", vec!["script-src"]),
            ("style-src 'self' unsafe-inline; SCRIPT-SRC Unsafe-Eval", vec!["unsafe-inline", "Unsafe-Eval"]),
            (
                "script-src \"self\" \u{2018}none\u{2019} sha256-abc=",
                vec!["\"self\"", "\u{2018}none\u{2019}", "sha256-abc="],
            ),
            ("script-source 'self'; img-src *", vec!["script-source"]),
            (
                "default-src 'self'; script-src 'self' 'auto' https: data: cdn.acme.org *.self.org; upgrade-insecure-requests; ",
                vec![],
            ),
            ("sandbox allow-scripts; report-to self; trusted-types none x 'allow-duplicates'", vec![]),
            ("{{ policy }}; script-src 'nonce-{{ n }}'", vec![]),
            ("default-src 'self', img-src *; worker-src blob:", vec![]),
            ("", vec![]),
        ] {
            let found = ignored_parts(policy);
            let parts: Vec<&str> = found.iter().map(|ignored| &*ignored.part).collect();
            assert_eq!(parts, expected, "{policy}");
        }
        assert_eq!(ignored_parts("default-src \"self\"")[0].help, "write `'self'`");
    }
}
