//! An answer, which is read within a limit of time.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Response, StatusCode, Version};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tokio::time::{Instant, timeout_at};

use crate::connector::ConnectionFacts;
use crate::request_failure::RequestFailure;

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
