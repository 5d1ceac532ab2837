//! Makes the HTTP client and its threads: TLS that trusts the system and the authorities of the contract, and
//! no redirects.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Certificate, ClientBuilder};
use sitegate_check::internal::contract::{Contract, ContractError};
use tokio::runtime::{Builder, Runtime};
use url::Url;

use crate::error::NetworkError;
use crate::resolver::SharedResolver;
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

/// Returns the builder of a client that follows no redirects, and trusts these authorities besides those of the
/// system.
///
/// # Errors
/// If an authority cannot be read.
pub fn client_builder(authorities: &[Vec<u8>], connect: Duration) -> reqwest::Result<ClientBuilder> {
    choose_cryptography();
    let trusted = authorities.iter().map(|pem| Certificate::from_pem_bundle(pem));
    let trusted = trusted.collect::<reqwest::Result<Vec<_>>>()?;
    let builder = ClientBuilder::new().tls_certs_merge(trusted.into_iter().flatten());
    Ok(builder.redirect(Policy::none()).referer(false).connect_timeout(connect))
}

/// Returns the builder of a client with these settings, which connects to allowed addresses only.
pub(crate) fn client(settings: &Settings) -> reqwest::Result<ClientBuilder> {
    let mut resolver = settings.resolver.clone();
    if settings.proxy {
        resolver.proxies.extend(proxies());
    }
    let hosts = settings.hosts.values().chain([&settings.host]);
    let builder = client_builder(&settings.authorities, settings.connect)?
        .timeout(settings.whole)
        .pool_max_idle_per_host(hosts.map(|host| host.concurrency).max().unwrap_or(1))
        .pool_idle_timeout(IDLE_TIMEOUT)
        .user_agent(&settings.user_agent)
        .dns_resolver(SharedResolver(Arc::new(resolver)));
    Ok(if settings.proxy { builder } else { builder.no_proxy() })
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
