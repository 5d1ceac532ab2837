//! An entry of a lock: a line with the address, the day of its answer, and the address that it moved to permanently, or
//! `broken`. Targets of temporary redirects are left out: they differ from request to request.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::Deserialize;
use sitegate_base::artifact::{Artifact, EXTERNAL_LOCK};
use url::Url;

use crate::sorted_list::{ListEntry, SortedList, parse_day};

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

    use super::{LockedAnswer, import_refcache};
    use crate::sorted_list::{parse, to_text};

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
