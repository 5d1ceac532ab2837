//! Lists the files of an export, sorted, and finds files by their paths.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use rayon::prelude::*;
use sitegate_address::INDEX;
use sitegate_base::sanitize::{slashed, visible};
use sitegate_base::system_error::describe;
use sitegate_host::answer::lowercase;

/// Index of a file in [`Tree`]'s sorted list.
pub type FileId = u32;

/// An entry of the tree that is neither a regular file nor a directory inside it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stray {
    /// Path below the root, with `/`.
    pub path: Box<str>,
    /// Kind of the entry.
    pub kind: StrayKind,
    /// The target of a symbolic link, as written.
    pub target: Option<Box<str>>,
}

/// The kinds of [`Stray`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StrayKind {
    /// A symbolic link whose target is outside the root; it vanishes or breaks on upload.
    LinkOutside,
    /// A symbolic link whose target does not exist.
    LinkDangling,
    /// A symbolic link that leads back to itself.
    LinkLoop,
    /// A symbolic link to a directory that contains it.
    LinkCycle,
    /// A FIFO, socket or device.
    Special,
}

/// The stored content of a fetched file.
#[derive(Clone, Debug)]
pub struct StoredFile {
    /// A file of the same length as the fetched one.
    pub file: PathBuf,
    /// Whether its content was fetched; if not, it must not be read.
    pub is_whole: bool,
}

/// Maximum number of symbolic links on the way to a file, as on Linux.
const MAX_LINKS: usize = 40;

/// All files of the export, by path below its root.
///
/// Paths are bytes with `/` between segments, compared as bytes on every system.
pub struct Tree {
    root: PathBuf,
    /// Stored contents of a fetched site; empty for a folder.
    stored: Vec<StoredFile>,
    names: Vec<u8>,
    ends: Vec<u32>,
    by_path: HashTable<FileId>,
    folders: HashTable<FileId>,
    folder_names: Vec<Box<[u8]>>,
    hasher: FixedState,
    /// The files by their lowercase paths, made when a host ignores case.
    by_lowercase: OnceLock<HashMap<Vec<u8>, FileId>>,
    /// Entries that are neither file nor directory.
    pub strays: Vec<Stray>,
    /// Directories that could not be listed.
    pub unreadable: Vec<String>,
    /// Whether any file is reached through a symbolic link.
    pub(crate) is_linked: bool,
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tree").field("root", &self.root).field("files", &self.len()).finish_non_exhaustive()
    }
}

#[derive(Default)]
struct Listing {
    files: Vec<Box<[u8]>>,
    folders: Vec<Box<[u8]>>,
    strays: Vec<Stray>,
    unreadable: Vec<String>,
    is_linked: bool,
}

impl Listing {
    fn merge(mut self, other: Listing) -> Listing {
        self.files.extend(other.files);
        self.folders.extend(other.folders);
        self.strays.extend(other.strays);
        self.unreadable.extend(other.unreadable);
        self.is_linked |= other.is_linked;
        self
    }
}

impl Tree {
    /// Lists all files below `root`.
    ///
    /// # Errors
    /// If `root` is missing or is not a directory. A directory further down that cannot be listed is added to
    /// [`Tree::unreadable`] instead.
    pub fn walk(root: &Path) -> io::Result<Tree> {
        let began = Instant::now();
        let real = fs::canonicalize(root)?;
        if !real.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "not a directory"));
        }
        let mut listing = list(&real, &real, &real, b"", &[]);
        listing.files.par_sort_unstable();
        listing.strays.sort();
        // Each entry begins with a path below the root. That of the root itself is absolute, and replaces it.
        for entry in &mut listing.unreadable {
            *entry = root.join(&*entry).display().to_string();
        }
        listing.unreadable.sort();
        let (files, skipped, elapsed) = (listing.files.len(), listing.strays.len(), began.elapsed());
        tracing::info!(files, skipped, ?elapsed, "listed {}", root.display());
        for stray in &listing.strays {
            tracing::debug!("skipped {}: {:?}", visible(&stray.path), stray.kind);
        }
        Ok(Tree::of_listing(root.to_path_buf(), Vec::new(), listing))
    }

    /// Returns the tree of a site that was fetched from `root`, a URL. Its paths are never looked up on disk.
    pub fn fetched(root: &str, files: BTreeMap<Box<[u8]>, StoredFile>) -> Tree {
        let mut folders: BTreeSet<&[u8]> = BTreeSet::new();
        for path in files.keys() {
            let ends = path.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/');
            // The parents of a known folder are known.
            let _ = ends.map(|(end, _)| &path[..end]).find(|folder| !folders.insert(folder));
        }
        let folders = folders.into_iter().map(Into::into).collect();
        let (files, stored) = files.into_iter().unzip();
        Tree::of_listing(root.into(), stored, Listing { files, folders, ..Listing::default() })
    }

    /// Returns a tree with these files, whose contents are not known.
    pub(crate) fn of_paths(paths: impl IntoIterator<Item = String>) -> Tree {
        let unread = StoredFile { file: PathBuf::new(), is_whole: false };
        let files = paths.into_iter().map(|path| (path.into_bytes().into_boxed_slice(), unread.clone()));
        Tree::fetched("", files.collect())
    }

    fn of_listing(root: PathBuf, stored: Vec<StoredFile>, listing: Listing) -> Tree {
        let mut tree = Tree {
            root,
            stored,
            names: Vec::with_capacity(listing.files.iter().map(|f| f.len()).sum()),
            ends: Vec::with_capacity(listing.files.len()),
            by_path: HashTable::with_capacity(listing.files.len()),
            folders: HashTable::with_capacity(listing.folders.len()),
            folder_names: listing.folders,
            hasher: FixedState::default(),
            by_lowercase: OnceLock::new(),
            strays: listing.strays,
            unreadable: listing.unreadable,
            is_linked: listing.is_linked,
        };
        for file in &listing.files {
            tree.names.extend_from_slice(file);
            tree.ends.push(tree.names.len() as u32);
        }
        for id in 0..listing.files.len() as FileId {
            let hash = tree.hasher.hash_one(tree.path(id));
            let (names, ends, hasher) = (&tree.names, &tree.ends, &tree.hasher);
            tree.by_path.insert_unique(hash, id, |&id| hasher.hash_one(path_of(names, ends, id)));
        }
        for id in 0..tree.folder_names.len() as FileId {
            let (names, hasher) = (&tree.folder_names, &tree.hasher);
            let hash = hasher.hash_one(&*names[id as usize]);
            tree.folders.insert_unique(hash, id, |&id| hasher.hash_one(&*names[id as usize]));
        }
        tree
    }

    /// Returns the root as it was given.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns a file's path below the root.
    pub fn path(&self, id: FileId) -> &[u8] {
        path_of(&self.names, &self.ends, id)
    }

    /// Returns a file's path as text; bytes that are not UTF-8 are replaced.
    pub fn display(&self, id: FileId) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.path(id))
    }

    /// Returns a file's path for messages about reading it: with the folder of the export. Files of a live site have
    /// no folder.
    pub(crate) fn path_from_here(&self, id: FileId) -> String {
        match self.stored.get(id as usize) {
            Some(_) => self.display(id).into_owned(),
            None => slashed(&self.root.join(&*self.display(id))),
        }
    }

    /// Returns the path to open a file by.
    pub fn disk_path(&self, id: FileId) -> PathBuf {
        match self.stored.get(id as usize) {
            Some(stored) => stored.file.clone(),
            None => self.disk_path_of(self.path(id)),
        }
    }

    /// Whether a file's content can be read.
    pub fn has_content(&self, id: FileId) -> bool {
        self.stored.get(id as usize).is_none_or(|stored| stored.is_whole)
    }

    /// Returns the path on disk of a path below the root.
    pub(crate) fn disk_path_of(&self, path: &[u8]) -> PathBuf {
        self.root.join(os_path(path))
    }

    /// Returns the file with exactly this path.
    pub fn find(&self, path: &[u8]) -> Option<FileId> {
        let hash = self.hasher.hash_one(path);
        self.by_path.find(hash, |&id| self.path(id) == path).copied()
    }

    /// Returns the file whose path differs from this one at most in letter case: the one with the lowercase path, or the
    /// first.
    pub(crate) fn find_in_any_case(&self, path: &[u8]) -> Option<FileId> {
        let files = self.by_lowercase.get_or_init(|| {
            let mut files = HashMap::with_capacity(self.len());
            for file in self.ids() {
                files.entry(lowercase(self.path(file))).or_insert(file);
            }
            files
        });
        let wanted = lowercase(path);
        self.find(&wanted).or_else(|| files.get(&wanted).copied())
    }

    /// Returns the index document of the root.
    pub(crate) fn home(&self) -> Option<FileId> {
        self.index_of(b"")
    }

    /// Returns the index document of a folder; the root is the empty path.
    pub fn index_of(&self, folder: &[u8]) -> Option<FileId> {
        let slash: &[u8] = if folder.is_empty() { b"" } else { b"/" };
        self.find(&[folder, slash, INDEX.as_bytes()].concat())
    }

    /// Whether a directory has exactly this path; the root is the empty path.
    pub fn is_folder(&self, path: &[u8]) -> bool {
        if path.is_empty() {
            return true;
        }
        let hash = self.hasher.hash_one(path);
        self.folders.find(hash, |&id| *self.folder_names[id as usize] == *path).is_some()
    }

    /// Whether any entry has this path: a file, a directory, or a stray.
    pub(crate) fn has(&self, path: &[u8]) -> bool {
        let is_stray = |stray: &Stray| stray.path.as_bytes() == path;
        self.find(path).is_some() || self.is_folder(path) || self.strays.iter().any(is_stray)
    }

    /// Whether another tree has the same files, directories, strays and unreadable directories.
    pub(crate) fn has_same_paths(&self, other: &Tree) -> bool {
        self.names == other.names
            && self.ends == other.ends
            && self.strays == other.strays
            && self.unreadable == other.unreadable
            && self.folder_names.len() == other.folder_names.len()
            && self.folder_names.iter().all(|folder| other.is_folder(folder))
    }

    /// Returns the paths of all directories below the root, in no particular order.
    pub fn folders(&self) -> impl Iterator<Item = &[u8]> {
        self.folder_names.iter().map(|folder| &**folder)
    }

    /// Returns all file ids, in the order of paths.
    pub fn ids(&self) -> std::ops::Range<FileId> {
        0..self.len() as FileId
    }

    /// Returns the files below a directory (`""` for all), at any depth, as a range of ids.
    pub fn below(&self, folder: &[u8]) -> std::ops::Range<FileId> {
        let mut prefix = folder.to_vec();
        if !prefix.is_empty() {
            prefix.push(b'/');
        }
        let first = self.partition(|path| path < prefix.as_slice());
        let after = self.partition(|path| path < prefix.as_slice() || path.starts_with(&prefix));
        first..after
    }

    fn partition(&self, before: impl Fn(&[u8]) -> bool) -> FileId {
        let (mut low, mut high) = (0, self.len() as FileId);
        while low < high {
            let middle = low + (high - low) / 2;
            if before(self.path(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

fn path_of<'t>(names: &'t [u8], ends: &[u32], id: FileId) -> &'t [u8] {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] as usize };
    &names[start..ends[id] as usize]
}

/// Returns the bytes of a file name as they are on disk (UTF-8 on Windows).
pub fn os_bytes(name: &std::ffi::OsStr) -> &[u8] {
    name.as_encoded_bytes()
}

/// The inverse of [`os_bytes`] for a whole relative path.
#[cfg(unix)]
fn os_path(path: &[u8]) -> &Path {
    use std::os::unix::ffi::OsStrExt;
    Path::new(std::ffi::OsStr::from_bytes(path))
}

/// The inverse of [`os_bytes`] for a whole relative path.
#[cfg(not(unix))]
fn os_path(path: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(path).into_owned())
}

/// Lists one directory and, in parallel, those below it. `real` is its path without links. `parents` are the
/// directories that were entered through links on the way here.
fn list(root: &Path, disk: &Path, real: &Path, prefix: &[u8], parents: &[PathBuf]) -> Listing {
    let mut listing = Listing::default();
    let mut below: Vec<(PathBuf, PathBuf, Vec<u8>)> = Vec::new();
    let shown = || match prefix {
        b"" => disk.display().to_string(),
        _ => String::from_utf8_lossy(prefix).into_owned(),
    };
    let entries = match fs::read_dir(disk) {
        Ok(entries) => entries,
        Err(error) => {
            listing.unreadable.push(format!("{}: {}", shown(), describe(&error)));
            return listing;
        }
    };
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                listing.unreadable.push(format!("{}: {}", shown(), describe(&error)));
                continue;
            }
        };
        let name = entry.file_name();
        let mut path = Vec::with_capacity(prefix.len() + 1 + name.len());
        if !prefix.is_empty() {
            path.extend_from_slice(prefix);
            path.push(b'/');
        }
        path.extend_from_slice(os_bytes(&name));
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) => {
                listing.unreadable.push(format!("{}: {}", String::from_utf8_lossy(&path), describe(&error)));
                continue;
            }
        };
        if kind.is_file() {
            listing.files.push(path.into_boxed_slice());
        } else if kind.is_dir() {
            below.push((entry.path(), real.join(&name), path));
        } else if kind.is_symlink() {
            listing.is_linked = true;
            match follow(root, real, &entry.path(), parents) {
                Ok(Followed::File) => listing.files.push(path.into_boxed_slice()),
                Ok(Followed::Folder(target)) => below.push((entry.path(), target, path)),
                Err(stray_kind) => {
                    let target = fs::read_link(entry.path()).ok();
                    let target = target.map(|target| target.to_string_lossy().into());
                    listing.strays.push(Stray { target, ..stray(&path, stray_kind) });
                }
            }
        } else {
            listing.strays.push(stray(&path, StrayKind::Special));
        }
    }
    let deeper = below
        .into_par_iter()
        .map(|(folder_on_disk, target, path)| {
            let mut chain = parents.to_vec();
            if target.parent() != Some(real) {
                chain.push(real.to_path_buf());
            }
            let mut inner = list(root, &folder_on_disk, &target, &path, &chain);
            inner.folders.push(path.into_boxed_slice());
            inner
        })
        .reduce(Listing::default, Listing::merge);
    listing.merge(deeper)
}

enum Followed {
    File,
    Folder(PathBuf),
}

/// Returns the target of a symbolic link, if it is inside the root and causes no cycle.
fn follow(root: &Path, real: &Path, link: &Path, parents: &[PathBuf]) -> Result<Followed, StrayKind> {
    let target = fs::canonicalize(link)
        .map_err(|_| if is_loop(link) { StrayKind::LinkLoop } else { StrayKind::LinkDangling })?;
    if !target.starts_with(root) {
        return Err(StrayKind::LinkOutside);
    }
    let kind = fs::metadata(&target).map_err(|_| StrayKind::LinkDangling)?;
    if kind.is_file() {
        return Ok(Followed::File);
    }
    if !kind.is_dir() {
        return Err(StrayKind::Special);
    }
    let cycles = real.starts_with(&target) || parents.iter().any(|parent| parent.starts_with(&target));
    if cycles { Err(StrayKind::LinkCycle) } else { Ok(Followed::Folder(target)) }
}

/// Whether a symbolic link leads back to itself.
fn is_loop(link: &Path) -> bool {
    let mut current = link.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&current) else { return false };
        current = current.parent().unwrap_or(Path::new("")).join(target);
    }
    true
}

fn stray(path: &[u8], kind: StrayKind) -> Stray {
    Stray { path: String::from_utf8_lossy(path).into(), kind, target: None }
}
