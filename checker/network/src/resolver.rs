//! Resolves host names to allowed addresses. The client connects to exactly these, so that a name cannot be
//! public when it is checked and private when it is used (DNS rebinding).

use std::collections::BTreeMap;
use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use crate::address::AllowedAddresses;

/// Resolves names, and filters addresses that are not allowed.
#[derive(Clone, Debug, Default)]
pub struct HostResolver {
    /// Private addresses that are allowed.
    pub allowed: AllowedAddresses,
    /// Names with fixed addresses.
    pub known: BTreeMap<String, Vec<IpAddr>>,
    /// Names of proxies, which may have any address.
    pub proxies: Vec<String>,
}

/// An address that is not allowed.
#[derive(Debug, thiserror::Error)]
#[error("{0} is not a public address")]
pub(crate) struct PrivateAddress(pub IpAddr);

/// A name without an address.
#[derive(Debug, thiserror::Error)]
#[error("no such host")]
pub(crate) struct NameNotFound;

/// A name that could not be resolved for now.
#[derive(Debug, thiserror::Error)]
#[error("its name could not be looked up")]
pub(crate) struct ResolveFailed;

impl HostResolver {
    /// Whether a URL may be requested, if its host is an IP address, which is not resolved.
    pub(crate) fn is_allowed(&self, url: &Url) -> Result<(), PrivateAddress> {
        let address = match url.host() {
            Some(Host::Ipv4(four)) => IpAddr::V4(four),
            Some(Host::Ipv6(six)) => IpAddr::V6(six),
            _ => return Ok(()),
        };
        if self.allowed.is_allowed(address) { Ok(()) } else { Err(PrivateAddress(address)) }
    }

    async fn look_up(&self, name: &str) -> Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>> {
        let name = name.trim_end_matches('.');
        let all: Vec<SocketAddr> = match self.known.get(name) {
            Some(known) => known.iter().map(|address| SocketAddr::new(*address, 0)).collect(),
            None => match tokio::net::lookup_host((name, 0)).await {
                Ok(found) => found.collect(),
                Err(error) if is_temporary_error(&error) => return Err(Box::new(ResolveFailed)),
                Err(_) => return Err(Box::new(NameNotFound)),
            },
        };
        let Some(first) = all.first().copied() else { return Err(Box::new(NameNotFound)) };
        if self.proxies.iter().any(|proxy| proxy == name) {
            return Ok(all);
        }
        let allowed: Vec<SocketAddr> =
            all.into_iter().filter(|address| self.allowed.is_allowed(address.ip())).collect();
        if allowed.is_empty() { Err(Box::new(PrivateAddress(first.ip()))) } else { Ok(allowed) }
    }
}

/// Whether resolving a name may succeed later, for example when the network is back. The C library's error
/// number is lost, so its messages are compared: those of glibc and musl.
fn is_temporary_error(error: &io::Error) -> bool {
    let words = error.to_string();
    words.contains("Temporary failure") || words.contains("Try again")
}

/// A resolver for the HTTP client.
pub(crate) struct SharedResolver(pub Arc<HostResolver>);

impl Resolve for SharedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = Arc::clone(&self.0);
        Box::pin(async move {
            let found = resolver.look_up(name.as_str()).await?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
