//! Imports `refcache.json`, the cache of htmltest, into a lock.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::Deserialize;
use url::Url;

use super::format::{ExternalLock, LockedAnswer};

/// An answer in the cache.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct CachedAnswer {
    status_code: u16,
    last_seen: String,
}

/// Returns the good answers of a cache. Fragments are dropped: htmltest does not check them.
///
/// # Errors
/// If the text is not a cache of htmltest.
pub fn import(text: &[u8]) -> Result<ExternalLock, serde_json::Error> {
    let cached: BTreeMap<String, CachedAnswer> = serde_json::from_slice(text)?;
    let mut lock = ExternalLock::default();
    for (address, answer) in cached.iter().filter(|(_, answer)| (200..300).contains(&answer.status_code)) {
        let day = answer.last_seen.get(..10).and_then(|day| day.parse::<NaiveDate>().ok());
        let (Some(day), Some(address)) = (day, normal_address(address)) else { continue };
        let entry = lock.entries.entry(address).or_insert(LockedAnswer { day, moved_to: None });
        entry.day = entry.day.max(day);
    }
    Ok(lock)
}

/// Returns an address as a check requests it.
fn normal_address(text: &str) -> Option<String> {
    let mut url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    url.set_fragment(None);
    url.set_username("").and_then(|()| url.set_password(None)).ok()?;
    Some(url.into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{ExternalLock, import};

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
        let lock = import(cache.as_bytes()).unwrap();
        let text = lock.to_text();
        assert!(text.ends_with("\nhttps://a.example/ 2026-11-03\n"), "{text}");
        assert_eq!(lock.entries.len(), 1);
        assert_eq!(ExternalLock::parse(text.as_bytes()).unwrap(), lock);
        assert!(import(b"{\"a\": 1}").is_err() && import(b"[").is_err());
    }
}
