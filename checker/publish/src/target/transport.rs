//! The HTTP transport of a store: the fence blocks writes, and responses set the store's clock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use async_trait::async_trait;
use chrono::DateTime;
use http::{Method, header};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
    ReqwestConnector,
};

use crate::target::fence::Fence;
use crate::target::moment::Moment;

/// The store's clock as last reported, and its latency.
#[derive(Debug, Default)]
pub(crate) struct StoreClock {
    last: Mutex<Option<(SystemTime, Moment)>>,
    /// The minimum latency, in microseconds, rounded up; 0 before the first response.
    min_latency: AtomicU64,
}

impl StoreClock {
    /// Returns the time since a moment on the store's clock; none if the store has reported no time.
    pub(crate) fn elapsed_since(&self, moment: SystemTime) -> Option<Duration> {
        let (last, then) = (*self.last.lock().unwrap_or_else(PoisonError::into_inner))?;
        Some((last + then.elapsed()).duration_since(moment).unwrap_or_default())
    }

    /// Records the `Date` header of a response (RFC 9110, 6.6.1), which has a resolution of one second.
    fn set_time(&self, answer: &HttpResponse) {
        let date = answer.headers().get(header::DATE).and_then(|date| date.to_str().ok());
        if let Some(record_latency) = date.and_then(|date| DateTime::parse_from_rfc2822(date).ok()) {
            let last = (SystemTime::from(record_latency), Moment::now());
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(last);
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
#[derive(Clone, Debug, Default)]
pub(crate) struct Transport {
    /// Blocks writes after the lease was lost.
    pub fence: Arc<Fence>,
    /// The store's clock.
    pub clock: Arc<StoreClock>,
}

impl HttpConnector for Transport {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = ReqwestConnector::default().connect(options)?;
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
        let answer = self.client.execute(request).await?;
        self.transport.clock.record_latency(start.elapsed());
        self.transport.clock.set_time(&answer);
        Ok(answer)
    }
}
