//! The errors of a scan.

use std::io;

use sitegate_base::system_error::describe;

use crate::parse::ReadError;

/// A file that could not be read. It makes the check incomplete.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScanError {
    /// A file cannot be opened or read.
    #[error("{path}: {}", describe(source))]
    File { path: String, source: io::Error },
    /// A file exceeds a limit of the parsers.
    #[error("{path}: {source}")]
    Parse { path: String, source: ReadError },
}
