//! Makes the HTTP client and its threads: allowed addresses only, no redirects, and TLS that trusts the system and the
//! authorities of the contract.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, HeaderName, HeaderValue, PROXY_AUTHORIZATION, USER_AGENT};
use http::uri::Scheme;
use http::{Method, Request, Uri};
use http_body_util::Empty;
use hyper_util::client::legacy::Client;
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls_platform_verifier::Verifier;
use sitegate_address::percent;
use sitegate_check::{Contract, ContractError};
use tokio::runtime::{Builder, Runtime};
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::answer::Answer;
use crate::connector::Connector;
use crate::error::{NetworkError, RequestFailure, RequestFailureKind};
use crate::resolver::{AllowedAddresses, HostResolver, SharedResolver};
use crate::settings::Settings;

/// The time that an idle connection is kept: with thousands of hosts, longer would be too many.
const IDLE_TIMEOUT: Duration = Duration::from_secs(1);

/// Maximum number of headers of an answer. The client's default is 100, but some servers send more cookies and policies,
/// and no other client refuses them. The size of all headers has its own limit.
const MAX_HEADERS: usize = 2_000;

/// Maximum size of all headers of an answer by HTTP/2, as curl has it. The client's default is 16 KiB.
const MAX_HEADERS_SIZE: u32 = 300 << 10;

/// Reads the authorities that a contract trusts besides those of the system, each file in PEM.
///
/// # Errors
/// If the file cannot be read or has no certificate, with the line of the contract.
pub fn authorities(contract: &Contract) -> Result<Vec<Vec<u8>>, ContractError> {
    let Some((span, file)) = &contract.external.certificates else { return Ok(Vec::new()) };
    let fail = |message: String| contract.error(span.clone(), message);
    let pem = contract.read(file).map_err(|error| fail(format!("{}: {error}", file.display())))?;
    if !String::from_utf8_lossy(&pem).contains("-----BEGIN CERTIFICATE-----") {
        return Err(fail(format!("{} holds no certificate in PEM", file.display())));
    }
    Ok(vec![pem])
}

/// Chooses the cryptography for TLS; once for the process, before the first client is made.
pub fn choose_cryptography() {
    // It fails if a provider was chosen already, which then serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Reads the private addresses that a contract allows.
///
/// # Errors
/// If one is not a network, with the line of the contract.
pub fn allowed_addresses(contract: &Contract) -> Result<AllowedAddresses, ContractError> {
    let nets = contract.external.allow_addresses.iter().map(|(span, net)| {
        let message = || format!("`{net}` is not a network, such as 10.0.0.0/8");
        net.parse().map_err(|_| contract.error(span.clone(), message()))
    });
    Ok(AllowedAddresses(nets.collect::<Result<_, _>>()?))
}

/// The HTTP client for all hosts that content or the command line names: it requests allowed addresses only, and
/// follows no redirects. Clippy refuses any other client (`clippy.toml`), except those of the stores and their
/// credential services, whose hosts the command line and the environment choose.
#[derive(Clone, Debug)]
pub struct GuardedClient {
    http: Client<Connector, Empty<Bytes>>,
    user_agent: HeaderValue,
    resolver: Arc<HostResolver>,
    proxies: Option<Arc<Matcher>>,
    whole: Duration,
}

impl GuardedClient {
    /// Creates a client.
    ///
    /// # Errors
    /// [`NetworkError::Client`] if an authority cannot be read.
    #[expect(clippy::disallowed_methods, reason = "the one client of hosts that content names")]
    pub fn new(settings: &Settings) -> Result<GuardedClient, NetworkError> {
        let mut resolver = settings.resolver.clone();
        if settings.proxy {
            resolver.proxies.extend(proxies());
        }
        let (resolver, proxies) = (Arc::new(resolver), settings.proxy.then(|| Arc::new(Matcher::from_env())));
        let tls = tls_config(&settings.authorities).map_err(NetworkError::Client)?;
        let names = SharedResolver(Arc::clone(&resolver));
        let hosts = settings.hosts.values().chain([&settings.host]);
        let http = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_max_idle_per_host(hosts.map(|host| host.concurrency).max().unwrap_or(1))
            .http1_max_headers(MAX_HEADERS)
            // Old servers fold long headers.
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .http2_max_header_list_size(MAX_HEADERS_SIZE)
            .build(Connector::new(names, proxies.clone(), &tls, settings.connect));
        let user_agent = HeaderValue::try_from(&settings.user_agent)
            .map_err(|error| NetworkError::Client(rustls::Error::General(error.to_string())))?;
        Ok(GuardedClient { http, user_agent, resolver, proxies, whole: settings.whole })
    }

    /// Begins a request, if its host is allowed. Names are checked again when they are resolved.
    ///
    /// # Errors
    /// The address is private, or the URL cannot be requested.
    pub async fn request(&self, method: Method, url: &Url) -> Result<GuardedRequest, RequestFailure> {
        self.resolver.check(url).await.map_err(|address| RequestFailure::refused(&address))?;
        let mut plain = url.clone();
        plain.set_fragment(None);
        let _ = plain.set_username("").and_then(|()| plain.set_password(None));
        let unusable = |reason: String| RequestFailure::new(RequestFailureKind::Permanent, reason);
        let uri = Uri::try_from(plain.as_str()).map_err(|error| unusable(error.to_string()))?;
        let mut request = Request::new(Empty::new());
        *request.method_mut() = method;
        *request.uri_mut() = uri;
        let request = GuardedRequest { client: self.clone(), request, whole: self.whole };
        if url.username().is_empty() && url.password().is_none() {
            return Ok(request);
        }
        let decoded = |text: &str| percent::decode_lossy(text).into_owned();
        Ok(request.basic_auth(&decoded(url.username()), &decoded(url.password().unwrap_or_default())))
    }

    /// Returns the login for the proxy of a plain request. A tunnel sends it by itself.
    fn login_of_proxy(&self, uri: &Uri) -> Option<HeaderValue> {
        let proxies = self.proxies.as_ref().filter(|_| uri.scheme() == Some(&Scheme::HTTP))?;
        proxies.intercept(uri)?.basic_auth().cloned()
    }
}

/// A request whose host is allowed.
#[derive(Debug)]
pub struct GuardedRequest {
    client: GuardedClient,
    request: Request<Empty<Bytes>>,
    /// The time for the whole answer.
    whole: Duration,
}

impl GuardedRequest {
    /// Adds headers, which replace those of the same names. Invalid ones are left out.
    #[must_use]
    pub fn headers<N: AsRef<str>, V: AsRef<str>>(
        mut self,
        headers: impl IntoIterator<Item = (N, V)>,
    ) -> GuardedRequest {
        for (name, value) in headers {
            if let Ok(parsed) = HeaderName::try_from(name.as_ref())
                && let Ok(text) = HeaderValue::try_from(value.as_ref())
            {
                self.request.headers_mut().insert(parsed, text);
            }
        }
        self
    }

    /// Adds a user name and a password.
    #[must_use]
    pub fn basic_auth(mut self, name: &str, password: &str) -> GuardedRequest {
        self.request.headers_mut().extend(basic_login(name, password).map(|login| (AUTHORIZATION, login)));
        self
    }

    /// Sets the time for the whole answer.
    #[must_use]
    pub fn timeout(self, whole: Duration) -> GuardedRequest {
        GuardedRequest { whole, ..self }
    }

    /// Sends the request, and waits for the head of its answer.
    ///
    /// # Errors
    /// The reason why there is no answer, or none within `limit`.
    pub async fn send(self, limit: Duration) -> Result<Answer, RequestFailure> {
        let GuardedRequest { client, mut request, whole } = self;
        let (start, limit) = (Instant::now(), limit.min(whole));
        let headers = request.headers_mut();
        headers.entry(USER_AGENT).or_insert_with(|| client.user_agent.clone());
        headers.entry(ACCEPT).or_insert(HeaderValue::from_static("*/*"));
        if let Some(login) = client.login_of_proxy(request.uri()) {
            request.headers_mut().insert(PROXY_AUTHORIZATION, login);
        }
        let answer = match timeout_at(start + limit, client.http.request(request)).await {
            Err(_) => return Err(RequestFailure::slow("no answer", limit)),
            Ok(Err(error)) => return Err(RequestFailure::from_error(&error)),
            Ok(Ok(answer)) => answer,
        };
        Ok(Answer::new(answer, start, whole))
    }
}

/// Returns the value of a header with a user name and a password (RFC 7617).
fn basic_login(name: &str, password: &str) -> Option<HeaderValue> {
    let text = format!("Basic {}", BASE64_STANDARD.encode(format!("{name}:{password}")));
    let mut value = HeaderValue::try_from(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Returns TLS that trusts these authorities besides those of the system.
fn tls_config(authorities: &[Vec<u8>]) -> Result<ClientConfig, rustls::Error> {
    choose_cryptography();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let trusted = authorities.iter().flat_map(|pem| CertificateDer::pem_slice_iter(pem));
    let trusted = trusted.collect::<Result<Vec<_>, _>>();
    let trusted = trusted.map_err(|error| rustls::Error::General(error.to_string()))?;
    // Some platforms have no verifier with more authorities.
    let verifier = if trusted.is_empty() {
        Verifier::new(Arc::clone(&provider))
    } else {
        Verifier::new_with_extra_roots(trusted, Arc::clone(&provider))
    };
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let verifier = Arc::new(verifier?);
    Ok(config.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth())
}

/// Starts threads for the network.
pub(crate) fn runtime(threads: usize) -> Result<Runtime, NetworkError> {
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(threads).enable_all().thread_name("network").build().map_err(NetworkError::Thread)
}

/// The names of the proxies in the environment.
fn proxies() -> impl Iterator<Item = String> {
    let variables = ["http_proxy", "https_proxy", "all_proxy"];
    let values = variables
        .into_iter()
        .flat_map(|name| [std::env::var(name), std::env::var(name.to_ascii_uppercase())]);
    values.flatten().filter_map(|value| {
        let url = Url::parse(&value).or_else(|_| Url::parse(&format!("http://{value}")));
        url.ok()?.host_str().map(str::to_owned)
    })
}
