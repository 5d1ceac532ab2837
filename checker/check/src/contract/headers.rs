//! Parses `[[headers]]`: response headers by path.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use sitegate_address::{AddedHtml, PathPatterns};

use super::error::Fault;
use super::patterns::some_path_patterns;
use super::schema::{Paths, Spanned};
use crate::csp::{HEADER, REPORT_ONLY_HEADER, auto_mode, without_hashes};

/// `[[headers]]` as parsed from TOML.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(inline)]
pub(super) struct RawHeaders {
    /// Files, by path or glob.
    #[schemars(with = "Paths")]
    paths: Spanned<Vec<Spanned<String>>>,
    /// Header names and values. In a Content-Security-Policy, 'auto' adds the hashes of inline code.
    set: BTreeMap<Spanned<String>, Spanned<String>>,
}

/// Response headers for the files that match.
#[derive(Clone, Debug)]
pub struct HeaderRule {
    paths: PathPatterns,
    /// The patterns as written.
    pub patterns: Vec<String>,
    /// Header values, by name.
    pub set: BTreeMap<String, String>,
}

impl RawHeaders {
    pub fn build(self) -> Result<HeaderRule, Fault> {
        let paths = some_path_patterns(&self.paths, "headers.paths")?;
        let patterns = self.paths.into_inner().into_iter().map(Spanned::into_inner).collect();
        for (name, value) in &self.set {
            let (written, span) = (name.get_ref(), name.span());
            if !is_header_name(written) {
                let message =
                    format!("`{written}` is not a valid header name: write letters, digits and `-`");
                return Err((span, message.into()));
            }
            if !is_header_value(value.get_ref()) {
                let message =
                    format!("the value of `{written}` is not a valid header: it has a control character");
                return Err((value.span(), message.into()));
            }
            if written.eq_ignore_ascii_case(REPORT_ONLY_HEADER) && auto_mode(value.get_ref()).is_some() {
                let message =
                    "`'auto'` is replaced only in Content-Security-Policy; list the hashes, or remove it";
                return Err((value.span(), message.into()));
            }
        }
        let set = self.set.into_iter().map(|(name, value)| (name.into_inner(), value.into_inner()));
        Ok(HeaderRule { paths, patterns, set: set.collect() })
    }
}

/// Whether a text is a name of a header: a token (RFC 9110, 5.6.2).
pub(super) fn is_header_name(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_token)
}

/// Whether a text can be the value of a header: it contains no line break or other control character, except tabs.
pub(super) fn is_header_value(value: &str) -> bool {
    !value.bytes().any(|byte| byte.is_ascii_control() && byte != b'\t')
}

impl HeaderRule {
    /// Returns an entry that sets one header for some files, by their paths with a leading slash.
    pub(crate) fn of_files(files: &[String], name: String, value: String) -> Option<HeaderRule> {
        let patterns: Vec<String> = files.iter().map(|path| PathPatterns::escape(path)).collect();
        let paths = PathPatterns::new(patterns.iter().map(String::as_str)).ok()?;
        Some(HeaderRule { paths, patterns, set: BTreeMap::from([(name, value)]) })
    }

    /// Returns a header by its name in any case: the name as written, and the value.
    pub fn header(&self, name: &str) -> Option<(&str, &str)> {
        let found = self.set.iter().rfind(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(written, value)| (written.as_str(), value.as_str()))
    }

    /// Returns whether the entry applies to a file, by its path below the root.
    pub(crate) fn is_about(&self, path: &str, html: AddedHtml) -> bool {
        self.paths.has_file(path.as_bytes(), html)
    }
}

/// Returns whether a value of `X-Robots-Tag` keeps a page out of search results. A value may begin with the name of one
/// crawler.
pub fn hides_from_search(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    let words = match value.split_once(':') {
        Some((agent, words)) if agent.trim() == "googlebot" => words,
        Some((agent, _)) if !agent.contains(',') && !is_directive(agent.trim()) => return false,
        _ => &value,
    };
    words.split(',').any(|word| matches!(word.trim(), "noindex" | "none"))
}

/// Whether a word before a `:` is a directive with a value, and not a crawler.
fn is_directive(word: &str) -> bool {
    matches!(word, "unavailable_after" | "max-snippet" | "max-image-preview" | "max-video-preview")
}

/// Returns the headers that entries set for a file, by its path below the root. `html` has the addresses of pages on the
/// host.
pub fn headers_for<'r>(rules: &'r [HeaderRule], path: &str, html: AddedHtml) -> BTreeMap<&'r str, &'r str> {
    let mut headers = BTreeMap::new();
    for rule in rules.iter().filter(|rule| rule.is_about(path, html)) {
        headers.extend(rule.set.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    }
    headers
}

/// Returns the value of one header for a file, by its name in any case.
pub(crate) fn header_for<'r>(
    rules: &'r [HeaderRule],
    (path, html): (&str, AddedHtml),
    name: &str,
) -> Option<&'r str> {
    let mut matching = rules.iter().rev().filter(|rule| rule.is_about(path, html));
    matching.find_map(|rule| rule.header(name)).map(|(_, value)| value)
}

/// A header that differs from the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlikeHeader<'c> {
    /// The name, in lower case.
    pub name: String,
    /// The value that was sent; empty if it was missing.
    pub found: String,
    /// The value that the contract sets.
    pub wanted: &'c str,
}

/// Returns the headers that differ from the contract. `header` returns the value that was sent, by lower-case name.
pub fn unlike_headers<'c, 'h>(
    set: &BTreeMap<&str, &'c str>,
    header: impl Fn(&str) -> &'h str,
) -> impl Iterator<Item = UnlikeHeader<'c>> {
    set.iter().filter_map(move |(name, wanted)| {
        let name = name.to_ascii_lowercase();
        let found = header(&name);
        let is_equal = match auto_mode(wanted) {
            // Another check compares the hashes with the pages.
            Some(_) if name == HEADER => without_hashes(found) == without_hashes(wanted),
            _ => found == *wanted,
        };
        (!is_equal).then(|| UnlikeHeader { found: found.to_owned(), wanted, name })
    })
}

#[cfg(test)]
mod tests {
    use super::{hides_from_search, is_header_name, is_header_value};

    #[test]
    fn recognizes_valid_headers() {
        assert!(is_header_name("Content-Security-Policy") && is_header_name("x_a.b"));
        assert!(["", "Content Security Policy", "a:", "\u{fc}"].iter().all(|name| !is_header_name(name)));
        assert!(is_header_value("a\tb \u{fc}") && !is_header_value("a\nb"));
    }

    #[test]
    fn reads_directives_of_search_engines() {
        for value in ["noindex", "nofollow, NoIndex", "none", "googlebot: noindex", "max-snippet: 5, noindex"]
        {
            assert!(hides_from_search(value), "{value}");
        }
        for value in ["all", "nofollow", "otherbot: noindex", "unavailable_after: 25 Jun 2030", ""] {
            assert!(!hides_from_search(value), "{value}");
        }
    }
}
