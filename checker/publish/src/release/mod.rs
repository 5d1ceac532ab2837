//! Releases: the objects of a site under their keys, with their response headers.

pub mod lineage;
pub mod manifest;
pub mod objects;
pub(crate) mod sealed_export;
