//! Reads, believes and writes the lock of external links, which a repository commits.
//!
//! A change can contain any lock. So an entry is believed only if the base commit has the same one, and only
//! `--update-lock` writes the file.

mod format;
mod refcache;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{NaiveDate, Utc};
use sitegate_base::atomic_file::{self, OutputKind};
use sitegate_base::plural::count;
use sitegate_check::{ExternalAnswer, ExternalVerdict};
use url::Url;

use crate::error::Error;
use crate::git;
use crate::terminal;

pub use format::{ExternalLock, LockSyntaxError, LockedAnswer};
pub use refcache::import as import_refcache;

/// Maximum size of a lock in bytes: half a million addresses.
const MAX_SIZE: u64 = 64 << 20;

/// Maximum age of an answer, unless the contract states another one.
const MAX_AGE: Duration = Duration::from_hours(30 * 24);

const OUTPUT_KIND: OutputKind =
    OutputKind { refusal: "is not a lock of external links", replaces: format::is_lock };

/// The arguments about a lock.
#[derive(Debug, Default, clap::Args)]
pub struct LockArgs {
    /// Do not request addresses with a good answer in this file
    ///
    /// The file is committed, and --update-lock writes it. With --base COMMIT, an entry counts only if the lock of that
    /// commit has the same one: give it for the changes of others. `external.max-age` of the contract is the maximum age
    /// of an answer.
    #[arg(long, hide_short_help = true, value_name = "FILE", help_heading = "External links", hide = !cfg!(feature = "network"), requires = "external")]
    pub lock: Option<PathBuf>,
    /// Write the good answers to the lock
    ///
    /// Requests new addresses, and those whose answer is older than half of the maximum age. Removes addresses that the
    /// site no longer links to, and those that are broken.
    #[arg(long, hide_short_help = true, help_heading = "External links", hide = !cfg!(feature = "network"), requires = "lock", conflicts_with = "base")]
    pub update_lock: bool,
}

/// A lock on disk, and which of its entries count.
#[derive(Debug)]
pub struct OpenLock {
    file: PathBuf,
    lock: ExternalLock,
    /// The lock of the base commit, if one is named.
    base: Option<ExternalLock>,
    max_age: Duration,
    today: NaiveDate,
}

/// The answer of an address that a check requested, or found in a cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressAnswer {
    /// It exists, here or at another address.
    Good(Option<String>),
    /// It is broken, or its fragment is.
    Broken,
    /// There is no verdict.
    Unverified,
}

impl AddressAnswer {
    /// Returns the answer of an address, from that of its URL without a fragment.
    #[cfg_attr(
        not(feature = "network"),
        expect(dead_code, reason = "only a check with requests has answers")
    )]
    pub fn new(answer: &ExternalAnswer, fragment: Option<&str>) -> AddressAnswer {
        match &answer.verdict {
            ExternalVerdict::Broken(_) => AddressAnswer::Broken,
            ExternalVerdict::Unverified(_) => AddressAnswer::Unverified,
            _ if fragment.is_some_and(|fragment| answer.missing.contains(fragment)) => AddressAnswer::Broken,
            ExternalVerdict::There => AddressAnswer::Good(None),
            ExternalVerdict::Moved(to) => AddressAnswer::Good(Some(to.clone())),
        }
    }
}

impl OpenLock {
    /// Opens the lock that the arguments name. `base` is the commit whose entries are believed.
    ///
    /// # Errors
    /// If the file is damaged, or there is no such commit.
    pub fn open(
        args: &LockArgs,
        base: Option<&str>,
        max_age: Option<Duration>,
    ) -> Result<Option<OpenLock>, Error> {
        let Some(file) = args.lock.as_deref() else { return Ok(None) };
        let lock = read(file)?.unwrap_or_default();
        let base = base.map(|revision| read_base(file, revision)).transpose()?;
        let max_age = max_age.unwrap_or(MAX_AGE);
        Ok(Some(OpenLock { file: file.to_path_buf(), lock, base, max_age, today: Utc::now().date_naive() }))
    }

    /// Returns the addresses of the lock that are believed, of any age: a change did not add them.
    pub fn known_addresses(&self) -> BTreeSet<Url> {
        self.believed().filter_map(|(address, _)| Url::parse(address).ok()).collect()
    }

    /// Returns the answers that need no request, by URL without a fragment. With `is_updated`, those that are older than
    /// half of the maximum age are requested again.
    pub fn answers(&self, is_updated: bool) -> HashMap<String, ExternalAnswer> {
        let max_age = if is_updated { self.max_age / 2 } else { self.max_age };
        let mut answers: HashMap<String, ExternalAnswer> = HashMap::new();
        for (address, locked) in self.believed().filter(|(_, locked)| self.is_younger(locked, max_age)) {
            let (url, fragment) = match address.split_once('#') {
                Some((url, fragment)) => (url, Some(fragment)),
                None => (address.as_str(), None),
            };
            let verdict = match &locked.moved_to {
                Some(to) => ExternalVerdict::Moved(to.clone()),
                None => ExternalVerdict::There,
            };
            let answer = answers.entry(url.to_owned()).or_insert_with(|| ExternalAnswer {
                verdict,
                missing: BTreeSet::new(),
                present: BTreeSet::new(),
            });
            answer.present.extend(fragment.map(str::to_owned));
        }
        answers
    }

    /// Writes the lock after a check. Bytes change only if an answer does, or if it is older than half of the maximum
    /// age.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn update(&self, answers: &BTreeMap<String, AddressAnswer>) -> Result<(), Error> {
        let updated = self.updated(answers);
        let before = fs::read(&self.file).ok();
        let text = updated.to_text();
        let name = self.file.display();
        if before.as_deref() == Some(text.as_bytes()) {
            terminal::print_note(&format!(
                "{name} is up to date: {}",
                count(updated.entries.len(), "address")
            ));
            return Ok(());
        }
        write(&self.file, &updated)?;
        terminal::print_note(&format!("wrote {name}: {}", count(updated.entries.len(), "address")));
        Ok(())
    }

    fn updated(&self, answers: &BTreeMap<String, AddressAnswer>) -> ExternalLock {
        let mut updated = ExternalLock::default();
        for (address, answer) in answers {
            let known = self.lock.entries.get(address);
            let entry = match answer {
                AddressAnswer::Good(moved_to) => {
                    let same = known.filter(|known| {
                        known.moved_to == *moved_to && self.is_younger(known, self.max_age / 2)
                    });
                    let new = || LockedAnswer { day: self.today, moved_to: moved_to.clone() };
                    Some(same.cloned().unwrap_or_else(new))
                }
                // The host may answer next time. Until the answer is too old, it counts.
                AddressAnswer::Unverified => {
                    known.filter(|known| self.is_younger(known, self.max_age)).cloned()
                }
                AddressAnswer::Broken => None,
            };
            updated.entries.extend(entry.map(|entry| (address.clone(), entry)));
        }
        updated
    }

    /// Returns the entries that the base has, too; all, if no base is named.
    fn believed(&self) -> impl Iterator<Item = (&String, &LockedAnswer)> {
        self.lock.entries.iter().filter(|(address, locked)| {
            self.base.as_ref().is_none_or(|base| base.entries.get(*address) == Some(locked))
        })
    }

    /// Whether an answer is at most this old. A day in the future comes from a wrong clock, so it does not count.
    fn is_younger(&self, locked: &LockedAnswer, max_age: Duration) -> bool {
        let days = (self.today - locked.day).num_days();
        u64::try_from(days).is_ok_and(|days| Duration::from_hours(days * 24) <= max_age)
    }
}

/// Writes a lock to a file.
///
/// # Errors
/// If the file cannot be written, or is something else.
pub fn write(file: &Path, lock: &ExternalLock) -> Result<(), Error> {
    let text = lock.to_text();
    atomic_file::write(file, OUTPUT_KIND, |mut out| out.write_all(text.as_bytes())).map_err(Error::file(file))
}

/// Reads a lock; `None` if there is no file.
fn read(file: &Path) -> Result<Option<ExternalLock>, Error> {
    let found = match fs::symlink_metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found.map_err(Error::file(file))?,
    };
    // A change of others may make it a link to another file, or a pipe.
    if !found.is_file() {
        return Err(Error::usage(format!("{}: a lock must be a regular file", file.display())));
    }
    let mut text = Vec::new();
    let opened = File::open(file).and_then(|opened| opened.take(MAX_SIZE + 1).read_to_end(&mut text));
    opened.map_err(Error::file(file))?;
    parse(&text, &file.display().to_string()).map(Some)
}

/// Reads the lock of a commit; an empty one if the commit has none.
fn read_base(file: &Path, revision: &str) -> Result<ExternalLock, Error> {
    let name = format!("{revision}:{}", file.display());
    match git::read_file(file, revision)? {
        Some(text) => parse(&text, &name),
        None => Ok(ExternalLock::default()),
    }
}

fn parse(text: &[u8], name: &str) -> Result<ExternalLock, Error> {
    if text.len() as u64 > MAX_SIZE {
        return Err(Error::usage(format!("{name}: a lock has at most 64 MiB")));
    }
    ExternalLock::parse(text).map_err(|LockSyntaxError { line, reason }| {
        let help = "restore it with `git checkout`, or remove it and write it again with --update-lock";
        Error::usage(format!("{name}:{line}: {reason}; {help}"))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeMap;
    use std::path::PathBuf;
    use std::time::Duration;

    use super::{AddressAnswer, ExternalLock, OpenLock};

    fn opened(lines: &str, base: Option<&str>) -> OpenLock {
        let parse = |entries: &str| {
            ExternalLock::parse(format!("# sitegate external lock 1\n{entries}").as_bytes()).unwrap()
        };
        OpenLock {
            file: PathBuf::new(),
            lock: parse(lines),
            base: base.map(parse),
            max_age: Duration::from_hours(30 * 24),
            today: "2026-11-30".parse().unwrap(),
        }
    }

    fn urls(lock: &OpenLock, is_updated: bool) -> Vec<String> {
        let mut urls: Vec<String> = lock.answers(is_updated).into_keys().collect();
        urls.sort();
        urls
    }

    #[test]
    fn answers_count_until_they_are_too_old() {
        let lines = "https://a.example/ 2026-11-30\nhttps://b.example/ 2026-11-15\nhttps://c.example/ 2026-11-14\nhttps://d.example/ 2026-10-31\nhttps://e.example/ 2026-10-30\nhttps://f.example/ 2026-12-01\n";
        let lock = opened(lines, None);
        let letters = |urls: Vec<String>| urls.iter().map(|url| url[8..9].to_owned()).collect::<String>();
        assert_eq!(letters(urls(&lock, false)), "abcd");
        assert_eq!(letters(urls(&lock, true)), "ab");
    }

    #[test]
    fn an_entry_that_the_base_has_otherwise_is_not_believed() {
        let base =
            "https://a.example/ 2026-11-29\nhttps://b.example/ 2026-11-29\nhttps://c.example/ 2026-11-29\n";
        let lines = "https://a.example/ 2026-11-29\nhttps://b.example/ 2026-11-30\nhttps://c.example/ 2026-11-29 https://d.example/\nhttps://new.example/ 2026-11-29\n";
        assert_eq!(urls(&opened(lines, Some(base)), false), ["https://a.example/"]);
        assert_eq!(urls(&opened(lines, Some("")), false), [""; 0]);
    }

    #[test]
    fn an_update_keeps_bytes_that_need_no_change() {
        let lines = "https://a.example/ 2026-11-20\nhttps://b.example/#x 2026-11-10\nhttps://broken.example/ 2026-11-29\nhttps://gone.example/ 2026-11-29\nhttps://moved.example/ 2026-11-29\nhttps://old.example/ 2026-10-01\nhttps://wall.example/ 2026-11-05\n";
        let lock = opened(lines, None);
        let good = || AddressAnswer::Good(None);
        let answers = BTreeMap::from_iter(
            [
                ("https://a.example/", good()),
                ("https://b.example/#x", good()),
                ("https://broken.example/", AddressAnswer::Broken),
                ("https://moved.example/", AddressAnswer::Good(Some("https://to.example/".to_owned()))),
                ("https://new.example/", good()),
                ("https://old.example/", AddressAnswer::Unverified),
                ("https://wall.example/", AddressAnswer::Unverified),
            ]
            .map(|(address, answer)| (address.to_owned(), answer)),
        );
        let updated = lock.updated(&answers);
        let text = updated.to_text();
        let entries: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            entries,
            [
                "https://a.example/ 2026-11-20",
                "https://b.example/#x 2026-11-30",
                "https://moved.example/ 2026-11-30 https://to.example/",
                "https://new.example/ 2026-11-30",
                "https://wall.example/ 2026-11-05",
            ]
        );
        let again = OpenLock { lock: updated, ..opened("", None) };
        assert_eq!(again.updated(&answers).to_text().lines().count(), text.lines().count());
    }
}
