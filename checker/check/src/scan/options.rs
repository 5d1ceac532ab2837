//! The options of a scan, and its progress.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use super::cache::FileCache;
use crate::external::ExternalLinks;
use crate::resolve::live::LiveSite;

/// The options of a scan.
#[derive(Clone, Copy, Default)]
pub(crate) struct ScanOptions<'s> {
    /// Whether to hash every file for a seal. The hash is of the same bytes that are checked.
    pub digest: bool,
    /// Whether to list the addresses of the site.
    pub inventory: bool,
    /// The counter to update while files are read.
    pub progress: Option<&'s Progress>,
    /// The checker of external links.
    pub external: Option<&'s dyn ExternalLinks>,
    /// The live site that the files were fetched from.
    pub live: Option<&'s Arc<LiveSite>>,
    /// The cache to read from and to update.
    pub cache: Option<&'s FileCache>,
}

/// The progress of a check, for a progress line.
#[derive(Debug, Default)]
pub struct Progress {
    /// Number of files checked so far.
    pub done: AtomicUsize,
    /// Total number of files; 0 until they have been listed.
    pub total: AtomicUsize,
}
