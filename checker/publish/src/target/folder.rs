//! Opens a folder as a store.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use object_store::ObjectStore;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;

use crate::failure::{Exit, Failure};
use crate::target::store::Opened;

/// Makes ready to read and write the folder of a `file:` URL. With `create`, it is made where it is not there.
///
/// # Errors
/// [`Exit::Usage`] when the URL names no folder, or the folder cannot be made.
pub(super) fn open(url: &str, create: bool) -> Result<Opened, Failure> {
    let folder = folder(url)?;
    let store = local(&folder, create)?;
    Ok(Opened {
        store,
        folder: Some(folder),
        endpoint: "file".to_owned(),
        #[cfg(feature = "network")]
        credentials: None,
    })
}

/// The folder of a `file:` URL.
fn folder(url: &str) -> Result<PathBuf, Failure> {
    let rest = url.strip_prefix("file:").unwrap_or_default();
    // The host may be named where it is this one (RFC 8089, 2).
    let rest = match rest.strip_prefix("//") {
        Some(named) => match named.split_at_checked("localhost".len()) {
            Some((host, path)) if host.eq_ignore_ascii_case("localhost") && path.starts_with('/') => path,
            _ => named,
        },
        None => rest,
    };
    let decoded = percent_encoding::percent_decode_str(rest).decode_utf8();
    let path = decoded.map_err(|_| Failure::new(Exit::Usage, format!("`{url}` is not UTF-8")))?;
    if path.is_empty() {
        return Err(Failure::new(Exit::Usage, format!("`{url}` names no folder"))
            .help("a local target is file:///FOLDER, such as file://$PWD/public"));
    }
    std::path::absolute(Path::new(&*path))
        .map_err(|error| Failure::new(Exit::Usage, format!("{url}: {error}")))
}

fn local(folder: &Path, create: bool) -> Result<Arc<dyn ObjectStore>, Failure> {
    let usage = |error: std::io::Error| Failure::new(Exit::Usage, format!("{}: {error}", folder.display()));
    if !create && !folder.exists() {
        // A plan for a folder that is not there yet: everything is new.
        return Ok(Arc::new(InMemory::new()));
    }
    std::fs::create_dir_all(folder).map_err(usage)?;
    let store = LocalFileSystem::new_with_prefix(folder);
    Ok(Arc::new(store.map_err(|error| Failure::store(&error, &folder.display().to_string()))?))
}
