//! Limits the files and environment variables that a contract can use. A pull request can change the contract, so it
//! must not be able to show or send what is outside of the repository.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Maximum size in bytes of a file that a contract names.
const MAX_FILE_SIZE: u64 = 16 << 20;

/// Folders and variables that a contract can use in addition to the files of its repository.
#[derive(Clone, Debug, Default)]
pub struct Permissions {
    /// More folders to read from.
    pub folders: Vec<PathBuf>,
    /// Names of environment variables.
    pub variables: Vec<String>,
}

/// The files and environment variables that a contract can use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    /// The repository of the contract, then the allowed folders, all without links.
    roots: Vec<PathBuf>,
    variables: Vec<String>,
}

/// An environment variable is set, but the contract is not allowed to read it.
#[derive(Debug, thiserror::Error)]
#[error(
    "the contract is not allowed to read the environment variable `{0}`; allow it with `--allow-env {0}`"
)]
pub(crate) struct VariableError(String);

impl Access {
    /// Returns the access of a contract: the nearest folder above it that has a `.git`, or else its own folder.
    pub fn new(contract: &Path, permissions: &Permissions) -> Access {
        let folder = contract.parent().filter(|folder| !folder.as_os_str().is_empty());
        let own = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok();
        let repository = own.map(|own| {
            let repository = own.ancestors().find(|above| above.join(".git").exists());
            repository.unwrap_or(&own).to_path_buf()
        });
        let allowed = permissions.folders.iter().filter_map(|allowed| fs::canonicalize(allowed).ok());
        Access {
            roots: repository.into_iter().chain(allowed).collect(),
            variables: permissions.variables.clone(),
        }
    }

    /// Returns the path of an existing file or folder without links.
    ///
    /// # Errors
    /// If it does not exist, or is outside of the allowed folders.
    pub fn real_path(&self, path: &Path) -> io::Result<PathBuf> {
        let real = fs::canonicalize(path)?;
        if self.roots.iter().any(|root| real.starts_with(root)) {
            return Ok(real);
        }
        let root = self.roots.first().map(|root| root.display().to_string()).unwrap_or_default();
        let message = format!(
            "it is outside of the contract's repository, {root}; allow its folder with `--allow-read FOLDER`"
        );
        Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is outside of the allowed folders, too large, or not a regular file.
    pub fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        let real = self.real_path(file)?;
        // Opening a FIFO would wait for a writer.
        if !fs::metadata(&real)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        read_limited(&real)
    }

    /// Returns the value of an environment variable; `None` if it is not set, or empty.
    ///
    /// # Errors
    /// If it is set and the contract is not allowed to read it.
    pub fn variable(&self, name: &str) -> Result<Option<String>, VariableError> {
        let value = std::env::var(name).ok().filter(|value| !value.is_empty());
        match value {
            Some(_) if !self.variables.iter().any(|allowed| allowed == name) => {
                Err(VariableError(name.to_owned()))
            }
            value => Ok(value),
        }
    }
}

/// Reads a file of at most [`MAX_FILE_SIZE`] bytes.
pub(super) fn read_limited(file: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(file)?.take(MAX_FILE_SIZE + 1).read_to_end(&mut content)?;
    if content.len() as u64 > MAX_FILE_SIZE {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 16 MiB"));
    }
    Ok(content)
}
