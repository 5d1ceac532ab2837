//! Lists the files that people edit: those that the contract includes, without those that git ignores, packages, and
//! the export itself. Reads their lines for the output.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use sitegate_address::SitePath;

use crate::contract::SourceSettings;
use crate::parse::FileKind;
use crate::report::excerpt::Snippet;
use sitegate_base::sanitize::slashed;

/// Maximum size of a file in bytes.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// Maximum number of files, and of bytes in all files.
const MAX_FILES: usize = 200_000;
const MAX_TOTAL_BYTES: u64 = 512 << 20;

/// Folders of dependencies, generated files and tests.
const SKIPPED_FOLDERS: [&str; 5] = ["node_modules", ".git", "bower_components", "site-packages", "__tests__"];

/// Parts of names of tests.
const TEST_MARKERS: [&str; 2] = [".test.", ".spec."];

/// A location in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLocation {
    /// Index of the file.
    pub source: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Length in characters.
    pub length: u32,
}

/// The files that people edit, by path.
#[derive(Default)]
pub(crate) struct SourceFiles {
    /// The folder that paths are relative to.
    pub folder: PathBuf,
    /// Paths with `/`, sorted.
    pub paths: Vec<String>,
    by_path: HashMap<String, u32>,
    /// The files by their length in bytes.
    by_length: HashMap<u64, Vec<u32>>,
    /// Paths of sources that are symbolic links, which are not followed.
    pub links: Vec<String>,
    /// Paths of sources that are not read, because they are too large.
    pub too_large: Vec<String>,
    /// Whether no files were dropped because of the limits.
    pub is_complete: bool,
}

impl SourceFiles {
    /// Lists the files that are not in the export; `None` for an export that people write. Does not follow symbolic links,
    /// so that nothing outside the folder is read.
    pub fn list<'e>(settings: &SourceSettings, export: impl Into<Option<&'e Path>>) -> SourceFiles {
        let folder =
            if settings.folder.as_os_str().is_empty() { PathBuf::from(".") } else { settings.folder.clone() };
        let real = |path: &Path| fs::canonicalize(path).ok();
        let export = export.into().and_then(real).zip(real(&folder));
        let export = export.and_then(|(export, root)| export.strip_prefix(root).ok().map(Path::to_path_buf));
        let (included, from) = (settings.clone(), folder.clone());
        let is_entered = move |path: &Path, name: &OsStr| {
            let Some(below) = below(path, &from) else { return false };
            let is_skipped = SKIPPED_FOLDERS.iter().any(|skipped| name == *skipped);
            !is_skipped && export.as_deref() != Some(Path::new(&below)) && included.may_lie_in(&below)
        };
        let mut builder = WalkBuilder::new(&folder);
        // A user's global ignore file is not part of the project.
        builder.hidden(false).require_git(false).git_global(false).git_exclude(false).follow_links(false);
        builder.sort_by_file_name(OsStr::cmp).filter_entry(move |entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            !is_folder || entry.depth() == 0 || is_entered(entry.path(), entry.file_name())
        });
        let mut files = SourceFiles { folder: folder.clone(), is_complete: true, ..SourceFiles::default() };
        let (mut bytes, mut lengths) = (0, HashMap::new());
        for entry in builder.build().filter_map(Result::ok) {
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                let path = below(entry.path(), &folder).filter(|_| entry.path_is_symlink());
                files.links.extend(path.filter(|path| is_source(path, settings)));
                continue;
            }
            let Some(path) = below(entry.path(), &folder).filter(|path| is_source(path, settings)) else {
                continue;
            };
            let length = entry.metadata().map_or(0, |metadata| metadata.len());
            if length > MAX_FILE_BYTES {
                files.too_large.push(path);
                continue;
            }
            bytes += length;
            if files.paths.len() == MAX_FILES || bytes > MAX_TOTAL_BYTES {
                files.is_complete = false;
                break;
            }
            lengths.insert(path.clone(), length);
            files.paths.push(path);
        }
        files.sort();
        for (source, path) in files.paths.iter().enumerate() {
            files.by_length.entry(lengths[path]).or_default().push(source as u32);
        }
        files
    }

    /// Returns the only source with these bytes. Of several, the one whose path ends with `path` is meant.
    pub fn copy_of(&self, path: &str, text: &[u8]) -> Option<u32> {
        /// Maximum number of sources to compare; templates of data may have one length.
        const MAX_COMPARED: usize = 64;
        let same_length = self.by_length.get(&(text.len() as u64))?;
        let has_path = |source: &&u32| Path::new(&self.paths[**source as usize]).ends_with(path);
        let is_same = |source: &&u32| self.read(**source).is_some_and(|source| source == text);
        if let Some(own) = same_length.iter().filter(has_path).find(is_same) {
            return Some(*own);
        }
        let mut same = same_length.iter().take(MAX_COMPARED).filter(is_same);
        same.next().filter(|_| same_length.len() <= MAX_COMPARED && same.next().is_none()).copied()
    }

    /// Lists the sources among the files of another revision, which are not on disk.
    pub fn of_paths(mut paths: Vec<String>, settings: &SourceSettings) -> SourceFiles {
        let is_skipped = |path: &str| path.split('/').any(|name| SKIPPED_FOLDERS.contains(&name));
        paths.retain(|path| is_source(path, settings) && !is_skipped(path));
        let mut files = SourceFiles { paths, ..SourceFiles::default() };
        files.sort();
        files
    }

    fn sort(&mut self) {
        self.paths.sort_unstable();
        let indexes = self.paths.iter().enumerate().map(|(number, path)| (path.clone(), number as u32));
        self.by_path = indexes.collect();
    }

    /// Returns the file with this path.
    pub fn find(&self, path: &str) -> Option<u32> {
        self.by_path.get(path).copied()
    }

    /// Returns the path to open a file by.
    pub fn disk_path(&self, source: u32) -> PathBuf {
        self.folder.join(&self.paths[source as usize])
    }

    /// Reads a file; `None` if it is not text.
    pub fn read(&self, source: u32) -> Option<Vec<u8>> {
        /// Binary files have a zero in their first bytes.
        const HEAD: usize = 8 << 10;
        let text = fs::read(self.disk_path(source)).ok()?;
        memchr::memchr(0, &text[..text.len().min(HEAD)]).is_none().then_some(text)
    }
}

/// Returns the path of an export below the contract's folder, if the contract names that folder as one of sources: people
/// write its files, and no build replaces them.
pub(crate) fn authored_export(settings: &SourceSettings, export: &Path) -> Option<String> {
    let real = |path: &Path| fs::canonicalize(path).ok();
    let folder = if settings.folder.as_os_str().is_empty() { Path::new(".") } else { &settings.folder };
    let export = below(&real(export)?, &real(folder)?)?;
    settings.begin_in(&export).then_some(export)
}

/// Whether a file is an authored text, by its path from the contract's folder.
fn is_source(path: &str, settings: &SourceSettings) -> bool {
    settings.contain(path) && is_text(path) && !is_test(path)
}

/// Whether a file may be text, by its extension.
fn is_text(path: &str) -> bool {
    use FileKind::{Archive, Audio, Font, Image, Pdf, Video, WebAssembly};
    !matches!(FileKind::of_path(path.as_bytes()), Archive | Audio | Font | Pdf | Image | Video | WebAssembly)
}

/// Whether a file is a test; no page contains its text.
fn is_test(path: &str) -> bool {
    let name = SitePath::new(path).name();
    TEST_MARKERS.iter().any(|part| name.contains(part))
}

/// Returns a path below a folder, with `/`; `None` if it is not UTF-8.
fn below(path: &Path, folder: &Path) -> Option<String> {
    path.strip_prefix(folder).ok().filter(|below| below.to_str().is_some()).map(slashed)
}

/// Reads lines of sources, one source at a time.
pub struct SourceExcerpts<'p> {
    files: &'p SourceFiles,
    current: Option<SourceLines>,
}

/// The text of a source, and the offsets of its lines.
struct SourceLines {
    source: u32,
    text: Vec<u8>,
    starts: Vec<usize>,
}

impl<'p> SourceExcerpts<'p> {
    pub(super) fn new(files: &'p SourceFiles) -> Self {
        SourceExcerpts { files, current: None }
    }

    /// Returns the line of a location; `None` if the file has changed.
    pub fn snippet(&mut self, location: SourceLocation) -> Option<Snippet> {
        let (text, range) = self.range(location)?;
        Snippet::around(text, range, None)
    }

    /// Returns the text of a location's source, and the range of the location in bytes; `None` if the file has changed.
    fn range(&mut self, location: SourceLocation) -> Option<(&[u8], Range<usize>)> {
        let source = match self.current.take() {
            Some(current) if current.source == location.source => current,
            _ => {
                let text = self.files.read(location.source)?;
                SourceLines { source: location.source, starts: line_starts(&text), text }
            }
        };
        let SourceLines { text, starts, .. } = self.current.insert(source);
        let range = bytes_of(text, starts, location)?;
        Some((text, range))
    }
}

/// Returns the offsets of the lines of a text.
pub(crate) fn line_starts(text: &[u8]) -> Vec<usize> {
    std::iter::once(0).chain(memchr::memchr_iter(b'\n', text).map(|at| at + 1)).collect()
}

/// Returns the bytes of a location in a text with these offsets of lines; `None` if the text has changed.
pub(crate) fn bytes_of(text: &[u8], line_starts: &[usize], location: SourceLocation) -> Option<Range<usize>> {
    let start = *line_starts.get(location.line as usize - 1)?;
    let line = &text[start..memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |end| start + end)];
    let line = std::str::from_utf8(line).ok()?;
    let mut offsets = line.char_indices().map(|(at, _)| start + at).chain([start + line.len()]);
    let from = offsets.nth(location.column as usize - 1)?;
    let to = match location.length as usize {
        0 => from,
        length => offsets.nth(length - 1).unwrap_or(start + line.len()),
    };
    Some(from..to)
}
