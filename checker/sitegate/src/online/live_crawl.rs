//! Crawls a live site for a check, in rounds, until the check needs no further URL.

use std::collections::BTreeSet;
use std::io::Write;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sitegate_base::plural::seconds;
use sitegate_base::plural::{count, thousands};
use sitegate_check::{CheckResult, CheckTarget, Checker, Contract, LiveSite};
use sitegate_host::TrailingSlash;
use sitegate_network::{Crawl, CrawlProgress, CrawlSettings, HostSettings, HostSource};
use tempfile::TempDir;
use url::{Host, Url};

use crate::crawl_limits::CrawlLimits;
use crate::error::Error;
use crate::online::external_checker;
use crate::terminal::{self, DIM, ProgressLine};

/// Maximum number of rounds. After each, the check adds URLs that only it finds, such as those that scripts load.
const MAX_ROUNDS: usize = 20;

/// Number of concurrent requests to a server on this machine.
const LOCAL_CONCURRENCY: usize = 16;

/// A live site that was fetched to a temporary folder, which is removed when this is dropped.
pub struct LiveCrawl {
    site: Arc<LiveSite>,
    /// The result of the check.
    pub result: CheckResult,
    /// Whether Ctrl-C stopped the crawl.
    pub is_stopped: bool,
    _folder: TempDir,
}

impl LiveCrawl {
    /// Fetches a site and checks it against a contract. Sets the origin and base path of the contract.
    ///
    /// # Errors
    /// If the first page cannot be fetched, or the contract is invalid.
    pub fn fetch(url: &Url, contract: &mut Contract, limits: CrawlLimits) -> Result<LiveCrawl, Error> {
        let start = Instant::now();
        let folder = tempfile::tempdir().map_err(Error::system("cannot create a temporary folder"))?;
        let mut crawl = Crawl::begin(url, crawl_settings(url, contract, limits, &folder)?)?;
        set_deployment(contract, crawl.root());
        let mut wanted: BTreeSet<Box<[u8]>> = contract
            .required
            .iter()
            .map(|page| page.value.trim_start_matches('/').as_bytes().into())
            .collect();
        let checker = Checker::new(contract)?.inventory(limits.inventory);
        let mut round = 0;
        loop {
            round += 1;
            let line = ProgressLine::start();
            if round < MAX_ROUNDS {
                crawl.fetch(&wanted, |snapshot| show_progress(line.as_ref(), snapshot));
            } else {
                crawl.skip_paths(&wanted);
            }
            if round == 1 {
                crawl.probe_behavior();
            }
            drop(line);
            let site = Arc::new(crawl.site());
            let result = checker.run(CheckTarget::Live(&site))?;
            wanted = site.take_unknown();
            if wanted.is_empty() || crawl.is_stopped() || round == MAX_ROUNDS {
                print_summary(crawl.progress(), start.elapsed());
                return Ok(LiveCrawl { site, result, is_stopped: crawl.is_stopped(), _folder: folder });
            }
        }
    }

    /// Returns the fetched site.
    pub fn site(&self) -> &Arc<LiveSite> {
        &self.site
    }

    /// Checks the site again, with a checker that also checks external links.
    ///
    /// # Errors
    /// If the contract is invalid.
    pub fn check(&mut self, checker: &Checker<'_>) -> Result<(), Error> {
        self.result = checker.run(CheckTarget::Live(&self.site))?;
        Ok(())
    }
}

/// Returns the settings of the crawl, from the contract and the command line.
fn crawl_settings(
    url: &Url,
    contract: &Contract,
    limits: CrawlLimits,
    folder: &TempDir,
) -> Result<CrawlSettings, Error> {
    let mut settings = external_checker::settings(contract)?;
    settings.max_time = limits.max_time;
    concat!("sitegate/", env!("CARGO_PKG_VERSION"), " (site checker)").clone_into(&mut settings.user_agent);
    let host = url.host_str().unwrap_or_default().to_owned();
    let is_set = |name: &str| settings.hosts.contains_key(name);
    if is_local(url) && !is_set(&host) && !is_set(&format!("http://{host}")) {
        let local = HostSettings {
            concurrency: LOCAL_CONCURRENCY,
            interval: Duration::ZERO,
            ..settings.host.clone()
        };
        settings.hosts.insert(host, local);
    }
    settings.resolver.source = HostSource::command_line(url);
    Ok(CrawlSettings {
        settings,
        max_pages: limits.max_pages,
        ignores_robots: limits.ignores_robots,
        folder: folder.path().to_path_buf(),
        own_origin: contract.site.origin.clone(),
        base_path: contract.site.has_base_path.then(|| contract.site.base_path.clone()),
        strips_slash: contract.site.trailing_slash == TrailingSlash::Never,
        not_found_file: contract.site.not_found_file().to_owned(),
        plain: None,
    })
}

/// Whether a URL is on this machine.
fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

/// Sets the base path of the contract to that of the URL, and its origin if it has none. A URL on this machine says
/// nothing about the origin.
fn set_deployment(contract: &mut Contract, root: &Url) {
    let site = &mut contract.site;
    if site.origin.is_none() && !is_local(root) {
        let mut origin = root.clone();
        origin.set_path("/");
        site.origin = Some(origin);
    }
    root.path().clone_into(&mut site.base_path);
    site.has_base_path = true;
}

/// Prints the number of fetched URLs and pages.
fn print_summary(snapshot: CrawlProgress, took: Duration) {
    let (urls, pages) = (count(snapshot.done, "URL"), count(snapshot.pages, "page"));
    let _ = writeln!(terminal::stderr(), "{DIM}fetched {urls} including {pages} in {}{DIM:#}", seconds(took));
}

/// Shows the progress of the crawl.
fn show_progress(line: Option<&ProgressLine>, snapshot: CrawlProgress) {
    if let Some(line) = line {
        let [done, known, pages] = [snapshot.done, snapshot.known, snapshot.pages].map(thousands);
        line.show(snapshot.done, snapshot.known, format!("fetched {done} of {known} URLs, {pages} pages"));
    }
}
