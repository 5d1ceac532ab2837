//! Takes the place of `online` in a program without the network: it refuses every request, and says what is missing.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use sitegate_address::inventory::Inventory;
use sitegate_check::{
    CheckResult, Checker, Contract, ExternalAnswer, ExternalAnswers, ExternalLinks, ExternalVerdict,
    FetchedInventories, FetchedInventory, LiveSite,
};
use sitegate_publish::failure::Failure;
use sitegate_publish::target::{PublishTarget, TargetOptions};
use sitegate_publish::visitor::Visitors;
use url::Url;

use crate::crawl_limits::CrawlLimits;
use crate::error::Error;

/// Whether the program was built with the network.
pub const IS_BUILT: bool = false;

/// Refuses to open a bucket.
pub fn open_bucket(url: &str, _: &TargetOptions) -> impl Future<Output = Result<PublishTarget, Failure>> {
    std::future::ready(Err(Failure::without_network(&format!("reaching {url}"))))
}

/// None: there are no visitors of live sites.
pub const VISITORS: Option<&dyn Visitors> = None;

/// Refuses to request inventories, if they are requested.
pub fn request_inventories(
    _: &Contract,
    _: &BTreeSet<Url>,
    is_requested: bool,
) -> Result<FetchedInventories, Error> {
    if is_requested {
        return Err(Failure::without_network("requesting inventories").into());
    }
    Ok(FetchedInventories::default())
}

/// Refuses to request files of a site.
pub fn fetch_files(
    site: &Url,
    _: &BTreeSet<Url>,
    _: &Contract,
    _: Duration,
) -> Result<BTreeMap<Url, FetchedInventory>, Error> {
    Err(Failure::without_network(&format!("reading {site}")).into())
}

/// Does nothing: there is no cache.
pub fn keep_inventory(_: &Url, _: &[u8]) {}

/// Refuses to read the sitemaps of a live site.
pub fn read_sitemaps(url: &Url, _: &Contract, _: Duration) -> Result<Inventory, Error> {
    Err(Failure::without_network(&format!("reading {url}")).into())
}

/// Refuses to crawl a live site for its inventory.
pub fn crawl_inventory(url: &Url, mut contract: Contract, limits: CrawlLimits) -> Result<Inventory, Error> {
    LiveCrawl::fetch(url, &mut contract, limits).map(|crawl| match crawl.never {})
}

/// A crawl that cannot exist.
pub struct LiveCrawl {
    pub result: CheckResult,
    pub is_stopped: bool,
    never: Infallible,
}

impl LiveCrawl {
    pub fn fetch(url: &Url, _: &mut Contract, limits: CrawlLimits) -> Result<LiveCrawl, Error> {
        let _ = (limits.max_pages, limits.ignores_robots, limits.max_time, limits.inventory);
        Err(Failure::without_network(&format!("reading {url}")).into())
    }

    pub fn site(&self) -> &Arc<LiveSite> {
        match self.never {}
    }

    pub fn check(&mut self, _: &Checker<'_>) -> Result<(), Error> {
        match self.never {}
    }
}

/// How to check external links.
#[derive(Default)]
pub struct ExternalOptions {
    pub known: BTreeSet<Url>,
    pub locked: HashMap<String, ExternalAnswer>,
    pub has_cache: bool,
    pub keeps_verdicts: bool,
    pub max_time: Option<Duration>,
}

/// A checker of external links that cannot exist.
pub struct ExternalChecker(Infallible);

impl ExternalChecker {
    pub fn start(_: &Contract, options: ExternalOptions) -> Result<ExternalChecker, Error> {
        let ExternalOptions { known, locked, has_cache, keeps_verdicts, max_time } = options;
        let _ = (known, locked, has_cache, keeps_verdicts, max_time);
        Err(Failure::without_network("checking external links").into())
    }

    pub fn progress_message(&self) -> Option<String> {
        match self.0 {}
    }

    pub fn is_stopped(&self) -> bool {
        match self.0 {}
    }

    pub fn take_verdicts(&self) -> BTreeMap<Url, ExternalVerdict> {
        match self.0 {}
    }
}

impl ExternalLinks for ExternalChecker {
    fn submit(&self, _: &Url) -> bool {
        match self.0 {}
    }

    fn answers(&self) -> ExternalAnswers {
        match self.0 {}
    }
}

/// Refuses to plan requests.
pub fn print_requests(_: BTreeSet<Url>, _: &Contract, _: Option<Duration>) -> Result<(), Error> {
    Err(Failure::without_network("checking external links").into())
}
