//! Decides which addresses may be requested, and resolves host names to these. The client connects to exactly these,
//! so that a name cannot be public when it is checked and private when it is used (DNS rebinding).
//!
//! Addresses of the public internet are recognized by the registries of IANA for special-purpose addresses (RFC 6890).
//! Links in untrusted pages must not make a build machine send requests to its own network.

use std::collections::BTreeMap;
use std::error::Error;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::vec::IntoIter;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use hyper_util::client::legacy::connect::dns::Name;
use ipnet::IpNet;
use tower_service::Service;
use url::{Host, Url};

/// Private addresses that requests may be sent to.
#[derive(Clone, Debug, Default)]
pub struct AllowedAddresses(pub Vec<IpNet>);

impl AllowedAddresses {
    /// Whether requests to an address are allowed: it is public or in the list. An IPv6 form of an IPv4 address
    /// counts as that IPv4 address.
    pub fn is_allowed(&self, address: IpAddr) -> bool {
        let address = embedded_ipv4(address);
        is_public(address) || self.0.iter().any(|net| net.contains(&address))
    }
}

/// Converts the IPv6 forms of an IPv4 address: mapped (RFC 4291), translated (RFC 6052), 6to4 (RFC 3056).
fn embedded_ipv4(address: IpAddr) -> IpAddr {
    let IpAddr::V6(six) = address else { return address };
    let last = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        IpAddr::V4(Ipv4Addr::new(a, b, c, d))
    };
    match six.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => last(high, low),
        _ => address,
    }
}

/// Whether an address is public.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(four) => is_public_v4(four),
        IpAddr::V6(six) => is_public_v6(six),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    // Azure's machines reach their host at this address, which also serves credentials.
    let is_of_platform = address == Ipv4Addr::new(168, 63, 129, 16);
    !is_of_platform
        && !matches!(
            (a, b, c),
            (0 | 10 | 127 | 224.., ..)
                | (100, 64..=127, _)
                | (169, 254, _)
                | (172, 16..=31, _)
                | (192, 0, 0 | 2)
                | (192, 88, 99)
                | (192, 168, _)
                | (198, 18..=19, _)
                | (198, 51, 100)
                | (203, 0, 113)
        )
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    // All assigned addresses are in 2000::/3.
    let is_assigned = first & 0xe000 == 0x2000;
    let is_special = matches!((first, second), (0x2001, 0..=0x1ff | 0xdb8) | (0x3fff, 0..=0xfff));
    is_assigned && !is_special
}

/// The author of the URLs that are requested.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HostSource {
    /// Pages, a contract, the target state and answers. Their hosts must have public or allowed addresses.
    #[default]
    Content,
    /// The command line, which names this host. Only this host may have any address: redirects and further URLs in its
    /// answers are content.
    CommandLine(Host<String>),
}

impl HostSource {
    /// The host of a URL of the command line.
    pub fn command_line(url: &Url) -> HostSource {
        match url.host() {
            Some(Host::Domain(name)) => HostSource::CommandLine(Host::Domain(without_root(name).to_owned())),
            Some(address) => HostSource::CommandLine(address.to_owned()),
            None => HostSource::Content,
        }
    }

    /// Whether the command line names this host.
    fn names(&self, host: &Host<&str>) -> bool {
        match (self, host) {
            (HostSource::CommandLine(Host::Domain(named)), Host::Domain(name)) => named == without_root(name),
            (HostSource::CommandLine(Host::Ipv4(named)), Host::Ipv4(address)) => named == address,
            (HostSource::CommandLine(Host::Ipv6(named)), Host::Ipv6(address)) => named == address,
            _ => false,
        }
    }
}

/// Resolves names, and filters addresses that are not allowed.
#[derive(Clone, Debug, Default)]
pub struct HostResolver {
    /// The author of the URLs.
    pub source: HostSource,
    /// Private addresses that are allowed.
    pub allowed: AllowedAddresses,
    /// Names with fixed addresses.
    pub known: BTreeMap<String, Vec<IpAddr>>,
    /// Names of proxies, which may have any address as proxies, but not as hosts of content.
    pub(crate) proxies: Vec<String>,
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
    /// Checks whether the host of a URL may be requested, as far as this is known before its name is resolved: the client
    /// resolves no addresses, and not the names that a proxy resolves.
    ///
    /// # Errors
    /// The private address.
    pub(crate) async fn check(&self, url: &Url) -> Result<(), PrivateAddress> {
        let Some(host) = url.host() else { return Ok(()) };
        if self.source.names(&host) {
            return Ok(());
        }
        match host {
            Host::Ipv4(four) => self.check_any(&[IpAddr::V4(four)]),
            Host::Ipv6(six) => self.check_any(&[IpAddr::V6(six)]),
            // Names of this machine (RFC 6761, 6.3), also if a proxy would resolve them to the proxy's machine.
            Host::Domain(name) if is_this_machine(name) => {
                self.check_any(&[Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()])
            }
            // As the name of a proxy it is resolved to any address.
            Host::Domain(name) if self.is_proxy(name) => match self.addresses(name).await {
                Ok(found) => self.check_any(&found.iter().map(SocketAddr::ip).collect::<Vec<_>>()),
                Err(_) => Ok(()),
            },
            Host::Domain(_) => Ok(()),
        }
    }

    /// Checks that one of the addresses is allowed.
    fn check_any(&self, addresses: &[IpAddr]) -> Result<(), PrivateAddress> {
        match addresses {
            [first, ..] if !addresses.iter().any(|address| self.allowed.is_allowed(*address)) => {
                Err(PrivateAddress(*first))
            }
            _ => Ok(()),
        }
    }

    fn is_proxy(&self, name: &str) -> bool {
        self.proxies.iter().any(|proxy| proxy.eq_ignore_ascii_case(without_root(name)))
    }

    /// Resolves a name to all its addresses.
    #[expect(clippy::disallowed_methods, reason = "the one place that resolves names of content")]
    async fn addresses(&self, name: &str) -> Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>> {
        let name = without_root(name);
        if let Some(known) = self.known.get(name) {
            return Ok(known.iter().map(|address| SocketAddr::new(*address, 0)).collect());
        }
        match tokio::net::lookup_host((name, 0)).await {
            Ok(found) => Ok(found.collect()),
            Err(error) if is_temporary_error(&error) => Err(Box::new(ResolveFailed)),
            Err(_) => Err(Box::new(NameNotFound)),
        }
    }

    /// Resolves a name to its allowed addresses.
    async fn look_up(&self, name: &str) -> Result<Vec<SocketAddr>, Box<dyn Error + Send + Sync>> {
        let all = self.addresses(name).await?;
        let Some(first) = all.first().copied() else { return Err(Box::new(NameNotFound)) };
        if self.is_proxy(name) || self.source.names(&Host::Domain(&name.to_ascii_lowercase())) {
            return Ok(all);
        }
        let allowed: Vec<SocketAddr> =
            all.into_iter().filter(|address| self.allowed.is_allowed(address.ip())).collect();
        if allowed.is_empty() { Err(Box::new(PrivateAddress(first.ip()))) } else { Ok(allowed) }
    }
}

/// Returns a name without the dot of the root.
fn without_root(name: &str) -> &str {
    name.trim_end_matches('.')
}

/// Whether a name is reserved for this machine.
fn is_this_machine(name: &str) -> bool {
    let name = without_root(name);
    name == "localhost" || name.ends_with(".localhost")
}

/// Whether resolving a name may succeed later, for example when the network is back. The C library's error
/// number is lost, so its messages are compared: those of glibc and musl.
fn is_temporary_error(error: &io::Error) -> bool {
    let words = error.to_string();
    words.contains("Temporary failure") || words.contains("Try again")
}

/// A resolver for the HTTP client.
#[derive(Clone, Debug)]
pub(crate) struct SharedResolver(pub Arc<HostResolver>);

impl Service<Name> for SharedResolver {
    type Response = IntoIter<SocketAddr>;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = BoxFuture<'static, Result<IntoIter<SocketAddr>, Self::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let resolver = Arc::clone(&self.0);
        async move { Ok(resolver.look_up(name.as_str()).await?.into_iter()) }.boxed()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use url::Url;

    use super::{AllowedAddresses, HostResolver, HostSource};

    #[test]
    fn allows_only_public_addresses_in_any_notation() {
        let none = AllowedAddresses::default();
        for refused in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.8.9.10",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!none.is_allowed(refused.parse().unwrap()), "{refused}");
        }
        for public in [
            "1.1.1.1",
            "100.63.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.20.0.1",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00::1",
            "2002:808:808::1",
            "64:ff9b::808:808",
        ] {
            assert!(none.is_allowed(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn allows_listed_private_addresses_only() {
        let some = AllowedAddresses(vec!["127.0.0.0/30".parse().unwrap(), "fd00::/8".parse().unwrap()]);
        for (address, may) in [
            ("127.0.0.1", true),
            ("::ffff:127.0.0.2", true),
            ("127.0.0.4", false),
            ("fd12::1", true),
            ("fe80::1", false),
        ] {
            assert_eq!(some.is_allowed(address.parse().unwrap()), may, "{address}");
        }
    }

    fn resolver(name: &str, address: &str) -> HostResolver {
        let mut resolver = HostResolver { proxies: vec!["Proxy.test".to_owned()], ..HostResolver::default() };
        resolver.known.insert(name.to_owned(), vec![address.parse().unwrap()]);
        resolver
    }

    #[tokio::test]
    async fn a_proxy_may_have_any_address_but_is_no_host_of_content() {
        let private = resolver("proxy.test", "10.0.0.1");
        assert!(private.look_up("proxy.test").await.is_ok());
        for url in ["http://proxy.test/", "http://PROXY.test.:3128/x"] {
            let url = Url::parse(url).unwrap();
            assert_eq!(
                private.check(&url).await.unwrap_err().to_string(),
                "10.0.0.1 is not a public address"
            );
            assert!(resolver("proxy.test", "1.1.1.1").check(&url).await.is_ok());
            let named = HostResolver { source: HostSource::command_line(&url), ..private.clone() };
            assert!(named.check(&url).await.is_ok());
        }
    }

    #[tokio::test]
    async fn names_with_private_addresses_are_not_resolved() {
        for address in ["10.0.0.1", "100.64.0.1", "169.254.169.254", "::1", "fd00::1", "64:ff9b::a00:1"] {
            let private = resolver("rebound.test", address);
            let error = private.look_up("rebound.test.").await.unwrap_err().to_string();
            assert!(error.ends_with("is not a public address"), "{address}: {error}");
            let source = HostSource::command_line(&Url::parse("http://rebound.test/").unwrap());
            assert!(HostResolver { source, ..private }.look_up("rebound.test.").await.is_ok());
        }
    }
}
