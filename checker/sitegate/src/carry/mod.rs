//! Adds the assets of earlier releases to an export, for tabs that were opened before it goes live.

mod asset_list;
mod plan;
mod previous_release;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chrono::{NaiveDate, Utc};
use sitegate_base::atomic_file::{self, OutputKind};
use sitegate_check::Contract;
use sitegate_publish::release::objects::is_immutable;
use sitegate_publish::target::TargetOptions;
use tempfile::TempDir;

use crate::error::Error;

pub use asset_list::{ASSET_LIST, Asset, AssetList};
pub use plan::{CarryLimits, CarryPlan};
use previous_release::{PreviousRelease, read_folder};

const OUTPUT_KIND: OutputKind = OutputKind {
    refusal: "is not a list of assets",
    replaces: |text| text.starts_with("# sitegate assets "),
};

/// A carry: what is added to an export, and from where.
#[derive(Debug)]
pub struct Carry {
    /// The assets of earlier releases.
    pub plan: CarryPlan,
    /// Assets that the export does not have yet.
    pub added: BTreeMap<String, Asset>,
    /// Assets that the source lists, but does not have with this content.
    pub missing: Vec<String>,
    /// Whether the previous release is a live site without a list.
    pub is_first: bool,
}

/// Adds the assets of the previous release to the export in `root`, and writes its list of assets. With `is_dry`, it
/// changes nothing.
///
/// # Errors
/// If the source or the export cannot be read, or if the export has another content at the path of an asset.
pub fn carry(
    root: &Path,
    from: &str,
    contract: &Contract,
    store: &TargetOptions,
    limits: CarryLimits,
    is_dry: bool,
) -> Result<Carry, Error> {
    let today = Utc::now().date_naive();
    let source = PreviousRelease::open(from, contract, store)?;
    let previous = match &source {
        Some(source) => source.list(contract, today)?,
        None => AssetList::default(),
    };
    let export = read_folder(root, contract, today)?;
    let is_built = |asset: &Asset| asset.releases == 0;
    let own: BTreeMap<String, Asset> = export
        .list
        .0
        .iter()
        .filter(|(_, asset)| is_built(asset))
        .map(|(path, asset)| (path.clone(), asset.clone()))
        .collect();
    let is_other =
        |path: &str, asset: &Asset| export.digests.get(path).is_some_and(|digest| *digest != asset.sha256);
    let mut plan = plan::plan(&previous, &own, is_other, limits, today);
    // A name that may have a hash may be plain, too. Then the export has its newer content.
    plan.conflicts.retain(|path| is_immutable(path, contract));
    if !plan.conflicts.is_empty() {
        let names = plan.conflicts.join("\n  ");
        return Err(Error::usage(format!(
            "the export has other contents under the names of earlier assets, so these names do not identify a content:\n  {names}"
        )));
    }
    let is_new = |path: &String| !export.digests.contains_key(path);
    let added: BTreeMap<String, Asset> = plan
        .carried
        .iter()
        .filter(|(path, _)| is_new(path))
        .map(|(path, asset)| (path.clone(), asset.clone()))
        .collect();
    let mut carry = Carry { plan, added, missing: Vec::new(), is_first: source.is_none() };
    if is_dry {
        return Ok(carry);
    }
    if let Some(source) = &source {
        let staging = ExportWriter::new(root)?;
        carry.missing = source.read(&carry.added, contract, |path, content| {
            staging.add(path, content).map_err(Error::file(&root.join(path)))
        })?;
    }
    for path in &carry.missing {
        carry.added.remove(path);
        carry.plan.carried.remove(path);
    }
    write_list(root, own, &carry.plan, today)?;
    Ok(carry)
}

/// Writes the list of the assets of the build and of those that are carried.
fn write_list(
    root: &Path,
    own: BTreeMap<String, Asset>,
    plan: &CarryPlan,
    today: NaiveDate,
) -> Result<(), Error> {
    let own = own.into_iter().map(|(path, asset)| (path, Asset { day: today, ..asset }));
    let carried = plan.carried.iter().map(|(path, asset)| (path.clone(), asset.clone()));
    let text = AssetList(own.chain(carried).collect()).to_text();
    let file = root.join(ASSET_LIST);
    if fs::symlink_metadata(&file).is_ok_and(|found| !found.is_file()) {
        return Err(Error::usage(format!("{}: this is not a regular file", file.display())));
    }
    atomic_file::write(&file, OUTPUT_KIND, |mut out| out.write_all(text.as_bytes()))
        .map_err(Error::file(&file))
}

/// Adds files to an export. Each is complete at once, so that an interruption leaves no part of one.
struct ExportWriter {
    root: PathBuf,
    /// On the file system of the export, but not in it.
    staging: TempDir,
}

impl ExportWriter {
    fn new(root: &Path) -> Result<ExportWriter, Error> {
        let real = fs::canonicalize(root).map_err(Error::file(root))?;
        let parent = real.parent().unwrap_or(&real);
        let staging = tempfile::Builder::new().prefix(".sitegate-carry-").tempdir_in(parent);
        Ok(ExportWriter { staging: staging.map_err(Error::file(parent))?, root: real })
    }

    /// Adds a file that does not exist. Its folders are real folders of the export.
    fn add(&self, path: &str, content: &[u8]) -> io::Result<()> {
        let mut folder = self.root.clone();
        let (folders, _) = path.rsplit_once('/').unwrap_or_default();
        for name in folders.split('/').filter(|name| !name.is_empty()) {
            folder.push(name);
            match fs::symlink_metadata(&folder) {
                Ok(found) if found.is_dir() => {}
                Ok(_) => return Err(io::Error::other("a folder of its path is a file or a link")),
                Err(_) => fs::create_dir(&folder)?,
            }
        }
        let staged = self.staging.path().join("asset");
        fs::write(&staged, content)?;
        let file = self.root.join(path);
        if fs::symlink_metadata(&file).is_ok() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "it exists already"));
        }
        fs::rename(&staged, &file)
    }
}
