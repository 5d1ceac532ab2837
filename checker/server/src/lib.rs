//! Serves and configures static sites: a preview server, and configurations of hosts. The answers of hosts to paths are
//! defined in `sitegate_host`.

mod error;
pub mod host_config;
pub mod preview;

pub use error::ServerError;
