//! Limits a crawl: what one server may make it request, store and keep in memory. Most limits grow with `--max-pages`.

use std::collections::BTreeSet;

use sitegate_base::plural::{count, thousands};

/// Maximum number of redirects in a row.
pub(crate) const MAX_REDIRECTS: usize = 10;

/// Maximum number of files between a page and a file that it needs: style sheets that import each other, sitemaps in
/// sitemaps.
pub(crate) const MAX_DEPTH: usize = 10;

/// Maximum number of different URLs in a file to follow; the limit of a sitemap by its standard.
pub(crate) const MAX_LINKS: usize = 50_000;

/// The limits of one crawl.
#[derive(Debug)]
pub(crate) struct CrawlBounds {
    pub pages: usize,
    /// Files besides pages.
    files: usize,
    /// The same for each fetched page.
    files_per_page: usize,
    /// Bytes to store.
    stored: u64,
    /// Bytes of URLs and headers to keep in memory.
    kept: usize,
    /// Findings to report.
    pub findings: usize,
    /// The limits that were reached.
    reached: BTreeSet<Limit>,
}

/// A limit that can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Limit {
    Pages,
    Files,
    Stored,
    Kept,
    Redirects,
    Depth,
    Links,
}

impl CrawlBounds {
    pub(crate) fn new(pages: usize) -> CrawlBounds {
        let all = |base: usize, per_page: usize| base.saturating_add(pages.saturating_mul(per_page));
        CrawlBounds {
            pages,
            files: 2000,
            files_per_page: 100,
            stored: all(256 << 20, 2 << 20) as u64,
            kept: all(4 << 20, 12 << 10),
            findings: all(0, 50),
            reached: BTreeSet::new(),
        }
    }

    /// Records that a limit was reached.
    pub(crate) fn reach(&mut self, limit: Limit) {
        self.reached.insert(limit);
    }

    /// Whether a limit for the whole crawl was reached, so that it ends.
    pub(crate) fn is_end(&self) -> bool {
        [Limit::Stored, Limit::Kept].iter().any(|limit| self.reached.contains(limit))
    }

    /// Whether a number of files besides pages is within the limit.
    pub(crate) fn allows_files(&self, files: usize, pages: usize) -> bool {
        files < self.files.saturating_add(self.files_per_page.saturating_mul(pages))
    }

    /// Compares the sizes so far with the limits.
    pub(crate) fn check_sizes(&mut self, stored: u64, kept: usize) {
        if stored >= self.stored {
            self.reach(Limit::Stored);
        }
        if kept >= self.kept {
            self.reach(Limit::Kept);
        }
    }

    /// Returns the reasons why URLs were not requested.
    pub(crate) fn reasons(&self, pages: usize) -> impl Iterator<Item = String> {
        let fetched = format!("{} {}", count(pages, "page"), if pages == 1 { "was" } else { "were" });
        self.reached.iter().map(move |limit| match limit {
            Limit::Pages => {
                format!("{fetched} fetched, and there are more; raise `--max-pages` to fetch them")
            }
            Limit::Files => format!(
                "the limit is {} files, and {} more for each page; raise `--max-pages` to fetch the others",
                thousands(self.files),
                self.files_per_page
            ),
            Limit::Stored => format!(
                "the files have more than {} MiB, so no more were fetched; raise `--max-pages` to fetch them",
                thousands((self.stored >> 20) as usize)
            ),
            Limit::Kept => format!(
                "the URLs and headers have more than {} MiB, so no more were fetched; raise `--max-pages` to fetch \
                 them",
                self.kept >> 20
            ),
            Limit::Redirects => format!("a URL redirects more than {MAX_REDIRECTS} times in a row; it was not followed"),
            Limit::Depth => format!(
                "more than {MAX_DEPTH} files in a row import each other (style sheets, sitemaps); the next was not \
                 fetched"
            ),
            Limit::Links => {
                format!("a file links to more than {} URLs; the others were not fetched", thousands(MAX_LINKS))
            }
        })
    }
}
