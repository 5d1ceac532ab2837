//! The host that a reference names, and what kind of host that is.

/// The host that a reference names, without its port; `None` where it is relative.
pub(crate) fn host(reference: &str) -> Option<&str> {
    let text = reference.trim_matches(|c: char| c <= ' ');
    let rest = match text.find("//") {
        Some(0) => &text[2..],
        Some(at) if text[..at].strip_suffix(':').is_some_and(is_scheme) => &text[at + 2..],
        _ => return None,
    };
    let authority = &rest[..rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len())];
    let host = authority.rsplit('@').next().unwrap_or(authority);
    if host.starts_with('[') {
        return host.find(']').map(|end| &host[..=end]);
    }
    Some(host.split(':').next().unwrap_or(host).trim_end_matches('.')).filter(|host| !host.is_empty())
}

/// The host of a mail address, with `mailto:` before it.
pub(crate) fn mail_host(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let address = text.get(..7).filter(|start| start.eq_ignore_ascii_case("mailto:")).map(|_| &text[7..])?;
    let (_, host) = address[..address.find(['?', ',']).unwrap_or(address.len())].rsplit_once('@')?;
    Some(host.trim())
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

/// Whether a host is a domain or, where the pattern begins with `*.`, lies below it.
pub(crate) fn host_matches(host: &str, pattern: &str) -> bool {
    match pattern.strip_prefix("*.") {
        None => host.eq_ignore_ascii_case(pattern),
        Some(domain) => is_below(host, domain),
    }
}

/// Whether a host is a subdomain of a domain.
pub(crate) fn is_below(host: &str, domain: &str) -> bool {
    let Some(at) = host.len().checked_sub(domain.len() + 1) else { return false };
    host.is_char_boundary(at)
        && host.as_bytes()[at] == b'.'
        && host.get(at + 1..).is_some_and(|end| end.eq_ignore_ascii_case(domain))
}

/// Whether a host is the reader's own machine or lies in a private network.
pub(crate) fn is_local(host: &str) -> bool {
    use std::net::{Ipv4Addr, Ipv6Addr};
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return address.is_loopback()
            || address.is_private()
            || address.is_link_local()
            || address.is_unspecified();
    }
    if let Some(Ok(address)) =
        host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::parse::<Ipv6Addr>)
    {
        return address.is_loopback() || address.is_unique_local() || address.is_unspecified();
    }
    let is = |name: &str| host.eq_ignore_ascii_case(name) || is_below(host, name);
    is("localhost") || is_below(host, "local")
}

/// Whether a host is an IP address.
pub(crate) fn is_address(host: &str) -> bool {
    host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok()
}

/// Whether a reference begins with this scheme and `//`.
pub(crate) fn has_scheme(reference: &str, scheme: &str) -> bool {
    let text = reference.trim_start_matches(|c: char| c <= ' ');
    text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        && text[scheme.len()..].starts_with("://")
}

#[cfg(test)]
mod tests {
    use super::{has_scheme, host, host_matches};

    #[test]
    fn hosts_are_found() {
        for (reference, wanted) in [
            ("https://example.com/x", Some("example.com")),
            ("//Example.com:80?x", Some("Example.com")),
            ("http://a:b@host.test./", Some("host.test")),
            ("http://[::1]:80/", Some("[::1]")),
            ("/a//b", None),
            ("x.html?u=http://host.test/", None),
            ("mailto:a@host.test", None),
        ] {
            assert_eq!(host(reference), wanted, "{reference}");
        }
        assert!(
            host_matches("a.example.com", "*.example.com") && !host_matches("example.com", "*.example.com")
        );
        assert!(!host_matches("badexample.com", "*.example.com") && host_matches("X.test", "x.test"));
        assert!(has_scheme(" HTTP://x", "http") && !has_scheme("http:x", "http"));
    }
}
