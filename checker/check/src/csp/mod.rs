//! Decides what a Content-Security-Policy blocks (CSP Level 3, with the deviations of Chromium).
//!
//! It knows policies, URLs and texts, but no files. `lab/measured-once.md` says how its decisions compare with those of
//! Chromium.

mod directive;
mod event_handlers;
mod source_list;
mod syntax;
mod url_match;

pub use directive::{Directive, Inline};
pub use event_handlers::{HandlerOwner, is_event_handler};
pub use source_list::{AutoMode, InlineHashes, SourceList, auto_mode, sha256, with_hashes, without_hashes};
pub use syntax::{IgnoredPart, ignored_parts};
use url::Url;

/// The name of the header, in lower case.
pub const HEADER: &str = "content-security-policy";

/// The name of the header whose policies block nothing, in lower case.
pub const REPORT_ONLY_HEADER: &str = "content-security-policy-report-only";

/// A request of a page.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// The directive that governs it.
    pub directive: Directive,
    /// Its URL.
    pub url: &'r Url,
    /// The nonce of its element.
    pub nonce: Option<&'r str>,
    /// The `integrity` of its element.
    pub integrity: Option<&'r str>,
    /// Whether a script made it, so that `'strict-dynamic'` allows it.
    pub is_by_script: bool,
}

/// A policy: its directives, each with a source list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    directives: Vec<(String, SourceList)>,
    /// The flags of `sandbox`, in lower case.
    sandbox: Option<Vec<String>>,
}

impl Policy {
    /// Parses the policies in the value of a header or of a `meta` element, which are separated by commas.
    pub fn parse_all(value: &str) -> Vec<Policy> {
        Policy::parse_each(value, false)
    }

    /// Parses the policies in a header of the contract. Only there, `'auto'` is replaced by hashes.
    pub fn parse_of_contract(value: &str) -> Vec<Policy> {
        Policy::parse_each(value, true)
    }

    fn parse_each(value: &str, has_auto: bool) -> Vec<Policy> {
        let policies = value.split(',').map(|text| Policy::parse(text, has_auto));
        policies.filter(|policy| !policy.directives.is_empty()).collect()
    }

    fn parse(text: &str, has_auto: bool) -> Policy {
        let mut directives: Vec<(String, SourceList)> = Vec::new();
        let mut sandbox = None;
        for directive in text.split(';') {
            let mut words = directive.split_ascii_whitespace();
            let Some(name) = words.next().map(str::to_ascii_lowercase) else { continue };
            // Of several directives with one name, the first counts.
            if !directives.iter().any(|(known, _)| *known == name) {
                if name == Directive::Sandbox.name() {
                    sandbox = Some(words.clone().map(str::to_ascii_lowercase).collect());
                }
                directives.push((name, SourceList::parse(words, has_auto)));
            }
        }
        Policy { directives, sandbox }
    }

    /// Whether it has a `sandbox` without a flag, such as `allow-scripts`.
    pub fn is_sandbox_without(&self, flag: &str) -> bool {
        self.sandbox.as_ref().is_some_and(|flags| !flags.iter().any(|known| known == flag))
    }

    /// Whether http URLs are requested by https.
    pub fn upgrades_requests(&self) -> bool {
        self.list("upgrade-insecure-requests").is_some()
    }

    /// Whether any directive names this nonce.
    pub(crate) fn allows_nonce(&self, nonce: &str) -> bool {
        self.directives.iter().any(|(_, list)| list.allows_nonce(nonce))
    }

    /// Whether any directive names a nonce.
    pub fn has_nonce(&self) -> bool {
        self.directives.iter().any(|(_, list)| list.has_nonce())
    }

    fn list(&self, name: &str) -> Option<&SourceList> {
        self.directives.iter().find(|(known, _)| known == name).map(|(_, list)| list)
    }

    /// Returns the name and the source list that apply to a directive, by its fallbacks.
    pub fn list_for(&self, directive: Directive) -> Option<(&'static str, &SourceList)> {
        directive.chain().iter().find_map(|name| Some((*name, self.list(name)?)))
    }

    /// Whether it blocks inline code. `nonce` is the nonce of its element.
    pub fn blocks_inline(&self, kind: Inline, text: &str, nonce: Option<&str>) -> bool {
        let Some((name, list)) = self.list_for(kind.directive()) else { return false };
        // For styles, 'strict-dynamic' has an effect only in default-src, and there only in Chromium.
        let is_strict = list.is_strict_dynamic() && (!kind.is_style() || name == "default-src");
        if !is_strict && list.allows_all_inline()
            || kind == Inline::SpeculationRules && list.allows_speculation_rules()
        {
            return false;
        }
        if kind.is_element() && nonce.is_some_and(|nonce| list.allows_nonce(nonce)) {
            return false;
        }
        let uses_hashes = kind.is_element() || list.allows_attribute_hashes();
        !(uses_hashes && list.allows_hash_of(text))
    }

    /// Whether it blocks a request of a page with the URL `page`.
    pub fn blocks(&self, request: &Request<'_>, page: &Url) -> bool {
        let Some((_, list)) = self.list_for(request.directive) else { return false };
        if request.directive == Directive::Prefetch {
            // A prefetch needs to match any directive (CSP 3, 6.1.3.1).
            return !self.directives.iter().any(|(_, other)| other.allows_url(request.url, page));
        }
        let is_script = request.directive == Directive::ScriptElem;
        if is_script || request.directive == Directive::StyleElem {
            if request.nonce.is_some_and(|nonce| list.allows_nonce(nonce)) {
                return false;
            }
            if is_script && request.integrity.is_some_and(|integrity| list.allows_integrity(integrity)) {
                return false;
            }
        }
        if list.is_strict_dynamic() && (is_script || request.directive == Directive::Worker) {
            return !request.is_by_script;
        }
        !list.allows_url(request.url, page)
    }
}

#[cfg(test)]
mod tests;
