//! Defines the error of an inventory that cannot be used.

/// An inventory that cannot be used. The message never quotes the file, since it may be any file.
#[derive(Debug, thiserror::Error)]
#[error("{}{reason}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct InventoryError {
    /// Line of the error, from 1, if it has one.
    pub line: Option<usize>,
    /// The reason.
    pub reason: String,
}

impl InventoryError {
    pub(crate) fn new(reason: impl Into<String>) -> InventoryError {
        InventoryError { line: None, reason: reason.into() }
    }

    pub(crate) fn at(line: usize, reason: impl Into<String>) -> InventoryError {
        InventoryError { line: Some(line), reason: reason.into() }
    }
}
