//! Runs the credential requests of AWS's library on our own HTTP client, so that the program has a single TLS
//! library.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use reqwest::redirect::Policy;
use reqwest::{Client, Method};
use sitegate_address::UrlReference;

use crate::bucket::aws::signed_request::{self, is_plain_http};

/// Default timeout, if the library sets none.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Connect timeout for services on the network.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Connect timeout for the metadata services of this machine. If there is none, packets to it are dropped.
const DIRECT_CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Metadata services of containers and machines, always without TLS. Packets to them never leave the machine.
const METADATA_HOSTS: [&str; 5] =
    ["169.254.169.254", "169.254.170.2", "169.254.170.23", "[fd00:ec2::254]", "[fd00:ec2::23]"];

/// The HTTP client for credentials.
#[derive(Clone, Debug, Default)]
pub(crate) struct CredentialsClient {
    /// Whether plain http is allowed to all hosts.
    allow_http: bool,
    clients: Arc<Clients>,
}

#[derive(Debug, Default)]
struct Clients {
    /// For the network, through the proxies of the environment.
    proxied: OnceLock<Client>,
    /// For requests without TLS, which must not go through a proxy.
    direct: OnceLock<Client>,
}

impl CredentialsClient {
    /// Creates a client that uses http only for this machine, unless it is allowed.
    pub(crate) fn new(allow_http: bool) -> CredentialsClient {
        CredentialsClient { allow_http, ..CredentialsClient::default() }
    }

    #[expect(clippy::disallowed_methods, reason = "the credential services of clouds have private addresses")]
    fn client(&self, direct: bool) -> Result<&Client, ConnectorError> {
        let cached = if direct { &self.clients.direct } else { &self.clients.proxied };
        if let Some(client) = cached.get() {
            return Ok(client);
        }
        crate::client::choose_cryptography();
        // Secrets are in custom headers, which a redirect would send to another host.
        let builder = Client::builder().no_gzip().redirect(Policy::none());
        let builder = if direct {
            builder.no_proxy().connect_timeout(DIRECT_CONNECT_TIMEOUT)
        } else {
            builder.connect_timeout(CONNECT_TIMEOUT)
        };
        let made = builder.build().map_err(|error| ConnectorError::user(error.into()))?;
        Ok(cached.get_or_init(|| made))
    }

    async fn send(&self, request: HttpRequest, timeout: Duration) -> Result<HttpResponse, ConnectorError> {
        let address = request.uri().to_owned();
        let host = reqwest::Url::parse(&address).ok().and_then(|url| url.host_str().map(str::to_owned));
        let direct = host.is_some_and(|host| METADATA_HOSTS.contains(&host.as_str()));
        let plain = direct
            || is_plain_http(host_part(&address), self.allow_http)
                .map_err(|error| ConnectorError::user(error.into()))?;
        let method = Method::from_bytes(request.method().as_bytes())
            .map_err(|error| ConnectorError::user(error.into()))?;
        let mut builder = self.client(plain)?.request(method, &address).timeout(timeout);
        for (name, value) in request.headers() {
            builder = builder.header(name, value);
        }
        let content = request.body().bytes().map(<[u8]>::to_vec).unwrap_or_default();
        let answer = builder.body(content).send().await.map_err(refused)?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = signed_request::bounded_body(answer).await.map_err(refused)?;
        let status = status.as_u16().try_into().map_err(|_| ConnectorError::other("status".into(), None))?;
        let mut response = HttpResponse::new(status, SdkBody::from(body));
        for (name, value) in &headers {
            if let Ok(value) = value.to_str() {
                let _ = response.headers_mut().try_append(name.as_str().to_owned(), value.to_owned());
            }
        }
        Ok(response)
    }
}

/// Returns a URL without its query.
fn host_part(address: &str) -> &str {
    UrlReference::new(address).path()
}

/// Converts an error of the client. The URL is removed: it may contain a secret.
fn refused(error: reqwest::Error) -> ConnectorError {
    let timed_out = error.is_timeout();
    let error = error.without_url();
    if timed_out { ConnectorError::timeout(error.into()) } else { ConnectorError::io(error.into()) }
}

impl HttpClient for CredentialsClient {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        _components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        let timeout = settings.read_timeout().unwrap_or(TIMEOUT);
        SharedHttpConnector::new(CredentialsConnector { client: self.clone(), timeout })
    }
}

/// The client with the timeout of one service.
#[derive(Debug)]
struct CredentialsConnector {
    client: CredentialsClient,
    timeout: Duration,
}

impl HttpConnector for CredentialsConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (client, timeout) = (self.client.clone(), self.timeout);
        HttpConnectorFuture::new(async move { client.send(request, timeout).await })
    }
}
