//! Proposed redirects.

use crate::raw_finding::Certainty;
use serde::Serialize;

/// The redirects that a site needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RedirectProposals {
    /// The base path of the site, which addresses begin with.
    #[serde(skip)]
    pub base_path: String,
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
    /// The destination: a decoded path; `:splat` is the rest of the address.
    pub to: String,
    /// Whether another page could be meant.
    pub certainty: Certainty,
    /// The evidence, as a part of a sentence.
    pub reason: String,
    /// The redirects of single addresses that a pattern replaces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<RedirectProposal>,
}

impl RedirectProposal {
    /// Returns the redirects of single addresses.
    pub fn singles(&self) -> &[RedirectProposal] {
        if self.replaces.is_empty() { std::slice::from_ref(self) } else { &self.replaces }
    }

    /// Whether no other page can be meant.
    pub fn is_certain(&self) -> bool {
        self.certainty == Certainty::Certain
    }
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
