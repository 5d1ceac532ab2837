//! Which addresses may be spoken to without TLS, and who does the cryptography for the others.

use std::net::IpAddr;

use url::Url;

use crate::failure::{Exit, Failure};

/// Whether an endpoint is spoken to without TLS, which is only for this machine unless it is said.
///
/// # Errors
/// [`Exit::Usage`] where that is not allowed, or where the endpoint holds a name, a password or a query: stores know
/// only credentials of their own, and what is remembered of a store names its endpoint.
pub fn is_plain_http(endpoint: &str, allowed: bool) -> Result<bool, Failure> {
    let url =
        Url::parse(endpoint).map_err(|error| Failure::new(Exit::Usage, format!("`{endpoint}`: {error}")))?;
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
        let message =
            format!("{endpoint} is not the address of a store: it holds more than a host and a path");
        return Err(Failure::new(Exit::Usage, message)
            .help("leave out name, password and query; credentials come from the environment or a profile"));
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
    Err(Failure::new(Exit::Usage, format!("{endpoint} would be spoken to without encryption"))
        .help("use https, or say --allow-http"))
}
