//! Reads page facts for a review, from a folder, a file, a release or a live site, and writes files of facts.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use sitegate_address::SitePath;
use sitegate_base::atomic_file::{self, REPORT};
use sitegate_check::{Contract, Export, collect_export, collect_exports, is_target};
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::release_files::{ReleaseFile, read_release};
use sitegate_publish::target::TargetOptions;
use sitegate_review::facts_file::{self, MAX_SIZE};
use sitegate_review::{ContentHash, SiteFacts, TextTable, Texts};
use tempfile::TempDir;
use url::Url;

use crate::crawl_limits::CrawlLimits;
use crate::error::Error;
use crate::inventory_file;
use crate::missing_folder;
use crate::online::LiveCrawl;
use crate::runtime;
use crate::target_args;

/// Files whose contents are read from a target. Only the sizes of the others matter.
const READ: [&str; 7] = [".html", ".htm", ".css", ".js", ".mjs", ".xml", ".txt"];

/// Maximum number of pages of a live site.
const MAX_PAGES: usize = 1000;

/// Checks that facts may be written to a file.
///
/// # Errors
/// If the file cannot be written, or its name asks for a compression other than gzip.
pub fn check_output(file: &Path) -> Result<(), Error> {
    inventory_file::compression_of(file)?;
    atomic_file::check(file, REPORT).map_err(Error::file(file))
}

/// Writes page facts to a file.
///
/// # Errors
/// If it cannot be written.
pub fn write(file: &Path, site: SiteFacts, texts: &TextTable) -> Result<(), Error> {
    inventory_file::compression_of(file)?;
    let write = |out| facts_file::write(site, texts, out);
    atomic_file::write(file, REPORT, write).map_err(Error::file(file))
}

fn read_limited(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(MAX_SIZE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_SIZE {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is too large for a file of page facts"));
    }
    Ok(bytes)
}

/// Whether a source is a path that does not exist.
pub fn is_missing(source: &str) -> bool {
    !source.contains("://") && !Path::new(source).exists()
}

/// A build that was opened: its facts, or the folder of its files.
enum OpenBuild {
    Facts(SiteFacts),
    Folder(PathBuf),
    /// A folder with the files that are read, and the contents of all.
    Release(TempDir, HashMap<String, ContentHash>),
}

impl OpenBuild {
    /// Returns the folder to read.
    fn export(&self) -> Option<Export<'_>> {
        match self {
            OpenBuild::Facts(_) => None,
            OpenBuild::Folder(folder) => Some(Export::from(folder)),
            OpenBuild::Release(folder, contents) => {
                Some(Export { root: folder.path(), contents: Some(contents) })
            }
        }
    }
}

/// The builds that a review reads, and how.
pub struct BuildReader<'r> {
    pub contract: Contract,
    /// How to reach the stores of releases.
    pub store: TargetOptions,
    pub texts: &'r Texts,
}

impl BuildReader<'_> {
    /// Reads the facts of a folder, a file of facts, a release on a target, or a live site.
    ///
    /// # Errors
    /// If it does not exist, or cannot be read.
    pub fn read(&mut self, source: &str) -> Result<SiteFacts, Error> {
        let build = self.open(source)?;
        self.collect(build)
    }

    /// Reads two builds. Takes less time than one by one if both are folders or releases.
    ///
    /// # Errors
    /// As [`BuildReader::read`].
    pub fn read_both(&mut self, base: &str, new: &str) -> Result<[SiteFacts; 2], Error> {
        let (base, new) = (self.open(base)?, self.open(new)?);
        if let (Some(base), Some(new)) = (base.export(), new.export()) {
            return Ok(collect_exports([base, new], &self.contract, self.texts)?);
        }
        Ok([self.collect(base)?, self.collect(new)?])
    }

    fn collect(&self, build: OpenBuild) -> Result<SiteFacts, Error> {
        if let Some(export) = build.export() {
            return Ok(collect_export(export, &self.contract, self.texts)?);
        }
        let OpenBuild::Facts(facts) = build else { unreachable!("only facts have no folder") };
        Ok(facts)
    }

    fn open(&mut self, source: &str) -> Result<OpenBuild, Error> {
        if let Some(url) = crate::export_args::live_url(source)? {
            return read_live(&url, &mut self.contract, self.texts).map(OpenBuild::Facts);
        }
        if let Ok(url) = Url::parse(source)
            && source.contains("://")
        {
            return if is_target(&url) {
                fetch_release(&url, &self.store)
            } else {
                Err(Error::usage(format!("{source}: write a folder, a file, a target or the URL of a site")))
            };
        }
        let path = Path::new(source);
        if path.is_file() {
            let bytes = read_limited(path).map_err(Error::file(path))?;
            return facts_file::read(&bytes, self.texts)
                .map(OpenBuild::Facts)
                .map_err(|error| Error::usage(format!("{source}: {error}")));
        }
        match missing_folder::explain(path) {
            Some(message) => Err(Error::usage(message)),
            None => Ok(OpenBuild::Folder(path.to_path_buf())),
        }
    }
}

/// Stores a release in a temporary folder: the live one, or the one that the fragment of the URL names.
fn fetch_release(url: &Url, store: &TargetOptions) -> Result<OpenBuild, Error> {
    let mut target_url = url.clone();
    target_url.set_fragment(None);
    let folder = tempfile::tempdir().map_err(Error::system("cannot create a temporary folder"))?;
    let mut contents = HashMap::new();
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(FailureKind::Usage, format!("cannot store the files of the release: {error}"))
    };
    let is_needed = |path: &str| {
        let name = SitePath::new(path).name();
        !name.contains('.') || name.starts_with('_') || READ.iter().any(|extension| name.ends_with(extension))
    };
    runtime::run(async {
        let target = target_args::open(target_url.as_str(), store).await?;
        let save = |file: ReleaseFile| {
            let ReleaseFile { path, size, sha256, content } = file;
            store_file(folder.path(), &path, size, content.as_deref()).map_err(|error| failed(&error))?;
            contents.extend(ContentHash::from_hex(&sha256).map(|hash| (path, hash)));
            Ok(())
        };
        read_release(&target, url.fragment(), is_needed, save).await?;
        Ok::<(), Failure>(())
    })?;
    Ok(OpenBuild::Release(folder, contents))
}

/// Stores a file of a release; without its content, an empty file of its size.
fn store_file(folder: &Path, path: &str, size: u64, content: Option<&[u8]>) -> io::Result<()> {
    let path = Path::new(path);
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{}: invalid path", path.display())));
    }
    let file = folder.join(path);
    fs::create_dir_all(file.parent().unwrap_or(folder))?;
    let mut file = File::create(file)?;
    match content {
        Some(content) => file.write_all(content),
        None => file.set_len(size),
    }
}

fn read_live(url: &Url, contract: &mut Contract, texts: &Texts) -> Result<SiteFacts, Error> {
    let limits = CrawlLimits {
        max_pages: MAX_PAGES,
        ignores_robots: false,
        max_time: std::time::Duration::from_hours(1),
        inventory: false,
    };
    // The crawl sets the origin and the base path of the contract, which the other build does not have.
    let settings = contract.site.clone();
    let crawl = LiveCrawl::fetch(url, contract, limits);
    let facts =
        crawl.map(|crawl| (crawl.is_stopped, sitegate_check::collect_live(crawl.site(), contract, texts)));
    contract.site = settings;
    match facts? {
        (true, _) => Err(Error::usage("stopped before the site was read")),
        (false, facts) => Ok(facts),
    }
}
