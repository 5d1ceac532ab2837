//! Reads page facts for a review, from a folder, a file, a release or a live site, and writes files of facts.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use sitegate_address::SitePath;
use sitegate_base::atomic_file::{self, REPORT};
use sitegate_base::lock::{lock, unlocked};
use sitegate_check::{
    CheckTarget, Checker, Contract, Export, ExternalAnswers, ExternalLinks, collect_export, collect_exports,
    is_target,
};
use sitegate_publish::target::TargetOptions;
use sitegate_review::facts_file::{self, MAX_SIZE};
use sitegate_review::{ContentHash, SiteFacts, TextTable, Texts};
use tempfile::TempDir;
use url::Url;

use crate::crawl_limits::CrawlLimits;
use crate::error::Error;
use crate::export_args;
use crate::inventory_file;
use crate::online::LiveCrawl;
use crate::target_args;

/// Files whose contents are read from a target.
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

/// Reads page facts from a file.
///
/// # Errors
/// If it cannot be read, or is something else.
pub fn read(file: &Path, texts: &Texts) -> Result<SiteFacts, Error> {
    let bytes = read_limited(file).map_err(Error::file(file))?;
    facts_file::read(&bytes, texts).map_err(|error| Error::usage(format!("{}: {error}", file.display())))
}

fn read_limited(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(MAX_SIZE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_SIZE {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is too large for a file of page facts"));
    }
    Ok(bytes)
}

/// Returns the external links of an export, with their fragments.
///
/// # Errors
/// If the export or the contract cannot be read.
pub fn external_links(root: &Path, contract: &Contract) -> Result<BTreeSet<Url>, Error> {
    let links = LinkCollector::default();
    Checker::new(contract)?.external(&links).check(CheckTarget::Export(root))?;
    Ok(unlocked(links.0))
}

/// Collects the links that a check finds.
#[derive(Default)]
struct LinkCollector(Mutex<BTreeSet<Url>>);

impl ExternalLinks for LinkCollector {
    fn submit(&self, url: &Url) -> bool {
        if matches!(url.scheme(), "http" | "https") {
            lock(&self.0).insert(url.clone());
        }
        false
    }

    fn answers(&self) -> ExternalAnswers {
        ExternalAnswers::default()
    }
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
                // Only the sizes of the others matter.
                let is_needed = |path: &str, _| {
                    let name = SitePath::new(path).name();
                    let is_read = || READ.iter().any(|extension| name.ends_with(extension));
                    !name.contains('.') || name.starts_with('_') || is_read()
                };
                let release = target_args::fetch_release(&url, &self.store, is_needed)?;
                Ok(OpenBuild::Release(release.folder, release.contents))
            } else {
                Err(Error::usage(format!("{source}: write a folder, a file, a target or the URL of a site")))
            };
        }
        let path = Path::new(source);
        if path.is_file() {
            return read(path, self.texts).map(OpenBuild::Facts);
        }
        match export_args::explain_missing_folder(path) {
            Some(message) => Err(Error::usage(message)),
            None => Ok(OpenBuild::Folder(path.to_path_buf())),
        }
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
