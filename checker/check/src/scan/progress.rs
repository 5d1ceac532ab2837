//! How far a scan has come.

use std::sync::atomic::AtomicUsize;

/// How far a scan has come, for a progress line.
#[derive(Debug, Default)]
pub struct Progress {
    /// Files looked at so far.
    pub done: AtomicUsize,
    /// Files in all; 0 before they are counted.
    pub total: AtomicUsize,
}
