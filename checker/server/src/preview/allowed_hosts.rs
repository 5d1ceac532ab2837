//! Rejects requests with a foreign host name, which protects the preview from DNS rebinding.

use hyper::header::{self, HeaderMap};
use hyper::{Request, StatusCode, Version};

/// Host names of this machine, which no other site can take.
const LOCAL_HOSTS: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// The allowed hosts (RFC 9110, section 7.2). A web page can resolve its own name to 127.0.0.1 (DNS rebinding)
/// to read the preview as its own origin. Its requests still carry that name.
pub(super) struct AllowedHosts {
    port: u16,
    named: Vec<String>,
}

impl AllowedHosts {
    /// Allows this machine at a port, and additional hosts.
    pub fn new(port: u16, named: &[String]) -> AllowedHosts {
        AllowedHosts { port, named: named.iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

    /// Rejects a request for another host.
    ///
    /// # Errors
    /// The status and the message.
    pub fn reject<B>(&self, request: &Request<B>) -> Result<(), (StatusCode, &'static str)> {
        let host = match request.uri().authority() {
            Some(authority) => authority.as_str(),
            None => match single_host(request.headers()) {
                Some(host) => host,
                // Old programs send no host.
                None if request.version() == Version::HTTP_10
                    && !request.headers().contains_key(header::HOST) =>
                {
                    return Ok(());
                }
                None => {
                    return Err((StatusCode::BAD_REQUEST, "400: a request needs exactly one Host header\n"));
                }
            },
        };
        if self.is_allowed(&host.to_ascii_lowercase()) {
            Ok(())
        } else {
            Err((
                StatusCode::MISDIRECTED_REQUEST,
                "421: this preview serves only 127.0.0.1, localhost and [::1]; use `sitegate serve --host NAME` to \
                 allow another host\n",
            ))
        }
    }

    fn is_allowed(&self, host: &str) -> bool {
        let without_port = match host.rsplit_once(':') {
            Some((name, port)) if port.parse() == Ok(self.port) => name,
            _ => host,
        };
        let named = |known: &String| known == host || known == without_port;
        LOCAL_HOSTS.contains(&without_port) || self.named.iter().any(named)
    }
}

fn single_host(headers: &HeaderMap) -> Option<&str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next()?.to_str().ok()?;
    hosts.next().is_none().then_some(host)
}

#[cfg(test)]
mod tests {
    use super::AllowedHosts;

    #[test]
    fn allows_names_that_no_other_site_can_take() {
        let hosts = AllowedHosts::new(4173, &["Tunnel.example".to_owned(), "box:8080".to_owned()]);
        for host in [
            "127.0.0.1:4173",
            "localhost",
            "localhost:4173",
            "[::1]:4173",
            "[::1]",
            "tunnel.example",
            "box:8080",
        ] {
            assert!(hosts.is_allowed(host), "{host}");
        }
        for host in
            ["evil.example:4173", "localhost.evil.example", "localhost:80", "127.0.0.1.", "box", "", "[::1"]
        {
            assert!(!hosts.is_allowed(host), "{host}");
        }
    }
}
