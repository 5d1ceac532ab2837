//! Copies the metadata of a file to the one that replaces it: mode, owner and extended attributes.

use std::fs;
use std::io;
use std::path::Path;

/// Copies the metadata that a file keeps when its content changes.
///
/// # Errors
/// If the mode cannot be set. The owner and the attributes are kept if the user may set them.
pub(super) fn keep_metadata(present: &Path, new: &Path) -> io::Result<()> {
    let metadata = fs::metadata(present)?;
    #[cfg(unix)]
    {
        keep_owner(&metadata, new);
        keep_attributes(present, new);
    }
    // After the owner, because a change of it clears some bits.
    fs::set_permissions(new, metadata.permissions())
}

#[cfg(unix)]
fn keep_owner(metadata: &fs::Metadata, new: &Path) {
    use std::os::unix::fs::{MetadataExt, chown};
    let is_same = |own: &fs::Metadata| own.uid() == metadata.uid() && own.gid() == metadata.gid();
    if !fs::metadata(new).is_ok_and(|own| is_same(&own)) {
        // Only the administrator may give a file away.
        let _ = chown(new, Some(metadata.uid()), Some(metadata.gid()));
    }
}

/// Copies extended attributes, and access control lists with them. The system itself sets those of `security`.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn keep_attributes(present: &Path, new: &Path) {
    use rustix::fs::{XattrFlags, getxattr, listxattr, setxattr};
    const MAX: usize = 1 << 16;
    let mut names = vec![0; MAX];
    let listed = listxattr(present, &mut names[..]).unwrap_or(0);
    for name in names[..listed].split(|byte| *byte == 0) {
        let is_kept = !name.is_empty() && !name.starts_with(b"security.");
        let mut value = vec![0; if is_kept { MAX } else { 0 }];
        if is_kept && let Ok(length) = getxattr(present, name, &mut value[..]) {
            // Not all file systems have all attributes.
            let _ = setxattr(new, name, &value[..length], XattrFlags::empty());
        }
    }
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "macos"))))]
fn keep_attributes(_: &Path, _: &Path) {}
