//! Everything that needs the network, and inventories of live sites, from their sitemaps or by a crawl. A program without
//! the network has [`offline`](../offline.rs) instead.

mod external_checker;
mod live_crawl;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use sitegate_address::inventory::{AnchorSet, Inventory, ReadSettings, read_sitemap_index};
use sitegate_address::robots::RobotsFile;
use sitegate_base::sanitize::visible;
use sitegate_check::{Contract, FetchedInventories, FetchedInventory, is_target};
use sitegate_network::{HostSource, InventoryCache, LiveVisitors, NetworkError, fetch_inventories};
use sitegate_publish::visitor::Visitors;
use url::Url;

use crate::crawl_limits::CrawlLimits;
use crate::error::Error;
use crate::terminal;

pub use external_checker::{ExternalChecker, ExternalOptions, print_requests};
pub use live_crawl::LiveCrawl;
pub use sitegate_network::open_bucket;

/// Whether the program was built with the network.
pub const IS_BUILT: bool = true;

impl From<NetworkError> for Error {
    fn from(error: NetworkError) -> Error {
        Error::Network(Box::new(error))
    }
}

/// The visitors of live sites.
pub const VISITORS: Option<&dyn Visitors> = Some(&LiveVisitors);

/// Requests the inventories at web addresses, and returns the cached ones of targets.
pub fn request_inventories(
    contract: &Contract,
    urls: &BTreeSet<Url>,
    is_requested: bool,
) -> Result<FetchedInventories, Error> {
    if !is_requested {
        return Ok(cache().read(urls));
    }
    let (targets, web): (BTreeSet<Url>, BTreeSet<Url>) = urls.iter().cloned().partition(is_target);
    let mut fetched = cache().read(&targets);
    if !web.is_empty() {
        let settings = external_checker::settings(contract)?;
        fetched.by_url.extend(fetch_inventories(&web, settings, &cache())?.by_url);
    }
    Ok(fetched)
}

/// Caches the inventory of a target.
pub fn keep_inventory(url: &Url, bytes: &[u8]) {
    cache().keep(url, bytes);
}

fn cache() -> InventoryCache {
    InventoryCache::at(external_checker::cache_folder().map(|folder| folder.join("inventories")))
}

/// Maximum number of sitemaps of a site.
const MAX_SITEMAPS: usize = 1000;

/// Number of sitemaps that are in memory at a time.
const SITEMAPS_AT_A_TIME: usize = 4;

/// Crawls a site and returns its pages with their anchors.
///
/// # Errors
/// If the first page cannot be fetched, or Ctrl-C stopped the crawl.
pub fn crawl_inventory(url: &Url, mut contract: Contract, limits: CrawlLimits) -> Result<Inventory, Error> {
    let LiveCrawl { mut result, is_stopped, .. } = LiveCrawl::fetch(url, &mut contract, limits)?;
    if is_stopped {
        return Err(Error::usage("stopped before the inventory was complete"));
    }
    let inventory = result.inventory.take();
    let (report, _) = result.into_report(&contract);
    for reason in &report.skipped {
        terminal::print_note(&format!("the inventory is incomplete: {}", visible(reason)));
    }
    let mut inventory = inventory.ok_or_else(|| Error::usage(format!("{url}: it has too many addresses")))?;
    inventory.origin = Some(url.origin().ascii_serialization());
    Ok(inventory)
}

/// Returns the pages below a URL that the site's sitemaps list. If the URL is that of a sitemap, it is the only one.
///
/// # Errors
/// If a sitemap cannot be requested, or is malformed.
pub fn read_sitemaps(url: &Url, contract: &Contract, max_time: Duration) -> Result<Inventory, Error> {
    let requests = SitemapRequests { site: url, contract, end: Instant::now() + max_time };
    let is_sitemap = [".xml", ".xml.gz", ".txt"].iter().any(|extension| url.path().ends_with(extension));
    let root = if is_sitemap { url.join("/") } else { url.join(".") };
    let root = root.map_err(|error| Error::usage(format!("{url}: {error}")))?;
    let mut pending = if is_sitemap { vec![url.clone()] } else { requests.sitemaps_of(&root)? };
    let mut known: BTreeSet<Url> = pending.iter().cloned().collect();
    let settings = ReadSettings { root: Some(root.clone()), min_requests: 0 };
    let mut joined = Inventory::new(Some(root.origin().ascii_serialization()), AnchorSet::Listed);
    while !pending.is_empty() {
        let urls: BTreeSet<Url> = pending.drain(..pending.len().min(SITEMAPS_AT_A_TIME)).collect();
        for (sitemap, answer) in requests.fetch(&urls)? {
            let fail = |error| Error::usage(format!("{sitemap}: {error}"));
            let bytes = match answer {
                FetchedInventory::Bytes(bytes, _) => bytes,
                FetchedInventory::Failed(reason) => {
                    let message = format!("{sitemap} {reason}; name the sitemap, or use --crawl");
                    return Err(Error::usage(message));
                }
            };
            let nested = read_sitemap_index(&bytes).map_err(fail)?;
            if nested.is_empty() {
                match Inventory::read(&bytes, &settings) {
                    Ok(inventory) => joined.join(inventory).map_err(fail)?,
                    // One of many may be empty.
                    Err(error) => terminal::print_note(&format!("{sitemap} is left out: {error}")),
                }
            }
            let nested = nested.iter().filter_map(|nested| web_url(&sitemap, nested));
            pending.extend(nested.filter(|nested| known.insert(nested.clone())));
        }
        if known.len() > MAX_SITEMAPS {
            return Err(Error::usage(format!("{url}: the site has more than {MAX_SITEMAPS} sitemaps")));
        }
    }
    joined.retain_below(root.path());
    if joined.is_empty() {
        return Err(Error::usage(format!("{url}: no sitemap lists a page below {}", root.path())));
    }
    Ok(joined)
}

/// Requests files of a site that the command line names.
pub fn fetch_files(
    site: &Url,
    urls: &BTreeSet<Url>,
    contract: &Contract,
    max_time: Duration,
) -> Result<BTreeMap<Url, FetchedInventory>, Error> {
    let mut settings = external_checker::settings(contract)?;
    settings.max_time = max_time;
    settings.resolver.source = HostSource::command_line(site);
    Ok(fetch_inventories(urls, settings, &InventoryCache::at(None))?.by_url)
}

/// Requests files of a live site.
struct SitemapRequests<'r> {
    /// The URL of the site, from the command line.
    site: &'r Url,
    contract: &'r Contract,
    /// When requests end.
    end: Instant,
}

impl SitemapRequests<'_> {
    /// Returns the sitemaps that robots.txt lists, or else the usual one.
    fn sitemaps_of(&self, root: &Url) -> Result<Vec<Url>, Error> {
        let join = |path: &str| root.join(path).map_err(|error| Error::usage(format!("{root}: {error}")));
        let robots = join("/robots.txt")?;
        let answer = self.fetch(&BTreeSet::from([robots.clone()]))?.remove(&robots);
        let Some(FetchedInventory::Bytes(text, _)) = answer else { return Ok(vec![join("sitemap.xml")?]) };
        let sitemaps = RobotsFile::read(&text).sitemaps;
        let listed = sitemaps.into_iter().filter_map(|span| str::from_utf8(&text[span]).ok());
        let listed: Vec<Url> = listed.filter_map(|sitemap| web_url(&robots, sitemap)).collect();
        Ok(if listed.is_empty() { vec![join("sitemap.xml")?] } else { listed })
    }

    /// Requests files.
    fn fetch(&self, urls: &BTreeSet<Url>) -> Result<BTreeMap<Url, FetchedInventory>, Error> {
        let max_time = self.end.saturating_duration_since(Instant::now());
        fetch_files(self.site, urls, self.contract, max_time)
    }
}

fn web_url(base: &Url, reference: &str) -> Option<Url> {
    base.join(reference).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}
