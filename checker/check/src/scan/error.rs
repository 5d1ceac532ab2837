//! Why a file of the export could not be read.

use std::io;

use crate::parse::ReadError;

/// Why something could not be read. The check is then incomplete.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScanError {
    /// A file cannot be opened or read.
    #[error("{path}: {source}")]
    File { path: String, source: io::Error },
    /// A file exceeds a limit of the parsers.
    #[error("{path}: {source}")]
    Parse { path: String, source: ReadError },
}
