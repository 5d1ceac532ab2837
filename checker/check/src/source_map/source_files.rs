//! Lists the files that people edit: what the contract includes, without what git ignores, packages, and the export itself.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::contract::SourceSettings;
use crate::parse::FileKind;
use sitegate_base::sanitize::slashed;

/// Bytes of the largest file that is read: nobody edits a larger one.
const LARGEST: u64 = 4 << 20;

/// Files that are read at the most, and bytes of all of them.
const MOST: usize = 200_000;
const ALL: u64 = 512 << 20;

/// Folders that hold what others wrote, what no one edits, or what no page is made of.
const FOREIGN: [&str; 5] = ["node_modules", ".git", "bower_components", "site-packages", "__tests__"];

/// What names of tests have in them.
const OF_TESTS: [&str; 2] = [".test.", ".spec."];

/// The files that people edit, by path.
#[derive(Default)]
pub(super) struct SourceFiles {
    /// The folder that paths are relative to.
    pub folder: PathBuf,
    /// Their paths with `/`, sorted.
    pub paths: Vec<String>,
    by_path: HashMap<String, u32>,
    /// Whether there is none that was left out for want of room.
    pub is_complete: bool,
}

impl SourceFiles {
    /// Lists them. Symbolic links are not followed, so that nothing outside the folder is read.
    pub fn of(settings: &SourceSettings, export: &Path) -> SourceFiles {
        let folder =
            if settings.folder.as_os_str().is_empty() { PathBuf::from(".") } else { settings.folder.clone() };
        let real = |path: &Path| fs::canonicalize(path).ok();
        let export = real(export).zip(real(&folder));
        let export =
            export.and_then(|(export, folder)| export.strip_prefix(folder).ok().map(Path::to_path_buf));
        let (wanted, from) = (settings.clone(), folder.clone());
        let enters = move |path: &Path, name: &OsStr| {
            let Some(below) = below(path, &from) else { return false };
            let is_foreign = FOREIGN.iter().any(|foreign| name == *foreign);
            !is_foreign && export.as_deref() != Some(Path::new(&below)) && wanted.may_lie_in(&below)
        };
        let mut builder = WalkBuilder::new(&folder);
        // What a person's own settings leave out says nothing about the project.
        builder.hidden(false).require_git(false).git_global(false).git_exclude(false).follow_links(false);
        builder.sort_by_file_name(OsStr::cmp).filter_entry(move |entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            !is_folder || entry.depth() == 0 || enters(entry.path(), entry.file_name())
        });
        let mut files = SourceFiles { folder: folder.clone(), is_complete: true, ..SourceFiles::default() };
        let mut bytes = 0;
        for entry in builder.build().filter_map(Result::ok) {
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                continue;
            }
            let Some(path) = below(entry.path(), &folder).filter(|path| settings.contain(path)) else {
                continue;
            };
            let length = entry.metadata().map_or(0, |metadata| metadata.len());
            if length > LARGEST || !is_text(&path) || is_test(&path) {
                continue;
            }
            bytes += length;
            if files.paths.len() == MOST || bytes > ALL {
                files.is_complete = false;
                break;
            }
            files.paths.push(path);
        }
        files.paths.sort_unstable();
        let numbered = files.paths.iter().enumerate().map(|(number, path)| (path.clone(), number as u32));
        files.by_path = numbered.collect();
        files
    }

    /// The file with this path.
    pub fn find(&self, path: &str) -> Option<u32> {
        self.by_path.get(path).copied()
    }

    /// The path to open a file by.
    pub fn disk_path(&self, source: u32) -> PathBuf {
        self.folder.join(&self.paths[source as usize])
    }

    /// A file's bytes; none where it is no text.
    pub fn read(&self, source: u32) -> Option<Vec<u8>> {
        /// Bytes in which a file that is no text has a zero.
        const HEAD: usize = 8 << 10;
        let text = fs::read(self.disk_path(source)).ok()?;
        memchr::memchr(0, &text[..text.len().min(HEAD)]).is_none().then_some(text)
    }
}

/// Whether a file may be text, by its name.
fn is_text(path: &str) -> bool {
    use FileKind::{Archive, Audio, Font, Image, Pdf, Video, WebAssembly};
    !matches!(FileKind::of_path(path.as_bytes()), Archive | Audio | Font | Pdf | Image | Video | WebAssembly)
}

/// Whether a file tests others: what stands there is on no page.
fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    OF_TESTS.iter().any(|part| name.contains(part))
}

/// A path below a folder, with `/`; none where it is no text.
fn below(path: &Path, folder: &Path) -> Option<String> {
    path.strip_prefix(folder).ok().filter(|below| below.to_str().is_some()).map(slashed)
}
