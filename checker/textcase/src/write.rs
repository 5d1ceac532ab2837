//! Writes the files of a case, and updates what a text file expects.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::case::{Error, Section, SectionKind, TextCase};
use crate::parse::{cases, title};

/// Tests run at the same time, and several cases are in one text file.
static UPDATES: Mutex<()> = Mutex::new(());

impl TextCase {
    /// Writes all files of the case into a folder: those in the text, and those in the folder of the case.
    ///
    /// # Errors
    /// A file cannot be written, or is there already.
    pub fn write_files(&self, folder: &Path) -> Result<(), Error> {
        self.write_other_files(folder)?;
        self.sections.iter().try_for_each(|section| section.write(folder))
    }

    /// Writes the files that are not in the text.
    ///
    /// # Errors
    /// As for [`TextCase::write_files`].
    pub fn write_other_files(&self, folder: &Path) -> Result<(), Error> {
        let own = self.folder();
        if own.is_dir() { copy(&own, folder) } else { Ok(()) }
    }

    /// Replaces the expected content of `subject` in the text file.
    ///
    /// # Errors
    /// As for [`TextCase::update`].
    pub fn update_expected(&self, subject: &str, content: &str) -> Result<(), Error> {
        let index = self.sections.iter().position(|section| section.is_expected(subject));
        let kind = SectionKind::Expected(subject.to_owned());
        self.update(index.unwrap_or(self.sections.len()), &kind, content)
    }

    /// Replaces a section in the text file, by its index in [`TextCase::sections`]. An index after the last appends one.
    ///
    /// # Errors
    /// The text file cannot be read or written, or the content has a line that looks like a title.
    pub fn update(&self, index: usize, kind: &SectionKind, content: &str) -> Result<(), Error> {
        let _guard = UPDATES.lock();
        let mut text = fs::read_to_string(&self.file).map_err(Error::file(&self.file))?;
        let fail = |problem: &str| Error::Format {
            file: self.file.clone(),
            line: self.line,
            problem: problem.to_owned(),
        };
        // The lines of other cases may have changed since this one was read.
        let wanted = cases(&self.file, &text)?;
        let case = wanted.iter().find(|case| case.name == self.name);
        let case = case.ok_or_else(|| fail("is gone: do not edit the file while tests update it"))?;
        let end_of_case = case.sections.last().map(|section| section.range.end);
        let range = case.sections.get(index).map(|section| section.range.clone());
        let range = range.or(end_of_case.map(|end| end..end));
        let range = range.ok_or_else(|| fail("has no section: add its files"))?;
        let newline = if content.is_empty() || content.ends_with('\n') { "" } else { "\n" };
        text.replace_range(range, &format!("{}{content}{newline}", title(kind, content)));
        let written = cases(&self.file, &text)?;
        let found = written.iter().find(|written| written.name == self.name);
        let section = found.and_then(|found| found.sections.get(index.min(case.sections.len())));
        if section.is_none_or(|section| section.kind != *kind || section.content != content) {
            return Err(fail("would have a line that looks like a title: keep it in a file of its own"));
        }
        fs::write(&self.file, text).map_err(Error::file(&self.file))
    }
}

impl Section {
    /// Writes a file, a link or a named pipe into a folder. Other sections write nothing.
    ///
    /// # Errors
    /// The file cannot be written, or is there already.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let Some(path) = self.path() else { return Ok(()) };
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::file(parent))?;
        }
        let written = match &self.kind {
            SectionKind::SymbolicLink { target, .. } => symbolic_link(Path::new(target), &path),
            SectionKind::Fifo(_) => fifo(&path),
            // A path that is there twice would hide a mistake of the case.
            _ => File::create_new(&path).and_then(|mut file| file.write_all(self.content.as_bytes())),
        };
        written.map_err(Error::file(&path))
    }
}

/// Returns the entries of a folder, sorted.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::file(folder))?;
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths = paths.map_err(Error::file(folder))?;
    paths.sort();
    Ok(paths)
}

#[cfg(unix)]
fn symbolic_link(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn symbolic_link(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_file(target, link)
}

/// Creates a named pipe. The standard library has no function for it.
#[allow(clippy::disallowed_methods)] // only tests start this program
fn fifo(path: &Path) -> std::io::Result<()> {
    match Command::new("mkfifo").arg(path).status()? {
        status if status.success() => Ok(()),
        status => Err(std::io::Error::other(format!("mkfifo: {status}"))),
    }
}

/// Copies a folder into another one. Files that are there already are not replaced.
fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(Error::file(to))?;
    for path in entries(from)? {
        let target = path.file_name().map_or_else(|| to.to_owned(), |name| to.join(name));
        if path.is_dir() {
            copy(&path, &target)?;
            continue;
        }
        let content = fs::read(&path).map_err(Error::file(&path))?;
        let written = File::create_new(&target).and_then(|mut file| file.write_all(&content));
        written.map_err(Error::file(&target))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::{read_folder, write_all};

    const TEXT: &str = "== a ==\n-- site/x --\n1\n-- expected findings --\nold\n\n== b ==\n-- site/x --\n2\n";

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("rule.txt"), TEXT).unwrap();
        folder
    }

    #[test]
    fn an_update_changes_nothing_else() {
        let folder = folder();
        let cases = read_folder(folder.path()).unwrap();
        // The lines of `b` move before it is updated.
        cases[0].update_expected("findings", "new\n\nlines\n").unwrap();
        cases[1].update_expected("findings", "b\n").unwrap();
        let command = SectionKind::Command { command: "true".to_owned(), exit_code: 0 };
        cases[0].update(1, &command, "cut").unwrap();
        let written = fs::read_to_string(folder.path().join("rule.txt")).unwrap();
        let expected = "== a ==\n-- site/x --\n1\n-- $ true (no final newline) --\ncut\n\n\
                        == b ==\n-- site/x --\n2\n-- expected findings --\nb\n";
        assert_eq!(written, expected);
    }

    #[test]
    fn content_that_looks_like_a_title_is_refused() {
        let folder = folder();
        let cases = read_folder(folder.path()).unwrap();
        for content in ["-- site/y --\n", "x\n\n== c ==\n", "x\n== c ==\n"] {
            assert!(cases[0].update_expected("findings", content).is_err(), "{content}");
        }
        assert_eq!(fs::read_to_string(folder.path().join("rule.txt")).unwrap(), TEXT);
    }

    #[test]
    fn other_files_are_in_the_folder_of_the_case() {
        let folder = folder();
        let other = folder.path().join("rule/b/site");
        fs::create_dir_all(&other).unwrap();
        fs::write(other.join("bytes"), b"\xff").unwrap();
        let to = tempfile::tempdir().unwrap();
        write_all(folder.path(), to.path()).unwrap();
        assert_eq!(fs::read(to.path().join("rule/a/site/x")).unwrap(), b"1\n");
        assert_eq!(fs::read(to.path().join("rule/b/site/bytes")).unwrap(), b"\xff");
        // A file that is in both would hide one of them.
        fs::write(other.join("x"), "3").unwrap();
        let again = tempfile::tempdir().unwrap();
        assert!(write_all(folder.path(), again.path()).is_err());
        fs::create_dir_all(folder.path().join("rule/gone")).unwrap();
        assert!(read_folder(folder.path()).unwrap_err().to_string().contains("has no case for"));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_named_pipes_are_written() {
        use std::os::unix::fs::FileTypeExt as _;
        let folder = tempfile::tempdir().unwrap();
        let text = "== a ==\n-- site/link -> ../gone --\n-- site/pipe (FIFO) --\n";
        fs::write(folder.path().join("rule.txt"), text).unwrap();
        let to = tempfile::tempdir().unwrap();
        write_all(folder.path(), to.path()).unwrap();
        let site = to.path().join("rule/a/site");
        assert_eq!(fs::read_link(site.join("link")).unwrap(), Path::new("../gone"));
        assert!(fs::symlink_metadata(site.join("pipe")).unwrap().file_type().is_fifo());
    }
}
