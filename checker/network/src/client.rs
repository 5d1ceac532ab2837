//! Makes the HTTP client and its threads: allowed addresses only, no redirects, and TLS that trusts the system and the
//! authorities of the contract.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, ClientBuilder, Method, RequestBuilder};
use sitegate_check::internal::contract::{Contract, ContractError};
use tokio::runtime::{Builder, Runtime};
use url::Url;

use crate::address::AllowedAddresses;
use crate::error::NetworkError;
use crate::request_failure::RequestFailure;
use crate::resolver::{HostResolver, SharedResolver};
use crate::settings::Settings;

/// The time that an idle connection is kept: with thousands of hosts, longer would be too many.
const IDLE_TIMEOUT: Duration = Duration::from_secs(1);

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
    client: Client,
    resolver: Arc<HostResolver>,
}

impl GuardedClient {
    /// Creates a client that decompresses answers.
    ///
    /// # Errors
    /// [`NetworkError::Client`] if an authority cannot be read.
    pub fn new(settings: &Settings) -> Result<GuardedClient, NetworkError> {
        GuardedClient::build(settings, |builder| builder)
    }

    /// Creates a client that returns answers as they are sent, and the certificates of their servers.
    ///
    /// # Errors
    /// [`NetworkError::Client`] if an authority cannot be read.
    pub fn raw(settings: &Settings) -> Result<GuardedClient, NetworkError> {
        GuardedClient::build(settings, |builder| builder.no_gzip().tls_info(true))
    }

    #[expect(clippy::disallowed_methods, reason = "the one client of hosts that content names")]
    fn build(
        settings: &Settings,
        adjust: impl FnOnce(ClientBuilder) -> ClientBuilder,
    ) -> Result<GuardedClient, NetworkError> {
        choose_cryptography();
        let mut resolver = settings.resolver.clone();
        if settings.proxy {
            resolver.proxies.extend(proxies());
        }
        let resolver = Arc::new(resolver);
        let trusted = settings.authorities.iter().map(|pem| Certificate::from_pem_bundle(pem));
        let trusted = trusted.collect::<reqwest::Result<Vec<_>>>().map_err(NetworkError::Client)?;
        let hosts = settings.hosts.values().chain([&settings.host]);
        let builder = ClientBuilder::new()
            .tls_certs_merge(trusted.into_iter().flatten())
            .redirect(Policy::none())
            .referer(false)
            .connect_timeout(settings.connect)
            .timeout(settings.whole)
            .pool_max_idle_per_host(hosts.map(|host| host.concurrency).max().unwrap_or(1))
            .pool_idle_timeout(IDLE_TIMEOUT)
            .user_agent(&settings.user_agent)
            .dns_resolver(SharedResolver(Arc::clone(&resolver)));
        let builder = if settings.proxy { builder } else { builder.no_proxy() };
        let client = adjust(builder).build().map_err(NetworkError::Client)?;
        Ok(GuardedClient { client, resolver })
    }

    /// Begins a request, if its host is allowed. Names are checked again when they are resolved.
    ///
    /// # Errors
    /// The address is private.
    pub async fn request(&self, method: Method, url: &Url) -> Result<RequestBuilder, RequestFailure> {
        self.resolver.check(url).await.map_err(|address| RequestFailure::refused(&address))?;
        Ok(self.client.request(method, url.clone()))
    }
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
