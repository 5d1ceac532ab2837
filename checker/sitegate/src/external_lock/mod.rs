//! Reads, believes and writes the lock of external links, which a repository commits.
//!
//! A change can contain any lock. So an entry is believed only if the base commit has the same one, and only
//! `--update-lock` writes the file.

mod locked_answer;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{NaiveDate, Utc};
use sitegate_base::plural::count;
use sitegate_check::{ExternalAnswer, ExternalVerdict};
use url::{Position, Url};

use crate::error::Error;
use crate::git;
use crate::sorted_list::{self, ListEntry, SortedList};
use crate::terminal;

pub use locked_answer::{LockedAnswer, LockedState, import_refcache};

/// The answers by address, with its fragment.
pub type ExternalLock = SortedList<LockedAnswer>;

/// Maximum age of an answer, unless the contract states another one.
const MAX_AGE: Duration = Duration::from_hours(30 * 24);

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
    /// Write the answers to the lock
    ///
    /// Requests new and broken addresses, and those whose answer is older than half of the maximum age. Removes addresses
    /// that the site no longer links to.
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
        let lock = sorted_list::read(file)?.unwrap_or_default();
        let base = base.map(|revision| read_base(file, revision)).transpose()?;
        let max_age = max_age.unwrap_or(MAX_AGE);
        Ok(Some(OpenLock { file: file.to_path_buf(), lock, base, max_age, today: Utc::now().date_naive() }))
    }

    /// Returns the addresses of the lock that are believed, of any age, and also if they are broken: a change did not add
    /// them.
    pub fn known_addresses(&self) -> BTreeSet<Url> {
        self.believed().map(|(address, _)| address.clone()).collect()
    }

    /// Returns the answers that need no request, by URL without a fragment. With `is_updated`, those that are older than
    /// half of the maximum age are requested again.
    pub fn answers(&self, is_updated: bool) -> HashMap<String, ExternalAnswer> {
        let max_age = if is_updated { self.max_age / 2 } else { self.max_age };
        let mut answers: HashMap<String, ExternalAnswer> = HashMap::new();
        for (address, locked) in self.believed().filter(|(_, locked)| self.is_younger(locked, max_age)) {
            let verdict = match &locked.state {
                LockedState::Good => ExternalVerdict::There,
                LockedState::Moved(to) => ExternalVerdict::Moved(to.to_string()),
                LockedState::Broken => continue,
            };
            let answer = answers.entry(address[..Position::AfterQuery].to_owned());
            let answer = answer.or_insert_with(|| ExternalAnswer {
                verdict,
                missing: BTreeSet::new(),
                present: BTreeSet::new(),
            });
            answer.present.extend(address.fragment().map(str::to_owned));
        }
        answers
    }

    /// Writes the lock after a check, from the verdict on each address. Bytes change only if an answer does, or if it is
    /// older than half of the maximum age.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn update(&self, verdicts: &BTreeMap<Url, ExternalVerdict>) -> Result<(), Error> {
        let updated = self.updated(verdicts);
        let (name, addresses) = (self.file.display(), count(updated.len(), "address"));
        if updated == self.lock && self.file.exists() {
            terminal::print_note(&format!("{name} is up to date: {addresses}"));
            return Ok(());
        }
        sorted_list::write(&self.file, &updated)?;
        terminal::print_note(&format!("wrote {name}: {addresses}"));
        Ok(())
    }

    fn updated(&self, verdicts: &BTreeMap<Url, ExternalVerdict>) -> ExternalLock {
        let mut updated = ExternalLock::new();
        for (address, verdict) in verdicts {
            let known = self.lock.get(address);
            let state = match verdict {
                ExternalVerdict::There => LockedState::Good,
                ExternalVerdict::Moved(to) => Url::parse(to).map_or(LockedState::Good, LockedState::Moved),
                ExternalVerdict::Broken(_) => LockedState::Broken,
                // The host may answer next time. Until the answer is too old, it counts.
                ExternalVerdict::Unverified(_) => {
                    let kept = known.filter(|entry| self.is_younger(entry, self.max_age));
                    updated.extend(kept.map(|kept| (address.clone(), kept.clone())));
                    continue;
                }
            };
            // A broken address is requested by each update, so its day is that of the first answer.
            let is_same = |entry: &&LockedAnswer| {
                let is_broken = state == LockedState::Broken;
                entry.state == state && (is_broken || self.is_younger(entry, self.max_age / 2))
            };
            let entry = known.filter(is_same).cloned().unwrap_or(LockedAnswer { day: self.today, state });
            updated.insert(address.clone(), entry);
        }
        // An address that is too long for the file is requested each time.
        updated.retain(|address, entry| LockedAnswer::parse(&entry.line(address)).is_some());
        updated
    }

    /// Returns the entries that the base has, too; all, if no base is named.
    fn believed(&self) -> impl Iterator<Item = (&Url, &LockedAnswer)> {
        self.lock.iter().filter(|(address, locked)| {
            self.base.as_ref().is_none_or(|base| base.get(*address) == Some(locked))
        })
    }

    /// Whether an answer is at most this old. A day in the future comes from a wrong clock, so it does not count.
    fn is_younger(&self, locked: &LockedAnswer, max_age: Duration) -> bool {
        let days = (self.today - locked.day).num_days();
        u64::try_from(days).is_ok_and(|days| Duration::from_hours(days * 24) <= max_age)
    }
}

/// Reads the lock of a commit; an empty one if the commit has none.
fn read_base(file: &Path, revision: &str) -> Result<ExternalLock, Error> {
    match git::read_file(file, revision)? {
        Some(text) => {
            sorted_list::named(&format!("{revision}:{}", file.display()), sorted_list::parse(&text))
        }
        None => Ok(ExternalLock::new()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeMap;
    use std::path::PathBuf;
    use std::time::Duration;

    use sitegate_check::ExternalVerdict::{self, Broken, Moved, There, Unverified};
    use url::Url;

    use super::OpenLock;
    use crate::sorted_list::{parse, to_text};

    fn opened(lines: &str, base: Option<&str>) -> OpenLock {
        let read =
            |entries: &str| parse(format!("# sitegate external lock 1\n{entries}").as_bytes()).unwrap();
        OpenLock {
            file: PathBuf::new(),
            lock: read(lines),
            base: base.map(read),
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
    fn broken_addresses_are_known_but_have_no_answer() {
        let base = "https://a.example/ 2026-11-30\nhttps://b.example/ 2020-01-01 broken\n";
        let lines = format!("{base}https://c.example/ 2026-11-30 broken\n");
        let lock = opened(&lines, Some(base));
        assert_eq!(urls(&lock, false), ["https://a.example/"]);
        let known: Vec<String> = lock.known_addresses().into_iter().map(String::from).collect();
        assert_eq!(known, ["https://a.example/", "https://b.example/"]);
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
        let lines = "https://a.example/ 2026-11-20\nhttps://b.example/#x 2026-11-10\nhttps://broken.example/ 2026-11-29\nhttps://broken.example/long 2020-01-01 broken\nhttps://gone.example/ 2026-11-29\nhttps://moved.example/ 2026-11-29\nhttps://old.example/ 2026-10-01\nhttps://wall.example/ 2026-11-05\n";
        let lock = opened(lines, None);
        let answers: BTreeMap<Url, ExternalVerdict> = [
            ("https://a.example/", There),
            ("https://b.example/#x", There),
            ("https://broken.example/", Broken(String::new())),
            ("https://broken.example/long", Broken(String::new())),
            ("https://moved.example/", Moved("https://to.example/".to_owned())),
            ("https://new.example/", There),
            ("https://old.example/", Unverified(String::new())),
            ("https://wall.example/", Unverified(String::new())),
        ]
        .map(|(address, answer)| (Url::parse(address).unwrap(), answer))
        .into();
        let updated = lock.updated(&answers);
        let text = to_text(&updated);
        let entries: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            entries,
            [
                "https://a.example/ 2026-11-20",
                "https://b.example/#x 2026-11-30",
                "https://broken.example/ 2026-11-30 broken",
                "https://broken.example/long 2020-01-01 broken",
                "https://moved.example/ 2026-11-30 https://to.example/",
                "https://new.example/ 2026-11-30",
                "https://wall.example/ 2026-11-05",
            ]
        );
        let again = OpenLock { lock: updated, ..opened("", None) };
        assert_eq!(to_text(&again.updated(&answers)), text);
    }
}
