//! Caches answers between runs, in one file with a JSON line per URL. A CI system can store it.
//!
//! Concurrent runs take turns to write it, with a file lock. Unreadable lines are ignored.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sitegate_base::atomic_file::{self, OutputKind};
use sitegate_check::{ExternalAnswer, ExternalVerdict};

use crate::external::Answers;

/// The first line of the file. Another format has another one.
const HEADER: &str = r#"{"sitegate":"answers","version":1}"#;

const OUTPUT_KIND: OutputKind = OutputKind {
    refusal: "is not a cache of sitegate",
    replaces: |text| text.starts_with(r#"{"sitegate":"answers","#),
};

/// How long answers are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetimes {
    /// For pages that exist or have moved.
    pub there: Duration,
    /// For broken links, which someone may be fixing.
    pub broken: Duration,
    /// For links that could not be verified.
    pub unverified: Duration,
}

impl Default for Lifetimes {
    fn default() -> Lifetimes {
        let hours = |hours: u64| Duration::from_secs(hours * 3600);
        Lifetimes { there: hours(72), broken: hours(1), unverified: hours(6) }
    }
}

/// A cache of answers.
#[derive(Clone, Debug)]
pub struct Cache {
    file: PathBuf,
    lifetimes: Lifetimes,
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    url: String,
    /// The time of the request, in seconds since 1970.
    requested: u64,
    #[serde(flatten)]
    answer: ExternalAnswer,
}

impl Cache {
    /// Creates a cache in a file, which need not exist.
    pub fn at(file: &Path, lifetimes: Lifetimes) -> Cache {
        Cache { file: file.to_path_buf(), lifetimes }
    }

    /// Returns the path of the file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Reads the answers that are still valid, by URL without fragment.
    ///
    /// # Errors
    /// When the file exists and cannot be read.
    pub fn read(&self) -> io::Result<HashMap<String, ExternalAnswer>> {
        let lines = self.lines(seconds(SystemTime::now()))?;
        Ok(lines.into_iter().map(|(url, line)| (url, line.answer)).collect())
    }

    /// Adds new answers to the file, including what other runs have added meanwhile, and drops expired ones.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn store(&self, answers: &Answers) -> io::Result<()> {
        if let Some(folder) = self.file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)?;
        }
        let lock = File::create(self.file.with_extension("lock"))?;
        lock.lock()?;
        let now = seconds(SystemTime::now());
        let mut lines = self.lines(now)?;
        for url in &answers.requested {
            if let Some(answer) = answers.by_url.get(url) {
                lines.insert(url.clone(), Line { url: url.clone(), requested: now, answer: answer.clone() });
            }
        }
        atomic_file::write(&self.file, OUTPUT_KIND, |file| {
            let mut out = BufWriter::new(file);
            writeln!(out, "{HEADER}")?;
            for line in lines.values() {
                serde_json::to_writer(&mut out, line)?;
                out.write_all(b"\n")?;
            }
            out.flush()
        })
    }

    /// Reads the lines that are still valid.
    fn lines(&self, now: u64) -> io::Result<BTreeMap<String, Line>> {
        let file = match File::open(&self.file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            opened => opened?,
        };
        let mut lines = BufReader::new(file).split(b'\n');
        if lines.next().transpose()?.as_deref() != Some(HEADER.as_bytes()) {
            return Ok(BTreeMap::new());
        }
        let mut valid = BTreeMap::new();
        for line in lines {
            let Ok(line) = serde_json::from_slice::<Line>(&line?) else { continue };
            // A time in the future comes from a wrong clock, so the line is ignored.
            let age = now.checked_sub(line.requested).map(Duration::from_secs);
            if age.is_some_and(|age| age < self.lifetime(&line.answer.verdict)) {
                valid.insert(line.url.clone(), line);
            }
        }
        Ok(valid)
    }

    fn lifetime(&self, verdict: &ExternalVerdict) -> Duration {
        match verdict {
            ExternalVerdict::There | ExternalVerdict::Moved(_) => self.lifetimes.there,
            ExternalVerdict::Broken(_) => self.lifetimes.broken,
            ExternalVerdict::Unverified(_) => self.lifetimes.unverified,
        }
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeSet;
    use std::fs;
    use std::time::Duration;

    use super::{Cache, ExternalAnswer, ExternalVerdict, Lifetimes};
    use crate::external::Answers;

    fn answers(all: impl IntoIterator<Item = (String, ExternalVerdict)>) -> Answers {
        let mut answers = Answers::default();
        for (url, verdict) in all {
            answers.requested.insert(url.clone());
            answers.by_url.insert(
                url,
                ExternalAnswer { verdict, missing: ["no".to_owned()].into(), present: BTreeSet::new() },
            );
        }
        answers
    }

    #[test]
    fn answers_expire_by_their_verdict() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/answers");
        let cache = Cache::at(&file, Lifetimes { broken: Duration::ZERO, ..Lifetimes::default() });
        assert!(cache.read().unwrap().is_empty());
        let all = [
            ("https://a.example/".to_owned(), ExternalVerdict::There),
            ("https://b.example/".to_owned(), ExternalVerdict::Broken("it answers 404 Not Found".to_owned())),
            ("https://c.example/".to_owned(), ExternalVerdict::Moved("https://d.example/".to_owned())),
        ];
        let given = answers(all);
        cache.store(&given).unwrap();
        let mut read: Vec<_> = cache.read().unwrap().into_iter().collect();
        read.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(
            read.iter().map(|(url, _)| url.as_str()).collect::<Vec<_>>(),
            ["https://a.example/", "https://c.example/"]
        );
        assert_eq!(read[1].1, given.by_url["https://c.example/"]);
        // Expired answers are removed when the file is written.
        cache.store(&Answers::default()).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 3);
    }

    #[test]
    fn ignores_damaged_foreign_and_future_lines() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("answers");
        let cache = Cache::at(&file, Lifetimes::default());
        cache.store(&answers([("https://a.example/".to_owned(), ExternalVerdict::There)])).unwrap();
        let valid = fs::read_to_string(&file).unwrap();
        let line = valid.lines().nth(1).unwrap();
        let future = line.replace("a.example", "f.example").replace("\"requested\":", "\"requested\":9");
        fs::write(&file, format!("{valid}{{\"url\":\n\u{0}\n{future}\n{}", &line[..20])).unwrap();
        assert_eq!(cache.read().unwrap().len(), 1);
        fs::write(&file, valid.replace("\"version\":1", "\"version\":2")).unwrap();
        assert_eq!(cache.read().unwrap().len(), 0);
    }

    #[test]
    fn overwrites_no_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("package.json");
        fs::write(&file, "{}").unwrap();
        let cache = Cache::at(&file, Lifetimes::default());
        assert!(cache.store(&Answers::default()).is_err());
        assert_eq!(fs::read(&file).unwrap(), b"{}");
    }

    #[test]
    fn concurrent_runs_keep_the_answers_of_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(&folder.path().join("answers"), Lifetimes::default());
        std::thread::scope(|scope| {
            for run in 0..8 {
                let cache = &cache;
                scope.spawn(move || {
                    for number in 0..8 {
                        cache
                            .store(&answers([(
                                format!("https://{run}-{number}.example/"),
                                ExternalVerdict::There,
                            )]))
                            .unwrap();
                    }
                });
            }
        });
        assert_eq!(cache.read().unwrap().len(), 64);
    }
}
