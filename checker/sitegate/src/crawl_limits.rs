//! The limits of a crawl, with or without the network.

use std::time::Duration;

/// Limits of a crawl.
#[derive(Clone, Copy, Debug)]
pub struct CrawlLimits {
    /// Maximum number of pages.
    pub max_pages: usize,
    /// Whether to ignore robots.txt.
    pub ignores_robots: bool,
    /// Maximum time for all requests.
    pub max_time: Duration,
    /// Whether the result has an inventory.
    pub inventory: bool,
}
