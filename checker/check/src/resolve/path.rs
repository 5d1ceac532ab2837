//! Recognizes, joins, escapes and decodes paths of URLs.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// The fragment percent-encode set of the URL standard.
pub(super) const FRAGMENT: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`');

/// Characters to escape when a file path becomes a URL path: its delimiters and `%`.
const PATH: &AsciiSet = &FRAGMENT.add(b'#').add(b'?').add(b'%').add(b'{').add(b'}').add(b'^').add(b'\\');

/// Escapes a decoded path for a URL.
pub fn escape_path(path: &str) -> String {
    utf8_percent_encode(path, PATH).to_string()
}

/// Escapes a decoded fragment for a URL; characters other than ASCII stay readable.
pub fn escape_fragment(fragment: &str) -> String {
    let escape = |c: char| match c {
        c if c.is_ascii() => utf8_percent_encode(c.encode_utf8(&mut [0; 4]), FRAGMENT).to_string(),
        c => c.to_string(),
    };
    fragment.chars().map(escape).collect()
}

/// Escapes characters of a reference that URLs must not contain; its delimiters and escapes stay unchanged.
pub fn escape_reference(reference: &str) -> String {
    utf8_percent_encode(reference, FRAGMENT).to_string()
}

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

/// Returns the folder part of a path, with its last `/`.
pub(crate) fn folder(path: &[u8]) -> &[u8] {
    &path[..memchr::memrchr(b'/', path).map_or(0, |at| at + 1)]
}

/// Appends a relative or absolute path to a folder and resolves dot segments; `..` stops at the root.
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

/// Returns a relative path below a folder without dot segments and trailing slash; `None` if it leaves the root.
pub(crate) fn join_names(folder: &str, path: &str) -> Option<String> {
    let mut names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()?),
            name => names.push(name),
        }
    }
    Some(names.join("/"))
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
