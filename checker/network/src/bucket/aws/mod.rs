//! AWS services besides the bucket: credentials, and signed requests to CloudFront, to invalidate a distribution. They go
//! over TLS, without secrets in messages. Decides which endpoints may be used without TLS.

pub(crate) mod credentials;

use std::net::IpAddr;
use std::time::Duration;

use object_store::aws::{AwsAuthorizer, AwsCredential};
use object_store::client::HttpRequestBody;
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use sitegate_publish::failure::{Failure, FailureKind};
use url::Url;

/// Whether an endpoint uses plain http, which is only allowed for this machine or by an option.
///
/// # Errors
/// [`FailureKind::Usage`] when it is not allowed, or the endpoint has a user name, password or query. Stores have
/// credentials of their own, and the endpoint is written to the target state.
pub(crate) fn is_plain_http(endpoint: &str, allowed: bool) -> Result<bool, Failure> {
    let url = Url::parse(endpoint)
        .map_err(|error| Failure::new(FailureKind::Usage, format!("`{endpoint}`: {error}")))?;
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
        let message = format!("{endpoint} is not a store's endpoint: it has more than a host and a path");
        return Err(Failure::new(FailureKind::Usage, message).help(
            "remove user name, password and query; credentials come from the environment or a profile",
        ));
    }
    if url.scheme() != "http" {
        return Ok(false);
    }
    let local = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(url::Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        None => false,
    };
    if local || allowed {
        return Ok(true);
    }
    Err(Failure::new(FailureKind::Usage, format!("{endpoint} is not encrypted"))
        .help("use https, or --allow-http"))
}

/// Timeout per request.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Size after which a body is not read on, in bytes. Answers of these services are much smaller.
const MAX_BODY: usize = 1 << 20;

/// Returns a service's endpoint: its own, unless an environment variable of AWS's programs names another.
///
/// # Errors
/// [`sitegate_publish::failure::FailureKind::Usage`] when that endpoint is not encrypted.
fn endpoint(variable: &str, own: &str) -> Result<String, Failure> {
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
enum RequestError {
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
async fn post(
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
fn element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once('<').map(|(value, _)| value.trim())
}

/// Invalidates everything that CloudFront has cached for a distribution. Hashed assets are fetched again once,
/// but a single path is also the cheapest request.
///
/// # Errors
/// [`FailureKind::Unverified`] when CloudFront refuses or does not answer: the release is live behind it.
pub(crate) async fn invalidate_cloudfront(
    credential: &AwsCredential,
    distribution: &str,
    reference: &str,
) -> Result<(), Failure> {
    let fail = |why: &str| {
        Failure::new(FailureKind::Unverified, format!("CloudFront distribution {distribution}: {why}"))
    };
    let endpoint = endpoint("AWS_ENDPOINT_URL_CLOUDFRONT", "https://cloudfront.amazonaws.com")?;
    let url = format!("{endpoint}/2020-05-31/distribution/{distribution}/invalidation");
    let body = format!(
        "<InvalidationBatch xmlns=\"http://cloudfront.amazonaws.com/doc/2020-05-31/\">\
         <CallerReference>{reference}</CallerReference>\
         <Paths><Quantity>1</Quantity><Items><Path>/*</Path></Items></Paths></InvalidationBatch>"
    );
    // CloudFront is a global service. Its requests are signed for this region.
    let answer = post(credential, ("cloudfront", "us-east-1"), &url, "text/xml", body).await;
    match answer.map_err(|error| fail(&error.to_string()))? {
        (StatusCode::CREATED, _) => Ok(()),
        (status, text) => {
            let code = element(&text, "Code").unwrap_or_default();
            Err(fail(&format!("refused: {} {code}", status.as_u16())))
        }
    }
}
