//! Finds the host of a reference as in the URL standard, and classifies hosts.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use percent_encoding::percent_decode_str;
use url::{ParseError, Url};

/// Resolves a reference against a base URL as browsers do. The parser of `url` finds an empty host after `///`;
/// browsers skip all slashes before a host (URL, 4.4, "special authority ignore slashes state").
///
/// # Errors
/// As [`Url::join`].
pub fn join(base: &Url, reference: &str) -> Result<Url, ParseError> {
    let joined = base.join(reference);
    let text = reference.trim_start_matches(|c: char| c <= ' ');
    if joined == Err(ParseError::EmptyHost) && text.starts_with(['/', '\\']) {
        let host = text.trim_start_matches(['/', '\\', '\t', '\n', '\r']);
        return base.join(&format!("//{host}"));
    }
    joined
}

/// Returns the host of a reference without its port and trailing dot: lowercase, in Punycode, IPv4 addresses as
/// four numbers (URL, 3.5). `base` is the URL that the reference is relative to. Returns `None` if the
/// reference is relative.
pub fn host<'r, 'b>(reference: &'r str, base: impl FnOnce() -> &'b Url) -> Option<Cow<'r, str>> {
    if let Some(host) = plain_host(reference) {
        return Some(Cow::Borrowed(host.trim_end_matches('.'))).filter(|host| !host.is_empty());
    }
    if !is_absolute(reference) || is_data(reference) {
        return None;
    }
    let url = join(base(), reference).ok()?;
    let host = url.host_str()?.trim_end_matches('.');
    (!host.is_empty()).then(|| Cow::Owned(host.to_ascii_lowercase()))
}

/// Returns the host of a reference, and its port if it is not the usual one of its scheme. Returns `None` if the
/// reference is relative.
pub fn host_and_port(reference: &str) -> Option<String> {
    if !is_absolute(reference) || is_data(reference) {
        return None;
    }
    let text = reference.trim_start_matches(|c: char| c <= ' ');
    let url =
        if text.starts_with(['/', '\\']) { Url::parse(&format!("https:{text}")) } else { Url::parse(text) };
    let url = url.ok()?;
    let host = url.host_str()?.trim_end_matches('.').to_ascii_lowercase();
    match (host.is_empty(), url.port()) {
        (true, _) => None,
        (false, None) => Some(host),
        (false, Some(port)) => Some(format!("{host}:{port}")),
    }
}

/// Returns the host of a reference whose notation is unambiguous.
fn plain_host(reference: &str) -> Option<&str> {
    let rest = ["https://", "http://", "//"].iter().find_map(|start| reference.strip_prefix(start))?;
    let end = rest.bytes().position(|byte| matches!(byte, b'/' | b'?' | b'#'));
    let host = &rest[..end.unwrap_or(rest.len())];
    let is_plain = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
    if !host.as_bytes().iter().all(is_plain) {
        return None;
    }
    // A last label that begins with a digit may be a number, and Punycode may be invalid.
    let name = host.trim_end_matches('.').as_bytes();
    let last = &name[name.iter().rposition(|byte| *byte == b'.').map_or(0, |dot| dot + 1)..];
    let is_name = last.first().is_some_and(u8::is_ascii_lowercase);
    (is_name && !name.windows(4).any(|part| part == b"xn--")).then_some(host)
}

/// Whether a reference is a data URL, which may be long and has no host.
fn is_data(reference: &str) -> bool {
    reference.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:"))
}

/// Whether a reference has a scheme, or begins with two slashes of either kind.
fn is_absolute(reference: &str) -> bool {
    let text = reference.trim_start_matches(|c: char| c <= ' ');
    let mut chars = text.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r'));
    let is_slash = |c: Option<char>| matches!(c, Some('/' | '\\'));
    if is_slash(chars.next()) {
        is_slash(chars.next())
    } else {
        text.contains(':') && Url::parse(text).is_ok()
    }
}

/// Returns the host of a mail address after `mailto:`.
pub fn mail_host(text: &str) -> Option<Cow<'_, str>> {
    let text = text.trim_start_matches(|c: char| c <= ' ');
    let address = text.get(..7).filter(|start| start.eq_ignore_ascii_case("mailto:")).map(|_| &text[7..])?;
    let address = &address[..address.find(['?', ',']).unwrap_or(address.len())];
    let address = percent_decode_str(address).decode_utf8().ok()?;
    let (_, host) = address.rsplit_once('@')?;
    Some(canonical(host.trim()))
}

/// Normalizes a host as in the URL standard. Invalid hosts are only lowercased.
fn canonical(host: &str) -> Cow<'static, str> {
    let known = url::Host::parse(host).map(|host| host.to_string());
    let host = known.unwrap_or_else(|_| host.to_ascii_lowercase());
    Cow::Owned(host.trim_end_matches('.').to_owned())
}

/// Whether a host is a domain, or, if the pattern begins with `*.`, a subdomain of it.
pub fn host_matches(host: &str, pattern: &str) -> bool {
    let is = |name: &str| match pattern.strip_prefix("*.") {
        None => host.eq_ignore_ascii_case(name),
        Some(_) => is_below(host, name),
    };
    let name = pattern.strip_prefix("*.").unwrap_or(pattern);
    is(name.trim_end_matches('.')) || (!name.is_ascii() && is(&canonical(name)))
}

/// Whether a host is a subdomain of a domain.
pub fn is_below(host: &str, domain: &str) -> bool {
    let Some(at) = host.len().checked_sub(domain.len() + 1) else { return false };
    host.is_char_boundary(at)
        && host.as_bytes()[at] == b'.'
        && host.get(at + 1..).is_some_and(|end| end.eq_ignore_ascii_case(domain))
}

/// Whether a host is the local machine or in a private network.
pub fn is_local(host: &str) -> bool {
    let is_local = |address: Ipv4Addr| {
        address.is_loopback() || address.is_private() || address.is_link_local() || address.is_unspecified()
    };
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return is_local(address);
    }
    if let Some(Ok(address)) =
        host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::parse::<Ipv6Addr>)
    {
        return address.is_loopback()
            || address.is_unique_local()
            || address.is_unicast_link_local()
            || address.is_unspecified()
            || address.to_ipv4_mapped().is_some_and(is_local);
    }
    let is = |name: &str| host.eq_ignore_ascii_case(name) || is_below(host, name);
    is("localhost") || is_below(host, "local")
}

/// Whether a host is an IP address.
pub fn is_address(host: &str) -> bool {
    host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok()
}

/// Whether a reference has this scheme and a host.
pub fn has_scheme(reference: &str, scheme: &str) -> bool {
    let letters = reference.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (start, rest) = reference.split_at(letters);
    // The usual notation.
    if !start.is_empty() && rest.starts_with("://") {
        return start.eq_ignore_ascii_case(scheme);
    }
    // Only the parser knows which characters are trimmed, removed or turned into slashes.
    let text = reference.trim_start_matches(|c: char| c <= ' ');
    !is_data(text)
        && text.contains(':')
        && Url::parse(text).is_ok_and(|url| url.scheme() == scheme && url.has_host())
}

/// Returns the host name of a URL, with its port if that is not the default.
pub fn host_of(url: &Url) -> String {
    let name = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{name}:{port}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;
    use url::Url;

    use super::{Cow, has_scheme, host, host_matches, is_local, join, mail_host};

    fn base() -> Url {
        Url::parse("https://www.acme.test/a/").unwrap()
    }

    #[test]
    fn finds_hosts() {
        for (reference, wanted) in [
            ("https://example.com/x", Some("example.com")),
            ("//Example.com:80?x", Some("example.com")),
            ("http://a:b@host.test./", Some("host.test")),
            ("http://[::1]:80/", Some("[::1]")),
            ("/a//b", None),
            ("x.html?u=http://host.test/", None),
            ("a:b", None),
            ("mailto:a@host.test", None),
            ("\\\\host.test\\x", Some("host.test")),
            ("https:/\\host.test", Some("host.test")),
            ("ht\ntps://ho\tst.test/", Some("host.test")),
            (" \u{1}https://%68ost.test", Some("host.test")),
            ("https:///host.test", Some("host.test")),
            ("/\t/host.test", Some("host.test")),
            ("///host.test", Some("host.test")),
            ("//\t/\\host.test/x", Some("host.test")),
            ("/%09/host.test", None),
            ("/.//host.test", None),
            ("http:host.test", Some("host.test")),
            ("https:a", None),
            ("https://ｈｏｓｔ。test", Some("host.test")),
            ("https://bücher.test", Some("xn--bcher-kva.test")),
            ("https://good.test@bad.test/", Some("bad.test")),
            ("https://bad.test\\@good.test/", Some("bad.test")),
            ("http://0x7f.1/", Some("127.0.0.1")),
            ("http://2130706433", Some("127.0.0.1")),
            ("http://0177.0.0.01", Some("127.0.0.1")),
            ("http://[::ffff:127.0.0.1]/", Some("[::ffff:7f00:1]")),
            ("ftp://host.test/", Some("host.test")),
        ] {
            let own = base();
            let found = host(reference, || &own);
            let found = found.as_deref().filter(|host| *host != "www.acme.test");
            assert_eq!(found, wanted, "{reference:?}");
        }
        assert!(
            host_matches("a.example.com", "*.example.com") && !host_matches("example.com", "*.example.com")
        );
        assert!(!host_matches("badexample.com", "*.example.com") && host_matches("X.test", "x.test"));
        assert!(host_matches("xn--bcher-kva.test", "Bücher.test") && host_matches("a.test", "a.test."));
        assert!(host_matches("www.xn--bcher-kva.test", "*.bücher.test"));
        assert!(has_scheme(" HTTP://x", "http") && !has_scheme("httpx://x", "http"));
        assert!(has_scheme("ht\ttp:\\\\x", "http") && has_scheme("http:x", "http"));
        assert!(
            !has_scheme("https://x", "http") && !has_scheme("//x", "http") && !has_scheme("http", "http")
        );
        assert_eq!(mail_host("mailto:a%40Ｈost.test.?x").as_deref(), Some("host.test"));
    }

    #[test]
    fn recognizes_local_addresses() {
        for local in [
            "127.0.0.1",
            "[::1]",
            "[::ffff:7f00:1]",
            "[::ffff:a00:1]",
            "[fe80::1]",
            "x.localhost",
            "nas.local",
        ] {
            assert!(is_local(local), "{local}");
        }
        for public in ["93.184.216.34", "[2001:db8::1]", "[::ffff:5db8:d822]", "localhost.test", "local"] {
            assert!(!is_local(public), "{public}");
        }
    }

    /// References in ambiguous notations.
    fn references() -> impl Strategy<Value = String> {
        let part = prop::sample::select(vec![
            "http:",
            "https:",
            "ftp:",
            "HTTP:",
            "//",
            "/",
            "\\",
            "a",
            "xn--",
            "host.test",
            "HOST",
            "%61",
            "%2e",
            ".",
            "..",
            "-",
            "0x7f",
            "1",
            "127",
            "2130706433",
            "[::1]",
            "[",
            "]",
            ":",
            ":80",
            "@",
            "?",
            "#",
            "\t",
            "\n",
            " ",
            "é",
            "ａ",
            "。",
            "ß",
            "\u{ad}",
            "\u{200d}",
            "\0",
            "_",
            "%",
            "{",
        ]);
        prop::collection::vec(part, 0..9).prop_map(|parts| parts.concat())
    }

    #[test]
    fn finds_the_hosts_of_the_url_standard() {
        proptest!(ProptestConfig::with_cases(4_000), |(reference in references())| {
            let base = base();
            let url = join(&base, &reference).ok();
            let wanted = url.as_ref().and_then(Url::host_str).map(|host| host.trim_end_matches('.').to_ascii_lowercase());
            // A relative reference is on the base's host.
            let found = host(&reference, || &base).map(Cow::into_owned);
            let is_own = |host: &str| found.is_none() && host == "www.acme.test";
            let wanted = wanted.filter(|host| !host.is_empty() && !is_own(host));
            prop_assert_eq!(found, wanted, "{:?}", reference);
            if let Ok(absolute) = Url::parse(&reference) {
                let is_http = absolute.scheme() == "http";
                prop_assert_eq!(has_scheme(&reference, "http"), is_http, "{:?}", reference);
            }
        });
    }
}
