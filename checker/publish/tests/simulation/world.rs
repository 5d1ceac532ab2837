//! A store in memory: objects with tags and times, and what a power loss leaves of a folder.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use md5::{Digest, Md5};
use serde_json::Value;
use tokio::time::Instant;

use super::judge::Judge;
use super::rng::Rng;

/// Number of further outcomes of a power loss that are judged.
const OUTCOMES: usize = 6;

/// A kind of store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    pub name: &'static str,
    /// Whether it is a folder: files are staged and renamed, and have no headers.
    pub is_folder: bool,
    /// Whether it keeps its conditions. Some stores ignore them.
    pub has_conditions: bool,
    /// Whether tags are the MD5 of the content.
    pub has_digests: bool,
    /// Whether conditions need tags without quotes.
    pub has_bare_tags: bool,
    /// Whether it reports times.
    pub is_dated: bool,
}

const BUCKET: Kind = Kind {
    name: "bucket",
    is_folder: false,
    has_conditions: true,
    has_digests: true,
    has_bare_tags: false,
    is_dated: true,
};

/// The kinds of stores that the simulation has.
pub const KINDS: [Kind; 5] = [
    BUCKET,
    Kind { name: "folder", is_folder: true, ..BUCKET },
    Kind { name: "bucket without conditions", has_conditions: false, ..BUCKET },
    Kind { name: "bucket with opaque tags", has_digests: false, has_bare_tags: true, ..BUCKET },
    Kind {
        name: "bucket without conditions, digests and times",
        has_conditions: false,
        has_digests: false,
        is_dated: false,
        ..BUCKET
    },
];

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    pub body: Bytes,
    pub headers: Arc<BTreeMap<String, String>>,
    pub tag: String,
    /// When it was written, by the clock of the store.
    pub modified: Duration,
    /// Whether its content survives a power loss.
    pub is_durable: bool,
}

/// The condition of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    Always,
    Absent,
    Tagged(String),
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When it was written, by the clock of the store.
    at: Option<Duration>,
    pub text: String,
}

impl Line {
    /// Returns a line without a time.
    pub fn new(text: String) -> Line {
        Line { at: None, text }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "{:>9.3} {}", at.as_secs_f64(), self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// A store, and the judge that sees each of its writes.
#[derive(Clone)]
pub struct World {
    pub kind: Kind,
    /// Its time when the simulation began.
    pub begin: Duration,
    pub objects: BTreeMap<String, Arc<Stored>>,
    /// Staged files of a folder, by their temporary name.
    pub staged: BTreeMap<String, Bytes>,
    /// Whether the staged files are durable.
    pub is_staging_durable: bool,
    /// The objects before changes of names that a power loss may undo.
    unflushed: BTreeMap<String, Option<Arc<Stored>>>,
    /// The publisher that holds the lock on the names of a folder.
    pub lock_holder: Option<Arc<str>>,
    pub judge: Judge,
    /// The first thing that was wrong.
    pub wrong: Option<String>,
    pub log: Vec<Line>,
    tags: u64,
}

impl World {
    fn records(&self) -> impl DoubleEndedIterator<Item = Value> {
        let records = self.objects.iter().filter(|(key, _)| key.starts_with(".sitegate/runs/"));
        records.map(|(_, stored)| serde_json::from_slice(&stored.body).unwrap_or_default())
    }

    /// Returns the key of the latest record.
    pub fn latest_record(&self) -> Option<String> {
        self.objects.keys().rfind(|key| key.starts_with(".sitegate/runs/")).cloned()
    }

    /// Whether the release of the latest run is live, by its record.
    pub fn has_live_record(&self) -> bool {
        self.records().next_back().is_some_and(|record| record["stage"] == "live")
    }

    /// Whether the latest run that publishes a release has a lease, by its record.
    pub fn is_held(&self) -> bool {
        let latest = self.records().rfind(|record| record["release"].is_string());
        latest.is_some_and(|record| record["lease"].as_u64().is_some_and(|seconds| seconds > 0))
    }

    /// Judges that each kept content has the digest of its name.
    ///
    /// # Errors
    /// If one has not.
    pub fn backups_are_right(&self) -> Result<(), String> {
        let kept = self.objects.iter();
        let mut kept = kept.filter_map(|(key, stored)| Some((key.strip_prefix(".sitegate/kept/")?, stored)));
        match kept.find(|(digest, stored)| super::judge::sha256(&stored.body) != *digest) {
            Some((digest, _)) => Err(format!("the backup {digest} is damaged")),
            None => Ok(()),
        }
    }

    pub fn new(kind: Kind, foreign: &[(&str, &str)]) -> World {
        let foreign: BTreeMap<String, Bytes> =
            foreign.iter().map(|(key, body)| ((*key).to_owned(), Bytes::from((*body).to_owned()))).collect();
        let mut world = World {
            kind,
            begin: Duration::ZERO,
            objects: BTreeMap::new(),
            staged: BTreeMap::new(),
            is_staging_durable: false,
            unflushed: BTreeMap::new(),
            lock_holder: None,
            judge: Judge::new(kind.is_folder, foreign.clone()),
            wrong: None,
            log: Vec::new(),
            tags: 0,
        };
        for (key, body) in foreign {
            let tag = world.tag(&body);
            let stored =
                Stored { body, headers: Arc::default(), tag, modified: Duration::ZERO, is_durable: true };
            world.objects.insert(key, Arc::new(stored));
        }
        world
    }

    fn tag(&mut self, body: &[u8]) -> String {
        self.tags += 1;
        if self.kind.is_folder {
            return super::judge::sha256(body);
        }
        if self.kind.has_digests {
            return super::judge::hex(&Md5::digest(body));
        }
        format!("opaque-{}", self.tags)
    }

    fn judged(&mut self, verdict: Result<(), String>) {
        if let Err(wrong) = verdict
            && self.wrong.is_none()
        {
            self.log.push(Line::new(format!("      wrong: {wrong}")));
            self.wrong = Some(wrong);
        }
    }

    /// Adds a line to the log.
    pub fn note(&mut self, now: Duration, text: String) {
        self.log.push(Line { at: Some(now), text });
    }

    /// Returns the time of the store, in a simulation that began at `start`.
    pub fn now(&self, start: Instant) -> Duration {
        self.begin + start.elapsed()
    }

    pub fn holds(&self, key: &str, when: &When) -> bool {
        match when {
            When::Always => true,
            _ if !self.kind.has_conditions => true,
            When::Absent => !self.objects.contains_key(key),
            When::Tagged(tag) => self.objects.get(key).is_some_and(|there| there.tag == *tag),
        }
    }

    /// Writes an object if the condition holds, and returns its tag.
    pub fn put(
        &mut self,
        now: Duration,
        key: &str,
        body: &Bytes,
        headers: &Arc<BTreeMap<String, String>>,
        when: &When,
    ) -> Option<String> {
        if !self.holds(key, when) {
            return None;
        }
        let tag = self.tag(body);
        let verdict = self.has_inventory(key, body);
        self.judged(verdict);
        let headers = if self.kind.is_folder { Arc::default() } else { Arc::clone(headers) };
        let stored =
            Stored { body: body.clone(), headers, tag: tag.clone(), modified: now, is_durable: true };
        self.insert(key, stored);
        Some(tag)
    }

    /// Judges a record: if it says that a release is live, the release's inventory is there.
    fn has_inventory(&self, key: &str, body: &[u8]) -> Result<(), String> {
        // Most writes need no closer look.
        if !key.starts_with(".sitegate/runs/") || !body.windows(4).any(|word| word == b"live") {
            return Ok(());
        }
        let read = |text: &[u8]| serde_json::from_slice::<Value>(text).unwrap_or_default();
        let record = read(body);
        let (Some(release), "live") =
            (record["release"].as_str(), record["stage"].as_str().unwrap_or_default())
        else {
            return Ok(());
        };
        let manifest = self.objects.get(&format!(".sitegate/releases/{release}.json"));
        let manifest = manifest.map(|manifest| read(&manifest.body)).unwrap_or_default();
        let digest = manifest["inventory"]["sha256"].as_str().unwrap_or_default();
        // Damage may have cost it its inventory, which no rollback needs.
        if self.judge.has_remains || self.objects.contains_key(&format!(".sitegate/kept/{digest}")) {
            return Ok(());
        }
        Err(format!("{release} is live without its inventory"))
    }

    fn insert(&mut self, key: &str, stored: Stored) {
        let verdict = self.judge.write(key, &stored.body, &stored.headers);
        self.judged(verdict);
        let before = self.objects.insert(key.to_owned(), Arc::new(stored));
        self.changed(key, before);
    }

    fn changed(&mut self, key: &str, before: Option<Arc<Stored>>) {
        if self.kind.is_folder {
            self.unflushed.entry(key.to_owned()).or_insert(before);
        }
    }

    /// Copies an object; none if there is no such object.
    pub fn copy(&mut self, now: Duration, from: &str, to: &str, when: &When) -> Option<bool> {
        let there = Arc::clone(self.objects.get(from)?);
        Some(self.put(now, to, &there.body, &there.headers, when).is_some())
    }

    /// Renames a staged file to its key.
    pub fn rename(&mut self, now: Duration, staged: &str, key: &str) {
        let Some(body) = self.staged.remove(staged) else { return };
        let tag = self.tag(&body);
        let is_durable = self.is_staging_durable;
        self.insert(key, Stored { body, headers: Arc::default(), tag, modified: now, is_durable });
    }

    pub fn remove(&mut self, key: &str) {
        if let Some(before) = self.objects.remove(key) {
            let verdict = self.judge.delete(key);
            self.judged(verdict);
            self.changed(key, Some(before));
        }
    }

    /// Writes an object as others do, which the judge does not see.
    pub fn edit(&mut self, key: &str, text: &'static str) {
        let body = Bytes::from_static(text.as_bytes());
        let tag = self.tag(&body);
        let stored =
            Stored { body, headers: Arc::default(), tag, modified: Duration::ZERO, is_durable: true };
        self.objects.insert(key.to_owned(), Arc::new(stored));
    }

    /// Damages an object: it loses its second half.
    pub fn damage(&mut self, key: &str) {
        if let Some(stored) = self.objects.get_mut(key) {
            let half = stored.body.slice(..stored.body.len() / 2);
            *stored = Arc::new(Stored {
                body: half,
                tag: format!("damaged-{}", stored.tag),
                ..Stored::clone(stored)
            });
        }
    }

    /// Damages an object so that its size stays: one of its bytes changes.
    pub fn garble(&mut self, key: &str) {
        if let Some(stored) = self.objects.get(key).cloned() {
            let body: Bytes =
                stored.body.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at == 0)).collect();
            let tag = self.tag(&body);
            self.objects.insert(key.to_owned(), Arc::new(Stored { body, tag, ..Stored::clone(&stored) }));
        }
    }

    /// Returns up to `limit` objects after a key.
    pub fn page(&self, prefix: &str, after: Option<&str>, limit: usize) -> Vec<(String, Arc<Stored>)> {
        let start = match after {
            Some(after) => Bound::Excluded(after),
            None => Bound::Included(prefix),
        };
        let range = self.objects.range::<str, _>((start, Bound::Unbounded));
        let below = range.take_while(|(key, _)| key.starts_with(prefix));
        below.take(limit).map(|(key, stored)| (key.clone(), Arc::clone(stored))).collect()
    }

    /// Makes all changes of names durable.
    pub fn flush(&mut self) {
        self.unflushed.clear();
    }

    /// Loses changes that are not durable: each with its own chance. Several outcomes are judged, and the last one stays.
    pub fn lose_power(&mut self, rng: &mut Rng) {
        let log = std::mem::take(&mut self.log);
        for _ in 0..OUTCOMES {
            let mut possible = self.clone();
            possible.lose_some(rng);
            self.judged(possible.wrong.map_or(Ok(()), Err));
        }
        self.log.splice(0..0, log);
        self.lose_some(rng);
    }

    fn lose_some(&mut self, rng: &mut Rng) {
        for (key, before) in std::mem::take(&mut self.unflushed) {
            if rng.chance(50) {
                match before {
                    Some(before) => drop(self.objects.insert(key, before)),
                    None => drop(self.objects.remove(&key)),
                }
            }
        }
        for stored in self.objects.values_mut().filter(|stored| !stored.is_durable) {
            *stored = Arc::new(Stored { body: Bytes::new(), ..Stored::clone(stored) });
        }
        for body in self.staged.values_mut() {
            *body = Bytes::new();
        }
        self.look();
    }

    /// Judges all objects again.
    pub fn look(&mut self) {
        let objects: Vec<_> =
            self.objects.iter().map(|(key, stored)| (key, &stored.body, &*stored.headers)).collect();
        let verdict = self.judge.look(&objects);
        self.judged(verdict);
    }
}
