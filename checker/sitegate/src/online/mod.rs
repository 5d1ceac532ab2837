//! Everything that needs the network. A program without it has [`offline`](../offline.rs) instead.

mod external_checker;
mod live_crawl;
mod live_inventory;

use std::collections::BTreeSet;

use sitegate_check::{Contract, FetchedInventories, is_target};
use sitegate_network::{InventoryCache, LiveVisitors, NetworkError, fetch_inventories};
use sitegate_publish::visitor::Visitors;
use url::Url;

use crate::error::Error;

pub use external_checker::{ExternalChecker, ExternalOptions, print_requests};
pub use live_crawl::LiveCrawl;
pub use live_inventory::{crawl as crawl_inventory, fetch_files, read_sitemaps};
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
