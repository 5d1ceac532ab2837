//! Proposed redirects.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Serialize;

use crate::raw_finding::Certainty;
use sitegate_address::percent::escape_path;

/// The redirects that a site needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RedirectProposals {
    /// Number of addresses to keep.
    pub addresses: usize,
    /// Number of lost addresses.
    pub lost: usize,
    /// The redirects, in the order of `from`. Patterns have replaced redirects of single addresses.
    pub redirects: Vec<RedirectProposal>,
    /// Lost addresses without a proposal: decoded paths, in order.
    pub unexplained: Vec<String>,
    /// Anchors that pages have lost, and their present addresses.
    pub anchors: Vec<MovedAnchor>,
}

/// A proposed redirect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RedirectProposal {
    /// The lost address: a decoded path, or a pattern that ends in `*`.
    pub from: String,
    /// The destination: a decoded path, or the URL or path that the site redirected to before; `:splat` is the rest of
    /// the address.
    pub to: String,
    /// The destination as files have it: encoded, with the base path.
    #[serde(skip)]
    pub destination: String,
    /// Whether another page could be meant.
    pub certainty: Certainty,
    /// The evidence, as a part of a sentence.
    pub reason: String,
    /// The redirects of single addresses that a pattern replaces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) replaces: Vec<RedirectProposal>,
}

impl RedirectProposal {
    /// Creates a certain redirect from an address to a page. Both are decoded paths.
    pub fn certain(from: impl Into<String>, to: impl Into<String>, reason: String) -> RedirectProposal {
        let to = to.into();
        RedirectProposal {
            from: from.into(),
            destination: escape_destination(&to),
            to,
            certainty: Certainty::Certain,
            reason,
            replaces: Vec::new(),
        }
    }

    /// Creates a certain redirect to an encoded path or URL, which may have a query and a fragment.
    pub(crate) fn to_reference(from: impl Into<String>, to: &str, reason: String) -> RedirectProposal {
        let destination = escape_syntax(to);
        RedirectProposal { destination, ..RedirectProposal::certain(from, to, reason) }
    }

    /// Whether it is a pattern for all addresses below a folder.
    pub(crate) fn is_pattern(&self) -> bool {
        !self.replaces.is_empty()
    }

    /// Returns the redirects of single addresses.
    pub fn singles(&self) -> &[RedirectProposal] {
        if self.replaces.is_empty() { std::slice::from_ref(self) } else { &self.replaces }
    }

    /// Whether no other page can be meant.
    pub fn is_certain(&self) -> bool {
        self.certainty == Certainty::Certain
    }
}

/// Characters of paths that the files of hosts and the contract read as syntax.
const SYNTAX: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'*')
    .add(b'\'')
    .add(b'"')
    .add(b'$')
    .add(b';')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'`')
    .add(b'{')
    .add(b'}');

/// Escapes a decoded path as a destination: no part of it is a placeholder.
pub(crate) fn escape_destination(path: &str) -> String {
    escape_syntax(&escape_path(path))
}

/// Escapes an encoded destination in the same way.
fn escape_syntax(reference: &str) -> String {
    utf8_percent_encode(reference, SYNTAX).to_string().replace("/:", "/%3A")
}

/// A lost anchor, and the present anchor that is most similar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MovedAnchor {
    /// The lost address: a decoded path and the anchor.
    pub from: String,
    /// The similar one; `None` if there is none.
    pub to: Option<String>,
}
