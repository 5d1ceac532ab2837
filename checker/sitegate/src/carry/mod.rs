//! Adds the assets of earlier releases to an export, for tabs that were opened before it goes live.

mod archive;
mod asset;
mod plan;
mod previous_release;
mod reach;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use chrono::Utc;
use sitegate_address::SitePath;
use sitegate_base::atomic_file::{self, OutputKind};
use sitegate_base::hex::hex;
use sitegate_check::{Contract, FileDigest};
use sitegate_publish::release::objects::is_immutable;
use sitegate_publish::target::TargetOptions;

use crate::error::Error;
use crate::sorted_list;

use asset::{ASSET_LIST, Asset, AssetList};
pub use plan::CarryLimits;
use previous_release::{FoundAssets, PreviousRelease, read_export};

/// A file that is added: it replaces none.
const NEW_FILE: OutputKind = OutputKind { refusal: "is not the carried one", replaces: |_| false };

/// A carry: what an export gets from earlier releases.
#[derive(Debug)]
pub struct Carry {
    /// The assets of earlier releases, by path.
    pub carried: AssetList,
    /// Those that the export did not have yet.
    pub added: AssetList,
    /// The number of assets that are too old, or too large together.
    pub dropped: usize,
    /// Assets that the source lists, but does not have with this content.
    pub missing: Vec<String>,
    /// Files that the source loads and the export does not have, and that are no assets: their names have no hash.
    pub unhashed: Vec<String>,
}

/// Adds the assets of the previous release to the export in `root`, and writes its list of assets. With `is_dry`, it
/// changes nothing.
///
/// # Errors
/// If the source or the export cannot be read, or if the export has another content at the path of an asset.
pub fn carry(
    root: &Path,
    from: &str,
    contract: &mut Contract,
    store: &TargetOptions,
    limits: CarryLimits,
    is_dry: bool,
) -> Result<Carry, Error> {
    if fs::canonicalize(from).is_ok_and(|from| fs::canonicalize(root).is_ok_and(|root| from == root)) {
        return Err(Error::usage(format!("{from}: this is the new export; name the previous one")));
    }
    let today = Utc::now().date_naive();
    let (tree, FoundAssets { mut list, .. }) = read_export(root, contract, today)?;
    // Those that an earlier run has added are planned again: this one may be from another release.
    let added_before: AssetList = list.extract_if(.., |_, asset| asset.releases > 0).collect();
    for asset in list.values_mut() {
        asset.day = today;
    }
    let previous = PreviousRelease::open(from, contract, store, today)?;
    let mut present: BTreeMap<String, String> = BTreeMap::new();
    for path in previous.assets.keys() {
        if let Some(file) = tree.find(path.as_bytes()).map(|id| tree.disk_path(id)) {
            let digest = FileDigest::read(&file, |_| ()).map_err(Error::file(&file))?;
            present.insert(path.clone(), hex(&digest.sha256));
        }
    }
    let plan = plan::plan(&previous.assets, &added_before, &list, &present, limits, today);
    let plan::CarryPlan { mut carried, dropped, mut conflicts } = plan;
    present.extend(added_before.into_iter().map(|(path, asset)| (path, asset.sha256)));
    // A name that may have a hash may be plain, too. Then the export has its newer content.
    conflicts.retain(|path| is_immutable(path, contract));
    if !conflicts.is_empty() {
        let names = conflicts.join("\n  ");
        return Err(Error::usage(format!(
            "the export has other contents under the names of earlier assets, so these names do not identify a content:\n  {names}"
        )));
    }
    let is_new = |(path, _): &(&String, &Asset)| !present.contains_key(*path);
    let mut added: AssetList =
        carried.iter().filter(is_new).map(|(path, asset)| (path.clone(), asset.clone())).collect();
    let mut missing = Vec::new();
    if !is_dry {
        missing = previous.read(&added, contract, |path, content| {
            add_file(root, path, content).map_err(Error::file(&root.join(path)))
        })?;
        added.retain(|path, _| !missing.contains(path));
        carried.retain(|path, _| !missing.contains(path));
        list.extend(carried.clone());
        sorted_list::write(&root.join(ASSET_LIST), &list)?;
    }
    let mut unhashed = previous.unhashed;
    unhashed.retain(|path| tree.find(path.as_bytes()).is_none());
    Ok(Carry { carried, added, dropped, missing, unhashed })
}

/// Adds a file to an export. Its folders are real folders of the export.
fn add_file(root: &Path, path: &str, content: &[u8]) -> io::Result<()> {
    for folder in SitePath::new(path).ancestors() {
        let folder = root.join(folder);
        match fs::symlink_metadata(&folder) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(io::Error::other("a folder of its path is a file or a link")),
            Err(_) => fs::create_dir(&folder)?,
        }
    }
    atomic_file::write(&root.join(path), NEW_FILE, |mut out| out.write_all(content))
}
