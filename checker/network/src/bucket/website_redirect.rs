//! Writes the redirect of an object at S3's website endpoints. `object_store` does not know this header, and S3
//! requires that it is signed. So such requests are signed again.

use async_trait::async_trait;
use http::header::{AUTHORIZATION, HeaderValue};
use object_store::ClientOptions;
use object_store::aws::{AwsAuthorizer, AwsCredentialProvider};
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
};
use sitegate_host::headers::WEBSITE_REDIRECT;

use super::transport::Transport;

/// The destination of an object's redirect, as an extension of the request that writes the object.
#[derive(Clone, Debug)]
pub(super) struct WebsiteRedirect(pub String);

/// Connects to S3, and adds redirects to requests.
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
