//! Stores the files of a release on a target in a temporary folder.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path};

use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::release_files::{ReleaseFile, read_release};
use sitegate_publish::target::TargetOptions;
use sitegate_review::ContentHash;
use tempfile::TempDir;
use url::Url;

use crate::error::Error;
use crate::runtime;
use crate::target_args;

/// The files of a release.
pub struct ReleaseFolder {
    /// The folder with the files. Those that are not needed have their size, but not their content.
    pub folder: TempDir,
    /// The contents of all files, by path.
    pub contents: HashMap<String, ContentHash>,
}

/// Fetches the live release of a target, or the one that the fragment of the URL names. `is_needed` selects the files whose
/// content is read, by path and size.
///
/// # Errors
/// If there is no such release, or it cannot be read or stored.
pub fn fetch(
    url: &Url,
    store: &TargetOptions,
    is_needed: impl Fn(&str, u64) -> bool,
) -> Result<ReleaseFolder, Error> {
    let mut target_url = url.clone();
    target_url.set_fragment(None);
    let folder = tempfile::tempdir().map_err(Error::system("cannot create a temporary folder"))?;
    let mut contents = HashMap::new();
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(FailureKind::Usage, format!("cannot store the files of the release: {error}"))
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
    Ok(ReleaseFolder { folder, contents })
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
