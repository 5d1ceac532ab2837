//! Writes files atomically, so that no reader finds a partial one, and refuses to replace files that it must not.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::artifact::{BASELINE, SEAL};
use crate::system_error::describe;

/// Number of bytes to read from each end of a file to recognize it.
const RECOGNIZED: usize = 32 << 10;

/// A kind of file that the program writes, with the files that it may replace. It may replace empty ones.
#[derive(Clone, Copy, Debug)]
pub struct OutputKind {
    /// Why another file is not replaced: `is not a seal`.
    pub refusal: &'static str,
    /// Whether a file may be replaced, by the text of its first and last bytes.
    pub replaces: fn(&str) -> bool,
}

/// A report, or another file that a check writes again at any time. It replaces any file but a seal and a baseline:
/// a seal was passed by other files, and a baseline is edited by people.
pub const REPORT: OutputKind = OutputKind {
    refusal: "is a seal or a baseline",
    replaces: |text| ![&SEAL, &BASELINE].iter().any(|kept| kept.is_beginning(text)),
};

/// Checks that a file may be written: its folder exists, and it is missing, empty, or may be replaced, and no symbolic
/// link. Anything but a regular file may be written, such as `/dev/stderr` or a named pipe.
///
/// # Errors
/// When the folder is missing, or the file must not be replaced, or cannot be read.
pub fn check(file: &Path, kind: OutputKind) -> io::Result<()> {
    check_folder(file)?;
    match fs::symlink_metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        // The system's names of open files, such as `/dev/stdout`, are links.
        Ok(found) if found.is_symlink() && !file.starts_with("/dev") && !file.starts_with("/proc") => {
            let message = "it is a symbolic link, so it is not written; name the file itself";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        Ok(_) => {}
    }
    let found = fs::metadata(file)?;
    if !found.is_file() || found.len() == 0 || (kind.replaces)(&ends(file, found.len())?) {
        return Ok(());
    }
    let message =
        format!("this file exists and {}, so it is not replaced; choose another path", kind.refusal);
    Err(io::Error::new(io::ErrorKind::AlreadyExists, message))
}

/// Checks that the folder of a file exists. A missing one is not created: a wrong path, such as one from another working
/// directory, would pass unnoticed.
fn check_folder(file: &Path) -> io::Result<()> {
    let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    match fs::metadata(folder) {
        Ok(found) if found.is_dir() => Ok(()),
        Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Err(error)
        }
        found => {
            // The first one that is in the way explains more than the last.
            let is_in_the_way = |path: &&Path| fs::metadata(path).is_ok_and(|other| !other.is_dir());
            let is_missing = found.is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
            let folder = folder.ancestors().find(is_in_the_way).unwrap_or(folder).display();
            let message = if is_missing {
                format!("there is no folder `{folder}`; create it first, or choose another path")
            } else {
                format!("`{folder}` is not a folder; choose another path")
            };
            Err(io::Error::new(io::ErrorKind::NotFound, message))
        }
    }
}

/// Describes why no file can be created in a folder, without the name of a temporary file.
fn unwritable(folder: &Path, error: &io::Error) -> io::Error {
    // The library adds the path of the temporary file to the text.
    let why = describe(&error.kind().into());
    io::Error::new(
        error.kind(),
        format!("cannot write: {why} in {}/", folder.display().to_string().trim_end_matches('/')),
    )
}

/// Returns the text of the first and the last bytes of a file.
fn ends(file: &Path, length: u64) -> io::Result<String> {
    let mut opened = File::open(file)?;
    let mut bytes = Vec::new();
    opened.by_ref().take(RECOGNIZED as u64).read_to_end(&mut bytes)?;
    let rest = length.saturating_sub(bytes.len() as u64).min(RECOGNIZED as u64);
    opened.seek(SeekFrom::Start(length - rest))?;
    opened.take(rest).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Writes a file atomically, after [`check`]: a reader finds the new content or the previous one. Anything but a
/// regular file is written to directly.
///
/// # Errors
/// When the file cannot be written, or `write` fails; then the previous content remains.
pub fn write(file: &Path, kind: OutputKind, write: impl FnOnce(File) -> io::Result<()>) -> io::Result<()> {
    check(file, kind)?;
    if fs::metadata(file).is_ok_and(|metadata| !metadata.is_file()) {
        return write(OpenOptions::new().write(true).open(file)?);
    }
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    PreparedFile::write(folder, &file, write)?.replace(&file)
}

/// The complete new content of a file, in a temporary file.
#[derive(Debug)]
pub struct PreparedFile(NamedTempFile);

impl PreparedFile {
    /// Writes the new content of `file` to a temporary file in a folder. It is removed with the value.
    ///
    /// # Errors
    /// When it cannot be written, or `write` fails.
    pub fn write(
        folder: &Path,
        file: &Path,
        write: impl FnOnce(File) -> io::Result<()>,
    ) -> io::Result<PreparedFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".").suffix(".tmp");
        // As with `File::create`, the process's umask applies, and a file that exists keeps its permissions.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = builder.tempfile_in(folder).map_err(|error| unwritable(folder, &error))?;
        if let Ok(present) = fs::metadata(file) {
            temporary.as_file().set_permissions(present.permissions())?;
        }
        write(temporary.as_file().try_clone()?)?;
        Ok(PreparedFile(temporary))
    }

    /// Replaces a file in the same file system with it.
    ///
    /// # Errors
    /// When it cannot be renamed; then the previous content remains.
    pub fn replace(self, file: &Path) -> io::Result<()> {
        self.0.persist(file)?;
        Ok(())
    }
}

/// Removes a file before it is written again, after [`check`]. Anything but a regular file is left alone.
///
/// # Errors
/// When it must not be replaced, or cannot be removed.
pub fn clear(file: &Path, kind: OutputKind) -> io::Result<()> {
    check(file, kind)?;
    match fs::symlink_metadata(file) {
        Ok(found) if found.is_file() => fs::remove_file(file),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::io::Write;

    use super::{OutputKind, REPORT};

    const KIND: OutputKind = OutputKind {
        refusal: "is not a list",
        replaces: |text| text.starts_with('[') && text.ends_with(']'),
    };

    #[test]
    fn replaces_a_file_completely_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("report.json");
        super::write(&file, KIND, |mut out| out.write_all(b"[1]")).unwrap();
        let failed = super::write(&file, KIND, |mut out| {
            out.write_all(b"[half of tw")?;
            Err(std::io::Error::other("the disk is full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
        assert_eq!(fs::read(&file).unwrap(), b"[1]");
        super::write(&file, KIND, |mut out| out.write_all(b"[2]")).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"[2]");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file remains");
    }

    #[test]
    fn replaces_only_empty_files_and_files_of_its_kind() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let long = format!("[{}]", "x".repeat(1 << 20));
        for (content, is_replaced) in
            [("", true), ("[1]", true), (&long, true), ("{}", false), ("[1] x", false)]
        {
            fs::write(&file, content).unwrap();
            let written = super::write(&file, KIND, |mut out| out.write_all(b"[2]"));
            assert_eq!(written.is_ok(), is_replaced, "{content:.9}");
            fs::write(&file, content).unwrap();
            assert_eq!(super::clear(&file, KIND).is_ok(), is_replaced, "{content:.9}");
            assert_eq!(file.exists(), !is_replaced, "{content:.9}");
        }
    }

    #[test]
    fn reports_replace_all_files_but_seals_and_baselines() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        for (content, is_replaced) in [
            ("{}", true),
            ("<!doctype html>", true),
            (r#"{"kind": "sitegate-redirects"}"#, true),
            (r#"{"schema_version": 1, "kind": "sitegate-seal"}"#, false),
            (r#" {"kind":"sitegate-baseline"}"#, false),
        ] {
            fs::write(&file, content).unwrap();
            let written = super::write(&file, REPORT, |mut out| out.write_all(b"[2]"));
            assert_eq!(written.is_ok(), is_replaced, "{content}");
        }
        let refusal = super::check(&file, REPORT).unwrap_err().to_string();
        assert!(refusal.starts_with("this file exists and is a seal or a baseline, so"), "{refusal}");
    }

    #[cfg(unix)]
    #[test]
    fn follows_no_symbolic_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::os::unix::fs::symlink(&file, &link).unwrap();
        for content in [None, Some("[1]")] {
            if let Some(content) = content {
                fs::write(&file, content).unwrap();
            }
            let error = super::write(&link, KIND, |mut out| out.write_all(b"[2]")).unwrap_err();
            assert!(error.to_string().contains("symbolic link"), "{error}");
            assert!(super::clear(&link, KIND).is_err());
            assert_eq!(fs::read_to_string(&file).ok().as_deref(), content);
        }
    }
}
