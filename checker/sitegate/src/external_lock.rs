//! Reads, believes and writes the lock of external links, which a repository commits.
//!
//! A change can contain any lock. So an entry is believed only if the base commit has the same one, and only
//! `--update-lock` writes the file.
//!
//! An entry is a line with the address, the day of its answer, and the address that it moved to permanently, or `broken`.
//! Targets of temporary redirects are left out: they differ from request to request.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{NaiveDate, Utc};
use serde::Deserialize;
use sitegate_base::artifact::{Artifact, EXTERNAL_LOCK};
use sitegate_base::plural::count;
use sitegate_check::{ExternalAnswer, ExternalVerdict};
use url::{Position, Url};

use crate::error::Error;
use crate::sorted_list::{self, ListEntry, SortedList, parse_day};
use crate::{git, terminal};

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

/// Maximum length of an address in bytes.
const MAX_ADDRESS: usize = 8192;

/// The answer of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockedAnswer {
    /// The day of the answer.
    pub day: NaiveDate,
    /// Its meaning.
    pub state: LockedState,
}

/// The meaning of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockedState {
    /// It exists.
    Good,
    /// It moved permanently, to this address.
    Moved(Url),
    /// It is broken. Changes that did not add the link need not fix it.
    Broken,
}

/// The last field of a broken address.
const BROKEN: &str = "broken";

impl ListEntry for LockedAnswer {
    /// The address with its fragment.
    type Key = Url;
    const KIND: &'static Artifact = &EXTERNAL_LOCK;
    const NOTICE: &'static str =
        "# Answers of external links. `sitegate check --external --lock FILE --update-lock` writes it.";

    fn parse(line: &str) -> Option<(Url, LockedAnswer)> {
        let mut fields = line.split(' ');
        let (address, day, state) = (fields.next()?, fields.next()?, fields.next());
        let written = |text: &str| web_address(text).filter(|url| url.as_str() == text);
        let day = parse_day(day)?;
        let state = match state {
            Some(BROKEN) => LockedState::Broken,
            Some(to) => LockedState::Moved(written(to)?),
            None => LockedState::Good,
        };
        fields.next().is_none().then_some((written(address)?, LockedAnswer { day, state }))
    }

    fn line(&self, address: &Url) -> String {
        let day = self.day;
        match &self.state {
            LockedState::Good => format!("{address} {day}"),
            LockedState::Moved(to) => format!("{address} {day} {to}"),
            LockedState::Broken => format!("{address} {day} {BROKEN}"),
        }
    }
}

/// Reads an address of the web, without a name and password.
fn web_address(text: &str) -> Option<Url> {
    let mut url = Url::parse(text).ok().filter(|_| text.len() <= MAX_ADDRESS)?;
    url.set_username("").and_then(|()| url.set_password(None)).ok()?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

/// An answer in `refcache.json`, the cache of htmltest.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct CachedAnswer {
    status_code: u16,
    last_seen: String,
}

/// Returns the good answers of a cache of htmltest. Fragments are dropped: htmltest does not check them.
///
/// # Errors
/// If the text is not such a cache.
pub fn import_refcache(text: &[u8]) -> Result<SortedList<LockedAnswer>, serde_json::Error> {
    let cached: BTreeMap<String, CachedAnswer> = serde_json::from_slice(text)?;
    let mut lock = SortedList::<LockedAnswer>::new();
    for (address, answer) in cached.iter().filter(|(_, answer)| (200..300).contains(&answer.status_code)) {
        let day = answer.last_seen.get(..10).and_then(parse_day);
        let (Some(day), Some(mut address)) = (day, web_address(address)) else { continue };
        address.set_fragment(None);
        let entry = lock.entry(address).or_insert(LockedAnswer { day, state: LockedState::Good });
        entry.day = entry.day.max(day);
    }
    Ok(lock)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeMap;
    use std::path::PathBuf;
    use std::time::Duration;

    use sitegate_check::ExternalVerdict::{self, Broken, Moved, There, Unverified};
    use url::Url;

    use super::{LockedAnswer, OpenLock, import_refcache};
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

    #[test]
    fn text_of_a_lock_is_read_back() {
        let entries = "https://a.example/ 2026-11-22\nhttps://a.example/#b 2026-01-01\nhttps://b.example/old 2026-11-22 https://b.example/new\nhttps://c.example/ 2026-11-22 broken\n";
        let head = "# sitegate external lock 1\n";
        let lock = parse::<LockedAnswer>(format!("{head}{entries}").as_bytes()).unwrap();
        assert_eq!(lock.len(), 4);
        let text = to_text(&lock);
        assert!(text.starts_with(head) && text.ends_with(entries), "{text}");
        // Git may write the ends of lines as the system does.
        let with_returns = text.replace('\n', "\r\n");
        assert_eq!(parse::<LockedAnswer>(with_returns.as_bytes()).unwrap(), lock);
    }

    #[test]
    fn damaged_locks_are_refused_with_their_line() {
        let long = format!("https://a.example/{} 2026-11-22\n", "x".repeat(9000));
        for (lines, line) in [
            ("https://a.example/ 2026-11-22\nhttps://a.example/ 2026-11-22\n", 3),
            ("https://b.example/ 2026-11-22\nhttps://a.example/ 2026-11-22\n", 3),
            ("<<<<<<< HEAD\nhttps://a.example/ 2026-11-22\n=======\n", 2),
            ("https://a.example/ 2026-11-22\n=======\nhttps://b.example/ 2026-11-22\n>>>>>>> x\n", 3),
            ("https://a.example/\u{1b}[2J 2026-11-22\n", 2),
            ("https://a.example/ä 2026-11-22\n", 2),
            ("https://a.example/\t2026-11-22\n", 2),
            ("https://A.example/ 2026-11-22\n", 2),
            ("https://a.example 2026-11-22\n", 2),
            ("https://u:p@a.example/ 2026-11-22\n", 2),
            ("file:///etc/passwd 2026-11-22\n", 2),
            (" 2026-11-22\n", 2),
            ("https://a.example/ 2026-02-30\n", 2),
            ("https://a.example/ +262000-01-01\n", 2),
            ("https://a.example/ 2026-1-1\n", 2),
            ("https://a.example/  2026-11-22\n", 2),
            ("https://a.example/\n", 2),
            ("https://a.example/ 2026-11-22 javascript:1\n", 2),
            ("https://a.example/ 2026-11-22 https://b.example/ x\n", 2),
            ("https://a.example/ 2026-11-22 Broken\n", 2),
            ("https://a.example/ 2026-11-22", 2),
            ("https://a.example/ 2026-11-22\n\nhttps://b.example/ 2026-11-22\n", 3),
            (&long, 2),
        ] {
            let text = format!("# sitegate external lock 1\n{lines}");
            assert_eq!(parse::<LockedAnswer>(text.as_bytes()).unwrap_err().line, line, "{lines:?}");
        }
        for text in ["", "\n", "{}", "# sitegate external lock 2\n", "# sitegate assets 1\n"] {
            assert_eq!(parse::<LockedAnswer>(text.as_bytes()).unwrap_err().line, 1, "{text:?}");
        }
    }

    #[test]
    fn imports_good_answers_without_fragments() {
        let cache = r#"{
            "https://A.example": { "StatusCode": 200, "LastSeen": "2026-11-01T08:27:12.04811-05:00" },
            "https://a.example/#b": { "StatusCode": 206, "LastSeen": "2026-11-03T08:27:12Z" },
            "https://gone.example/": { "StatusCode": 404, "LastSeen": "2026-11-03T08:27:12Z" },
            "https://wall.example/": { "StatusCode": 403, "LastSeen": "2026-11-03T08:27:12Z" },
            "https://never.example/": { "StatusCode": 200, "LastSeen": "soon" },
            "mailto:a@a.example": { "StatusCode": 200, "LastSeen": "2026-11-03T08:27:12Z" }
        }"#;
        let lock = import_refcache(cache.as_bytes()).unwrap();
        let text = to_text(&lock);
        assert!(text.ends_with("\nhttps://a.example/ 2026-11-03\n"), "{text}");
        assert_eq!(parse::<LockedAnswer>(text.as_bytes()).unwrap(), lock);
        assert!(import_refcache(b"{\"a\": 1}").is_err() && import_refcache(b"[").is_err());
    }
}
