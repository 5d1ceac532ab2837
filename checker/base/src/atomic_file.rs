//! Files that are replaced in one step, so that no reader ever finds half of one.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Writes a file: a reader finds all of it, or what was there before. A symbolic link is followed, and what is not
/// a regular file, such as `/dev/stderr` or a named pipe, is written to as it is.
///
/// # Errors
/// When the file cannot be written, or `write` fails; then the previous content is still there.
pub fn write(file: &Path, write: impl FnOnce(File) -> io::Result<()>) -> io::Result<()> {
    if fs::metadata(file).is_ok_and(|metadata| !metadata.is_file()) {
        return write(OpenOptions::new().write(true).open(file)?);
    }
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".tmp");
    // As `File::create` would: the process's umask applies.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let temporary = builder.tempfile_in(folder)?;
    write(temporary.as_file().try_clone()?)?;
    temporary.persist(&file)?;
    Ok(())
}

/// Clears away a file that is to be written anew. Where a symbolic link leads to one, it is emptied and the link stays;
/// what is not a regular file is left alone.
///
/// # Errors
/// When it is there and cannot be removed or emptied.
pub fn clear(file: &Path) -> io::Result<()> {
    match fs::symlink_metadata(file) {
        Ok(found) if found.is_file() => fs::remove_file(file),
        Ok(found) if found.is_symlink() && fs::metadata(file).is_ok_and(|target| target.is_file()) => {
            File::create(file).map(drop)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::io::Write;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("report.json");
        super::write(&file, |mut out| out.write_all(b"one")).unwrap();
        let failed = super::write(&file, |mut out| {
            out.write_all(b"half of tw")?;
            Err(std::io::Error::other("the disk is full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
        assert_eq!(fs::read(&file).unwrap(), b"one");
        super::write(&file, |mut out| out.write_all(b"two")).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing temporary is left");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_keeps_leading_where_it_leads() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "one").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        super::write(&link, |mut out| out.write_all(b"two")).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert!(link.is_symlink());
    }
}
