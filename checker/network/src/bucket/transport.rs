//! The HTTP transport of a store: the fence blocks writes, bodies are bounded, and responses set the store's clock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use http::Method;
use http::header::{self, AUTHORIZATION, HeaderValue};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use object_store::ClientOptions;
use object_store::aws::{AwsAuthorizer, AwsCredentialProvider};
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody,
    HttpService,
};
use sitegate_base::lock::lock;
use sitegate_host::headers::WEBSITE_REDIRECT;
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::machine::{Machine, Moment};
use sitegate_publish::store::{Fence, MAX_DOCUMENT};
use tokio::time::Instant;

use crate::bucket::listing::is_listing;
use crate::error::RequestFailure;

/// Maximum size of a page of a listing, an error, and any other answer except objects, in bytes. A thousand of
/// the longest keys fit in it.
const MAX_ANSWER: u64 = 8 << 20;

/// The store's clock as last reported, and its latency.
#[derive(Debug)]
pub(crate) struct StoreClock {
    machine: Arc<dyn Machine>,
    last: Mutex<Option<(SystemTime, Moment)>>,
    /// The minimum latency, in microseconds, rounded up; 0 before the first response.
    min_latency: AtomicU64,
}

impl StoreClock {
    /// Returns the time since a moment on the store's clock; none if the store has reported no time.
    pub(crate) fn elapsed_since(&self, moment: SystemTime) -> Option<Duration> {
        let (last, then) = (*lock(&self.last))?;
        Some((last + self.machine.elapsed(then)).duration_since(moment).unwrap_or_default())
    }

    /// Records the `Date` header of a response (RFC 9110, 6.6.1), which has a resolution of one second.
    fn set_time(&self, answer: &HttpResponse) {
        let date = answer.headers().get(header::DATE).and_then(|date| date.to_str().ok());
        if let Some(date) = date.and_then(|date| httpdate::parse_http_date(date).ok()) {
            *lock(&self.last) = Some((date, self.machine.moment()));
        }
    }

    /// Records the latency of a response.
    fn record_latency(&self, took: Duration) {
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX).saturating_add(1);
        let shorter = |min_latency| (min_latency == 0 || took < min_latency).then_some(took);
        let _ = self.min_latency.fetch_update(Ordering::Relaxed, Ordering::Relaxed, shorter);
    }

    /// Returns the minimum latency so far; zero before the first response.
    pub(crate) fn min_latency(&self) -> Duration {
        Duration::from_micros(self.min_latency.load(Ordering::Relaxed))
    }
}

/// The connection to a store.
#[derive(Clone, Debug)]
pub(crate) struct Transport {
    /// Blocks writes after the lease was lost.
    pub fence: Arc<Fence>,
    /// The store's clock.
    pub clock: Arc<StoreClock>,
}

impl Transport {
    /// Creates the transport of one bucket.
    pub(crate) fn new(fence: Arc<Fence>) -> Transport {
        let machine = Arc::clone(fence.machine());
        let clock = StoreClock { machine, last: Mutex::default(), min_latency: AtomicU64::new(0) };
        Transport { fence, clock: Arc::new(clock) }
    }
}

impl HttpConnector for Transport {
    #[expect(
        clippy::disallowed_types,
        reason = "the command line and the environment name the store's endpoint"
    )]
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = object_store::client::ReqwestConnector::default().connect(options)?;
        Ok(HttpClient::new(FencedClient { client, transport: self.clone() }))
    }
}

/// A client behind the fence. Every attempt passes it, including retries by `object_store`.
#[derive(Debug)]
struct FencedClient {
    client: HttpClient,
    transport: Transport,
}

#[async_trait]
impl HttpService for FencedClient {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            // `Decode` is an error kind that is not retried.
            let stop = |failure| HttpError::new(HttpErrorKind::Decode, failure);
            self.transport.fence.check(request.uri().path()).map_err(stop)?;
        }
        let start = Instant::now();
        let (limit, path) = (max_object(&request), request.uri().path().to_owned());
        let host = request.uri().authority().map(ToString::to_string).unwrap_or_default();
        let answer = self.client.execute(request).await.map_err(|error| unreachable_store(&host, error))?;
        self.transport.clock.record_latency(start.elapsed());
        self.transport.clock.set_time(&answer);
        let limit = limit.filter(|_| answer.status().is_success()).unwrap_or(MAX_ANSWER);
        Ok(answer.map(|body| bounded(body, limit, path)))
    }
}

/// Names the host of a store that cannot be reached, and the reason.
fn unreachable_store(host: &str, error: HttpError) -> HttpError {
    match std::error::Error::source(&error) {
        Some(source) if error.kind() == HttpErrorKind::Connect => {
            let is_late = source.downcast_ref().is_some_and(reqwest::Error::is_timeout);
            let reason = RequestFailure::from_error(source);
            let reason = if is_late { "it could not be reached in time" } else { reason.reason.as_str() };
            let failure = Failure::new(FailureKind::Failed, format!("cannot reach {host}: {reason}"))
                .help("are --endpoint, --region and the network right?");
            HttpError::new(HttpErrorKind::Connect, failure)
        }
        _ => error,
    }
}

/// Returns the maximum size of the object that a request reads; none for other requests.
fn max_object(request: &HttpRequest) -> Option<u64> {
    let range = request.headers().get(header::RANGE).and_then(|range| range.to_str().ok());
    let range = range.and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
    let length = range.and_then(|(first, last)| last.parse::<u64>().ok()?.checked_sub(first.parse().ok()?));
    let is_object = request.method() == Method::GET && !is_listing(request);
    is_object.then(|| MAX_DOCUMENT.max(length.unwrap_or_default().saturating_add(1)))
}

/// Bounds a body, independent of the length that the store announces.
fn bounded(body: HttpResponseBody, limit: u64, path: String) -> HttpResponseBody {
    let body = Limited::new(body, usize::try_from(limit).unwrap_or(usize::MAX));
    HttpResponseBody::new(body.map_err(move |error| match error.downcast::<HttpError>() {
        Ok(error) => *error,
        Err(error) if error.is::<LengthLimitError>() => {
            let message = format!("the store's answer for {path} has more than {limit} bytes");
            let failure = Failure::new(FailureKind::Failed, message);
            HttpError::new(HttpErrorKind::Decode, failure.help("check the endpoint, and proxies before it"))
        }
        Err(error) => HttpError::new(HttpErrorKind::Unknown, std::io::Error::other(error)),
    }))
}

/// The destination of an object's redirect, as an extension of the request that writes the object.
#[derive(Clone, Debug)]
pub(super) struct WebsiteRedirect(pub String);

/// Connects to S3, and adds the redirects of S3's website endpoints to requests. `object_store` does not know their
/// header, and S3 requires that it is signed, so such requests are signed again.
#[derive(Debug)]
pub(super) struct RedirectConnector {
    pub transport: Transport,
    pub credentials: AwsCredentialProvider,
    pub region: String,
}

impl HttpConnector for RedirectConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(RedirectService {
            client: self.transport.connect(options)?,
            credentials: self.credentials.clone(),
            region: self.region.clone(),
        }))
    }
}

#[derive(Debug)]
struct RedirectService {
    client: HttpClient,
    credentials: AwsCredentialProvider,
    region: String,
}

#[async_trait]
impl HttpService for RedirectService {
    async fn call(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        if let Some(WebsiteRedirect(to)) = request.extensions().get().cloned() {
            // `Decode` is an error kind that is not retried.
            let to =
                HeaderValue::try_from(to).map_err(|error| HttpError::new(HttpErrorKind::Decode, error))?;
            request.headers_mut().insert(WEBSITE_REDIRECT, to);
            if request.headers_mut().remove(AUTHORIZATION).is_some() {
                self.sign(&mut request)
                    .await
                    .map_err(|error| HttpError::new(HttpErrorKind::Decode, error))?;
            }
        }
        self.client.execute(request).await
    }
}

impl RedirectService {
    async fn sign(&self, request: &mut HttpRequest) -> object_store::Result<()> {
        let credential = self.credentials.get_credential().await?;
        // The digest of the body, unless the first signature does not cover it.
        let digest = request.headers().get("x-amz-content-sha256").and_then(|digest| digest.to_str().ok());
        let digest = digest.and_then(bytes_of_hex);
        AwsAuthorizer::new(&credential, "s3", &self.region)
            .with_sign_payload(digest.is_some())
            .try_authorize(request, digest.as_deref())
    }
}

/// Decodes a SHA-256 in hexadecimal.
fn bytes_of_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let bytes = text.as_bytes().chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    bytes.collect::<Option<Vec<u8>>>().filter(|bytes| bytes.len() == 32)
}
