//! One request for a file of a live site: its headers, and its content as far as that is wanted.

use std::io::Read;
use std::time::Duration;

use flate2::read::MultiGzDecoder;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use reqwest::tls::TlsInfo;
use reqwest::{Client, Method, Response, StatusCode, Version};
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::failure::{Silence, SilenceKind};
use crate::request::{redirect_target, send};
use crate::settings::Settings;

/// Bytes of the largest file that is read.
const LARGEST: usize = 64 << 20;

/// Bytes of the largest file that is fetched although nothing is read in it but what kind it is.
const LARGEST_UNREAD: usize = 4 << 20;

/// An answer.
#[derive(Debug)]
pub(crate) struct FetchedAnswer {
    pub status: StatusCode,
    pub version: Version,
    pub headers: HeaderMap,
    /// The certificate of the server, in DER.
    pub certificate: Option<Vec<u8>>,
    pub body: FetchedBody,
}

/// What came with an answer.
#[derive(Debug)]
pub(crate) enum FetchedBody {
    /// All of it, decompressed.
    Whole(Vec<u8>),
    /// Nothing of use; it has so many bytes.
    Left(u64),
    /// It is too large to be read.
    TooLarge,
}

/// What is wanted of a body, once status and headers are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyWanted {
    /// All of it.
    Whole,
    /// All of it where it is small.
    IfSmall,
    Nothing,
}

impl FetchedAnswer {
    /// The media type in lower case, without parameters.
    pub(crate) fn media_type(&self) -> String {
        media_type(&self.headers)
    }

    /// The URL that it redirects to.
    pub(crate) fn redirect_target(&self, from: &Url) -> Option<Url> {
        if self.status.is_redirection() { redirect_target(&self.headers, from) } else { None }
    }
}

/// The media type that headers tell, in lower case, without parameters.
pub(crate) fn media_type(headers: &HeaderMap) -> String {
    let written = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    written.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Sends one request. Redirects are answers like all others.
pub(crate) async fn fetch(
    client: &Client,
    method: Method,
    url: &Url,
    settings: &Settings,
    wanted: impl Fn(StatusCode, &HeaderMap) -> BodyWanted,
) -> Result<FetchedAnswer, Silence> {
    let mut request =
        client.request(method, url.clone()).header(ACCEPT, "*/*").header(ACCEPT_ENCODING, "gzip");
    for (name, value) in settings.headers(url) {
        request = request.header(name, value);
    }
    let answer = send(request, settings.connect + settings.first_byte).await?;
    let (status, version, headers) = (answer.status(), answer.version(), answer.headers().clone());
    let tls = answer.extensions().get::<TlsInfo>();
    let certificate = tls.and_then(TlsInfo::peer_certificate).map(<[u8]>::to_vec);
    let body = match wanted(status, &headers) {
        BodyWanted::Nothing => FetchedBody::Left(answer.content_length().unwrap_or_default()),
        BodyWanted::IfSmall => read(answer, &headers, LARGEST_UNREAD, settings.whole).await?,
        BodyWanted::Whole => match read(answer, &headers, LARGEST, settings.whole).await? {
            FetchedBody::Left(_) => FetchedBody::TooLarge,
            body => body,
        },
    };
    Ok(FetchedAnswer { status, version, headers, certificate, body })
}

/// Reads a body, unless it is larger than `most`.
async fn read(
    mut answer: Response,
    headers: &HeaderMap,
    most: usize,
    limit: Duration,
) -> Result<FetchedBody, Silence> {
    let told = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if let Some(length) = told.filter(|length| *length > most as u64) {
        return Ok(FetchedBody::Left(length));
    }
    let (mut body, deadline) = (Vec::new(), Instant::now() + limit);
    loop {
        match timeout_at(deadline, answer.chunk()).await {
            Ok(Ok(None)) => break,
            Ok(Ok(Some(piece))) if body.len() + piece.len() <= most => body.extend_from_slice(&piece),
            Ok(Ok(Some(piece))) => {
                return Ok(FetchedBody::Left(told.unwrap_or((body.len() + piece.len()) as u64)));
            }
            Ok(Err(error)) => return Err(Silence::of(&error)),
            Err(_) => return Err(Silence::slow("no end of its answer", limit)),
        }
    }
    let coding = headers.get(CONTENT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match coding.trim().to_ascii_lowercase().as_str() {
        "" | "identity" => Ok(FetchedBody::Whole(body)),
        "gzip" | "x-gzip" => {
            let mut plain = Vec::new();
            let mut decoder = MultiGzDecoder::new(body.as_slice()).take(most as u64 + 1);
            match decoder.read_to_end(&mut plain) {
                Ok(length) if length > most => Ok(FetchedBody::Left(length as u64)),
                Ok(_) => Ok(FetchedBody::Whole(plain)),
                Err(_) => {
                    Err(Silence::new(SilenceKind::Lasting, "what it sends is not gzip, though it says so"))
                }
            }
        }
        other => {
            let reason = format!("it sends `{other}`, and was asked for gzip or nothing");
            Err(Silence::new(SilenceKind::Lasting, reason))
        }
    }
}
