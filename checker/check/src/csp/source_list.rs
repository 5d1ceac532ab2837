//! Parses source lists, hashes inline code, and replaces `'auto'` by hashes.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256, Sha384, Sha512};
use url::Url;

use super::directive::Inline;
use super::url_match::UrlSource;

/// The keyword for the hashes of inline code.
const AUTO: &str = "'auto'";

/// The keyword for the hashes of inline code of each page.
const AUTO_PER_PAGE: &str = "'auto-per-page'";

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

/// How a policy asks for hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoMode {
    /// The hashes of all pages that the policy applies to.
    AllPages,
    /// Each page has its own hashes.
    EachPage,
}

/// Returns how a policy asks for hashes, if it does.
pub fn auto_mode(value: &str) -> Option<AutoMode> {
    let mut words = value.split(|c: char| c.is_ascii_whitespace() || matches!(c, ';' | ','));
    let has = |wanted: &str| value.to_ascii_lowercase().contains(wanted);
    if has(AUTO_PER_PAGE) {
        return Some(AutoMode::EachPage);
    }
    words.any(|word| word.eq_ignore_ascii_case(AUTO)).then_some(AutoMode::AllPages)
}

/// Returns a policy with hashes instead of `'auto'`.
pub fn with_hashes(value: &str, hashes: &InlineHashes) -> String {
    let policies = value.split(',').map(|policy| {
        let directives = policy.split(';').map(|directive| directive_with_hashes(directive, hashes));
        directives.collect::<Vec<_>>().join(";")
    });
    policies.collect::<Vec<_>>().join(",")
}

fn directive_with_hashes(directive: &str, hashes: &InlineHashes) -> String {
    if auto_mode(directive).is_none() {
        return directive.to_owned();
    }
    let mut words = directive.split_ascii_whitespace();
    let name = words.next().unwrap_or_default();
    let is_auto = |word: &&str| auto_mode(word).is_some();
    let has_unsafe_hashes = words.clone().any(|word| word.eq_ignore_ascii_case("'unsafe-hashes'"));
    let mut sources: Vec<&str> = words.filter(|word| !is_auto(word)).collect();
    let lower = name.to_ascii_lowercase();
    sources.extend(hashes.for_directive(&lower, has_unsafe_hashes));
    if sources.is_empty() {
        sources.push("'none'");
    }
    let space = if directive.starts_with(' ') { " " } else { "" };
    format!("{space}{name} {}", sources.join(" "))
}

/// Returns a policy without hashes and `'auto'`, to compare one that was sent with that of a contract.
pub fn without_hashes(value: &str) -> String {
    let is_kept = |word: &&str| {
        let lower = word.to_ascii_lowercase();
        let is_hash = ["'sha256-", "'sha384-", "'sha512-"].iter().any(|start| lower.starts_with(start));
        !is_hash && auto_mode(word).is_none() && lower != "'none'"
    };
    let directives = value.split(';').map(|directive| {
        let words = directive.split_ascii_whitespace().filter(is_kept);
        words.collect::<Vec<_>>().join(" ")
    });
    directives.collect::<Vec<_>>().join("; ")
}

/// A hash source: its algorithm, and its Base64 without padding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hash {
    algorithm: HashAlgorithm,
    digest: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HashAlgorithm {
    Sha256,
    Sha384,
    Sha512,
}

impl Hash {
    /// Parses `sha256-…`, also in the alphabet for URLs.
    pub fn parse(text: &str) -> Option<Hash> {
        let (name, digest) = text.split_once('-')?;
        let algorithm = match name.to_ascii_lowercase().as_str() {
            "sha256" => HashAlgorithm::Sha256,
            "sha384" => HashAlgorithm::Sha384,
            "sha512" => HashAlgorithm::Sha512,
            _ => return None,
        };
        let is_valid = is_base64(digest);
        let digest = digest.strip_suffix("==").or(digest.strip_suffix('=')).unwrap_or(digest);
        is_valid.then(|| Hash { algorithm, digest: digest.replace('-', "+").replace('_', "/") })
    }

    /// Whether it is the hash of a text.
    pub fn matches(&self, text: &str) -> bool {
        let digest = match self.algorithm {
            HashAlgorithm::Sha256 => STANDARD.encode(Sha256::digest(text)),
            HashAlgorithm::Sha384 => STANDARD.encode(Sha384::digest(text)),
            HashAlgorithm::Sha512 => STANDARD.encode(Sha512::digest(text)),
        };
        digest.trim_end_matches('=') == self.digest
    }
}

/// Returns the hash of a text as a policy writes it, with quotes.
pub fn sha256(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

/// The kinds of inline code that sources allow separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum HashScope {
    ScriptElement,
    /// `javascript:` URLs, too: they belong to script-src-elem, but need `'unsafe-hashes'` like event handlers.
    ScriptAttribute,
    StyleElement,
    StyleAttribute,
}

/// The hashes of inline code, sorted, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InlineHashes(BTreeSet<(HashScope, String)>);

impl InlineHashes {
    /// Adds the hash of inline code.
    pub fn add(&mut self, kind: Inline, text: &str) {
        let scope = match kind {
            Inline::Script | Inline::SpeculationRules => HashScope::ScriptElement,
            Inline::Handler | Inline::Navigation => HashScope::ScriptAttribute,
            Inline::Style => HashScope::StyleElement,
            Inline::StyleAttribute => HashScope::StyleAttribute,
        };
        self.0.insert((scope, sha256(text)));
    }

    /// Adds all hashes of another page.
    pub fn merge(&mut self, other: &InlineHashes) {
        self.0.extend(other.0.iter().cloned());
    }

    /// Returns the hashes for a directive. Those of attributes have no effect without `'unsafe-hashes'`.
    pub(super) fn for_directive(&self, name: &str, has_unsafe_hashes: bool) -> BTreeSet<&str> {
        let applies = |scope: HashScope| match scope {
            HashScope::ScriptElement => matches!(name, "script-src" | "script-src-elem" | "default-src"),
            HashScope::ScriptAttribute => {
                let names = ["script-src", "script-src-elem", "script-src-attr", "default-src"];
                has_unsafe_hashes && names.contains(&name)
            }
            HashScope::StyleElement => matches!(name, "style-src" | "style-src-elem" | "default-src"),
            HashScope::StyleAttribute => {
                has_unsafe_hashes && matches!(name, "style-src" | "style-src-attr" | "default-src")
            }
        };
        self.0.iter().filter(|(scope, _)| applies(*scope)).map(|(_, hash)| hash.as_str()).collect()
    }
}

/// Whether a text is a `base64-value` (CSP 3, 2.3.1).
pub(super) fn is_base64(text: &str) -> bool {
    let digits = text.strip_suffix("==").or(text.strip_suffix('=')).unwrap_or(text);
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
    !digits.is_empty() && digits.bytes().all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::{AutoMode, auto_mode, with_hashes, without_hashes};
    use crate::csp::{Inline, InlineHashes, sha256};

    #[test]
    fn inserts_hashes_where_they_count() {
        let mut hashes = InlineHashes::default();
        hashes.add(Inline::Script, "1");
        hashes.add(Inline::Handler, "2");
        hashes.add(Inline::Style, "3");
        let (script, handler, style) = (sha256("1"), sha256("2"), sha256("3"));
        let cases = [
            ("script-src 'self' 'auto'; img-src *", format!("script-src 'self' {script}; img-src *")),
            ("style-src 'auto-per-page'", format!("style-src {style}")),
            ("script-src-attr 'auto'", "script-src-attr 'none'".to_owned()),
            ("script-src-attr 'unsafe-hashes' 'auto'", format!("script-src-attr 'unsafe-hashes' {handler}")),
            ("img-src 'auto'", "img-src 'none'".to_owned()),
        ];
        for (value, expected) in cases {
            assert_eq!(with_hashes(value, &hashes), expected);
            let sent = with_hashes(value, &hashes);
            assert_eq!(without_hashes(&sent), without_hashes(value), "{value}");
        }
        assert_ne!(without_hashes("script-src 'self'"), without_hashes("script-src 'auto'"));
    }

    #[test]
    fn finds_the_mode() {
        assert_eq!(auto_mode("default-src 'self'"), None);
        assert_eq!(auto_mode("script-src 'AUTO'"), Some(AutoMode::AllPages));
        assert_eq!(auto_mode("script-src 'auto-per-page'; style-src 'auto'"), Some(AutoMode::EachPage));
    }
}
