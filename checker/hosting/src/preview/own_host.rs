//! Whom the preview answers to: browsers that were told to come here, and not pages that made a name of their own lead here.

use hyper::header::{self, HeaderMap};
use hyper::{Request, StatusCode, Version};

/// The names of this machine that no other site can take.
const OWN: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// The hosts that requests may name (RFC 9110, section 7.2). A page on the network can make its own name lead to
/// 127.0.0.1 (DNS rebinding) and would then read the preview as if it were its own; its requests still name that host.
pub(super) struct OwnHosts {
    port: u16,
    named: Vec<String>,
}

impl OwnHosts {
    /// Those of this machine at a port, and those that were named beside them.
    pub fn new(port: u16, named: &[String]) -> OwnHosts {
        OwnHosts { port, named: named.iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

    /// Refuses a request that is meant for another host.
    ///
    /// # Errors
    /// The status and the words to refuse it with.
    pub fn refuse<B>(&self, request: &Request<B>) -> Result<(), (StatusCode, &'static str)> {
        let host = match request.uri().authority() {
            Some(authority) => authority.as_str(),
            None => match only_host(request.headers()) {
                Some(host) => host,
                // Without a name, as only old programs ask.
                None if request.version() == Version::HTTP_10
                    && !request.headers().contains_key(header::HOST) =>
                {
                    return Ok(());
                }
                None => return Err((StatusCode::BAD_REQUEST, "400: a request names one Host\n")),
            },
        };
        if self.is_own(&host.to_ascii_lowercase()) {
            Ok(())
        } else {
            Err((
                StatusCode::MISDIRECTED_REQUEST,
                "421: this preview answers only to 127.0.0.1, localhost and [::1]; `sitegate serve --host NAME` lets \
                 it answer to another name too\n",
            ))
        }
    }

    fn is_own(&self, host: &str) -> bool {
        let without_port = match host.rsplit_once(':') {
            Some((name, port)) if port.parse() == Ok(self.port) => name,
            _ => host,
        };
        let named = |known: &String| known == host || known == without_port;
        OWN.contains(&without_port) || self.named.iter().any(named)
    }
}

fn only_host(headers: &HeaderMap) -> Option<&str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next()?.to_str().ok()?;
    hosts.next().is_none().then_some(host)
}

#[cfg(test)]
mod tests {
    use super::OwnHosts;

    #[test]
    fn only_names_that_no_other_site_can_take() {
        let own = OwnHosts::new(4173, &["Tunnel.example".to_owned(), "box:8080".to_owned()]);
        for host in [
            "127.0.0.1:4173",
            "localhost",
            "localhost:4173",
            "[::1]:4173",
            "[::1]",
            "tunnel.example",
            "box:8080",
        ] {
            assert!(own.is_own(host), "{host}");
        }
        for host in
            ["evil.example:4173", "localhost.evil.example", "localhost:80", "127.0.0.1.", "box", "", "[::1"]
        {
            assert!(!own.is_own(host), "{host}");
        }
    }
}
