//! Paths of URLs: told from other references, joined, escaped and decoded.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// The fragment percent-encode set of the URL standard.
pub(super) const FRAGMENT: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`');

/// What must be escaped to turn a file's path into a URL's path: its own delimiters and `%`.
const PATH: &AsciiSet = &FRAGMENT.add(b'#').add(b'?').add(b'%').add(b'{').add(b'}').add(b'^').add(b'\\');

/// A decoded path as it is written in a URL.
pub fn escape_path(path: &str) -> String {
    utf8_percent_encode(path, PATH).to_string()
}

/// A reference with what no URL may hold escaped; its delimiters and escapes stay as they are.
pub fn escape_reference(reference: &str) -> String {
    utf8_percent_encode(reference, FRAGMENT).to_string()
}

/// The path of a reference that needs no URL parser: letters, digits and `-._~!$&'()*+,;=@/` only, before an
/// optional `?` or `#`, with no scheme, host or escape in it. `None` where the standard must decide.
pub(super) fn plain_path(reference: &str) -> Option<&str> {
    let bytes = reference.as_bytes();
    let end = bytes.iter().position(|b| !PLAIN[usize::from(*b)]).unwrap_or(bytes.len());
    // No path: this document itself, which the slow way resolves against a base element too.
    if end == 0 || bytes.starts_with(b"//") {
        return None;
    }
    // TAB, LF and CR vanish anywhere and trailing spaces are cut, so the rest must hold none that matter.
    let is_plain = match bytes.get(end) {
        None => true,
        Some(b'?' | b'#') => memchr::memchr3(b'\t', b'\n', b'\r', &bytes[end..]).is_none(),
        Some(_) => false,
    };
    is_plain.then(|| &reference[..end])
}

/// The bytes that mean themselves in a path.
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

/// The directory part of a path, with its last `/`.
pub(crate) fn folder(path: &[u8]) -> &[u8] {
    &path[..memchr::memrchr(b'/', path).map_or(0, |at| at + 1)]
}

/// Appends a relative or absolute path to a directory, with dot segments taken out; they clamp at the root.
pub(super) fn join(path: &mut Vec<u8>, reference: &[u8]) {
    let reference = reference.strip_prefix(b"/").unwrap_or(reference);
    let mut segments = reference.split(|&b| b == b'/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            b"." => {}
            b".." => {
                let bare = path.len().saturating_sub(1);
                let parent = path[..bare].iter().rposition(|&b| b == b'/').map_or(0, |at| at + 1);
                path.truncate(parent);
            }
            _ => {
                path.extend_from_slice(segment);
                if !last {
                    path.push(b'/');
                }
            }
        }
    }
}

/// Decodes a URL path segment by segment, without its leading `/`. Says whether a segment held `%2F`.
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

/// The URL crate's reason in words that name the way out.
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
        InvalidDomainCharacter => "the host has a character that domain names may not hold",
        RelativeUrlWithoutBase | RelativeUrlWithCannotBeABaseBase => "it is relative to nothing",
        _ => "it does not parse",
    }
}
