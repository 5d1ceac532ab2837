//! Parses `[[redirects]]`: redirects of moved URLs.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use schemars::JsonSchema;
use serde::Deserialize;
use sitegate_address::UrlReference;
use sitegate_address::percent::decode_readable;
use sitegate_host::redirects::MovedAddress;
use url::Url;

use super::error::Fault;
use super::schema::Spanned;

/// `[[redirects]]` as parsed from TOML.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(inline)]
pub(super) struct RawRedirect {
    /// The old path, such as /old: below the base path. Characters that are not ASCII may be percent-encoded.
    pub from: Spanned<String>,
    /// The new path, with the base path, or a URL.
    to: Spanned<String>,
}

/// The characters that a percent-encoded `to` cannot have.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'\'')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'`')
    .add(b'{')
    .add(b'}')
    .add(b'$')
    .add(b';');

/// Whether `from` of a redirect may be this decoded path.
pub fn is_redirectable(path: &str) -> bool {
    let is_inside = path.starts_with('/') && !path.contains("//") && !path.contains(['?', '#', '%']);
    is_inside
        && path.chars().all(is_of_path)
        && !is_pattern(path)
        && !path.split('/').any(|segment| matches!(segment, "." | ".."))
}

/// Whether a redirected path may have a character. Servers match decoded paths, so those that are not ASCII are written
/// to their configurations as they are.
fn is_of_path(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_graphic() && !SYNTAX.contains(&c)
    } else {
        !c.is_whitespace() && !c.is_control()
    }
}

fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic()) && !text.contains(SYNTAX)
}

/// The characters that configurations of hosts, pages or headers read as syntax.
const SYNTAX: [char; 10] = ['"', '\'', '<', '>', '\\', '`', '{', '}', '$', ';'];

/// Returns why a character cannot be written as it is, if it is ASCII.
fn syntax_message(text: &str) -> Option<String> {
    let found = text.chars().find(|c| SYNTAX.contains(c))?;
    Some(format!("`{text}` has `{found}`, which some hosts read as syntax"))
}

/// Whether hosts would read the text as a pattern.
fn is_pattern(text: &str) -> bool {
    text.contains('*') || text.contains("/:")
}

impl RawRedirect {
    /// Validates a redirect, because its URLs are written to headers, pages and configuration files.
    pub fn build(self) -> Result<MovedAddress, Fault> {
        // An encoded `/`, `*` or `.` would get another meaning, so such escapes stay, and are refused.
        let decoded = decode_readable(self.from.get_ref());
        let (from, to) = (decoded.trim_end_matches('/'), self.to.get_ref());
        if !is_redirectable(from) {
            return Err((self.from.span(), from_message(self.from.get_ref()).into()));
        }
        let known = to.starts_with('/') && !to.starts_with("//")
            || Url::parse(to).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        if !known || !is_plain(to) || is_pattern(to) {
            return Err((self.to.span(), to_message(to, known).into()));
        }
        Ok(MovedAddress { from: from.to_owned(), to: to.clone(), span: self.to.span() })
    }
}

/// Returns why `from` cannot have this value.
fn from_message(from: &str) -> String {
    let is_path = from.starts_with('/') && !from.starts_with("//");
    if is_path && is_pattern(from) {
        pattern_message(from)
    } else if is_path && !UrlReference::new(from).query_and_fragment().is_empty() {
        format!("`{from}` has a query or a fragment; write only the path: queries and fragments are kept")
    } else if is_path && let Some(message) = syntax_message(from) {
        format!("{message}; redirect it in the settings of the host")
    } else if is_path && (!from.chars().all(is_of_path) || from.contains('%')) {
        format!(
            "`{from}` must have no spaces, and percent-encode only what is not ASCII; redirect it in the settings of \
             the host"
        )
    } else {
        format!("`{from}` is not a path such as /old/page")
    }
}

/// Returns why `to` cannot have this value. `is_known` means that it is a path or a URL.
fn to_message(to: &str, is_known: bool) -> String {
    if !is_known {
        format!("`{to}` is neither a path, such as /new/page, nor an http(s) URL")
    } else if is_pattern(to) {
        pattern_message(to)
    } else {
        let encoded = Url::parse(to).map_or_else(|_| to.to_owned(), String::from);
        let encoded = utf8_percent_encode(&encoded, ENCODED);
        let message = syntax_message(to);
        let message = message.unwrap_or_else(|| format!("`{to}` must be plain ASCII, without spaces"));
        format!("{message}; percent-encode it: `{encoded}`")
    }
}

fn pattern_message(pattern: &str) -> String {
    format!(
        "`{pattern}` is a pattern, but each entry redirects one address; `sitegate redirects --write` adds an entry \
         for each moved address"
    )
}

#[cfg(test)]
mod tests {
    use super::{from_message, is_redirectable, to_message};

    #[test]
    fn names_the_reason_and_a_fix() {
        for (from, expected) in [
            ("/old/*", "is a pattern, but each entry redirects one address; `sitegate redirects --write`"),
            ("/a/:id", "is a pattern"),
            ("/old?x=1", "write only the path"),
            ("/a b", "must have no spaces"),
            ("/a\u{a0}b", "must have no spaces"),
            ("/a%2Fb", "percent-encode only what is not ASCII"),
            ("/%FC", "percent-encode only what is not ASCII"),
            ("/old$1", "`/old$1` has `$`, which some hosts read as syntax; redirect it in the settings"),
            ("/old;x", "has `;`, which some hosts read as syntax"),
            ("/old'", "has `'`, which some hosts read as syntax"),
            ("old", "is not a path such as /old/page"),
            ("/a/../b", "is not a path such as /old/page"),
        ] {
            assert!(!is_redirectable(from), "{from}");
            assert!(from_message(from).contains(expected), "{}", from_message(from));
        }
        for (to, is_known, expected) in [
            ("/new/:splat", true, "is a pattern"),
            ("https://acme.org/*", true, "is a pattern"),
            ("/\u{fc}ber/#a b", true, "percent-encode it: `/%C3%BCber/#a%20b`"),
            ("https://\u{fc}ber.org/\u{fc}", true, "percent-encode it: `https://xn--ber-goa.org/%C3%BC`"),
            ("/new$1;x", true, "has `$`, which some hosts read as syntax; percent-encode it: `/new%241%3Bx`"),
            ("new", false, "is neither a path"),
        ] {
            assert!(to_message(to, is_known).contains(expected), "{}", to_message(to, is_known));
        }
    }

    #[test]
    fn accepts_colons_within_a_segment_and_other_scripts() {
        assert!(is_redirectable("/wiki/Talk:Home"));
        assert!(is_redirectable("/日本語/gr\u{f6}\u{df}e"));
    }
}
