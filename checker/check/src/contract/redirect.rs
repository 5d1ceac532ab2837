//! Parses `[[redirects]]`: redirects of moved URLs.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::error::Fault;

/// `[[redirects]]` as parsed from TOML.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawRedirect {
    pub from: Spanned<String>,
    to: Spanned<String>,
}

/// A permanent redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedAddress {
    /// The old path, with a leading slash and no trailing slash. The path with a trailing slash is redirected, too.
    pub from: String,
    /// The destination: a path with a leading slash, or a whole URL.
    pub to: String,
    /// The entry's span in the contract, in bytes.
    pub span: Range<usize>,
}

/// Whether `from` of a redirect may be this path.
pub fn is_redirectable(path: &str) -> bool {
    let is_inside = path.starts_with('/') && !path.contains("//") && !path.contains(['?', '#', '%']);
    is_inside && is_plain(path) && !path.split('/').any(|segment| matches!(segment, "." | ".."))
}

fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'<>\\`{}$;".contains(&byte))
}

impl RawRedirect {
    /// Validates a redirect, because its URLs are written to headers, pages and configuration files.
    pub fn build(self) -> Result<MovedAddress, Fault> {
        let (from, to) = (self.from.get_ref().trim_end_matches('/'), self.to.get_ref());
        if !is_redirectable(from) {
            let message = format!("`{}` is not a path such as /old/page", self.from.get_ref());
            return Err((self.from.span(), message.into()));
        }
        let known = to.starts_with('/') && !to.starts_with("//")
            || url::Url::parse(to).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        if !known || !is_plain(to) {
            let message = format!("`{to}` is neither a path, such as /new/page, nor an http(s) URL");
            return Err((self.to.span(), message.into()));
        }
        Ok(MovedAddress { from: from.to_owned(), to: to.clone(), span: self.to.span() })
    }
}
