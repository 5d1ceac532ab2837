//! Represents the redirects in the text of a file.

use sitegate_address::UrlReference;
use sitegate_address::percent::decode;
use std::ops::Range;

use sitegate_host::redirects::{Redirect, redirect_key};

/// A redirect in a text.
#[derive(Debug)]
pub(super) struct RedirectEntry {
    /// The redirect.
    pub redirect: Redirect,
    /// The whole entry, with its last newline.
    pub block: Range<usize>,
    /// The destination, without quotes.
    pub to: Range<usize>,
    /// Whether it has only a source, a destination and a status.
    pub is_plain: bool,
}

impl RedirectEntry {
    /// Whether it may be changed or removed: a redirect of one address, without conditions.
    pub fn is_editable(&self) -> bool {
        self.is_plain
            && self.redirect.is_http_redirect()
            && !self.redirect.is_pattern()
            && !self.redirect.has_placeholders()
    }

    /// Returns the key of its source.
    pub fn key(&self) -> String {
        redirect_key(&self.redirect.from)
    }

    /// Returns the key of its destination below a base path, if it is on this site, and its query and fragment.
    pub fn destination(&self, base_path: &str) -> Option<(String, &str)> {
        let to = UrlReference::new(self.redirect.to.as_str());
        Some((destination_key(to.path(), base_path)?, to.query_and_fragment()))
    }
}

/// Returns the key of an encoded path below a base path; `None` for a URL.
pub(super) fn destination_key(path: &str, base_path: &str) -> Option<String> {
    let path = UrlReference::new(path).path();
    if !path.starts_with('/') || path.starts_with("//") {
        return None;
    }
    let path = decode(path)?;
    Some(redirect_key(path.strip_prefix(base_path).unwrap_or(&path)))
}
