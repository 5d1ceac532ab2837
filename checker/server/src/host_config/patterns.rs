//! Converts path patterns of the contract to the patterns of hosts.

use globset::GlobBuilder;
use sitegate_address::{INDEX, SitePath};

use crate::error::ServerError;

/// Expands the alternatives of a pattern, `{a,b}`.
///
/// # Errors
/// When it has a class of characters, an escape, or an unbalanced brace: `host` has none of them.
pub(super) fn alternatives(pattern: &str, host: &str) -> Result<Vec<String>, ServerError> {
    let (mut open, mut done) = (vec![pattern.to_owned()], Vec::new());
    while let Some(next) = open.pop() {
        let inner = next.find('}').and_then(|end| Some((next[..end].rfind('{')?, end)));
        match inner {
            Some((start, end)) => {
                let parts = next[start + 1..end].split(',');
                open.extend(parts.map(|part| format!("{}{part}{}", &next[..start], &next[end + 1..])));
            }
            None if next.contains(['[', ']', '{', '}', '\\']) => return Err(not_expressible(pattern, host)),
            None => done.push(next),
        }
    }
    done.sort();
    done.dedup();
    Ok(done)
}

fn not_expressible(pattern: &str, host: &str) -> ServerError {
    let message = format!("headers: `{pattern}` cannot be expressed in {host}");
    ServerError::Unsupported(message)
}

/// Converts a path pattern to a regular expression that PCRE, RE2 and Go accept.
pub(super) fn regex(pattern: &str) -> Result<String, ServerError> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build()?;
    let regex = glob.regex().trim_start_matches("(?-u)").replace("(?:/?|.*/)", "(?:.*/)?");
    Ok(with_characters(&regex))
}

/// Writes the characters that globset escapes as bytes: in Go, which Caddy uses, `\xc3` is the character U+00C3.
fn with_characters(regex: &str) -> String {
    let mut text = Vec::with_capacity(regex.len());
    let mut rest = regex.as_bytes();
    while let [first, after @ ..] = rest {
        let byte = match rest {
            [b'\\', b'x', high, low, ..] => std::str::from_utf8(&[*high, *low])
                .ok()
                .and_then(|digits| u8::from_str_radix(digits, 16).ok())
                .filter(|byte| !byte.is_ascii()),
            _ => None,
        };
        let length = match (first, byte) {
            (_, Some(_)) => 4,
            // An escaped character, so that the `\x` of `\\x` is none.
            (b'\\', None) => 2.min(rest.len()),
            _ => 1,
        };
        text.extend(byte.map_or_else(|| rest[..length].to_vec(), |byte| vec![byte]));
        rest = if length == 1 { after } else { &rest[length..] };
    }
    String::from_utf8(text).unwrap_or_else(|_| regex.to_owned())
}

/// Returns patterns for the URLs of the files that a pattern matches, without alternatives. Hosts of this kind compare
/// URLs: a folder is the URL of its index document, and if the host `adds_html`, `/page` is one of `page.html`.
pub(super) fn url_patterns(pattern: &str, host: &str, adds_html: bool) -> Result<Vec<String>, ServerError> {
    let mut patterns = Vec::new();
    for path in alternatives(pattern, host)? {
        let (folder, name) =
            (SitePath::new(path.as_str()).folder_with_slash(), SitePath::new(path.as_str()).name());
        let is_index = name == INDEX;
        if !is_index && name.contains(['*', '?']) && !name.starts_with("**") && name != "*" {
            let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
            if extension.is_empty() || extension.contains(['*', '?']) || extension.starts_with("htm") {
                let message = format!(
                    "headers: `{pattern}` also matches pages, whose URLs have another form on {host}; name folders \
                     (`/docs/**`) or pages (`/docs/index.html`)"
                );
                return Err(ServerError::Unsupported(message));
            }
        }
        if is_index {
            patterns.push(folder.to_owned());
        }
        if adds_html && let Some(page) = path.strip_suffix(".html") {
            patterns.push(page.to_owned());
        }
        patterns.push(path);
    }
    Ok(patterns)
}

/// A pattern of a host that has only `*`, which also matches `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wildcard {
    /// One path.
    Exact(String),
    /// All paths below a folder, which ends in `/`, that end in this extension; empty for any.
    Below(String, String),
}

impl Wildcard {
    /// Converts a pattern.
    ///
    /// # Errors
    /// When it has a wildcard that does not match `/`, or one in another place.
    pub fn all(pattern: &str, host: &str, adds_html: bool) -> Result<Vec<Wildcard>, ServerError> {
        let convert = |path: String| {
            let Some(at) = path.find(['*', '?']) else { return Ok(Wildcard::Exact(path)) };
            let (folder, rest) = path.split_at(at);
            let extension = match rest {
                "**" => Some(""),
                rest => rest.strip_prefix("**/*").filter(|extension| extension.starts_with('.')),
            };
            match extension.filter(|extension| !extension.contains(['*', '?', '/']) && folder.ends_with('/'))
            {
                Some(extension) => Ok(Wildcard::Below(folder.to_owned(), extension.to_owned())),
                None => Err(ServerError::Unsupported(format!(
                    "headers: `{pattern}` cannot be expressed in {host}, whose `*` also matches `/`; write \
                     `/folder/**`, `/folder/**/*.css`, or a path"
                ))),
            }
        };
        url_patterns(pattern, host, adds_html)?.into_iter().map(convert).collect()
    }

    /// Whether every path that `other` matches is matched by this one, too.
    pub fn covers(&self, other: &Wildcard) -> bool {
        match (self, other) {
            (Wildcard::Exact(own), Wildcard::Exact(path)) => own == path,
            (Wildcard::Exact(_), Wildcard::Below(..)) => false,
            (Wildcard::Below(folder, extension), Wildcard::Exact(path)) => {
                path.starts_with(folder) && path.ends_with(extension)
            }
            (Wildcard::Below(folder, extension), Wildcard::Below(inner, inner_extension)) => {
                inner.starts_with(folder) && inner_extension.ends_with(extension)
            }
        }
    }

    /// Whether some path may be matched by both.
    pub fn overlaps(&self, other: &Wildcard) -> bool {
        match (self, other) {
            (Wildcard::Below(folder, extension), Wildcard::Below(inner, inner_extension)) => {
                (inner.starts_with(folder) || folder.starts_with(inner))
                    && (extension.ends_with(inner_extension) || inner_extension.ends_with(extension))
            }
            _ => self.covers(other) || other.covers(self),
        }
    }
}

impl std::fmt::Display for Wildcard {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Wildcard::Exact(path) => out.write_str(path),
            Wildcard::Below(folder, extension) => write!(out, "{folder}*{extension}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Wildcard, alternatives, regex, url_patterns};

    #[test]
    fn alternatives_become_separate_patterns() {
        let expanded = alternatives("/{a,b/{c,d}}/**", "X").unwrap_or_default();
        assert_eq!(expanded, ["/a/**", "/b/c/**", "/b/d/**"]);
        assert!(alternatives("/[ab].js", "X").is_err() && alternatives("/{a", "X").is_err());
    }

    #[test]
    fn converts_patterns_to_portable_expressions() {
        for (pattern, expected) in [
            ("/assets/*.js", "^/assets/[^/]*\\.js$"),
            ("/**", "^/.*$"),
            ("/über/日本.html", "^/über/日本\\.html$"),
            ("/a\\\\xc3", "^/a\\\\xc3$"),
        ] {
            assert_eq!(regex(pattern).ok().as_deref(), Some(expected), "{pattern}");
        }
    }

    #[test]
    fn pages_have_urls_without_index_documents() {
        assert_eq!(
            url_patterns("/docs/index.html", "X", true).unwrap_or_default(),
            ["/docs/", "/docs/index", "/docs/index.html"]
        );
        assert_eq!(url_patterns("/assets/*.js", "X", true).unwrap_or_default(), ["/assets/*.js"]);
        assert_eq!(url_patterns("/a.html", "X", true).unwrap_or_default(), ["/a", "/a.html"]);
        assert_eq!(url_patterns("/a.html", "X", false).unwrap_or_default(), ["/a.html"]);
        for pattern in ["/**/*.html", "/docs/i*", "/docs/index.htm?"] {
            assert!(url_patterns(pattern, "X", true).is_err(), "{pattern}");
        }
    }

    #[test]
    fn wildcards_are_compared() {
        let one = |pattern: &str| Wildcard::all(pattern, "X", true).unwrap_or_default().remove(0);
        let all = one("/**");
        assert_eq!(all.to_string(), "/*");
        assert_eq!(one("/a/**/*.js").to_string(), "/a/*.js");
        assert!(all.covers(&one("/a/**/*.js")) && !one("/a/**").covers(&all));
        assert!(one("/a/**").overlaps(&one("/**/*.js")) && !one("/a/**").covers(&one("/**/*.js")));
        assert!(!one("/a/**").overlaps(&one("/b/**")) && !one("/**/*.js").overlaps(&one("/**/*.css")));
        for pattern in ["/assets/*.js", "/*", "/a?c", "/a**"] {
            assert!(Wildcard::all(pattern, "X", true).is_err(), "{pattern}");
        }
    }
}
