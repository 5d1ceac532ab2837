//! Carries what AWS's library asks for credentials over our own client, so that the program has one TLS.

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

use crate::aws::endpoint::is_plain_http;

/// How long a service may take to answer, where the library sets no limit.
const TIMEOUT: Duration = Duration::from_secs(30);

/// How long it may take to reach a service on the network.
const CONNECT: Duration = Duration::from_secs(5);

/// How long it may take to reach what gives credentials on the machine itself: where it is not there, packets
/// to it are lost.
const CONNECT_NEAR: Duration = Duration::from_secs(1);

/// Where containers and machines give out credentials, always without TLS. Packets to them never leave the machine.
const NEAR: [&str; 5] =
    ["169.254.169.254", "169.254.170.2", "169.254.170.23", "[fd00:ec2::254]", "[fd00:ec2::23]"];

/// The client for credentials.
#[derive(Clone, Debug, Default)]
pub struct CredentialsClient {
    /// Whether http is allowed to any host.
    allow_http: bool,
    clients: Arc<Clients>,
}

#[derive(Debug, Default)]
struct Clients {
    /// For the network, by the proxies that the environment names.
    far: OnceLock<Client>,
    /// For what is spoken to without TLS, which no proxy may see.
    near: OnceLock<Client>,
}

impl CredentialsClient {
    /// A client that speaks http only to this machine, unless it is allowed.
    pub fn new(allow_http: bool) -> CredentialsClient {
        CredentialsClient { allow_http, ..CredentialsClient::default() }
    }

    fn client(&self, near: bool) -> Result<&Client, ConnectorError> {
        let kept = if near { &self.clients.near } else { &self.clients.far };
        if let Some(client) = kept.get() {
            return Ok(client);
        }
        sitegate_network::choose_cryptography();
        // Secrets travel in headers of their own, which a redirect would take to another host.
        let builder = Client::builder().no_gzip().redirect(Policy::none());
        let builder = if near {
            builder.no_proxy().connect_timeout(CONNECT_NEAR)
        } else {
            builder.connect_timeout(CONNECT)
        };
        let made = builder.build().map_err(|error| ConnectorError::user(error.into()))?;
        Ok(kept.get_or_init(|| made))
    }

    async fn send(&self, request: HttpRequest, timeout: Duration) -> Result<HttpResponse, ConnectorError> {
        let address = request.uri().to_owned();
        let host = reqwest::Url::parse(&address).ok().and_then(|url| url.host_str().map(str::to_owned));
        let near = host.is_some_and(|host| NEAR.contains(&host.as_str()));
        let plain = near
            || is_plain_http(host_part(&address), self.allow_http)
                .map_err(|error| ConnectorError::user(error.into()))?;
        let method = Method::from_bytes(request.method().as_bytes())
            .map_err(|error| ConnectorError::user(error.into()))?;
        let mut asked = self.client(plain)?.request(method, &address).timeout(timeout);
        for (name, value) in request.headers() {
            asked = asked.header(name, value);
        }
        let content = request.body().bytes().map(<[u8]>::to_vec).unwrap_or_default();
        let answer = asked.body(content).send().await.map_err(refused)?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = answer.bytes().await.map_err(refused)?;
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

/// An address without its query, which these services have.
fn host_part(address: &str) -> &str {
    address.split('?').next().unwrap_or_default()
}

/// An error of the client, without the address: it may hold a secret.
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

/// The client with the time that one of the library's services may take.
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
