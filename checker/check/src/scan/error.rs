//! The errors of a scan.

use std::io;

use crate::parse::ReadError;

/// A file that could not be read. It makes the check incomplete.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScanError {
    /// A file cannot be opened or read.
    #[error("{path}: {}", reason(source))]
    File { path: String, source: io::Error },
    /// A file exceeds a limit of the parsers.
    #[error("{path}: {source}")]
    Parse { path: String, source: ReadError },
}

/// Describes why a file cannot be read.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "no permission".to_owned(),
        _ => error.to_string(),
    }
}
