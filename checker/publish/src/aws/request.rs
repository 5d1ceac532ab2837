//! Requests to services of AWS other than the bucket: signed, over TLS, and never with a secret in a message.

use std::time::Duration;

use object_store::aws::{AwsAuthorizer, AwsCredential};
use object_store::client::HttpRequestBody;
use reqwest::{Client, StatusCode};

use crate::aws::endpoint::is_plain_http;
use crate::failure::Failure;

/// How long a service may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A service's address: its own, unless a variable names another, as AWS's programs know it.
///
/// # Errors
/// [`crate::failure::Exit::Usage`] when that address would be spoken to without encryption.
pub fn endpoint(variable: &str, own: &str) -> Result<String, Failure> {
    match std::env::var(variable) {
        Ok(other) if !other.is_empty() => {
            is_plain_http(&other, false)?;
            Ok(other.trim_end_matches('/').to_owned())
        }
        _ => Ok(own.to_owned()),
    }
}

/// A client for a few requests.
///
/// # Errors
/// When TLS cannot be set up; the message says why.
pub fn client() -> Result<Client, String> {
    sitegate_network::choose_cryptography();
    Client::builder().no_gzip().timeout(TIMEOUT).build().map_err(|error| error.to_string())
}

/// Sends a signed request to a service in a region, and gives its status and its text.
///
/// # Errors
/// When there is no answer; the message says why.
pub async fn post(
    credential: &AwsCredential,
    (service, region): (&str, &str),
    url: &str,
    content_type: &str,
    body: String,
) -> Result<(StatusCode, String), String> {
    let request = http::Request::post(url).header("content-type", content_type);
    let mut request = request.body(HttpRequestBody::from(body.clone())).map_err(|error| error.to_string())?;
    let signer = AwsAuthorizer::new(credential, service, region);
    signer.try_authorize(&mut request, None).map_err(|error| error.to_string())?;
    let sent = client()?.post(url).headers(request.headers().clone()).body(body).send().await;
    let answer = sent.map_err(|error| error.without_url().to_string())?;
    let status = answer.status();
    Ok((status, answer.text().await.unwrap_or_default()))
}

/// The text of an element in the small XML documents that services answer with.
pub fn element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once('<').map(|(value, _)| value.trim())
}
