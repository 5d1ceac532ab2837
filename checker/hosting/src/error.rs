//! Why a host cannot be configured or previewed as the contract says.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why a host cannot be configured or previewed as the contract says.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostingError {
    /// A header of the contract that HTTP does not allow.
    #[error("{contract}: `{}: {}` is not a valid header", name.escape_debug(), value.escape_debug())]
    InvalidHeader {
        /// How the contract is named.
        contract: String,
        /// The header's name.
        name: String,
        /// Its value.
        value: String,
    },
    /// The contract asks for something that this host or its configuration cannot express; the message names it.
    #[error("{0}")]
    Unsupported(String),
    /// A pattern of paths that is malformed.
    #[error(transparent)]
    Pattern(#[from] globset::Error),
    /// The folder of the export cannot be opened.
    #[error("{}: {source}", root.display())]
    Root {
        /// The folder.
        root: PathBuf,
        /// Why.
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
        /// Why.
        source: io::Error,
    },
    /// The system failed while the preview ran.
    #[error(transparent)]
    System(#[from] io::Error),
}
