//! An answer: its body, which is read within a limit of time, the end of the certificate of its server, and what its
//! headers say about redirects and retries.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http::header::{LOCATION, RETRY_AFTER};
use http::{HeaderMap, Response, StatusCode, Version};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use sitegate_base::host_name;
use tokio::time::{Instant, timeout_at};
use url::Url;
use x509_cert::certificate::{CertificateInner, Raw};
use x509_cert::der::Decode;

use crate::connector::ConnectionFacts;
use crate::error::{RequestFailure, StatusMeaning};
use crate::scheduler::RequestOutcome;

/// An answer, whose body is read in chunks.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The version of HTTP.
    pub version: Version,
    /// The headers.
    pub headers: HeaderMap,
    body: Incoming,
    facts: Option<ConnectionFacts>,
    whole: Duration,
    deadline: Instant,
}

impl Answer {
    /// Takes the head of an answer to a request that began at `start`, and has this time for the whole.
    pub(crate) fn new(response: Response<Incoming>, start: Instant, whole: Duration) -> Answer {
        let (head, body) = response.into_parts();
        let facts = head.extensions.get::<ConnectionFacts>().cloned();
        let (status, version, headers) = (head.status, head.version, head.headers);
        let answer = Answer { status, version, headers, body, facts, whole, deadline: start + whole };
        answer.arrived();
        answer
    }

    /// Returns the time when the answer must end.
    pub(crate) fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Returns the certificate of the server, in DER.
    pub fn certificate(&self) -> Option<&[u8]> {
        self.facts.as_ref()?.certificate.as_deref()
    }

    /// Reads the next chunk of the body. Returns none at its end.
    ///
    /// # Errors
    /// If the connection breaks, or the answer has no end in time.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, RequestFailure> {
        loop {
            let frame = match timeout_at(self.deadline, self.body.frame()).await {
                Err(_) => return Err(RequestFailure::unfinished(self.whole)),
                Ok(None) => return Ok(None),
                Ok(Some(Err(error))) => return Err(RequestFailure::from_error(&error)),
                Ok(Some(Ok(frame))) => frame,
            };
            self.arrived();
            // Other frames are trailers.
            if let Ok(chunk) = frame.into_data() {
                return Ok(Some(chunk));
            }
        }
    }

    fn arrived(&self) {
        self.facts.iter().for_each(ConnectionFacts::answered);
    }
}

/// Returns the days until a certificate (X.509 in DER) expires, negative if it has expired; `None` if it cannot
/// be read.
pub(crate) fn days_left(certificate: &[u8], now: SystemTime) -> Option<i64> {
    // `Raw` reads certificates too that break rules of RFC 5280 which have nothing to do with their dates.
    let certificate = CertificateInner::<Raw>::from_der(certificate).ok()?;
    let end = certificate.tbs_certificate().validity().not_after.to_unix_duration();
    let seconds = |time: u64| i64::try_from(time).ok();
    let now = now.duration_since(UNIX_EPOCH).ok()?;
    Some((seconds(end.as_secs())? - seconds(now.as_secs())?).div_euclid(24 * 60 * 60))
}

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

    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use http::header::{HeaderMap, HeaderValue, RETRY_AFTER};
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::{days_left, retry_after};

    #[test]
    fn returns_the_days_until_a_certificate_expires() {
        let now = UNIX_EPOCH + Duration::from_hours(21_550 * 24); // 2029-01-01
        for (year, days) in [(2028, -366), (2030, 365), (2049, 7_305), (2050, 7_670), (2060, 365 + 10_957)] {
            let mut params = CertificateParams::new(["a.example".to_owned()]).unwrap();
            params.not_after = date_time_ymd(year, 1, 1);
            let made = params.self_signed(&KeyPair::generate().unwrap()).unwrap();
            assert_eq!(days_left(made.der(), now), Some(days), "{year}");
            for end in 0..made.der().len().min(300) {
                assert_eq!(days_left(&made.der()[..end], now), None, "{end}");
            }
        }
    }

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
