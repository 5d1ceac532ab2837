//! Reads, requests and writes inventories.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use sitegate_base::atomic_file::{self, OutputKind};
use sitegate_check::internal::contract::Contract;
use sitegate_check::internal::resolve::inventories::FetchedInventories;
use sitegate_inventory::{Compression, Inventory, MAX_SIZE, is_own};

use crate::error::Error;

/// The kind of file that an inventory may replace; [`prepare`] recognizes it.
const OUTPUT_KIND: OutputKind = OutputKind { name: "an inventory", is_own: |_| true };

/// Checks that an inventory may be written to a file.
///
/// # Errors
/// If the file is something else, or it is in the export and a seal is written, too.
pub fn prepare(file: &Path, root: &Path, is_sealed: bool) -> Result<(), Error> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_inside = fs::canonicalize(folder)
        .is_ok_and(|folder| fs::canonicalize(root).is_ok_and(|root| folder.starts_with(root)));
    if is_sealed && is_inside {
        return Err(Error::usage(
            "an inventory in the export changes what the seal covers; write it first, by a check without --seal",
        ));
    }
    refuse_other_file(file).map_err(Error::file(file))
}

fn refuse_other_file(file: &Path) -> io::Result<()> {
    atomic_file::check(file, OUTPUT_KIND)?;
    let is_regular = fs::metadata(file).is_ok_and(|found| found.is_file() && found.len() > 0);
    if is_regular && !is_own(&read_limited(file)?) {
        let message = "this file exists and is not an inventory, so it is not replaced; choose another path";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
    }
    Ok(())
}

/// Writes an inventory, compressed by the file's name.
///
/// # Errors
/// If it cannot be written.
pub fn write(file: &Path, inventory: &Inventory) -> Result<(), Error> {
    let compression = Compression::of_name(&file.to_string_lossy());
    let result = refuse_other_file(file)
        .and_then(|()| atomic_file::write(file, OUTPUT_KIND, |out| inventory.write(compression, out)));
    result.map_err(Error::file(file))
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
/// request.
///
/// # Errors
/// If the settings of the contract for requests are invalid.
#[cfg(feature = "network")]
pub fn fetch(contract: &Contract, is_requested: bool) -> Result<FetchedInventories, Error> {
    let keep = contract.permalinks.keep.iter().filter_map(|kept| kept.source.url());
    let urls = keep.chain(contract.parts.iter().filter_map(|part| part.inventory.url()));
    let urls: std::collections::BTreeSet<_> = urls.cloned().collect();
    if urls.is_empty() {
        return Ok(FetchedInventories::default());
    }
    let folder = crate::external_checker::cache_folder().map(|folder| folder.join("inventories"));
    let cache = sitegate_network::InventoryCache::at(folder);
    Ok(if is_requested {
        sitegate_network::fetch_inventories(&urls, crate::external_checker::settings(contract)?, &cache)?
    } else {
        cache.read(&urls)
    })
}

#[cfg(not(feature = "network"))]
pub fn fetch(_: &Contract, is_requested: bool) -> Result<FetchedInventories, Error> {
    if is_requested {
        return Err(sitegate_publish::failure::Failure::without_network("requesting inventories").into());
    }
    Ok(FetchedInventories::default())
}
