//! Emulates static hosts: media types, headers, compression, a preview server, edge configurations. The paths
//! that a host serves are defined in `sitegate_check::internal::resolve::answer`.

pub mod compression;
pub mod edge;
mod error;
pub mod headers;
pub mod media;
pub mod preview;

pub use error::ServerError;
