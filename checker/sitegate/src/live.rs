//! Fetches a live site for a check: how it is asked, round after round until the check knows all it asks for, and what is told of it.

use std::collections::BTreeSet;
use std::io::Write;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sitegate_base::plural::{count, thousands};
use sitegate_check::internal::contract::{Contract, TrailingSlash};
use sitegate_check::internal::output::seconds;
use sitegate_check::internal::report::result::CheckResult;
use sitegate_check::internal::resolve::live::LiveSite;
use sitegate_check::{CheckTarget, Checker};
use sitegate_network::{Crawl, CrawlSettings, CrawlSnapshot, HostSettings};
use tempfile::TempDir;
use url::{Host, Url};

use crate::error::Error;
use crate::external;
use crate::progress::ProgressLine;
use crate::terminal::{self, DIM};

/// Rounds of checking and fetching what only a check finds, such as what scripts load.
const MOST_ROUNDS: usize = 20;

/// Requests at once to a server on this machine, which needs no politeness.
const AT_ONCE_HERE: usize = 16;

/// How much of a live site is fetched.
#[derive(Clone, Copy, Debug)]
pub struct LiveBounds {
    /// Pages.
    pub max_pages: usize,
    /// Whether robots.txt is passed over.
    pub ignores_robots: bool,
}

/// A live site that was fetched, and stays on disk until this is dropped.
pub struct FetchedSite {
    site: Arc<LiveSite>,
    /// What was found in it, as far as no other host was asked.
    pub result: CheckResult,
    /// Whether somebody wanted to stop.
    pub is_stopped: bool,
    _folder: TempDir,
}

impl FetchedSite {
    /// Fetches a site, and checks it by a contract, which then says where the site lives.
    ///
    /// # Errors
    /// When the first page cannot be had, or the contract cannot be used.
    pub fn fetch(url: &Url, contract: &mut Contract, bounds: LiveBounds) -> Result<FetchedSite, Error> {
        let began = Instant::now();
        let folder = tempfile::tempdir().map_err(Error::system("no folder to fetch into"))?;
        let mut crawl = Crawl::begin(url, settings(url, contract, bounds, &folder)?)?;
        place(contract, crawl.root());
        let mut wanted: BTreeSet<Box<[u8]>> = contract
            .required
            .iter()
            .map(|page| page.value.trim_start_matches('/').as_bytes().into())
            .collect();
        let checker = Checker::new(contract)?;
        let mut round = 0;
        loop {
            round += 1;
            let line = ProgressLine::start();
            if round < MOST_ROUNDS {
                crawl.fetch(&wanted, |snapshot| show(line.as_ref(), snapshot));
            } else {
                crawl.leave_out(&wanted);
            }
            if round == 1 {
                crawl.probe_server();
            }
            drop(line);
            let site = Arc::new(crawl.site());
            let result = checker.run(CheckTarget::Live(&site))?;
            wanted = site.take_unknown();
            if wanted.is_empty() || crawl.is_stopped() || round == MOST_ROUNDS {
                tell(crawl.snapshot(), began.elapsed());
                return Ok(FetchedSite { site, result, is_stopped: crawl.is_stopped(), _folder: folder });
            }
        }
    }

    /// Checks it once more, now also with what other hosts answer.
    ///
    /// # Errors
    /// When the contract cannot be used.
    pub fn check(&mut self, checker: &Checker<'_>) -> Result<(), Error> {
        self.result = checker.run(CheckTarget::Live(&self.site))?;
        Ok(())
    }
}

/// How a site is fetched, as contract and command line say.
fn settings(
    url: &Url,
    contract: &Contract,
    bounds: LiveBounds,
    folder: &TempDir,
) -> Result<CrawlSettings, Error> {
    let mut settings = external::settings(contract)?;
    concat!("sitegate/", env!("CARGO_PKG_VERSION"), " (site checker)").clone_into(&mut settings.user_agent);
    let host = url.host_str().unwrap_or_default().to_owned();
    if is_here(url) && !settings.hosts.contains_key(&host) {
        let here =
            HostSettings { concurrency: AT_ONCE_HERE, interval: Duration::ZERO, ..settings.host.clone() };
        settings.hosts.insert(host.clone(), here);
    }
    // Who names a site may ask it, wherever it is.
    settings.resolver.proxies.push(host);
    Ok(CrawlSettings {
        settings,
        max_pages: bounds.max_pages,
        ignores_robots: bounds.ignores_robots,
        folder: folder.path().to_path_buf(),
        own_origin: contract.site.origin.clone(),
        base_path: contract.site.has_base_path.then(|| contract.site.base_path.clone()),
        strips_slash: contract.site.trailing_slash == TrailingSlash::Never,
        not_found_file: contract.site.not_found_file().to_owned(),
        plain: None,
    })
}

/// Whether a site is on this machine.
fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

/// Lets a contract say where the site lives, as far as it does not: on this machine its pages know that better than its address.
fn place(contract: &mut Contract, root: &Url) {
    let site = &mut contract.site;
    if site.origin.is_none() && !is_here(root) {
        let mut origin = root.clone();
        origin.set_path("/");
        site.origin = Some(origin);
    }
    root.path().clone_into(&mut site.base_path);
    site.has_base_path = true;
}

/// Tells what was fetched.
fn tell(snapshot: CrawlSnapshot, took: Duration) {
    let (addresses, pages) = (count(snapshot.done, "address"), count(snapshot.pages, "page"));
    let _ = writeln!(
        terminal::stderr(),
        "{DIM}fetched {addresses}, {pages} among them, in {}{DIM:#}",
        seconds(took)
    );
}

/// Shows how far the crawl is.
fn show(line: Option<&ProgressLine>, snapshot: CrawlSnapshot) {
    if let Some(line) = line {
        let [done, known, pages] = [snapshot.done, snapshot.known, snapshot.pages].map(thousands);
        line.show(
            snapshot.done,
            snapshot.known,
            format!("fetched {done} of {known} addresses, {pages} pages"),
        );
    }
}
