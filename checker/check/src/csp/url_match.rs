//! Matches URLs against sources (CSP 3, 6.7.2).

use sitegate_address::UrlReference;
use sitegate_address::percent::decode_lossy;
use url::Url;

/// The host of a site whose origin is unknown: any host of a policy may be its own.
const UNKNOWN_HOST: &str = "sitegate.invalid";

/// A source that matches URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UrlSource {
    /// `'self'`.
    Own,
    /// `https:`, by its name without the colon.
    Scheme(String),
    /// A host, such as `https://*.example.com:8080/path/`.
    Host { scheme: Option<String>, host: HostPattern, port: Port, path: String },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HostPattern {
    /// `*`.
    Any,
    /// `*.example.com`, without the `*`.
    Below(String),
    Exact(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Port {
    /// The default port of the scheme.
    Default,
    Any,
    Number(u16),
}

impl UrlSource {
    /// Parses a source without quotes; `None` if it is invalid, and so matches nothing.
    pub fn parse(text: &str) -> Option<UrlSource> {
        let lower = text.to_ascii_lowercase();
        if let Some(scheme) = lower.strip_suffix(':')
            && is_scheme(scheme)
        {
            return Some(UrlSource::Scheme(scheme.to_owned()));
        }
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme.to_ascii_lowercase()), rest),
            Some(_) => return None,
            None => (None, text),
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, "*")) => (host, Port::Any),
            Some((host, port)) => (host, Port::Number(port.parse().ok()?)),
            None => (authority, Port::Default),
        };
        let host = host.to_ascii_lowercase();
        let is_host = |name: &str| {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            name.split('.').all(|label| !label.is_empty() && label.bytes().all(is_plain))
        };
        let host = match host.strip_prefix('*') {
            Some("") => HostPattern::Any,
            Some(domain) => {
                HostPattern::Below(domain.strip_prefix('.').filter(|name| is_host(name))?.to_owned())
            }
            None => HostPattern::Exact(Some(host).filter(|host| is_host(host))?),
        };
        // Chromium ignores a query or a fragment after the path.
        let path = UrlReference::new(path).path();
        let path = decode_lossy(path).into_owned();
        Some(UrlSource::Host { scheme, host, port, path })
    }

    /// Whether it matches a URL, for a page with the URL `page`.
    pub fn matches(&self, url: &Url, page: &Url) -> bool {
        match self {
            UrlSource::Own => is_own(url, page),
            UrlSource::Scheme(scheme) => scheme_matches(scheme, scheme_of(url)),
            UrlSource::Host { scheme: None, host: HostPattern::Any, port: Port::Default, path }
                if path.is_empty() =>
            {
                matches!(url.scheme(), "http" | "https" | "ws" | "wss") || url.scheme() == page.scheme()
            }
            UrlSource::Host { scheme, host, port, path } => {
                let is_scheme = match scheme {
                    Some(scheme) => scheme_matches(scheme, scheme_of(url)),
                    None => own_scheme_matches(scheme_of(page), scheme_of(url)),
                };
                is_scheme && host.matches(url) && port.matches(url) && path_matches(path, url.path())
            }
        }
    }
}

impl HostPattern {
    fn matches(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        if host == UNKNOWN_HOST {
            return true;
        }
        match self {
            HostPattern::Any => !host.is_empty(),
            HostPattern::Exact(name) => host == name,
            HostPattern::Below(domain) => host
                .strip_suffix(domain.as_str())
                .is_some_and(|label| label.len() > 1 && label.ends_with('.')),
        }
    }
}

impl Port {
    fn matches(self, url: &Url) -> bool {
        match self {
            Port::Any => true,
            Port::Default => url.port().is_none(),
            Port::Number(port) => {
                let own = url.port_or_known_default();
                // The port of http also allows that of https.
                own == Some(port) || port == 80 && own == Some(443)
            }
        }
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

/// Returns the scheme of a URL. A site without a known origin is on https.
fn scheme_of(url: &Url) -> &str {
    if url.host_str() == Some(UNKNOWN_HOST) { "https" } else { url.scheme() }
}

fn scheme_matches(source: &str, scheme: &str) -> bool {
    source == scheme
        || match source {
            "http" | "wss" => scheme == "https",
            "ws" => matches!(scheme, "wss" | "http" | "https"),
            _ => false,
        }
}

/// Whether a source without a scheme matches, by the scheme of the page.
fn own_scheme_matches(page: &str, scheme: &str) -> bool {
    scheme_matches(page, scheme)
        || match page {
            "http" => matches!(scheme, "ws" | "wss"),
            "https" => scheme == "wss",
            _ => false,
        }
}

fn is_own(url: &Url, page: &Url) -> bool {
    if url.origin() == page.origin() {
        return true;
    }
    let has_same_port = url.port() == page.port();
    url.host_str().is_some()
        && url.host_str() == page.host_str()
        && has_same_port
        && own_scheme_matches(scheme_of(page), scheme_of(url))
}

/// Whether a path matches that of a source: exactly, or below it if that ends with `/`. Case matters.
fn path_matches(source: &str, path: &str) -> bool {
    let path = decode_lossy(path);
    source.is_empty() || if source.ends_with('/') { path.starts_with(source) } else { path == source }
}
