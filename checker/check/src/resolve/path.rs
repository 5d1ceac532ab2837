//! Recognizes plain paths, decodes paths of URLs, and explains errors of the URL parser.

use percent_encoding::percent_decode_str;

/// Returns the path of a reference that needs no URL parser: only letters, digits and `-._~!$&'()*+,;=@/`, before an
/// optional `?` or `#`, without scheme, host or escapes. Returns `None` if a parser must decide.
pub(super) fn plain_path(reference: &str) -> Option<&str> {
    let bytes = reference.as_bytes();
    let end = bytes.iter().position(|b| !PLAIN[usize::from(*b)]).unwrap_or(bytes.len());
    // No path means this document itself, which the URL parser resolves, also against a base element.
    if end == 0 || bytes.starts_with(b"//") {
        return None;
    }
    // The URL parser removes TAB, LF and CR everywhere, and trailing spaces.
    let is_plain = match bytes.get(end) {
        None => true,
        Some(b'?' | b'#') => memchr::memchr3(b'\t', b'\n', b'\r', &bytes[end..]).is_none(),
        Some(_) => false,
    };
    is_plain.then(|| &reference[..end])
}

/// Bytes that a path never escapes.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0u8;
    while byte < 128 {
        plain[byte as usize] = byte.is_ascii_alphanumeric() || is_in(byte, b"-._~!$&'()*+,;=@/");
        byte += 1;
    }
    plain
};

const fn is_in(byte: u8, bytes: &[u8]) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == byte {
            return true;
        }
        at += 1;
    }
    false
}

/// Decodes a URL path segment by segment, without its leading `/`. Returns whether a segment contained `%2F`.
pub(crate) fn decode_path(path: &str, out: &mut Vec<u8>) -> bool {
    let path = path.strip_prefix('/').unwrap_or(path);
    let mut encoded_slash = false;
    for (index, segment) in path.split('/').enumerate() {
        if index > 0 {
            out.push(b'/');
        }
        let start = out.len();
        out.extend(percent_decode_str(segment));
        encoded_slash |= out[start..].contains(&b'/');
    }
    encoded_slash
}

/// Explains an error of the URL parser.
pub fn invalid_url(error: url::ParseError) -> &'static str {
    use url::ParseError::{
        EmptyHost, IdnaError, InvalidDomainCharacter, InvalidIpv4Address, InvalidIpv6Address, InvalidPort,
        RelativeUrlWithCannotBeABaseBase, RelativeUrlWithoutBase,
    };
    match error {
        EmptyHost => "there is no host after `//`",
        IdnaError => "the host is not a valid international domain name",
        InvalidPort => "the port is not a number from 0 to 65535",
        InvalidIpv4Address => "the host is not a valid IPv4 address",
        InvalidIpv6Address => "the host is not a valid IPv6 address",
        InvalidDomainCharacter => "the host has a character that domain names must not contain",
        RelativeUrlWithoutBase | RelativeUrlWithCannotBeABaseBase => "it is relative, without a base",
        _ => "it does not parse",
    }
}
