//! Counts the progress of a scan.

use std::sync::atomic::AtomicUsize;

/// The progress of a check, for a progress line.
#[derive(Debug, Default)]
pub struct Progress {
    /// Number of files checked so far.
    pub done: AtomicUsize,
    /// Total number of files; 0 until they have been listed.
    pub total: AtomicUsize,
}
