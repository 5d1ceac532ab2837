//! What static hosts do: media types, headers, compression, a preview server, edge configurations.

pub mod compression;
pub mod edge;
pub mod headers;
pub mod media;
pub mod preview;
