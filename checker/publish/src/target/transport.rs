//! What every request to a store goes through: the fence stops writes, and answers tell the store's time.

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

/// What a store's clock said last, and when, and how soon the store answers.
#[derive(Debug, Default)]
pub(crate) struct StoreClock {
    told: Mutex<Option<(SystemTime, Moment)>>,
    /// The shortest time that an answer took, in microseconds, rounded up; 0 where there was none.
    nearest: AtomicU64,
}

impl StoreClock {
    /// How long ago a moment of the store's time was; none where it never told the time.
    pub(crate) fn since(&self, moment: SystemTime) -> Option<Duration> {
        let (told, then) = (*self.told.lock().unwrap_or_else(PoisonError::into_inner))?;
        Some((told + then.elapsed()).duration_since(moment).unwrap_or_default())
    }

    /// Notes the `Date` of an answer (RFC 9110, 6.6.1), which counts whole seconds.
    fn note(&self, answer: &HttpResponse) {
        let date = answer.headers().get(header::DATE).and_then(|date| date.to_str().ok());
        if let Some(time) = date.and_then(|date| DateTime::parse_from_rfc2822(date).ok()) {
            let told = (SystemTime::from(time), Moment::now());
            *self.told.lock().unwrap_or_else(PoisonError::into_inner) = Some(told);
        }
    }

    /// Notes how long an answer took.
    fn time(&self, took: Duration) {
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX).saturating_add(1);
        let shorter = |nearest| (nearest == 0 || took < nearest).then_some(took);
        let _ = self.nearest.fetch_update(Ordering::Relaxed, Ordering::Relaxed, shorter);
    }

    /// The shortest time that an answer took so far; nothing where there was none.
    pub(crate) fn nearest(&self) -> Duration {
        Duration::from_micros(self.nearest.load(Ordering::Relaxed))
    }
}

/// The way to a store.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transport {
    /// What stops writes.
    pub fence: Arc<Fence>,
    /// What answers tell.
    pub clock: Arc<StoreClock>,
}

impl HttpConnector for Transport {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = ReqwestConnector::default().connect(options)?;
        Ok(HttpClient::new(FencedClient { client, transport: self.clone() }))
    }
}

/// A client behind the fence. Each attempt passes it, so also those that `object_store` makes by itself.
#[derive(Debug)]
struct FencedClient {
    client: HttpClient,
    transport: Transport,
}

#[async_trait]
impl HttpService for FencedClient {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            // `Decode` is a kind that is not tried again.
            let stop = |failure| HttpError::new(HttpErrorKind::Decode, failure);
            self.transport.fence.pass(request.uri().path()).map_err(stop)?;
        }
        let start = Instant::now();
        let answer = self.client.execute(request).await?;
        self.transport.clock.time(start.elapsed());
        self.transport.clock.note(&answer);
        Ok(answer)
    }
}
