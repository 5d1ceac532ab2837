//! Fetches one file of a live site: its headers, and its content if wanted.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use http::{Method, StatusCode, Version};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::answer::{Answer, redirect_target};
use crate::client::GuardedClient;
use crate::error::{RequestFailure, RequestFailureKind};
use crate::settings::Settings;

/// Maximum size of a file that is parsed, in bytes.
const MAX_SIZE: usize = 32 << 20;

/// Maximum size of other files that are fetched to determine their format, in bytes.
const MAX_UNPARSED_SIZE: usize = 4 << 20;

/// Size of a file from which only one is in memory at a time, in bytes.
const LARGE: usize = 4 << 20;

/// The permit to have a large file in memory.
static LARGE_PERMIT: Semaphore = Semaphore::const_new(1);

/// An answer.
#[derive(Debug)]
pub(crate) struct FetchedAnswer {
    pub status: StatusCode,
    pub version: Version,
    pub headers: HeaderMap,
    /// The certificate of the server, in DER.
    pub certificate: Option<Vec<u8>>,
    pub body: FetchedBody,
    /// Held until a large file is dropped.
    _permit: Option<SemaphorePermit<'static>>,
}

/// The body of an answer.
#[derive(Debug)]
pub(crate) enum FetchedBody {
    /// All of it, decompressed.
    Whole(Vec<u8>),
    /// It was not read; it has this many bytes.
    Skipped(u64),
    /// It is too large.
    TooLarge,
}

/// How much of a body to read, decided by status and headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyWanted {
    /// All of it.
    Whole,
    /// All of it if it is small.
    IfSmall,
    /// So many bytes of it.
    Beginning(usize),
    Nothing,
}

impl FetchedAnswer {
    /// Returns the media type in lowercase, without parameters.
    pub(crate) fn media_type(&self) -> String {
        media_type(&self.headers)
    }

    /// Returns the URL that it redirects to.
    pub(crate) fn redirect_target(&self, from: &Url) -> Option<Url> {
        if self.status.is_redirection() { redirect_target(&self.headers, from) } else { None }
    }
}

/// Returns the value of `Content-Type`; empty if there is none.
pub(crate) fn content_type(headers: &HeaderMap) -> &str {
    headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Returns the media type in headers, in lowercase, without parameters.
pub(crate) fn media_type(headers: &HeaderMap) -> String {
    content_type(headers).split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Sends one request. Redirects are not followed.
pub(crate) async fn fetch(
    client: &GuardedClient,
    method: Method,
    url: &Url,
    settings: &Settings,
    wanted: impl Fn(StatusCode, &HeaderMap) -> BodyWanted,
) -> Result<FetchedAnswer, RequestFailure> {
    let accept = [(ACCEPT.as_str(), "*/*"), (ACCEPT_ENCODING.as_str(), "gzip")];
    let own = settings.headers(url).iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let request = client.request(method, url).await?.headers(accept).headers(own);
    let answer = request.send(settings.connect + settings.first_byte).await?;
    let (status, version, headers) = (answer.status, answer.version, answer.headers.clone());
    let certificate = answer.certificate().map(<[u8]>::to_vec);
    let mut permit = None;
    let body = match wanted(status, &headers) {
        BodyWanted::Nothing => FetchedBody::Skipped(content_length(&headers).unwrap_or_default()),
        BodyWanted::IfSmall => read_body(answer, MAX_UNPARSED_SIZE, false, &mut permit).await?,
        BodyWanted::Beginning(length) => read_body(answer, length, true, &mut permit).await?,
        BodyWanted::Whole => match read_body(answer, MAX_SIZE, false, &mut permit).await? {
            FetchedBody::Skipped(_) => FetchedBody::TooLarge,
            body => body,
        },
    };
    Ok(FetchedAnswer { status, version, headers, certificate, body, _permit: permit })
}

/// Reads a body. If it is larger than `limit`, it is cut off there or skipped.
pub(crate) async fn read_body(
    mut answer: Answer,
    limit: usize,
    is_cut: bool,
    permit: &mut Option<SemaphorePermit<'static>>,
) -> Result<FetchedBody, RequestFailure> {
    let length = content_length(&answer.headers);
    if let Some(length) = length.filter(|length| !is_cut && *length > limit as u64) {
        return Ok(FetchedBody::Skipped(length));
    }
    let mut body = Vec::new();
    loop {
        if body.len() > LARGE && permit.is_none() {
            *permit = large_permit(answer.deadline()).await;
        }
        match answer.chunk().await? {
            None => break,
            Some(chunk) if body.len() + chunk.len() <= limit => body.extend_from_slice(&chunk),
            Some(chunk) if is_cut => {
                body.extend_from_slice(&chunk[..limit - body.len()]);
                break;
            }
            Some(chunk) => {
                return Ok(FetchedBody::Skipped(length.unwrap_or((body.len() + chunk.len()) as u64)));
            }
        }
    }
    let coding =
        answer.headers.get(CONTENT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match coding.trim().to_ascii_lowercase().as_str() {
        "" | "identity" => Ok(FetchedBody::Whole(body)),
        "gzip" | "x-gzip" => {
            let (mut decoded, mut plain) = gunzip(&body, limit.min(LARGE));
            if plain.len() > LARGE {
                drop(plain);
                if permit.is_none() {
                    *permit = large_permit(answer.deadline()).await;
                }
                (decoded, plain) = gunzip(&body, limit);
            }
            match decoded {
                _ if is_cut => Ok(FetchedBody::Whole(plain)),
                Ok(decoded) if decoded > limit => Ok(FetchedBody::Skipped(decoded as u64)),
                Ok(_) => Ok(FetchedBody::Whole(plain)),
                Err(_) => Err(RequestFailure::new(
                    RequestFailureKind::Permanent,
                    "its content is not gzip, although it says so",
                )),
            }
        }
        other => {
            let reason = format!("its content is encoded with `{other}`, but only gzip was accepted");
            Err(RequestFailure::new(RequestFailureKind::Permanent, reason))
        }
    }
}

/// Waits for the permit to have a large file in memory.
async fn large_permit(deadline: Instant) -> Option<SemaphorePermit<'static>> {
    timeout_at(deadline, LARGE_PERMIT.acquire()).await.ok()?.ok()
}

fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Decompresses gzip, and stops after one byte more than `limit`.
fn gunzip(body: &[u8], limit: usize) -> (io::Result<usize>, Vec<u8>) {
    let mut plain = Vec::new();
    let decoded = MultiGzDecoder::new(body).take(limit as u64 + 1).read_to_end(&mut plain);
    (decoded, plain)
}
