//! Releases: the objects of a site under their keys, with their response headers.

pub mod manifest;
pub mod objects;
