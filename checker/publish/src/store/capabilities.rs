//! The capabilities of a store, as data: all that differs between folders and buckets for a publisher.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::store::names::KeyRules;

/// The capabilities of a store.
#[derive(Clone, Debug)]
pub struct StoreCapabilities {
    /// The store's endpoint. Knowledge about one store does not apply to another.
    pub endpoint: String,
    /// The folder on this machine, if the store is one.
    pub folder: Option<PathBuf>,
    /// The rules for keys.
    pub key_rules: KeyRules,
    /// Whether the store answers visitors itself, so that its objects have headers. If not, a server in front of it
    /// decides on headers, and on precompressed variants.
    pub serves_visitors: bool,
    /// Whether a key may be both an object and the beginning of others. Then `terms` can exist next to
    /// `terms/index.html`, and both URLs work without a redirect. If not, keys are paths of files.
    pub has_flat_keys: bool,
    /// Whether an object may be a redirect, at a website endpoint.
    pub has_website_redirects: bool,
    /// Whether [`Store::invalidate`](super::Store::invalidate) works.
    pub invalidates: bool,
    /// Whether listings are sorted, and show with sizes and tags whether contents changed. If not, the keys of interest
    /// are inspected.
    pub lists_contents: bool,
    /// Whether a listing of up to 1,000 objects shows one moment. Longer ones may be a mix of several.
    pub lists_at_once: bool,
    /// Whether writes are staged before the first one is visible.
    pub stages: bool,
    /// Number of objects that one [`Store::switch`](super::Store::switch) gets.
    pub batch: usize,
    /// Whether each write looks in the store itself whether the lease was taken over, so that it cannot be late.
    pub enforces_lease: bool,
    /// The conditional writes that the store supports. If unknown, they are probed.
    pub conditions: Option<Conditions>,
}

/// The conditional writes that a store supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// Whether only one of several concurrent writers succeeds in creating an object.
    pub create: bool,
    /// Whether an object can be replaced only if its entity tag is unchanged, and how to send the tag.
    pub replace: TagForm,
}

/// The form of an entity tag in a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TagForm {
    /// In quotes, as in HTTP.
    Quoted,
    /// Without quotes, as some stores require.
    Bare,
    /// The store ignores such conditions.
    Ignored,
}
