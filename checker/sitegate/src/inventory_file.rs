//! Reads, requests and writes inventories.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::iter;
use std::path::Path;
use std::time::Duration;

use sitegate_address::inventory::{Compression, Inventory, MAX_SIZE};
use sitegate_base::atomic_file::{self, REPORT};
use sitegate_check::{Contract, FetchedInventories, FetchedInventory, InventorySource, is_target};
use sitegate_publish::failure::Failure;
use sitegate_publish::release_files;
use sitegate_publish::target::TargetOptions;
use url::Url;

use crate::error::Error;
use crate::online;
use crate::runtime;
use crate::target_args;

/// Checks that an inventory may be written to a file.
///
/// # Errors
/// If the file cannot be written, or it is in the export and a seal is written, too.
pub fn prepare(file: &Path, root: &Path, is_sealed: bool) -> Result<(), Error> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_inside = fs::canonicalize(folder)
        .is_ok_and(|folder| fs::canonicalize(root).is_ok_and(|root| folder.starts_with(root)));
    if is_sealed && is_inside {
        return Err(Error::usage(
            "an inventory in the export changes what the seal covers; write it first, by a check without --seal",
        ));
    }
    check_output(file)
}

/// Returns the compression that the name of an output asks for.
///
/// # Errors
/// If the name asks for an unsupported one.
pub fn compression_of(file: &Path) -> Result<Compression, Error> {
    Compression::of_name(&file.to_string_lossy())
        .map_err(|error| Error::usage(format!("{}: {error}", file.display())))
}

/// Checks that an inventory may be written to a file.
///
/// # Errors
/// If the file cannot be written, or its name asks for an unsupported compression.
pub fn check_output(file: &Path) -> Result<(), Error> {
    compression_of(file)?;
    atomic_file::check(file, REPORT).map_err(Error::file(file))
}

/// Writes an inventory, compressed by the file's name.
///
/// # Errors
/// If it cannot be written, or its name asks for an unsupported compression.
pub fn write(file: &Path, inventory: &Inventory) -> Result<(), Error> {
    let compression = compression_of(file)?;
    let write = |out| inventory.write(compression, out);
    atomic_file::write(file, REPORT, write).map_err(Error::file(file))
}

/// Reads a file up to the size that an inventory may have.
///
/// # Errors
/// If it cannot be read.
pub fn read_limited(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(MAX_SIZE + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the inventories that a contract names by URL: requested now if `is_requested`, or else those of the last
/// request. Targets in folders are always read.
///
/// # Errors
/// If the settings of the contract for requests are invalid.
pub fn fetch(contract: &Contract, is_requested: bool) -> Result<FetchedInventories, Error> {
    let keep = contract.permalinks.keep.iter().filter_map(|kept| kept.source.url());
    let parts =
        contract.parts.iter().flat_map(|part| iter::once(&part.inventory).chain(&part.default_inventory));
    let urls = keep.chain(parts.filter_map(InventorySource::url));
    let urls: BTreeSet<Url> = urls.cloned().collect();
    let mut fetched = online::request_inventories(contract, &urls, is_requested)?;
    let is_read = |url: &&Url| url.scheme() == "file" || is_requested && is_target(url);
    for url in urls.iter().filter(is_read) {
        match read_target(contract, url) {
            Ok(bytes) => {
                online::keep_inventory(url, &bytes);
                fetched.by_url.insert(url.clone(), FetchedInventory::Bytes(bytes, Duration::ZERO));
            }
            Err(error) => {
                let failed = FetchedInventory::Failed(format!("cannot be read: {error}"));
                fetched.by_url.entry(url.clone()).or_insert(failed);
            }
        }
    }
    Ok(fetched)
}

/// Reads the addresses of the releases that a target keeps.
fn read_target(contract: &Contract, url: &Url) -> Result<Vec<u8>, Error> {
    if url.scheme() == "file" {
        let folder = url.to_file_path().map_err(|()| Error::usage("it is not the URL of a folder"))?;
        contract.check_access(&folder).map_err(|error| Error::usage(error.to_string()))?;
    }
    let mut text = String::new();
    runtime::run(async {
        let target = target_args::open(url.as_str(), &TargetOptions::default()).await?;
        text = release_files::kept_inventory(&target).await?.to_text();
        Ok::<(), Failure>(())
    })?;
    Ok(text.into_bytes())
}
