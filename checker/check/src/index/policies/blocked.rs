//! Represents violations of policies.

use std::ops::Range;

use url::Url;

use crate::csp::{Directive, Inline, Policy};
use crate::walk::FileId;

/// The place of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyPlace {
    /// `[[headers]]` of the contract.
    Contract,
    /// The `_headers` file.
    HeadersFile,
    /// A response of the live site.
    Response,
    /// A `meta` element of the page.
    Page,
}

impl PolicyPlace {
    /// Parses the policies in a value there.
    pub fn parse(self, value: &str) -> Vec<Policy> {
        match self {
            PolicyPlace::Contract => Policy::parse_of_contract(value),
            PolicyPlace::HeadersFile | PolicyPlace::Response | PolicyPlace::Page => Policy::parse_all(value),
        }
    }
}

/// The subject of a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockedSource {
    /// Inline code, and the hash that would allow it.
    Inline(Inline, String),
    /// A request.
    Url {
        /// The URL, or its path on the own origin.
        url: String,
        /// The source that would allow it: `'self'`, an origin, or a scheme.
        source: String,
    },
    /// Scripts or forms, which a sandbox forbids without this flag.
    Sandboxed(&'static str),
}

impl BlockedSource {
    /// Returns what distinguishes it from others of the same directive in a file.
    pub(super) fn key(&self) -> String {
        match self {
            BlockedSource::Inline(kind, _) => format!("{kind:?}"),
            BlockedSource::Url { url, .. } => url.clone(),
            BlockedSource::Sandboxed(flag) => (*flag).to_owned(),
        }
    }
}

/// A violation of a policy.
#[derive(Clone, Debug)]
pub struct Blocked {
    /// The page, style sheet or script.
    pub file: FileId,
    /// The location there.
    pub span: Range<u32>,
    /// The directive that browsers name.
    pub directive: Directive,
    /// The directive of the policy that applies; differs if it is a fallback.
    pub in_force: &'static str,
    /// The place of the policy.
    pub place: PolicyPlace,
    /// Its subject.
    pub source: BlockedSource,
    /// The nonce of the element, if the policy names it, but not as Base64.
    pub invalid_nonce: Option<String>,
}

impl Blocked {
    /// Returns the violation of a directive of a policy, by an element with this nonce.
    pub(super) fn by_policy(
        policy: &Policy,
        place: PolicyPlace,
        directive: Directive,
        nonce: Option<&str>,
        (file, span): (FileId, Range<u32>),
        source: BlockedSource,
    ) -> Option<Blocked> {
        let (in_force, list) = policy.list_for(directive)?;
        let invalid_nonce = nonce.filter(|nonce| list.has_invalid_nonce(nonce)).map(str::to_owned);
        Some(Blocked { file, span, directive, in_force, place, source, invalid_nonce })
    }
}

/// The violations of all policies, and other findings about them.
#[derive(Clone, Debug, Default)]
pub struct PolicyViolations {
    /// Violations, in the order of locations.
    pub blocked: Vec<Blocked>,
    /// Elements whose nonce a policy allows, in the order of locations.
    pub static_nonces: Vec<(FileId, Range<u32>)>,
}

/// Describes a blocked URL.
pub(super) fn blocked_url(url: &Url, page: &Url) -> BlockedSource {
    let mut shown = url.clone();
    shown.set_fragment(None);
    if shown.origin() == page.origin() && shown.has_host() {
        let query = shown.query().map(|query| format!("?{query}")).unwrap_or_default();
        return BlockedSource::Url { url: format!("{}{query}", shown.path()), source: "'self'".to_owned() };
    }
    if shown.host_str().is_some() {
        let source = shown.origin().ascii_serialization();
        BlockedSource::Url { url: shown.into(), source }
    } else {
        let scheme = format!("{}:", shown.scheme());
        BlockedSource::Url { url: scheme.clone(), source: scheme }
    }
}
