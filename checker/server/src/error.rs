//! The errors of this crate: a host cannot be configured or previewed as the contract requires.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// The reason why a host cannot be configured or previewed as the contract requires.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The contract has a setting that this host or its configuration does not support; the message names it.
    #[error("{0}")]
    Unsupported(String),
    /// A path pattern is malformed.
    #[error(transparent)]
    Pattern(#[from] globset::Error),
    /// The folder of the export cannot be opened.
    #[error("{}: {source}", root.display())]
    Root {
        /// The folder.
        root: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Another program listens on the port.
    #[error("port {0} is in use; choose another with `--port N`, or any free one with `--port 0`")]
    PortInUse(u16),
    /// The address cannot be listened on.
    #[error("{address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        source: io::Error,
    },
    /// The system failed while the preview ran.
    #[error(transparent)]
    System(#[from] io::Error),
}
