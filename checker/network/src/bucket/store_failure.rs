//! Handles the errors of a bucket: retries requests when the connection breaks, and explains what the store refused,
//! and what to do.

use std::error::Error as _;
use std::time::Duration;

use object_store::Error;
use object_store::client::{HttpError, HttpErrorKind};
use sitegate_publish::failure::{Failure, FailureKind};
use tokio::time::Instant;

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

/// Reports a store that cannot be used because a setting is missing.
pub(super) fn unusable(error: &Error) -> Failure {
    let mut failure = store_failure(error, "cannot use the target");
    failure.kind = FailureKind::Usage;
    failure.help(credentials_help(&error.to_string()))
}

/// Converts a store's error.
pub(super) fn store_failure(error: &Error, action: &str) -> Failure {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        // The credentials provider has already described the problem.
        if let Some(failure) = inner.downcast_ref::<Failure>() {
            return failure.clone();
        }
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        source = inner.source();
    }
    let code = text.split("<Code>").nth(1).and_then(|rest| rest.split("</Code>").next());
    let code = code.unwrap_or_default().to_owned();
    let known = match code.as_str() {
        "RequestTimeTooSkewed" => Some("the clock of this machine is wrong; set it, then run again"),
        "SignatureDoesNotMatch" => Some("the secret key does not belong to the access key"),
        "InvalidAccessKeyId" => Some("the store does not know this access key"),
        "ExpiredToken" | "InvalidToken" | "TokenRefreshRequired" => {
            Some("the session's credentials have expired; sign in again")
        }
        "AccessDenied" => Some(
            "these credentials lack a permission; `sitegate host-config s3-website` prints the required policy",
        ),
        "NoSuchBucket" => Some("the bucket does not exist; create it, or correct its name"),
        _ => None,
    };
    let denied = matches!(error, Error::PermissionDenied { .. } | Error::Unauthenticated { .. });
    let no_credentials = text.contains("169.254.169.254") || text.contains("InstanceCredentials");
    let (kind, message, help) = if code == "NoSuchBucket" {
        (FailureKind::Usage, format!("{action}: NoSuchBucket"), known)
    } else if let Some(known) = known {
        (FailureKind::Credentials, format!("{action}: {code}"), Some(known))
    } else if no_credentials {
        let message = format!("{action}: no credentials for {}", store_name(&text));
        (FailureKind::Credentials, message, Some(credentials_help(&text)))
    } else if denied {
        (FailureKind::Credentials, format!("{action}: {} refused the credentials", store_name(&text)), None)
    } else {
        (FailureKind::Failed, format!("{action}: {}", cause_text(&text, &code)), None)
    };
    let failure = Failure::new(kind, message);
    match help {
        Some(help) => failure.help(help),
        None => failure,
    }
}

/// Returns the store that an error's text names.
fn store_name(text: &str) -> &'static str {
    if text.contains("GCS") {
        "Google Cloud Storage"
    } else if text.contains("Azure") {
        "Azure"
    } else {
        "the store"
    }
}

/// Returns how to provide credentials for the store that an error's text names.
fn credentials_help(text: &str) -> &'static str {
    if text.contains("GCS") {
        "set GOOGLE_SERVICE_ACCOUNT to a key file, or run `gcloud auth application-default login`"
    } else if text.contains("Azure") {
        "set AZURE_STORAGE_ACCOUNT_NAME, and AZURE_STORAGE_ACCOUNT_KEY or AZURE_STORAGE_SAS_TOKEN"
    } else {
        "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a --profile"
    }
}

/// Returns the cause in an error's text on one line, without XML bodies and retry logs.
fn cause_text(text: &str, code: &str) -> String {
    let line = text.split(['\n', '<']).next().unwrap_or_default();
    let line = line.rsplit(" - ").next().unwrap_or(line).trim().trim_end_matches(':');
    if code.is_empty() { line.to_owned() } else { format!("{line} {code}") }
}
