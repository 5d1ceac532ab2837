//! Reads the assets of the previous release: from a folder, from a target of `publish`, or from the live site.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::NaiveDate;
use sha2::{Digest, Sha256};
use sitegate_address::percent::escape_path;
use sitegate_base::hex::hex;
use sitegate_check::{Contract, FetchedInventory, Tree};
use sitegate_publish::release_files::{ReleaseFile, read_release};
use sitegate_publish::target::TargetOptions;
use url::Url;

use super::asset_list::{ASSET_LIST, Asset, AssetList, assets_among};
use crate::error::Error;
use crate::{export_args, online, runtime, target_args};

/// Maximum size of an asset in bytes.
const MAX_ASSET: u64 = 64 << 20;

/// Number of assets of a live site that are in memory at a time.
const AT_A_TIME: usize = 32;

/// Maximum time for the requests to a live site.
const MAX_TIME: Duration = Duration::from_mins(10);

/// The assets of a folder: its list, completed by files that the list does not have.
pub struct FolderAssets {
    /// The assets.
    pub list: AssetList,
    /// The digest of every file, by path.
    pub digests: BTreeMap<String, String>,
}

/// Reads the assets of an export in a folder.
///
/// # Errors
/// If a file cannot be read.
pub fn read_folder(root: &Path, contract: &Contract, today: NaiveDate) -> Result<FolderAssets, Error> {
    let tree = Tree::walk(root).map_err(Error::file(root))?;
    let files: Vec<(String, PathBuf)> = tree
        .ids()
        .filter_map(|id| Some((str::from_utf8(tree.path(id)).ok()?.to_owned(), tree.disk_path(id))))
        .collect();
    let listed = match files.iter().find(|(path, _)| path == ASSET_LIST) {
        Some((_, file)) => parse(&fs::read(file).map_err(Error::file(file))?, &file.display().to_string())?,
        None => AssetList::default(),
    };
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let assets = assets_among(&paths, contract);
    let mut found = FolderAssets { list: AssetList::default(), digests: BTreeMap::new() };
    for (path, file) in &files {
        let (size, sha256) = digest(file).map_err(Error::file(file))?;
        found.digests.insert(path.clone(), sha256.clone());
        if !assets.contains(path.as_str()) {
            continue;
        }
        let known = listed.0.get(path).filter(|known| known.sha256 == sha256);
        let new = || Asset { releases: 0, day: today, size, sha256 };
        found.list.0.insert(path.clone(), known.cloned().unwrap_or_else(new));
    }
    Ok(found)
}

/// The previous release.
pub enum PreviousRelease {
    /// A folder: that of the export.
    Folder(PathBuf),
    /// A release of a target, in a temporary folder.
    Stored(tempfile::TempDir),
    /// The live site, with its list.
    Live(Url, AssetList),
}

impl PreviousRelease {
    /// Opens a source by its name. `None` if a live site has no list yet.
    ///
    /// # Errors
    /// If it does not exist, or cannot be read.
    pub fn open(
        name: &str,
        contract: &Contract,
        store: &TargetOptions,
    ) -> Result<Option<PreviousRelease>, Error> {
        if let Some(url) = export_args::live_url(name)? {
            let root =
                if url.path().ends_with('/') { url } else { joined(&url, &format!("{}/", url.path()))? };
            let list = joined(&root, ASSET_LIST)?;
            let source = online::fetch_files(&root, &BTreeSet::from([list.clone()]), contract, MAX_TIME)?;
            return match source.get(&list) {
                Some(FetchedInventory::Bytes(bytes, _)) => match AssetList::parse(bytes) {
                    Ok(assets) => Ok(Some(PreviousRelease::Live(root, assets))),
                    // A host that answers every path with a page has no list.
                    Err(_) => Ok(None),
                },
                Some(FetchedInventory::Failed(reason)) if reason.contains("404") => Ok(None),
                Some(FetchedInventory::Failed(reason)) => Err(Error::usage(format!("{list} {reason}"))),
                None => Ok(None),
            };
        }
        if name.contains("://") {
            return stored_release(name, contract, store).map(Some);
        }
        let folder = Path::new(name);
        if !folder.is_dir() {
            return Err(Error::usage(format!(
                "{name}: name the folder of the previous export, a target such as s3://my-site, or the URL of the site; unpack an archive first"
            )));
        }
        Ok(Some(PreviousRelease::Folder(folder.to_path_buf())))
    }

    /// Returns the list of its assets.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn list(&self, contract: &Contract, today: NaiveDate) -> Result<AssetList, Error> {
        match self {
            PreviousRelease::Folder(folder) => Ok(read_folder(folder, contract, today)?.list),
            PreviousRelease::Stored(folder) => Ok(read_folder(folder.path(), contract, today)?.list),
            PreviousRelease::Live(_, list) => {
                // The list of a host that was broken into must not add other files.
                let paths: Vec<&str> = list.0.keys().map(String::as_str).collect();
                let assets = assets_among(&paths, contract);
                let kept = list.0.iter().filter(|(path, _)| assets.contains(path.as_str()));
                Ok(AssetList(kept.map(|(path, asset)| (path.clone(), asset.clone())).collect()))
            }
        }
    }

    /// Reads assets and passes each to `found`, if its content is the listed one. Returns the paths of the others.
    ///
    /// # Errors
    /// If the network cannot be used, or `found` fails.
    pub fn read(
        &self,
        assets: &BTreeMap<String, Asset>,
        contract: &Contract,
        mut found: impl FnMut(&str, &[u8]) -> Result<(), Error>,
    ) -> Result<Vec<String>, Error> {
        let mut missing = Vec::new();
        let mut check = |path: &str, asset: &Asset, content: Option<&[u8]>| match content {
            Some(content) if hex(&Sha256::digest(content)) == asset.sha256 => found(path, content),
            _ => {
                missing.push(path.to_owned());
                Ok(())
            }
        };
        let small = assets.iter().filter(|(_, asset)| asset.size <= MAX_ASSET);
        let folder = match self {
            PreviousRelease::Folder(folder) => Some(folder.as_path()),
            PreviousRelease::Stored(folder) => Some(folder.path()),
            PreviousRelease::Live(..) => None,
        };
        match self {
            PreviousRelease::Folder(_) | PreviousRelease::Stored(_) => {
                for (path, asset) in small {
                    let content = folder.and_then(|folder| fs::read(folder.join(path)).ok());
                    check(path, asset, content.as_deref())?;
                }
            }
            PreviousRelease::Live(root, _) => {
                let small: Vec<(&String, &Asset)> = small.collect();
                for some in small.chunks(AT_A_TIME) {
                    let url = |path: &str| joined(root, &escape_path(path));
                    let urls =
                        some.iter().map(|(path, _)| url(path)).collect::<Result<BTreeSet<Url>, Error>>()?;
                    let answers = online::fetch_files(root, &urls, contract, MAX_TIME)?;
                    for (path, asset) in some {
                        let content = match answers.get(&url(path)?) {
                            Some(FetchedInventory::Bytes(bytes, _)) => Some(bytes.as_slice()),
                            _ => None,
                        };
                        check(path, asset, content)?;
                    }
                }
            }
        }
        missing
            .extend(assets.iter().filter(|(_, asset)| asset.size > MAX_ASSET).map(|(path, _)| path.clone()));
        Ok(missing)
    }
}

/// Stores the assets of a release on a target in a temporary folder.
fn stored_release(name: &str, contract: &Contract, store: &TargetOptions) -> Result<PreviousRelease, Error> {
    let mut url = Url::parse(name).map_err(|error| Error::usage(format!("{name}: {error}")))?;
    let release = url.fragment().map(str::to_owned);
    url.set_fragment(None);
    let folder = tempfile::tempdir().map_err(Error::system("cannot create a temporary folder"))?;
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    runtime::run(async {
        let target = target_args::open(url.as_str(), store).await?;
        let mut paths = Vec::new();
        let note = |file: ReleaseFile| {
            paths.push(file.path);
            Ok(())
        };
        read_release(&target, release.as_deref(), |_, _| false, note).await?;
        let listed: Vec<&str> = paths.iter().map(String::as_str).collect();
        let assets = assets_among(&listed, contract);
        let is_needed = |path: &str, _| path == ASSET_LIST || assets.contains(path);
        let keep = |file: ReleaseFile| {
            files.extend(file.content.map(|content| (file.path, content)));
            Ok(())
        };
        read_release(&target, release.as_deref(), is_needed, keep).await?;
        Ok::<(), Error>(())
    })?;
    for (path, content) in files {
        let file = folder.path().join(&path);
        let parent = file.parent().unwrap_or(folder.path());
        fs::create_dir_all(parent).and_then(|()| fs::write(&file, content)).map_err(Error::file(&file))?;
    }
    Ok(PreviousRelease::Stored(folder))
}

fn parse(text: &[u8], name: &str) -> Result<AssetList, Error> {
    AssetList::parse(text).map_err(|line| {
        Error::usage(format!("{name}:{line}: this is no line of a list by `sitegate carry`; remove the file"))
    })
}

fn joined(root: &Url, path: &str) -> Result<Url, Error> {
    root.join(path).map_err(|error| Error::usage(format!("{root}: {error}")))
}

/// Returns the size and the SHA-256 of a file.
fn digest(file: &Path) -> io::Result<(u64, String)> {
    let mut hash = Sha256::new();
    let size = io::copy(&mut fs::File::open(file)?, &mut HashWriter(&mut hash))?;
    Ok((size, hex(&hash.finalize())))
}

struct HashWriter<'h>(&'h mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
