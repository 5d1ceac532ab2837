//! Serves and configures static sites: a preview server, and configurations of hosts. The answers of hosts to paths are
//! defined in `sitegate_host`.

pub mod edge;
mod error;
pub mod preview;

pub use error::ServerError;
