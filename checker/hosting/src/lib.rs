//! What static hosts do: media types, headers, compression, a preview server, edge configurations. No rule and no
//! release enters here; what a host answers to a path is said by `sitegate_check::internal::resolve::answer`.

pub mod compression;
pub mod edge;
mod error;
pub mod headers;
pub mod media;
pub mod preview;

pub use error::HostingError;
