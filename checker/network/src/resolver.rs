//! Names to addresses, without those that may not be asked: a client connects to what stood in this answer, so that no name
//! can be public when it is looked at and private when it is connected to.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{self, Display};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use crate::address::AllowedAddresses;

/// Looks names up, and keeps back what may not be asked.
#[derive(Clone, Debug, Default)]
pub struct HostResolver {
    /// What may be asked although it is not public.
    pub allowed: AllowedAddresses,
    /// Names that are known without asking anyone.
    pub known: BTreeMap<String, Vec<IpAddr>>,
    /// Names of proxies, which may have any address.
    pub proxies: Vec<String>,
}

/// An address that may not be asked.
#[derive(Debug)]
pub(crate) struct RefusedAddress(pub IpAddr);

impl Display for RefusedAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a public address", self.0)
    }
}

impl Error for RefusedAddress {}

/// A name without an address.
#[derive(Debug)]
pub(crate) struct NoAddress;

impl Display for NoAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such host")
    }
}

impl Error for NoAddress {}

/// A name of which nobody could say for now whether it has an address.
#[derive(Debug)]
pub(crate) struct NotLookedUp;

impl Display for NotLookedUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("its name could not be looked up")
    }
}

impl Error for NotLookedUp {}

impl HostResolver {
    /// Whether a URL may be asked as far as it names an address itself, which is then looked up nowhere.
    pub(crate) fn may_ask(&self, url: &Url) -> Result<(), RefusedAddress> {
        let address = match url.host() {
            Some(Host::Ipv4(four)) => IpAddr::V4(four),
            Some(Host::Ipv6(six)) => IpAddr::V6(six),
            _ => return Ok(()),
        };
        if self.allowed.may_ask(address) { Ok(()) } else { Err(RefusedAddress(address)) }
    }

    async fn look_up(&self, name: &str) -> Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>> {
        let name = name.trim_end_matches('.');
        let all: Vec<SocketAddr> = match self.known.get(name) {
            Some(known) => known.iter().map(|address| SocketAddr::new(*address, 0)).collect(),
            None => match tokio::net::lookup_host((name, 0)).await {
                Ok(found) => found.collect(),
                Err(error) if is_for_now(&error) => return Err(Box::new(NotLookedUp)),
                Err(_) => return Err(Box::new(NoAddress)),
            },
        };
        let Some(first) = all.first().copied() else { return Err(Box::new(NoAddress)) };
        if self.proxies.iter().any(|proxy| proxy == name) {
            return Ok(all);
        }
        let asked: Vec<SocketAddr> =
            all.into_iter().filter(|address| self.allowed.may_ask(address.ip())).collect();
        if asked.is_empty() { Err(Box::new(RefusedAddress(first.ip()))) } else { Ok(asked) }
    }
}

/// Whether a name may be found the next time: so it is without a network too. The C library's number for that does not come
/// through, only its words: those of glibc and of musl.
fn is_for_now(error: &io::Error) -> bool {
    let words = error.to_string();
    words.contains("Temporary failure") || words.contains("Try again")
}

/// A resolver as the client wants it.
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
