//! Reads the sealed export from disk, and builds a release's objects from it. Compares the export with its seal before
//! anything is sent, and each file again when it is read.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use md5::Md5;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use sitegate_address::hashed_name::is_hashed;
use sitegate_address::inventory::Compression;
use sitegate_address::{INDEX, SitePath};
use sitegate_base::hex::hex;
use sitegate_base::plural::count;
use sitegate_check::{Contract, FileDigest, Seal, SealedFile, Tree};
use sitegate_host::Host;
use sitegate_host::compression::{Coding, Effort, MIN_COMPRESSED};
use sitegate_host::headers::{IMMUTABLE, REVALIDATE, STORED, WEBSITE_REDIRECT};
use sitegate_host::media::{self, content_type, is_compressible};
use sitegate_host::redirect_page::redirect_page;

use super::manifest::{Object, ObjectRole, ReleaseInventory, is_list_of_pages, is_page};
use crate::failure::{Failure, FailureKind};
use crate::store::{LARGE, StoreCapabilities};

/// Maximum size of a text file that gets precompressed variants, in bytes: they are made in memory.
pub(crate) const MAX_COMPRESSED: u64 = 32 << 20;

/// The files of an export.
#[derive(Clone, Copy, Debug)]
pub enum ExportSource<'e> {
    /// In a folder.
    Folder(&'e Path),
    /// In memory, by path.
    Memory(&'e BTreeMap<String, Bytes>),
}

/// An export that matches its seal.
#[derive(Debug)]
pub struct SealedExport {
    root: PathBuf,
    /// The files, as sealed.
    pub files: Vec<ExportFile>,
    /// Files in memory, by path. In a folder, redirect pages and precompressed variants.
    in_memory: BTreeMap<String, Bytes>,
    /// The compressed inventory of the seal.
    pub(crate) inventory: Option<Bytes>,
}

/// A sealed file, with the digest that object stores use.
#[derive(Clone, Debug)]
pub struct ExportFile {
    /// The seal's entry.
    pub sealed: SealedFile,
    /// MD5 of its content in hexadecimal: the entity tag in most stores. Empty for large contents.
    pub md5: String,
    /// Whether it is a precompressed variant of another file.
    pub variant: bool,
    /// The destination, if it is a redirect page.
    pub redirect: Option<String>,
}

impl ExportFile {
    /// Creates a generated file.
    fn generated(path: String, body: &[u8], variant: bool) -> ExportFile {
        let sha256 = hex(&Sha256::digest(body));
        let sealed = SealedFile { path, size: body.len() as u64, sha256, script_depth: None };
        ExportFile { sealed, md5: hex(&Md5::digest(body)), variant, redirect: None }
    }
}

/// Returns the path of the page that redirects an address of the contract.
pub(crate) fn redirect_page_path(from: &str) -> String {
    match from.trim_start_matches('/') {
        page if content_type(page).starts_with("text/html") => page.to_owned(),
        folder => format!("{folder}/{INDEX}"),
    }
}

impl SealedExport {
    /// Reads every file below `root` and compares it with the seal.
    ///
    /// # Errors
    /// [`FailureKind::SealMismatch`] when a file is missing, added, changed, a symbolic link or a special file.
    pub fn open(root: &Path, seal: &Seal) -> Result<SealedExport, Failure> {
        let tree = Tree::walk(root)
            .map_err(|error| Failure::new(FailureKind::Usage, format!("{}: {error}", root.display())))?;
        let mut wrong: Vec<String> = Vec::new();
        wrong.extend(tree.unreadable.iter().map(|path| format!("unreadable  {path}")));
        wrong.extend(tree.strays.iter().map(|stray| format!("special     {}", stray.path)));
        wrong.extend(added_files(tree.ids().map(|id| tree.display(id).into_owned()), seal));
        let linked = linked_folders(root, seal);
        let compared = seal.files.par_iter().map(|sealed| compare(root, sealed, &linked)).collect();
        SealedExport {
            root: root.to_path_buf(),
            files: Vec::new(),
            in_memory: BTreeMap::new(),
            inventory: None,
        }
        .sealed(seal, wrong, compared)
    }

    /// Compares files in memory with the seal.
    ///
    /// # Errors
    /// As [`SealedExport::open`].
    pub fn from_memory(in_memory: &BTreeMap<String, Bytes>, seal: &Seal) -> Result<SealedExport, Failure> {
        let wrong = added_files(in_memory.keys().cloned(), seal).collect();
        let compare = |sealed: &SealedFile| match in_memory.get(&sealed.path) {
            None => Err(Difference::Missing(sealed.path.clone())),
            Some(body) => match ExportFile::generated(sealed.path.clone(), body, false) {
                found if found.sealed.sha256 == sealed.sha256 => {
                    Ok(ExportFile { sealed: sealed.clone(), ..found })
                }
                _ => Err(Difference::Changed(sealed.path.clone())),
            },
        };
        let compared = seal.files.iter().map(compare).collect();
        let root = PathBuf::from("memory");
        SealedExport { root, files: Vec::new(), in_memory: in_memory.clone(), inventory: None }
            .sealed(seal, wrong, compared)
    }

    /// Returns the export if all files matched.
    fn sealed(
        mut self,
        seal: &Seal,
        mut wrong: Vec<String>,
        compared: Vec<Result<ExportFile, Difference>>,
    ) -> Result<SealedExport, Failure> {
        for file in compared {
            match file {
                Ok(file) => self.files.push(file),
                Err(difference) => wrong.push(difference.to_string()),
            }
        }
        if wrong.is_empty() {
            self.inventory = seal.inventory.as_deref().map(compress_inventory).transpose()?;
            return Ok(self);
        }
        let message = format!(
            "{} is not the export that passed the check: {} {} from the seal",
            self.root.display(),
            count(wrong.len(), "file"),
            if wrong.len() == 1 { "differs" } else { "differ" }
        );
        let help = "run `sitegate check --seal FILE` again, and publish what passes";
        Err(Failure::new(FailureKind::SealMismatch, message).names(wrong).help(help))
    }

    /// Adds a redirect page for each redirect, for stores that do not support redirects.
    ///
    /// # Errors
    /// [`FailureKind::Usage`] when the export has a page at such a path.
    pub fn add_redirects(&mut self, config: &Contract) -> Result<(), Failure> {
        for redirect in &config.redirects {
            let path = redirect_page_path(&redirect.from);
            let Err(index) = self.files.binary_search_by(|file| file.sealed.path.as_str().cmp(&path)) else {
                let message =
                    format!("{} redirects {}, but the export contains {path}", config.name(), redirect.from);
                return Err(Failure::new(FailureKind::Usage, message).help("remove the redirect or the file"));
            };
            let body = Bytes::from(redirect_page(&redirect.to));
            let page = ExportFile::generated(path.clone(), &body, false);
            self.files.insert(index, ExportFile { redirect: Some(redirect.to.clone()), ..page });
            self.in_memory.insert(path, body);
        }
        Ok(())
    }

    /// Adds the variants `page.html.gz` and `page.html.br` of each text file, for servers that look for them.
    /// Files of the export with such names are not replaced.
    ///
    /// # Errors
    /// [`FailureKind::SealMismatch`] when a file has changed since [`SealedExport::open`].
    pub fn add_variants(&mut self) -> Result<(), Failure> {
        let taken: BTreeSet<&str> = self.files.iter().map(|file| file.sealed.path.as_str()).collect();
        let worth = |file: &&ExportFile| {
            (MIN_COMPRESSED as u64..=MAX_COMPRESSED).contains(&file.sealed.size)
                && is_compressible(&content_type(&file.sealed.path))
        };
        let texts: Vec<&ExportFile> = self.files.iter().filter(worth).collect();
        let variants: Vec<Vec<(ExportFile, Bytes)>> = texts
            .into_par_iter()
            .map(|file| {
                let body = self.read(&file.sealed.path, &file.sealed.sha256)?;
                let variants = [Coding::Brotli, Coding::Gzip].into_iter().filter_map(|coding| {
                    let path = format!("{}{}", file.sealed.path, coding.extension());
                    let generated = coding.compress(&body, Effort::Best);
                    let wanted = generated.len() < body.len() && !taken.contains(path.as_str());
                    wanted.then(|| (ExportFile::generated(path, &generated, true), Bytes::from(generated)))
                });
                Ok(variants.collect())
            })
            .collect::<Result<_, Failure>>()?;
        for (file, body) in variants.into_iter().flatten() {
            self.in_memory.insert(file.sealed.path.clone(), body);
            self.files.push(file);
        }
        self.files.sort_by(|a, b| a.sealed.path.cmp(&b.sealed.path));
        Ok(())
    }

    /// Reads a file, and compares it with the seal again.
    ///
    /// # Errors
    /// [`FailureKind::SealMismatch`] when the file has changed since [`SealedExport::open`].
    pub fn read(&self, path: &str, sha256: &str) -> Result<Bytes, Failure> {
        if let Some(body) = self.in_memory.get(path) {
            return Ok(body.clone());
        }
        let body = fs::read(self.root.join(path)).map_err(|error| changed(path, &error))?;
        if hex(&Sha256::digest(&body)) != sha256 {
            return Err(content_changed(path));
        }
        Ok(Bytes::from(body))
    }

    /// Describes the inventory for the manifest.
    pub(crate) fn release_inventory(&self) -> Option<ReleaseInventory> {
        let bytes = self.inventory.as_ref()?;
        Some(ReleaseInventory { sha256: hex(&Sha256::digest(bytes)), size: bytes.len() as u64 })
    }

    /// Returns the path of a file on disk; none if it is in memory.
    pub(crate) fn file(&self, path: &str) -> Option<PathBuf> {
        (!self.in_memory.contains_key(path)).then(|| self.root.join(path))
    }
}

/// Returns messages about files that the seal does not have.
fn added_files(paths: impl Iterator<Item = String>, seal: &Seal) -> impl Iterator<Item = String> {
    let is_added = |path: &String| seal.files.binary_search_by(|file| file.path.cmp(path)).is_err();
    paths.filter(is_added).map(|path| format!("added       {path}"))
}

fn compress_inventory(text: &str) -> Result<Bytes, Failure> {
    let mut compressed = Vec::new();
    let written = Compression::Gzip.write(text.as_bytes(), &mut compressed);
    written.map_err(|error| Failure::new(FailureKind::Failed, error.to_string()))?;
    Ok(compressed.into())
}

/// Reports a file whose content differs from the seal.
pub(crate) fn content_changed(path: &str) -> Failure {
    changed(path, &"its content differs from the seal")
}

fn changed(path: &str, why: &dyn std::fmt::Display) -> Failure {
    Failure::new(FailureKind::SealMismatch, format!("{path} changed during the publish: {why}"))
        .help("let the build finish, run `sitegate check --seal FILE` again, and publish what passes")
}

/// Returns the folders of a path, innermost first.
fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    SitePath::new(path).ancestors().rev()
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_symlink())
}

/// Returns the folders of sealed files that are symbolic links.
fn linked_folders<'s>(root: &Path, seal: &'s Seal) -> HashSet<&'s str> {
    let mut folders = HashSet::new();
    for file in &seal.files {
        // If a folder is known, its parents are, too.
        let _ = folders_above(&file.path).find(|folder| !folders.insert(*folder));
    }
    folders.retain(|folder| is_link(&root.join(folder)));
    folders
}

/// The difference between a file and the seal.
#[derive(Debug, thiserror::Error)]
enum Difference {
    #[error("symlink     {0}")]
    Symlink(String),
    #[error("missing     {0}")]
    Missing(String),
    #[error("unreadable  {path}: {source}")]
    Unreadable { path: String, source: std::io::Error },
    #[error("changed     {0}")]
    Changed(String),
}

fn compare(root: &Path, sealed: &SealedFile, linked: &HashSet<&str>) -> Result<ExportFile, Difference> {
    let path = root.join(&sealed.path);
    if is_link(&path) || folders_above(&sealed.path).any(|folder| linked.contains(folder)) {
        return Err(Difference::Symlink(sealed.path.clone()));
    }
    // Large files are uploaded in parts, and no store's entity tag of parts is the MD5 of the whole.
    let mut md5 = (sealed.size < LARGE).then(Md5::new);
    let digest = FileDigest::read(&path, |chunk| {
        if let Some(md5) = &mut md5 {
            md5.update(chunk);
        }
    });
    let digest = digest.map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => Difference::Missing(sealed.path.clone()),
        _ => Difference::Unreadable { path: sealed.path.clone(), source },
    })?;
    if digest.size != sealed.size || hex(&digest.sha256) != sealed.sha256 {
        return Err(Difference::Changed(sealed.path.clone()));
    }
    let md5 = md5.map(|md5| hex(&md5.finalize())).unwrap_or_default();
    Ok(ExportFile { sealed: sealed.clone(), md5, variant: false, redirect: None })
}

/// Builds the objects of an export.
///
/// # Errors
/// [`FailureKind::Guard`] when a file's media type is unknown, so that browsers would download it.
pub fn build_objects(
    source: &SealedExport,
    config: &Contract,
    store: &StoreCapabilities,
) -> Result<Vec<Object>, Failure> {
    let paths: BTreeSet<&str> = source.files.iter().map(|file| file.sealed.path.as_str()).collect();
    let mut objects = Vec::with_capacity(source.files.len());
    let mut untyped = Vec::new();
    let has_website_redirects = store.has_website_redirects && config.site.host == Some(Host::S3Website);
    for file in &source.files {
        let path = &file.sealed.path;
        let (role, mut headers) =
            if file.variant { (ObjectRole::Variant, BTreeMap::new()) } else { describe(path, config) };
        if has_website_redirects && let Some(to) = &file.redirect {
            headers.insert(WEBSITE_REDIRECT.to_owned(), to.clone());
        }
        if store.serves_visitors && !headers.contains_key("content-type") {
            untyped.push(path.clone());
        }
        let object = Object {
            key: path.clone(),
            path: path.clone(),
            role,
            size: file.sealed.size,
            sha256: file.sealed.sha256.clone(),
            md5: file.md5.clone(),
            script_depth: file.sealed.script_depth,
            headers: if store.serves_visitors { headers } else { BTreeMap::new() },
        };
        let slashless = SitePath::new(path.as_str())
            .index_folder()
            .and_then(|folder| folder.strip_suffix('/'))
            .filter(|slashless| store.has_flat_keys && !paths.contains(slashless));
        if let Some(slashless) = slashless {
            objects.push(Object { key: slashless.to_owned(), ..object.clone() });
        }
        objects.push(object);
    }
    if !untyped.is_empty() {
        let help = "set Content-Type for them under [[headers]] in sitegate.toml";
        let message = "the media type of these files is unknown, so browsers would download them";
        return Err(Failure::new(FailureKind::Guard, message).names(untyped).help(help));
    }
    objects.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(objects)
}

/// Whether a file never changes under its name: its name has a hash, or its `Cache-Control` says `immutable`.
pub fn is_immutable(path: &str, config: &Contract) -> bool {
    is_hashed(path) || describe(path, config).0 == ObjectRole::Asset
}

/// Whether a file is a page or a list of pages, which are switched last and never kept.
pub fn is_switched_with_pages(path: &str) -> bool {
    is_page(path) || is_list_of_pages(path)
}

/// Returns a file's role and response headers.
fn describe(path: &str, config: &Contract) -> (ObjectRole, BTreeMap<String, String>) {
    let set = config.headers_for(path);
    let mut headers: BTreeMap<String, String> = set
        .iter()
        .map(|(name, value)| (name.to_ascii_lowercase(), (*value).to_owned()))
        .filter(|(name, _)| STORED.contains(&name.as_str()))
        .collect();
    let page = is_page(path) || is_list_of_pages(path);
    let immutable = match headers.get("cache-control") {
        Some(value) => value.split(',').any(|part| part.trim() == "immutable"),
        None => !page && is_hashed(path),
    };
    let role = match (page, immutable) {
        (_, true) => ObjectRole::Asset,
        (true, false) => ObjectRole::Page,
        (false, false) => ObjectRole::File,
    };
    let cache = if immutable { IMMUTABLE } else { REVALIDATE };
    headers.entry("cache-control".to_owned()).or_insert_with(|| cache.to_owned());
    if let Some(media_type) = media::known_content_type(path) {
        headers.entry("content-type".to_owned()).or_insert_with(|| media_type.into_owned());
    }
    (role, headers)
}
