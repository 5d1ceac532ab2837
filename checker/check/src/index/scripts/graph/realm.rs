//! Defines a realm, in which specifiers resolve to the same URLs.

use crate::index::scripts::specifier::SpecifierMap;
use crate::resolve::Base;

/// A set of pages or a worker in which specifiers resolve to the same URLs.
pub(super) struct Realm {
    pub specifiers: Option<SpecifierMap>,
    /// The base of document-relative references, in a worker.
    pub document: Option<Base>,
    /// Whether the entries of its import map were added.
    pub is_map_added: bool,
}
