//! Converts path patterns of the contract to the patterns of hosts.

use std::collections::HashSet;

use globset::GlobBuilder;
use sitegate_address::{AddedHtml, INDEX, PathPatterns, SitePath};

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

/// Converts a path pattern to a regular expression for the paths of files: `/terms` is also `terms/index.html`, and
/// `terms.html` if the host `adds_html`.
pub(super) fn file_regex(pattern: &str, adds_html: bool) -> Result<String, ServerError> {
    page_regex(pattern, &file_patterns(pattern, adds_html))
}

/// Converts a path pattern to a regular expression for addresses that may have no file: `/old` is also `/old/`.
pub(super) fn address_regex(pattern: &str, adds_html: bool) -> Result<String, ServerError> {
    let mut patterns = file_patterns(pattern, adds_html);
    if let Some(bare) = pattern.strip_suffix('/').filter(|bare| !bare.is_empty()) {
        patterns.insert(0, bare.to_owned());
    }
    if let Some(index) = patterns.iter().position(|path| SitePath::new(path.as_str()).is_index()) {
        patterns.insert(index, SitePath::new(patterns[index].as_str()).without_index().to_owned());
    }
    page_regex(pattern, &patterns)
}

/// Joins the regular expressions of the paths of a page, which begin alike.
fn page_regex(pattern: &str, paths: &[String]) -> Result<String, ServerError> {
    let bare = pattern.trim_end_matches('/');
    let ends: Option<Vec<&str>> = paths.iter().map(|path| path.strip_prefix(bare)).collect();
    match ends.as_deref() {
        Some([_, _, ..] | [_]) if pattern != "/" && paths != [pattern] => {
            let own = regex(bare)?;
            let ends: Vec<String> = ends.unwrap_or_default().iter().map(|end| regex::escape(end)).collect();
            Ok(format!("{}({})$", own.strip_suffix('$').unwrap_or(&own), ends.join("|")))
        }
        _ => regex(paths.first().map_or(pattern, String::as_str)),
    }
}

/// Extensions of files that are no names of pages. Their patterns need no pages.
const FILES: [&str; 20] = [
    "avif",
    "css",
    "gif",
    "htm",
    "html",
    "ico",
    "jpg",
    "js",
    "json",
    "map",
    "mjs",
    "pdf",
    "png",
    "svg",
    "txt",
    "wasm",
    "webmanifest",
    "webp",
    "woff2",
    "xml",
];

/// Returns the patterns of the files that a pattern matches, as [`PathPatterns::file_patterns`] does. A page is hardly in a
/// folder such as `app.js`.
fn file_patterns(pattern: &str, adds_html: bool) -> Vec<String> {
    let path = SitePath::new(pattern);
    let is_glob = path.name().contains(['*', '?', '[', '{']);
    if path.extension().is_some_and(|extension| is_glob || FILES.contains(&extension)) {
        return vec![pattern.to_owned()];
    }
    PathPatterns::file_patterns(pattern, AddedHtml { bare: adds_html, slash: false })
}

/// Returns patterns for the URLs of the files that a pattern matches, without alternatives. Hosts of this kind compare
/// URLs: a folder is the URL of its index document, and if the host `adds_html`, `/page` is one of `page.html`.
pub(super) fn url_patterns(pattern: &str, host: &str, adds_html: bool) -> Result<Vec<String>, ServerError> {
    let mut patterns: Vec<String> = Vec::new();
    let paths = alternatives(pattern, host)?;
    for path in paths.iter().flat_map(|path| file_patterns(path, adds_html)) {
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
    let mut known = HashSet::new();
    patterns.retain(|path| known.insert(path.clone()));
    Ok(patterns)
}

/// Returns patterns for the files that a pattern matches and for the folders of index documents, without alternatives.
pub(super) fn page_patterns(pattern: &str, host: &str) -> Result<Vec<String>, ServerError> {
    let mut patterns = Vec::new();
    for path in alternatives(pattern, host)?.iter().flat_map(|path| file_patterns(path, false)) {
        patterns.extend(SitePath::new(path.as_str()).index_folder().map(str::to_owned));
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
    use super::{Wildcard, address_regex, alternatives, file_regex, page_patterns, regex, url_patterns};

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
    fn pages_have_the_paths_of_their_files() {
        for (pattern, adds_html, expected) in [
            ("/", true, "^/index\\.html$"),
            ("/about", false, "^/about(|/index\\.html)$"),
            ("/about", true, "^/about(|/index\\.html|\\.html)$"),
            ("/docs/", true, "^/docs(/index\\.html)$"),
            ("/docs/*", false, "^/docs/[^/]*(|/index\\.html)$"),
            ("/docs/**", true, "^/docs/.*$"),
            ("/a.html", true, "^/a\\.html$"),
            ("/**/*.{js,css}", true, "^(?:/|/.*/)[^/]*\\.(?:js|css)$"),
        ] {
            assert_eq!(file_regex(pattern, adds_html).ok().as_deref(), Some(expected), "{pattern}");
        }
        assert_eq!(address_regex("/old", true).ok().as_deref(), Some("^/old(|/|/index\\.html|\\.html)$"));
        assert_eq!(address_regex("/old/", false).ok().as_deref(), Some("^/old(|/|/index\\.html)$"));
        assert_eq!(url_patterns("/", "X", true).unwrap_or_default(), ["/", "/index", "/index.html"]);
        assert_eq!(url_patterns("/docs/", "X", false).unwrap_or_default(), ["/docs/", "/docs/index.html"]);
        let about = ["/about", "/about/", "/about/index", "/about/index.html", "/about.html"];
        assert_eq!(url_patterns("/about", "X", true).unwrap_or_default(), about);
        assert_eq!(page_patterns("/a", "X").unwrap_or_default(), ["/a", "/a/", "/a/index.html"]);
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
