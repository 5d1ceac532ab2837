//! Reads and writes seals: lists of the exact files that passed a check, with size and SHA-256. `publish` requires one.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sitegate_address::SitePath;

use crate::contract::Contract;
use crate::file_digest::FileDigest;
use crate::report::finding::IgnoreSummary;
use crate::report::{Report, Tool, Verdict};
use crate::rules::BLOCK_PUBLISHING;
use crate::walk::{FileId, Tree};
use sitegate_base::artifact::{ArtifactRefusal, PROGRAM, SEAL};
use sitegate_base::atomic_file::{self, OutputKind};
use sitegate_base::file_name;
use sitegate_base::hex::hex;
use sitegate_base::sanitize::visible;

const OUTPUT_KIND: OutputKind =
    OutputKind { refusal: "is not a seal", replaces: |text| SEAL.is_beginning(text) };

/// A checksum list of the exact files that passed a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    /// The schema version.
    pub schema_version: u32,
    kind: String,
    /// The program that checked the files.
    pub tool: Tool,
    /// SHA-256 over path, size and content of every file; see [`tree_digest`].
    pub tree: String,
    /// SHA-256 of the contract's bytes; `None` if the check had no contract.
    pub contract: Option<String>,
    /// The commit that the build was made from; `None` if that is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<SealedCommit>,
    /// The number of files, pages and links that were checked.
    pub counts: SealedCounts,
    /// Locations and messages of findings that block publishing although the check passed, such as placeholders. Publishing to a
    /// folder is allowed, to a bucket not (see `rules::BLOCK_PUBLISHING`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_for_live: Vec<String>,
    /// The findings that a page, the contract or the baseline ignores.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<IgnoreSummary>,
    /// The inventory of the site, as text. `publish` stores it with the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inventory: Option<String>,
    /// The files, sorted by path.
    pub files: Vec<SealedFile>,
}

/// The commit that a build was made from, by the machine that made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedCommit {
    /// Its id.
    pub id: String,
    /// Whether tracked files had changes that the commit does not have.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub modified: bool,
}

/// The number of files, pages and links that were checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedCounts {
    /// Files in the export.
    pub files: usize,
    /// HTML pages among them.
    pub pages: usize,
    /// References that were resolved.
    pub links: usize,
}

/// A file that passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedFile {
    /// Its path below the export's root, with `/`.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// For a script, or a file that scripts load: the length of the longest chain of files that it loads. Files with a
    /// smaller depth are published first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script_depth: Option<u32>,
}

/// An error that keeps a seal from being made, written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    /// The check did not pass.
    #[error("the check did not pass, so there is nothing to seal")]
    NotPassed,
    /// A path is not UTF-8, so it cannot be a key in an object store.
    #[error("cannot seal `{0}`: its name is not UTF-8, so it could not be published; rename it")]
    NotText(String),
    /// File names that cannot be published.
    #[error("cannot seal files that cannot be published:{0}")]
    Unpublishable(String),
    /// A path goes through a symbolic link, so its content could change without a change to the export.
    #[error("cannot seal `{0}`: it is reached through a symbolic link; put the file itself there")]
    Link(String),
    /// The path of the seal is inside the export.
    #[error("{0}: the seal cannot be inside the export that it seals; choose a path outside it")]
    Inside(PathBuf),
    /// The path of the seal is a folder.
    #[error("{0}: this is a folder; name a file")]
    Folder(PathBuf),
    /// The file is not a seal that this program reads.
    #[error("{0}: {1}")]
    Refused(PathBuf, #[source] ArtifactRefusal),
    /// The seal is damaged, or was altered.
    #[error("{0}: {1}; write it again with `sitegate check --seal {0}`")]
    Damaged(PathBuf, String),
    /// The file does not exist.
    #[error("{0}: there is no seal: a failed check writes none; run `sitegate check --seal {0}`")]
    Missing(PathBuf),
    /// A file could not be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, #[source] std::io::Error),
}

/// The files of a check, from which a seal is made.
pub struct CheckedFiles {
    /// The files that were checked.
    pub(crate) tree: Arc<Tree>,
    /// The digest of every file, by [`FileId`]; empty unless [`crate::Checker::digest`] was on.
    pub(crate) digests: Vec<FileDigest>,
    /// Scripts and the files that they load, each with its [depth](SealedFile::script_depth).
    pub(crate) depths: Vec<(FileId, u32)>,
}

impl CheckedFiles {
    /// Returns the seal of a check that passed. The check must have been run with [`crate::Checker::digest`].
    ///
    /// # Errors
    /// If the check did not pass, or a path cannot be published.
    pub fn seal(&self, report: &Report, contract: &Contract) -> Result<Seal, SealError> {
        if report.verdict != Verdict::Passed || self.digests.len() != self.tree.len() {
            return Err(SealError::NotPassed);
        }
        let mut files = Vec::with_capacity(self.tree.len());
        let mut plain_folder = PathBuf::new();
        let mut unpublishable = String::new();
        for (id, digest) in self.tree.ids().zip(&self.digests) {
            let path = std::str::from_utf8(self.tree.path(id));
            let path = path.map_err(|_| SealError::NotText(visible(&self.tree.display(id)).into_owned()))?;
            if let Some(why) = file_name::unpublishable(path) {
                // Control characters are escaped.
                let _ = write!(unpublishable, "\n  {}: {why}", path.escape_debug());
            }
            if is_linked(self.tree.root(), Path::new(path), &mut plain_folder) {
                return Err(SealError::Link(visible(path).into_owned()));
            }
            let depth = self.depths.binary_search_by_key(&id, |(file, _)| *file);
            files.push(SealedFile {
                path: path.to_owned(),
                size: digest.size,
                sha256: hex(&digest.sha256),
                script_depth: depth.ok().map(|at| self.depths[at].1),
            });
        }
        if !unpublishable.is_empty() {
            return Err(SealError::Unpublishable(unpublishable));
        }
        Ok(Seal {
            schema_version: SEAL.version,
            kind: SEAL.kind().to_owned(),
            tool: Tool {
                name: PROGRAM.to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                documentation: None,
            },
            tree: tree_digest(&files),
            contract: contract_digest(contract),
            commit: None,
            counts: SealedCounts {
                files: report.summary.files,
                pages: report.summary.pages,
                links: report.summary.links,
            },
            not_for_live: report
                .findings
                .iter()
                .filter(|finding| BLOCK_PUBLISHING.contains(&&*finding.rule))
                .map(|finding| {
                    let file = name_without_folder(&finding.file, contract);
                    format!("{file}:{}: {}", finding.line, finding.message)
                })
                .collect(),
            ignored: report.ignores.clone(),
            inventory: None,
            files,
        })
    }
}

impl Seal {
    /// Removes an older seal before a check, so that none remains if the check fails.
    ///
    /// # Errors
    /// If the file at this path is not a seal.
    pub fn clear(file: &Path) -> Result<(), SealError> {
        if file.file_name().is_none() || file.is_dir() {
            return Err(SealError::Folder(file.to_path_buf()));
        }
        atomic_file::clear(file, OUTPUT_KIND).map_err(|error| SealError::Io(file.to_path_buf(), error))
    }

    /// Checks that the path of a seal is outside the export in `root`.
    ///
    /// # Errors
    /// If it is inside.
    pub fn refuse_inside(file: &Path, root: &Path) -> Result<(), SealError> {
        let name = file.file_name().ok_or_else(|| SealError::Folder(file.to_path_buf()))?;
        match (fs::canonicalize(parent_folder(file)), fs::canonicalize(root)) {
            (Ok(folder), Ok(root)) if folder.join(name).starts_with(&root) => {
                Err(SealError::Inside(file.to_path_buf()))
            }
            _ => Ok(()),
        }
    }

    /// Writes the seal atomically: a reader sees all of it or none.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, file: &Path) -> Result<(), SealError> {
        let fail = |error: std::io::Error| SealError::Io(file.to_path_buf(), error);
        let mut text = serde_json::to_vec_pretty(self).map_err(|error| fail(error.into()))?;
        text.push(b'\n');
        atomic_file::write(file, OUTPUT_KIND, |mut out| out.write_all(&text).and_then(|()| out.sync_all()))
            .map_err(fail)
    }

    /// Reads a seal, and checks its list of files against its digest.
    ///
    /// # Errors
    /// If the file cannot be read, is not a seal, or was altered.
    pub fn read(file: &Path) -> Result<Seal, SealError> {
        let text = fs::read(file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => SealError::Missing(file.to_path_buf()),
            _ => SealError::Io(file.to_path_buf(), error),
        })?;
        let damaged = |why: String| SealError::Damaged(file.to_path_buf(), why);
        SEAL.check_json(&text).map_err(|refusal| SealError::Refused(file.to_path_buf(), refusal))?;
        let seal: Seal = serde_json::from_slice(&text)
            .map_err(|error| damaged(format!("the seal is damaged: {error}")))?;
        let sorted = seal.files.windows(2).all(|pair| pair[0].path < pair[1].path);
        let plain = seal.files.iter().all(|sealed| is_plain(&sealed.path));
        if !sorted || !plain || seal.tree != tree_digest(&seal.files) {
            return Err(damaged("the seal was altered: its digest does not match its files".to_owned()));
        }
        Ok(seal)
    }
}

/// Returns the SHA-256 over `sha256 size path NUL` of every file, in the order of paths.
pub fn tree_digest(files: &[SealedFile]) -> String {
    let mut hash = Sha256::new();
    for file in files {
        hash.update(format!("{} {} {}\0", file.sha256, file.size, file.path));
    }
    hex(&hash.finalize())
}

/// Returns the name of a finding's file, without the folder of the contract: seals have no path of the build machine.
fn name_without_folder<'f>(file: &'f str, contract: &Contract) -> &'f str {
    let is_contract = contract.file.as_deref().is_some_and(|path| path == Path::new(file));
    if is_contract { SitePath::new(file).name() } else { file }
}

/// Returns the SHA-256 of the contract's bytes, with its bases and its baseline; `None` if there is neither a
/// contract nor a baseline.
pub fn contract_digest(contract: &Contract) -> Option<String> {
    let bytes = contract.sealed_bytes();
    (contract.file.is_some() || contract.baseline.is_some()).then(|| hex(&Sha256::digest(bytes)))
}

/// Whether a path is below any folder that it is joined to.
fn is_plain(path: &str) -> bool {
    !path.is_empty() && path.split('/').all(|segment| !matches!(segment, "" | "." | ".."))
}

/// Whether a file is a symbolic link, or is below one. `plain` caches the last folder that is not.
fn is_linked(root: &Path, path: &Path, plain: &mut PathBuf) -> bool {
    let linked = |entry: &Path| root.join(entry).symlink_metadata().is_ok_and(|found| found.is_symlink());
    let folder = path.parent().unwrap_or(Path::new(""));
    if folder != plain.as_path() {
        let mut parents = folder.ancestors().filter(|parent| *parent != Path::new(""));
        if parents.any(linked) {
            return true;
        }
        *plain = folder.to_path_buf();
    }
    linked(path)
}

fn parent_folder(file: &Path) -> PathBuf {
    current_if_empty(file.parent().unwrap_or(Path::new(""))).to_path_buf()
}

/// Returns `.` for an empty path, which is the parent of a relative file name.
fn current_if_empty(folder: &Path) -> &Path {
    if folder == Path::new("") { Path::new(".") } else { folder }
}

#[cfg(test)]
mod tests {
    use super::{SealedFile, is_plain, tree_digest};

    #[test]
    fn tree_digest_depends_on_names_and_contents() {
        let file = |path: &str, size| SealedFile {
            path: path.to_owned(),
            size,
            sha256: "00".repeat(32),
            script_depth: None,
        };
        let digest = tree_digest(&[file("a", 1), file("b", 2)]);
        assert_eq!(digest, tree_digest(&[file("a", 1), file("b", 2)]));
        assert_ne!(digest, tree_digest(&[file("a", 1), file("c", 2)]));
        assert_ne!(digest, tree_digest(&[file("a", 2), file("b", 2)]));
        assert_ne!(digest, tree_digest(&[file("a", 1)]));
    }

    #[test]
    fn rejects_paths_outside_the_root() {
        assert!(is_plain("a/b.html"));
        for path in ["", "/a", "a//b", "../a", "a/../b", "a/."] {
            assert!(!is_plain(path), "{path}");
        }
    }
}
