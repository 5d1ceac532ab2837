//! Retries requests to a store when the connection breaks.

use std::error::Error as _;
use std::time::Duration;

use object_store::Error;
use object_store::client::{HttpError, HttpErrorKind};
use tokio::time::Instant;

use sitegate_publish::failure::Failure;

/// Maximum number of attempts for a request whose response is lost.
pub(super) const MAX_ATTEMPTS: u32 = 6;

/// Maximum time for retries.
pub(super) const RETRY_TIME: Duration = Duration::from_mins(1);

/// Retries a request when the connection breaks. `object_store` itself retries errors that the store returns.
pub(super) async fn retry<T, A>(mut request: impl FnMut() -> A) -> object_store::Result<T>
where
    A: Future<Output = object_store::Result<T>>,
{
    let start = Instant::now();
    let mut attempt = 1;
    loop {
        match request().await {
            Err(error)
                if attempt < MAX_ATTEMPTS && start.elapsed() < RETRY_TIME && is_disconnected(&error) =>
            {
                tokio::time::sleep(backoff(attempt)).await;
                attempt += 1;
            }
            answer => return answer,
        }
    }
}

/// Returns the delay before the next attempt.
pub(super) fn backoff(attempt: u32) -> Duration {
    Duration::from_millis(50 << attempt.min(6))
}

/// Returns the HTTP client's error, if the connection failed rather than the store.
fn http_error(error: &Error) -> Option<&HttpError> {
    let mut source = error.source();
    while let Some(inner) = source {
        if let Some(found) = inner.downcast_ref::<HttpError>() {
            return Some(found);
        }
        source = inner.source();
    }
    None
}

/// Whether the connection broke, so that the outcome is unknown. An unreachable store has been retried by
/// `object_store` already.
pub(super) fn is_disconnected(error: &Error) -> bool {
    http_error(error).is_some_and(|http_error| http_error.kind() != HttpErrorKind::Connect)
        && !is_fenced(error)
}

/// Whether the fence blocked a request.
pub(super) fn is_fenced(error: &Error) -> bool {
    // Without a connection, the failure only names the host.
    let sent = http_error(error).filter(|http_error| http_error.kind() != HttpErrorKind::Connect);
    sent.and_then(|http_error| http_error.source()?.downcast_ref::<Failure>()).is_some()
}
