//! Sends signed requests to AWS services other than the bucket, over TLS, without secrets in messages.

use std::time::Duration;

use object_store::aws::{AwsAuthorizer, AwsCredential};
use object_store::client::HttpRequestBody;
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};

use crate::bucket::aws::endpoint::is_plain_http;
use sitegate_publish::failure::Failure;

/// Timeout per request.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Size after which a body is not read on, in bytes. Answers of these services are much smaller.
const MAX_BODY: usize = 1 << 20;

/// Returns a service's endpoint: its own, unless an environment variable of AWS's programs names another.
///
/// # Errors
/// [`sitegate_publish::failure::FailureKind::Usage`] when that endpoint is not encrypted.
pub(crate) fn endpoint(variable: &str, own: &str) -> Result<String, Failure> {
    match std::env::var(variable) {
        Ok(other) if !other.is_empty() => {
            is_plain_http(&other, false)?;
            Ok(other.trim_end_matches('/').to_owned())
        }
        _ => Ok(own.to_owned()),
    }
}

/// The reason why a request failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RequestError {
    /// The request is invalid.
    #[error(transparent)]
    Malformed(#[from] http::Error),
    /// The request cannot be signed.
    #[error(transparent)]
    Unsigned(#[from] object_store::Error),
    /// TLS cannot be set up, or the connection failed.
    #[error(transparent)]
    Failed(reqwest::Error),
}

impl From<reqwest::Error> for RequestError {
    fn from(error: reqwest::Error) -> RequestError {
        RequestError::Failed(error.without_url())
    }
}

#[expect(clippy::disallowed_methods, reason = "AWS's services, which the environment may replace")]
fn client() -> reqwest::Result<Client> {
    crate::client::choose_cryptography();
    // The signature is for this host only.
    Client::builder().no_gzip().redirect(Policy::none()).timeout(TIMEOUT).build()
}

/// Sends a signed request to a service in a region. Returns the status and the body.
///
/// # Errors
/// When there is no response.
pub(crate) async fn post(
    credential: &AwsCredential,
    (service, region): (&str, &str),
    url: &str,
    content_type: &str,
    body: String,
) -> Result<(StatusCode, String), RequestError> {
    let request = http::Request::post(url).header("content-type", content_type);
    let mut request = request.body(HttpRequestBody::from(body.clone()))?;
    let signer = AwsAuthorizer::new(credential, service, region);
    signer.try_authorize(&mut request, None)?;
    let answer = client()?.post(url).headers(request.headers().clone()).body(body).send().await?;
    let status = answer.status();
    let text = bounded_body(answer).await.unwrap_or_default();
    Ok((status, String::from_utf8_lossy(&text).into_owned()))
}

/// Reads a body up to a limit.
///
/// # Errors
/// When the connection breaks.
pub(super) async fn bounded_body(mut answer: Response) -> reqwest::Result<Vec<u8>> {
    let mut body = Vec::new();
    while body.len() < MAX_BODY
        && let Some(chunk) = answer.chunk().await?
    {
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Returns the text of an element in a small XML document.
pub(crate) fn element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once('<').map(|(value, _)| value.trim())
}
