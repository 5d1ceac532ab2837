//! Text files with an entry on each line, sorted by its key, below a line with their kind and version. Equal entries give
//! equal bytes. A file that was merged or damaged is refused.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use chrono::NaiveDate;
use sitegate_base::artifact::Artifact;
use sitegate_base::atomic_file::{self, OutputKind};

use crate::error::Error;

/// Maximum size of a file in bytes: half a million entries.
const MAX_SIZE: u64 = 64 << 20;

/// An entry of a list: what follows the key on its line, or is before it.
pub trait ListEntry: Sized {
    /// The name of an entry.
    type Key: Ord;
    /// The kind of file.
    const KIND: &'static Artifact;
    /// The second line, for anyone who opens the file. It begins with `#`.
    const NOTICE: &'static str;

    /// Reads a line strictly, because anyone may have written it.
    fn parse(line: &str) -> Option<(Self::Key, Self)>;

    /// Returns the line of an entry.
    fn line(&self, key: &Self::Key) -> String;
}

/// The entries of a list.
pub type SortedList<E> = BTreeMap<<E as ListEntry>::Key, E>;

/// A line that is not in the format. Its text is left out: it may be anything.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {reason}")]
pub struct ListError {
    /// The number of the line.
    pub line: usize,
    reason: String,
}

/// Reads a list.
///
/// # Errors
/// If the file is of another kind or version, or damaged.
pub fn parse<E: ListEntry>(text: &[u8]) -> Result<SortedList<E>, ListError> {
    let damaged = |line| {
        let reason = "the line is damaged or not in order; restore the file, or remove it and write it again";
        ListError { line, reason: reason.to_owned() }
    };
    let text = str::from_utf8(text)
        .map_err(|error| damaged(text[..error.valid_up_to()].split(|byte| *byte == b'\n').count()))?;
    let mut lines = text.lines().zip(1..);
    let (first, _) = lines.next().unwrap_or_default();
    E::KIND.check_line(first).map_err(|refusal| ListError { line: 1, reason: refusal.to_string() })?;
    let mut list = SortedList::<E>::new();
    for (line, number) in lines.filter(|(line, _)| !line.starts_with('#')) {
        let (key, entry) = E::parse(line).ok_or_else(|| damaged(number))?;
        if list.last_key_value().is_some_and(|(last, _)| *last >= key) {
            return Err(damaged(number));
        }
        list.insert(key, entry);
    }
    // The end of a line may be missing, and the rest still have the form of an entry.
    if text.ends_with('\n') { Ok(list) } else { Err(damaged(text.lines().count())) }
}

/// Reads a day as it is written: `2026-01-31`.
pub fn parse_day(text: &str) -> Option<NaiveDate> {
    let is_written = |day: &NaiveDate| text.len() == "2026-01-31".len() && day.to_string() == text;
    text.parse().ok().filter(is_written)
}

/// Returns the text of a list.
pub fn to_text<E: ListEntry>(list: &SortedList<E>) -> String {
    let entries: String = list.iter().map(|(key, entry)| entry.line(key) + "\n").collect();
    format!("{}\n{}\n{entries}", E::KIND.first_line(), E::NOTICE)
}

/// Reads a file; `None` if there is none.
///
/// # Errors
/// If the file cannot be read, or is no list.
pub fn read<E: ListEntry>(file: &Path) -> Result<Option<SortedList<E>>, Error> {
    let found = match fs::symlink_metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found.map_err(Error::file(file))?,
    };
    // Anyone who proposes a change may make it a link to another file, or a pipe.
    if !found.is_file() || found.len() > MAX_SIZE {
        let message = "this must be a regular file of at most 64 MiB";
        return Err(Error::usage(format!("{}: {message}", file.display())));
    }
    let mut text = Vec::new();
    let opened = File::open(file).and_then(|opened| opened.take(MAX_SIZE).read_to_end(&mut text));
    opened.map_err(Error::file(file))?;
    named(&file.display().to_string(), parse(&text)).map(Some)
}

/// Adds the name of a file to an error.
///
/// # Errors
/// If there is one.
pub fn named<T>(file: &str, read: Result<T, ListError>) -> Result<T, Error> {
    read.map_err(|error| Error::usage(format!("{file}:{error}")))
}

/// Writes a list to a file. Another kind of file is not replaced.
///
/// # Errors
/// If the file cannot be written.
pub fn write<E: ListEntry>(file: &Path, list: &SortedList<E>) -> Result<(), Error> {
    let kind =
        OutputKind { refusal: "has another content", replaces: |text| text.starts_with(E::KIND.kind()) };
    let text = to_text(list);
    atomic_file::write(file, kind, |mut out| out.write_all(text.as_bytes())).map_err(Error::file(file))
}
