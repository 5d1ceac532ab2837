//! Releases: the objects of a site under their keys, with their response headers.

pub mod lineage;
pub mod manifest;
pub(crate) mod objects;
pub(crate) mod sealed_export;
