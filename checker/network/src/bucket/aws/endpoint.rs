//! Decides which endpoints may be used without TLS.

use std::net::IpAddr;

use url::Url;

use sitegate_publish::failure::{Failure, FailureKind};

/// Whether an endpoint uses plain http, which is only allowed for this machine or by an option.
///
/// # Errors
/// [`FailureKind::Usage`] when it is not allowed, or the endpoint has a user name, password or query. Stores have
/// credentials of their own, and the endpoint is written to the target state.
pub(crate) fn is_plain_http(endpoint: &str, allowed: bool) -> Result<bool, Failure> {
    let url = Url::parse(endpoint)
        .map_err(|error| Failure::new(FailureKind::Usage, format!("`{endpoint}`: {error}")))?;
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
        let message = format!("{endpoint} is not a store's endpoint: it has more than a host and a path");
        return Err(Failure::new(FailureKind::Usage, message).help(
            "remove user name, password and query; credentials come from the environment or a profile",
        ));
    }
    if url.scheme() != "http" {
        return Ok(false);
    }
    let local = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(url::Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        None => false,
    };
    if local || allowed {
        return Ok(true);
    }
    Err(Failure::new(FailureKind::Usage, format!("{endpoint} is not encrypted"))
        .help("use https, or --allow-http"))
}
