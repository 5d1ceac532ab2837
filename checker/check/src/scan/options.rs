//! How files are to be scanned.

use std::sync::Arc;

use super::incremental::cache::FileCache;
use super::progress::Progress;
use crate::external::ExternalLinks;
use crate::resolve::live::LiveSite;

/// How files are to be scanned.
#[derive(Clone, Copy, Default)]
pub(crate) struct ScanOptions<'s> {
    /// Whether every file is hashed for a seal, from the very bytes that are checked.
    pub digest: bool,
    /// Where files are counted.
    pub progress: Option<&'s Progress>,
    /// Who asks other hosts.
    pub external: Option<&'s dyn ExternalLinks>,
    /// The live site that the files were fetched from.
    pub live: Option<&'s Arc<LiveSite>>,
    /// What is known from checks before, and kept for those after.
    pub cache: Option<&'s FileCache>,
}
