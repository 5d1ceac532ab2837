//! Reads the assets of the previous release: from a folder, an archive, a target of `publish`, or the live site. Only
//! those that the release may load are taken. Anyone may have made an archive: nothing is written outside of the folder,
//! and its size is limited.
//!
//! The index of the check knows what pages, style sheets and scripts certainly load, also from the chunk maps of
//! bundlers. A string in a script may be an address, too: `image.src = "/assets/logo-Cw3Dk2Zx.svg"`. A name with a
//! hash is never there by chance, so any file that has it may load the file.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use chrono::NaiveDate;
use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};
use sitegate_address::SitePath;
use sitegate_address::percent::escape_path;
use sitegate_base::file_name::folded;
use sitegate_base::hex::hex;
use sitegate_base::sanitize::visible;
use sitegate_check::{CheckResult, CheckTarget, Checker, Contract, FetchedInventory, FileDigest, Tree};
use sitegate_host::media::{content_type, is_compressible};
use sitegate_publish::target::TargetOptions;
use tar::{Archive, EntryType};
use tempfile::TempDir;
use url::Url;

use super::asset::{ASSET_LIST, Asset, AssetList, asset_names, is_plain};
use crate::crawl_limits::CrawlLimits;
use crate::error::Error;
use crate::online::{self, LiveCrawl};
use crate::{export_args, sorted_list, target_args, terminal};

/// Maximum size of an asset in bytes. Bundlers write smaller ones, and those of a live site are in memory.
const MAX_ASSET: u64 = 32 << 20;

/// Number of assets of a live site that are in memory at a time.
const AT_A_TIME: usize = 16;

/// Maximum number of pages of a live site without a list.
const MAX_PAGES: usize = 1000;

/// Maximum time for the requests to a live site.
const MAX_TIME: Duration = Duration::from_mins(10);

/// The previous release.
pub struct PreviousRelease {
    /// Its assets. If only its list is known, no others.
    pub found: FoundAssets,
    files: ReleaseFiles,
}

/// The files of a release.
enum ReleaseFiles {
    /// In a folder, which may be a temporary one.
    Folder { tree: Arc<Tree>, _temporary: Option<TempDir> },
    /// Fetched from a live site without a list.
    Crawled(Box<LiveCrawl>),
    /// On a live site with a list, below a URL.
    Live(Url),
}

/// The assets of a release.
#[derive(Default)]
pub struct FoundAssets {
    /// The files that it may load and those that its list has, by path.
    pub list: AssetList,
    /// Files that its pages load, and that are no assets: their names have no hash.
    pub unhashed: Vec<String>,
    /// Assets that its list has with another content, or that are missing.
    pub changed: Vec<String>,
}

/// Returns the files of an export in a folder, and its assets.
///
/// # Errors
/// If a file cannot be read, or the list of assets is damaged.
pub fn read_export(
    root: &Path,
    contract: &Contract,
    today: NaiveDate,
) -> Result<(Arc<Tree>, FoundAssets), Error> {
    let listed = sorted_list::read(&root.join(ASSET_LIST))?.unwrap_or_default();
    let checked = Checker::new(contract)?.run(CheckTarget::Export(root))?;
    let assets = find_assets(&checked, &listed, contract, today)?;
    Ok((checked.tree, assets))
}

/// Returns the assets that an export may load, and those that its list has.
fn find_assets(
    checked: &CheckResult,
    listed: &AssetList,
    contract: &Contract,
    today: NaiveDate,
) -> Result<FoundAssets, Error> {
    let tree = &checked.tree;
    let text = |id| str::from_utf8(tree.path(id)).ok();
    let names = asset_names(tree.ids().filter_map(text), contract);
    let reached = reached_files(checked, names.iter().copied()).map_err(Error::file(tree.root()))?;
    let mut assets = AssetList::new();
    for id in tree.ids().filter(|id| tree.has_content(*id)) {
        let Some(path) = text(id).filter(|path| names.contains(path)) else { continue };
        let known = listed.get(path);
        let file = tree.disk_path(id);
        if known.is_none() && !reached.contains(path) {
            continue;
        }
        if fs::metadata(&file).map_err(Error::file(&file))?.len() > MAX_ASSET {
            terminal::print_note(&format!("{} has more than 32 MiB, so it is not carried", visible(path)));
            continue;
        }
        let FileDigest { size, sha256 } = FileDigest::read(&file, |_| ()).map_err(Error::file(&file))?;
        let built = Asset { releases: 0, day: today, size, sha256: hex(&sha256) };
        match known {
            Some(known) if known.sha256 == built.sha256 => {
                assets.insert(path.to_owned(), Asset { size, ..known.clone() });
            }
            _ if reached.contains(path) => drop(assets.insert(path.to_owned(), built)),
            _ => {}
        }
    }
    let listed_names = asset_names(listed.keys().map(String::as_str), contract);
    let changed =
        listed_names.into_iter().filter(|path| !assets.contains_key(*path)).map(str::to_owned).collect();
    let is_loaded = |id: u32| tree.has_content(id) && checked.inbound[id as usize] > 0;
    let loaded = tree.ids().filter(|id| is_loaded(*id)).filter_map(text);
    let is_unhashed = |path: &&str| !names.contains(path) && is_page_part(path);
    let unhashed = loaded.filter(is_unhashed).map(str::to_owned).collect();
    Ok(FoundAssets { list: assets, unhashed, changed })
}

/// Whether a file is a part of pages by its type: a style sheet, a script, an image or a font. Others are links.
fn is_page_part(path: &str) -> bool {
    let media = content_type(path);
    ["text/css", "text/javascript", "application/wasm", "image/", "font/"]
        .iter()
        .any(|part| media.starts_with(part))
}

impl PreviousRelease {
    /// Opens a release by its name. If it is a live site without a list, its pages are crawled, which sets the origin and
    /// base path of the contract.
    ///
    /// # Errors
    /// If it does not exist, or cannot be read.
    pub fn open(
        name: &str,
        contract: &mut Contract,
        store: &TargetOptions,
        today: NaiveDate,
    ) -> Result<PreviousRelease, Error> {
        if let Some(url) = export_args::live_url(name)? {
            return PreviousRelease::open_live(&url, contract, today);
        }
        let path = Path::new(name);
        let (temporary, root) = if name.contains("://") {
            let url = Url::parse(name).map_err(|error| Error::usage(format!("{name}: {error}")))?;
            let folder = target_args::fetch_release(&url, store, |_, size| size <= MAX_ASSET)?.folder;
            let root = folder.path().to_path_buf();
            (Some(folder), root)
        } else if path.is_file() {
            let (folder, root) = unpack(path)?;
            (Some(folder), root)
        } else if let Some(message) = export_args::explain_missing_folder(path) {
            return Err(Error::usage(message));
        } else {
            (None, path.to_path_buf())
        };
        let (tree, found) = read_export(&root, contract, today)?;
        Ok(PreviousRelease { found, files: ReleaseFiles::Folder { tree, _temporary: temporary } })
    }

    fn open_live(url: &Url, contract: &mut Contract, today: NaiveDate) -> Result<PreviousRelease, Error> {
        let root = joined(url, &format!("{}/", url.path().trim_end_matches('/')))?;
        let list_url = joined(&root, ASSET_LIST)?;
        let mut answers =
            online::fetch_files(&root, &BTreeSet::from([list_url.clone()]), contract, MAX_TIME)?;
        match answers.remove(&list_url) {
            // A host that answers every path with a page has no list.
            Some(FetchedInventory::Bytes(bytes, _)) => {
                if let Ok(mut list) = sorted_list::parse::<Asset>(&bytes) {
                    let known = list.clone();
                    let names = asset_names(known.keys().map(String::as_str), contract);
                    // The list of a host that was broken into must not add other files.
                    list.retain(|path, _| names.contains(path.as_str()));
                    let found = FoundAssets { list, unhashed: Vec::new(), changed: Vec::new() };
                    return Ok(PreviousRelease { found, files: ReleaseFiles::Live(root) });
                }
            }
            Some(FetchedInventory::Failed(reason))
                if !["403", "404", "410"].iter().any(|status| reason.contains(status)) =>
            {
                return Err(Error::usage(format!("{list_url} {reason}")));
            }
            _ => {}
        }
        let limits =
            CrawlLimits { max_pages: MAX_PAGES, ignores_robots: true, max_time: MAX_TIME, inventory: false };
        let crawl = LiveCrawl::fetch(&root, contract, limits)?;
        for reason in crawl.result.skipped() {
            terminal::print_note(&format!("not all files of {root} are known: {}", visible(reason)));
        }
        let found = find_assets(&crawl.result, &AssetList::new(), contract, today)?;
        Ok(PreviousRelease { found, files: ReleaseFiles::Crawled(Box::new(crawl)) })
    }

    /// Reads assets and passes each to `found`, if its content is the listed one. Returns the paths of the others.
    ///
    /// # Errors
    /// If the network cannot be used, or `found` fails.
    pub fn read(
        &self,
        assets: &AssetList,
        contract: &Contract,
        mut found: impl FnMut(&str, &[u8]) -> Result<(), Error>,
    ) -> Result<Vec<String>, Error> {
        let mut missing = Vec::new();
        let mut check = |path: &str, asset: &Asset, content: Option<&[u8]>| match content {
            Some(content)
                if content.len() as u64 == asset.size && hex(&Sha256::digest(content)) == asset.sha256 =>
            {
                found(path, content)
            }
            _ => {
                missing.push(path.to_owned());
                Ok(())
            }
        };
        let tree = match &self.files {
            ReleaseFiles::Folder { tree, .. } => tree,
            ReleaseFiles::Crawled(crawl) => &crawl.result.tree,
            ReleaseFiles::Live(root) => {
                for some in assets.iter().collect::<Vec<_>>().chunks(AT_A_TIME) {
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
                return Ok(missing);
            }
        };
        for (path, asset) in assets {
            let file = tree.find(path.as_bytes()).map(|id| tree.disk_path(id));
            check(path, asset, file.and_then(|file| fs::read(file).ok()).as_deref())?;
        }
        Ok(missing)
    }
}

fn joined(root: &Url, path: &str) -> Result<Url, Error> {
    root.join(path).map_err(|error| Error::usage(format!("{root}: {error}")))
}

/// Maximum size of a text whose names are searched, in bytes.
const MAX_TEXT: u64 = 32 << 20;

/// Returns the files among `paths` that a checked release may load.
///
/// # Errors
/// If a file cannot be read.
fn reached_files<'p>(
    checked: &CheckResult,
    paths: impl Iterator<Item = &'p str>,
) -> io::Result<HashSet<&'p str>> {
    let tree = &checked.tree;
    // Pages may be made by a server, a file may be unreadable, and scripts may compute what they load.
    let is_known = checked.summary.pages > 0 && checked.unreadable.is_empty() && checked.computed.is_empty();
    let mut reached = HashSet::new();
    let mut unknown: HashMap<&str, Vec<&str>> = HashMap::new();
    for path in paths {
        let name = SitePath::new(path).name();
        let is_loaded = tree.find(path.as_bytes()).is_some_and(|id| checked.inbound[id as usize] > 0);
        // Other characters may be written in many ways.
        if is_loaded || !is_known || !name.bytes().all(is_name_byte) {
            reached.insert(path);
        } else {
            unknown.entry(name).or_default().push(path);
        }
    }
    if !unknown.is_empty() {
        add_named(tree, &unknown, &mut reached)?;
    }
    Ok(reached)
}

/// Adds the files whose names are in other files.
fn add_named<'p>(
    tree: &Tree,
    by_name: &HashMap<&str, Vec<&'p str>>,
    reached: &mut HashSet<&'p str>,
) -> io::Result<()> {
    for id in tree.ids().filter(|id| tree.has_content(*id)) {
        let path = tree.display(id);
        let file = tree.disk_path(id);
        let is_searched = path != ASSET_LIST && SitePath::new(&*path).extension() != Some("map");
        if !is_searched || !is_compressible(&content_type(&path)) || fs::metadata(&file)?.len() > MAX_TEXT {
            continue;
        }
        for name in fs::read(&file)?.split(|byte| !is_name_byte(*byte)) {
            let named = str::from_utf8(name).ok().and_then(|name| by_name.get(name));
            reached.extend(named.into_iter().flatten().filter(|named| **named != path));
        }
    }
    Ok(())
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~' | b'@')
}

/// Maximum size of all files in bytes; larger sites are not deployed as one archive.
const MAX_SIZE: u64 = 4 << 30;

/// Minimum size that a file takes: a block of most file systems. So it limits the number of files, too.
const MIN_FILE: u64 = 4096;

/// Maximum size of a name in bytes.
const MAX_NAME: u64 = 64 << 10;

/// Unpacks a file whose name ends in `.tar`, `.tar.gz` or `.tgz`. Returns the folder of the export, which may be the only
/// folder of the archive.
///
/// # Errors
/// If the archive is of another kind, damaged, too large, or has an entry that no export has.
fn unpack(file: &Path) -> Result<(TempDir, PathBuf), Error> {
    let name = file.to_string_lossy().to_ascii_lowercase();
    let is_compressed = [".tar.gz", ".tgz"].iter().any(|end| name.ends_with(end));
    if !is_compressed && !name.ends_with(".tar") {
        let message = "only .tar, .tar.gz and .tgz are read; unpack it, and name the folder";
        return Err(Error::usage(format!("{}: {message}", file.display())));
    }
    let folder = tempfile::tempdir().map_err(Error::system("cannot create a temporary folder"))?;
    let unpacked = File::open(file).map(BufReader::new).and_then(|opened| {
        if is_compressed {
            unpack_all(MultiGzDecoder::new(opened), folder.path())
        } else {
            unpack_all(opened, folder.path())
        }
    });
    let entries = unpacked.and_then(|()| fs::read_dir(folder.path())?.collect::<io::Result<Vec<_>>>());
    let mut entries = entries.map_err(Error::file(file))?;
    let root = match entries.pop().map(|entry| entry.path()) {
        Some(only) if entries.is_empty() && only.is_dir() => only,
        _ => folder.path().to_path_buf(),
    };
    Ok((folder, root))
}

fn unpack_all(reader: impl Read, folder: &Path) -> io::Result<()> {
    let fail = |reason: &str| io::Error::other(reason.to_owned());
    let mut names = HashSet::new();
    let mut left = MAX_SIZE;
    let mut long_name: Option<Vec<u8>> = None;
    // The library would keep a long name in memory, however long it is.
    for entry in Archive::new(reader).entries()?.raw(true) {
        let mut entry = entry?;
        left = left.checked_sub(entry.size().max(MIN_FILE)).ok_or_else(|| fail("it has more than 4 GiB"))?;
        let kind = entry.header().entry_type();
        let is_name = matches!(kind, EntryType::GNULongName | EntryType::XHeader);
        if is_name && entry.size() > MAX_NAME {
            return Err(fail("it has a name of more than 64 KiB"));
        }
        match kind {
            EntryType::Regular | EntryType::Continuous => {}
            EntryType::Directory | EntryType::XGlobalHeader => continue,
            EntryType::GNULongName => {
                let mut name = Vec::new();
                entry.read_to_end(&mut name)?;
                name.pop_if(|last| *last == 0);
                long_name = Some(name);
                continue;
            }
            EntryType::XHeader => {
                for extension in entry.pax_extensions()?.into_iter().flatten() {
                    let extension = extension?;
                    match extension.key_bytes() {
                        b"path" => long_name = Some(extension.value_bytes().to_vec()),
                        key if key.starts_with(b"GNU.sparse.") => return Err(fail("it has a sparse file")),
                        _ => {}
                    }
                }
                continue;
            }
            _ => {
                let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
                return Err(fail(&format!("`{}` is a link or a special file", visible(&path))));
            }
        }
        let bytes = long_name.take().unwrap_or_else(|| entry.path_bytes().into_owned());
        let path = String::from_utf8_lossy(&bytes);
        let path = path.trim_start_matches("./");
        if !is_plain(path) || str::from_utf8(&bytes).is_err() {
            return Err(fail(&format!("`{}` is not the path of a file in an export", visible(path))));
        }
        if !names.insert(folded(path).into_owned()) {
            let reason = "is there twice, if upper and lower case are the same";
            return Err(fail(&format!("`{}` {reason}", visible(path))));
        }
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        io::copy(&mut entry, &mut File::create_new(file)?)?;
    }
    Ok(())
}
