//! Reads the inventories that the contract names: those of other parts, and the addresses to keep.

use sitegate_address::UrlReference;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sitegate_address::inventory::{AnswerKind, Inventory, InventoryAddress, InventoryError, ReadSettings};
use sitegate_address::percent::decode_lossy;
use url::Url;

use super::parts::{Part, Parts};
use crate::contract::addresses::is_target;
use crate::contract::{Contract, ContractError, InventorySource, PartSettings};

/// The inventories that the contract names as URLs, as the caller requested them.
#[derive(Debug, Default)]
pub struct FetchedInventories {
    /// The answers, by URL.
    pub by_url: BTreeMap<Url, FetchedInventory>,
    /// The file that the caller writes if the check passes. So it may be missing in the first check.
    pub written: Option<PathBuf>,
}

/// The answer to a request for an inventory.
#[derive(Debug)]
pub enum FetchedInventory {
    /// Its bytes, and the time since they were received.
    Bytes(Vec<u8>, Duration),
    /// It could not be requested, for this reason.
    Failed(String),
}

/// The inventories of a contract.
#[derive(Clone, Default)]
pub struct Inventories {
    /// The other parts of the site.
    pub parts: Arc<Parts>,
    /// The addresses that the site must keep, by source.
    pub permalinks: Arc<Vec<Permalinks>>,
    /// Inventories that are missing or old.
    pub stale: Arc<Vec<StaleInventory>>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
}

/// Addresses that the site must keep.
pub struct Permalinks {
    /// The file or URL, for messages.
    pub name: String,
    /// Whether the name is that of a text with lines. A target of `sitegate publish` is a folder or a bucket.
    pub has_lines: bool,
    /// The addresses.
    pub inventory: Inventory,
}

impl Permalinks {
    /// Whether search engines are meant to show a page of the list: it is a sitemap, or states that the page has no
    /// `noindex`.
    pub(crate) fn is_for_search(&self, address: &InventoryAddress) -> bool {
        let is_shown = address.kind == AnswerKind::Page && !address.is_noindex;
        self.is_sitemap() || self.inventory.states_noindex() && is_shown
    }

    /// Whether the list is a sitemap, by its name.
    fn is_sitemap(&self) -> bool {
        let name = UrlReference::new(self.name.as_str()).path();
        name.strip_suffix(".gz").unwrap_or(name).ends_with(".xml")
    }
}

/// An inventory that is missing or old.
#[derive(Clone, Debug)]
pub struct StaleInventory {
    /// The offset of its name in the contract.
    pub span: std::ops::Range<usize>,
    /// The part, if it is that of one.
    pub at: Option<String>,
    /// Its name.
    pub name: String,
    /// Whether it is used nevertheless.
    pub is_used: bool,
    /// The reason, as the end of a sentence that begins with the name.
    pub reason: String,
}

impl Inventories {
    /// Reads all inventories of a contract. Those at URLs are taken from `fetched`; without an entry there, they are
    /// left out.
    ///
    /// # Errors
    /// If a file cannot be read, or an inventory is malformed.
    pub fn load(contract: &Contract, fetched: &FetchedInventories) -> Result<Inventories, ContractError> {
        let mut loader = InventoryLoader { contract, fetched, files: Vec::new(), stale: Vec::new() };
        let own = &contract.site;
        let root = own.origin.as_ref().and_then(|origin| origin.join(&own.base_path).ok());
        let mut permalinks = Vec::new();
        for kept in &contract.permalinks.keep {
            let settings = ReadSettings { root: root.clone(), min_requests: kept.min_requests };
            match loader.read(&kept.source, &settings, &kept.span)? {
                Ok((inventory, _)) => {
                    let has_lines = !kept.source.url().is_some_and(is_target);
                    permalinks.push(Permalinks { name: kept.source.to_string(), has_lines, inventory });
                }
                Err(reason) => loader.report(None, &kept.source, &kept.span, &reason),
            }
        }
        let mut parts = Vec::new();
        for settings in
            contract.parts.iter().filter(|part| part.origin.is_some() || part.path != own.base_path)
        {
            let inventory = loader.part(settings, own.origin.as_ref())?;
            parts.push(Part::new(settings, inventory));
        }
        let InventoryLoader { files, stale, .. } = loader;
        Ok(Inventories {
            parts: Arc::new(Parts::new(parts)),
            permalinks: Arc::new(permalinks),
            stale: Arc::new(stale),
            files,
        })
    }
}

struct InventoryLoader<'c> {
    contract: &'c Contract,
    fetched: &'c FetchedInventories,
    files: Vec<PathBuf>,
    stale: Vec<StaleInventory>,
}

/// An inventory and the time since it was received.
type ReadInventory = Result<(Inventory, Duration), StaleReason>;

/// The reason why the newest inventory is not used, as the end of a sentence that begins with its name.
#[derive(Debug, thiserror::Error)]
enum StaleReason {
    #[error("is only requested with --parts")]
    NotRequested,
    #[error("{0}")]
    NotReceived(String),
    #[error("is not an inventory: {0}")]
    Malformed(InventoryError),
    #[error("was requested {} ago", days(*.0))]
    Old(Duration),
    #[error("does not exist yet; this check writes it if it passes")]
    Written,
    #[error("{0}, and its fallback {1} does not exist")]
    NoFallback(Box<StaleReason>, String),
    #[error("lists no address below `{0}`: was it made without `base-path`?")]
    Elsewhere(String),
}

impl InventoryLoader<'_> {
    /// Reads the inventory of a part.
    fn part(&mut self, part: &PartSettings, own: Option<&Url>) -> Result<Option<Inventory>, ContractError> {
        let origin = part.origin.as_ref().or(own);
        let settings =
            ReadSettings { root: origin.and_then(|origin| origin.join(&part.path).ok()), min_requests: 0 };
        let last = part.default_inventory.as_ref().unwrap_or(&part.inventory);
        let mut failed = StaleReason::NotRequested;
        for source in std::iter::once(&part.inventory).chain(&part.default_inventory) {
            match self.read(source, &settings, &part.inventory_span)? {
                Ok((inventory, _)) if !has_addresses_below(&inventory, &part.path) => {
                    failed = StaleReason::Elsewhere(part.path.clone());
                }
                Ok((inventory, age)) => {
                    if part.max_age.is_some_and(|max_age| age > max_age) {
                        self.report(Some(part), source, &part.inventory_span, &StaleReason::Old(age));
                    }
                    return Ok(Some(inventory));
                }
                Err(reason) => failed = reason,
            }
        }
        let Some(fallback) = &part.fallback else {
            self.report(Some(part), last, &part.inventory_span, &failed);
            return Ok(None);
        };
        // The fallback cannot exist before the other part has published its first inventory.
        if fallback.is_missing_file() {
            let reason = StaleReason::NoFallback(Box::new(failed), fallback.to_string());
            self.report(Some(part), last, &part.inventory_span, &reason);
            return Ok(None);
        }
        let read = self.read(fallback, &settings, &part.inventory_span).map_err(|error| {
            let message = format!("{last} {failed}; its fallback: {}", error.source);
            self.contract.error(part.inventory_span.clone(), message)
        })?;
        let inventory = read.ok().map(|(inventory, _)| inventory);
        if inventory.as_ref().is_some_and(|inventory| !has_addresses_below(inventory, &part.path)) {
            let reason = StaleReason::Elsewhere(part.path.clone());
            self.report(Some(part), fallback, &part.inventory_span, &reason);
            return Ok(None);
        }
        Ok(inventory)
    }

    /// Reads one inventory.
    fn read(
        &mut self,
        source: &InventorySource,
        settings: &ReadSettings,
        span: &std::ops::Range<usize>,
    ) -> Result<ReadInventory, ContractError> {
        let fail = |error: InventoryError| self.contract.error(span.clone(), format!("{source}: {error}"));
        match source {
            InventorySource::File(file) if source.is_missing_file() && self.is_written(file) => {
                Ok(Err(StaleReason::Written))
            }
            InventorySource::File(file) => {
                let bytes = self.contract.read(file).map_err(|error| {
                    self.contract.error(span.clone(), format!("{}: {error}", file.display()))
                })?;
                let inventory = Inventory::read(&bytes, settings).map_err(fail)?;
                self.files.push(file.clone());
                Ok(Ok((inventory, Duration::ZERO)))
            }
            InventorySource::Url(url) => Ok(match self.fetched.by_url.get(url) {
                None => Err(StaleReason::NotRequested),
                Some(FetchedInventory::Failed(reason)) => Err(StaleReason::NotReceived(reason.clone())),
                Some(FetchedInventory::Bytes(bytes, age)) => match Inventory::read(bytes, settings) {
                    Ok(inventory) => Ok((inventory, *age)),
                    Err(error) => Err(StaleReason::Malformed(error)),
                },
            }),
        }
    }

    /// Whether the caller writes a file if the check passes.
    fn is_written(&self, file: &Path) -> bool {
        let resolved = |path: &Path| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            Some((folder.unwrap_or(Path::new(".")).canonicalize().ok()?, path.file_name()?.to_owned()))
        };
        let written = self.fetched.written.as_deref().and_then(resolved);
        written.is_some() && written == resolved(file)
    }

    fn report(
        &mut self,
        part: Option<&PartSettings>,
        source: &InventorySource,
        span: &std::ops::Range<usize>,
        reason: &StaleReason,
    ) {
        let (at, name) = (part.map(|part| part.at.clone()), source.to_string());
        let is_used = matches!(reason, StaleReason::Old(_));
        self.stale.push(StaleInventory { span: span.clone(), at, name, is_used, reason: reason.to_string() });
    }
}

/// Whether an inventory lists an address below a percent-encoded path.
fn has_addresses_below(inventory: &Inventory, path: &str) -> bool {
    inventory.below(&decode_lossy(path)).next().is_some()
}

fn days(age: Duration) -> String {
    match age.as_secs() / 3600 {
        hours @ 0..48 => format!("{hours} hours"),
        hours => format!("{} days", hours / 24),
    }
}
