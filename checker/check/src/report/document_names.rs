//! Names the documents of findings: by their path below the root of the export, or from the root of the repository.

use std::path::{Component, Path, PathBuf};

use ignore::gitignore::Gitignore;
use sitegate_base::sanitize::slashed;

use super::result::CheckResult;
use crate::contract::{BaselineFile, Contract};
use crate::raw_finding::DocumentId;
use crate::walk::Tree;

/// Names documents by their names and their paths.
pub(crate) struct DocumentNames<'r> {
    tree: &'r Tree,
    contract: &'r Contract,
    /// The folder that paths are relative to.
    repository: PathBuf,
}

impl<'r> DocumentNames<'r> {
    /// Names the documents of a check.
    pub fn new(result: &'r CheckResult, contract: &'r Contract) -> Self {
        DocumentNames { tree: &result.tree, contract, repository: repository() }
    }

    /// Returns a document's name: its path below the root with `/`, or the name of the contract.
    pub fn name(&self, document: &DocumentId) -> String {
        document_name(document, self.tree, self.contract)
    }

    /// Returns a document's path from the root of the repository, with `/`. CI systems attach annotations to this path.
    pub fn path(&self, document: &DocumentId) -> String {
        let path = match document {
            DocumentId::File(file) => self.tree.disk_path_of(self.tree.path(*file)),
            DocumentId::Contract => self.contract.file.clone().unwrap_or_else(|| self.contract.name().into()),
            DocumentId::Base(base) => self.contract.bases[usize::from(*base)].name().into(),
            DocumentId::Baseline => baseline_path(self.contract).to_path_buf(),
            DocumentId::HostConfig => host_config_path(self.contract).to_path_buf(),
            DocumentId::Path(path) => self.tree.root().join(&**path),
        };
        below(&path, &self.repository)
    }
}

/// Returns a document's name: its path below the root with `/`, or the name of the contract.
pub(super) fn document_name(document: &DocumentId, tree: &Tree, contract: &Contract) -> String {
    match document {
        DocumentId::File(file) => tree.display(*file).into_owned(),
        DocumentId::Contract => contract.name(),
        DocumentId::Base(base) => contract.bases[usize::from(*base)].name(),
        DocumentId::Baseline => baseline_path(contract).display().to_string(),
        DocumentId::HostConfig => host_config_path(contract).display().to_string(),
        DocumentId::Path(path) => path.to_string(),
    }
}

fn baseline_path(contract: &Contract) -> &Path {
    contract.baseline.as_ref().map_or(Path::new(""), BaselineFile::path)
}

fn host_config_path(contract: &Contract) -> &Path {
    contract.host_config.as_ref().map_or(Path::new(""), |config| &config.path)
}

/// Returns a path with `/`, without `.` and `..`, relative to the working directory if it is below that.
pub(crate) fn from_here(path: &Path) -> String {
    below(path, &std::env::current_dir().unwrap_or_default())
}

/// Returns the root of the repository of the working directory, or the working directory if there is no repository.
pub(crate) fn repository() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let root = here.ancestors().find(|folder| folder.join(".git").exists());
    root.unwrap_or(&here).to_path_buf()
}

/// Whether git ignores an export, as it does most generated ones, or it does not exist.
pub(crate) fn is_git_ignored(root: &Path) -> bool {
    let Ok(root) = root.canonicalize() else { return true };
    let repository = repository();
    root.ancestors().take_while(|folder| folder.starts_with(&repository)).any(|folder| {
        let file = folder.join(".gitignore");
        file.is_file() && Gitignore::new(file).0.matched_path_or_any_parents(&root, true).is_ignore()
    })
}

/// Returns a path with `/`, without `.` and `..`, relative to `folder` if it is below that. A relative path starts at
/// the working directory.
pub(crate) fn below(path: &Path, folder: &Path) -> String {
    // The URL of a live site is not a path.
    if let Some(url) = path.to_str().filter(|path| path.starts_with("http") && path.contains("://")) {
        return url.to_owned();
    }
    let mut plain = PathBuf::new();
    for component in std::env::current_dir().unwrap_or_default().join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    slashed(plain.strip_prefix(folder).unwrap_or(&plain))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::from_here;

    #[test]
    fn returns_paths_relative_to_the_working_directory() {
        let here = std::env::current_dir().unwrap_or_default();
        assert_eq!(from_here(Path::new("./out/a b.html")), "out/a b.html");
        assert_eq!(from_here(Path::new("out/../sitegate.toml")), "sitegate.toml");
        assert_eq!(from_here(&here.join("out")), "out");
        assert_eq!(from_here(Path::new("/elsewhere/x")), "/elsewhere/x");
    }
}
