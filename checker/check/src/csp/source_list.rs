//! Parses the source list of a directive (CSP 3, 2.3.1).

use url::Url;

use super::hash::{Hash, is_base64};
use super::url_match::UrlSource;

/// The keyword for the hashes of inline code.
pub const AUTO: &str = "'auto'";

/// The keyword for the hashes of inline code of each page.
pub const AUTO_PER_PAGE: &str = "'auto-per-page'";

/// The sources of a directive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceList {
    urls: Vec<UrlSource>,
    hashes: Vec<Hash>,
    nonces: Vec<String>,
    /// Nonces that are not Base64. Browsers ignore them.
    invalid_nonces: Vec<String>,
    has_unsafe_inline: bool,
    has_unsafe_hashes: bool,
    has_strict_dynamic: bool,
    has_speculation_rules: bool,
    /// Whether the hashes of all inline code are added.
    has_auto: bool,
}

impl SourceList {
    /// Parses sources. Without `has_auto`, `'auto'` is invalid, and so ignored.
    pub(super) fn parse<'w>(words: impl Iterator<Item = &'w str>, has_auto: bool) -> SourceList {
        let mut list = SourceList::default();
        for word in words {
            let quoted = word.strip_prefix('\'').and_then(|word| word.strip_suffix('\''));
            match quoted {
                Some(_) if word.eq_ignore_ascii_case(AUTO) || word.eq_ignore_ascii_case(AUTO_PER_PAGE) => {
                    list.has_auto = has_auto;
                }
                Some(keyword) => list.add_keyword(keyword),
                None => list.urls.extend(UrlSource::parse(word)),
            }
        }
        list
    }

    fn add_keyword(&mut self, keyword: &str) {
        match keyword.to_ascii_lowercase().as_str() {
            "self" => self.urls.push(UrlSource::Own),
            "unsafe-inline" => self.has_unsafe_inline = true,
            "unsafe-hashes" => self.has_unsafe_hashes = true,
            "strict-dynamic" => self.has_strict_dynamic = true,
            "inline-speculation-rules" => self.has_speculation_rules = true,
            lower if lower.starts_with("nonce-") => {
                let nonce = &keyword["nonce-".len()..];
                let nonces = if is_base64(nonce) { &mut self.nonces } else { &mut self.invalid_nonces };
                nonces.push(nonce.to_owned());
            }
            _ => self.hashes.extend(Hash::parse(keyword)),
        }
    }

    /// Whether any inline code may run, unless `'strict-dynamic'` applies.
    pub(super) fn allows_all_inline(&self) -> bool {
        let has_exact = !self.hashes.is_empty() || !self.nonces.is_empty() || self.has_auto;
        self.has_unsafe_inline && !has_exact
    }

    pub(super) fn allows_speculation_rules(&self) -> bool {
        self.has_speculation_rules
    }

    /// Whether it names this nonce.
    pub fn allows_nonce(&self, nonce: &str) -> bool {
        !nonce.is_empty() && self.nonces.iter().any(|known| known == nonce)
    }

    /// Whether it names this nonce, but not as Base64.
    pub fn has_invalid_nonce(&self, nonce: &str) -> bool {
        self.invalid_nonces.iter().any(|known| known == nonce)
    }

    /// Whether it names a nonce.
    pub fn has_nonce(&self) -> bool {
        !self.nonces.is_empty()
    }

    /// Whether hashes also apply to attributes and `javascript:` URLs.
    pub fn allows_attribute_hashes(&self) -> bool {
        self.has_unsafe_hashes
    }

    pub(super) fn allows_hash_of(&self, text: &str) -> bool {
        self.has_auto || self.hashes.iter().any(|hash| hash.matches(text))
    }

    /// Whether all hashes of an `integrity` attribute are sources (CSP 3, 6.7.1.1).
    pub(super) fn allows_integrity(&self, integrity: &str) -> bool {
        let without_options = |word: &'_ str| word.split('?').next().and_then(Hash::parse);
        let mut hashes = integrity.split_ascii_whitespace().filter_map(without_options).peekable();
        hashes.peek().is_some() && hashes.all(|hash| self.hashes.contains(&hash))
    }

    pub(super) fn is_strict_dynamic(&self) -> bool {
        self.has_strict_dynamic
    }

    pub(super) fn allows_url(&self, url: &Url, page: &Url) -> bool {
        self.urls.iter().any(|source| source.matches(url, page))
    }
}
