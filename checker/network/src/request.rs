//! Reads what the headers of an answer say of redirects and retries.

use std::time::{Duration, SystemTime};

use http::StatusCode;
use http::header::{HeaderMap, LOCATION, RETRY_AFTER};
use sitegate_base::host_name;
use url::Url;

use crate::request_failure::StatusMeaning;
use crate::scheduler::RequestOutcome;

impl<A> RequestOutcome<A> {
    /// An answer with this status and these headers, which a scheduler retries if that may help.
    pub fn from_status(status: StatusCode, headers: &HeaderMap, answer: A) -> RequestOutcome<A> {
        RequestOutcome::from_meaning(StatusMeaning::from_status(status), retry_after(headers), answer)
    }

    pub(crate) fn from_meaning(
        meaning: StatusMeaning,
        retry_after: Option<Duration>,
        answer: A,
    ) -> RequestOutcome<A> {
        match meaning {
            StatusMeaning::Overloaded => RequestOutcome::Overloaded { answer, retry_after },
            StatusMeaning::Transient => RequestOutcome::Transient(answer),
            _ => RequestOutcome::Final(answer),
        }
    }
}

/// The URL that a redirect points to.
pub(crate) fn redirect_target(headers: &HeaderMap, from: &Url) -> Option<Url> {
    // Some hosts send the characters of a name as they are, in UTF-8.
    let location = String::from_utf8_lossy(headers.get(LOCATION)?.as_bytes());
    host_name::join(from, &location).ok()
}

/// The pause before a retry that a host wants: in seconds, or until a time (RFC 9110, 10.2.3).
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        Some(Duration::from_secs(seconds))
    } else {
        let at = httpdate::parse_http_date(value).ok()?;
        Some(at.duration_since(SystemTime::now()).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::time::{Duration, SystemTime};

    use http::header::{HeaderMap, HeaderValue, RETRY_AFTER};

    use super::retry_after;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let pause = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_str(value).unwrap());
            retry_after(&headers)
        };
        assert_eq!(pause("17"), Some(Duration::from_secs(17)));
        assert_eq!(pause("soon"), None);
        assert_eq!(pause("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO));
        let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(90));
        assert!((88..=90).contains(&pause(&date).unwrap().as_secs()), "{date}");
    }
}
