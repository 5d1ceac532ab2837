//! Replaces files atomically, so that no reader finds a partial one.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Writes a file atomically: a reader finds the new content or the previous one. A symbolic link is followed.
/// Anything but a regular file, such as `/dev/stderr` or a named pipe, is written to directly.
///
/// # Errors
/// When the file cannot be written, or `write` fails; then the previous content remains.
pub fn write(file: &Path, write: impl FnOnce(File) -> io::Result<()>) -> io::Result<()> {
    if fs::metadata(file).is_ok_and(|metadata| !metadata.is_file()) {
        return write(OpenOptions::new().write(true).open(file)?);
    }
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".tmp");
    // As with `File::create`, the process's umask applies.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let temporary = builder.tempfile_in(folder)?;
    write(temporary.as_file().try_clone()?)?;
    temporary.persist(&file)?;
    Ok(())
}

/// Removes a file before it is written again. If it is a symbolic link to a file, that file is emptied and the
/// link remains. Anything else is left alone.
///
/// # Errors
/// When it exists and cannot be removed or emptied.
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
    fn replaces_a_file_completely_or_not_at_all() {
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
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file remains");
    }

    #[cfg(unix)]
    #[test]
    fn follows_a_symbolic_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "one").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        super::write(&link, |mut out| out.write_all(b"two")).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert!(link.is_symlink());
    }
}
