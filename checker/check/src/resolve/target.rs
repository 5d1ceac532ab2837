//! Defines the target of a reference and its fragment, and explains why a text is no URL.

use std::borrow::Cow;

use sitegate_address::UrlReference;
use sitegate_address::percent::{decode_lossy, escape_reference};
use sitegate_host::answer::{Reason, Route};

use crate::walk::FileId;

/// The target of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A file of the export.
    File {
        /// The file.
        file: FileId,
        /// The route from the path to the file.
        route: Route,
    },
    /// No file of the export has this path.
    Missing(Reason),
    /// Another origin, by http or https, or another site on this origin: a path outside the base path.
    External,
    /// A scheme without files: `data:`, `javascript:`, `mailto:` …
    Scheme,
    /// Not a URL.
    Invalid(url::ParseError),
    /// An empty or missing value.
    Empty,
    /// Not checked: an origin to connect to, or a fragment that is not of this document.
    Unchecked,
}

impl Target {
    /// Returns the target of a reference whose path the host redirects. `self` is the target of the destination, which
    /// differs by a `/`: it has one more, or, if the path ends `with_slash`, one less.
    pub(super) fn after_redirect(self, with_slash: bool) -> Target {
        match self {
            Target::File { file, route } => {
                let route = match route {
                    Route::Index if !with_slash => Route::Directory,
                    Route::Directory if with_slash => Route::Index,
                    _ => Route::Redirect,
                };
                Target::File { file, route }
            }
            Target::Missing(Reason::FileWithSlash) if !with_slash => Target::Missing(Reason::TreatedAsFolder),
            target => target,
        }
    }
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

/// A fragment, ready for comparison with ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment<'r> {
    /// As the URL parser serializes it: compared with ids first.
    pub raw: Cow<'r, str>,
    /// Percent-decoded: compared with ids next, then with `a[name]`.
    pub decoded: Cow<'r, str>,
}

impl Fragment<'_> {
    /// Whether it means the top of the page if no id matches.
    pub fn is_top(&self) -> bool {
        self.decoded.eq_ignore_ascii_case("top")
    }
}

/// Returns the fragment of a reference; `None` if there is none to check: no `#`, an empty one, or only a fragment
/// directive (`#:~:text=…`).
pub fn fragment(reference: &str) -> Option<Fragment<'_>> {
    let written = UrlReference::new(reference).fragment()?;
    if written.bytes().all(|byte| UNESCAPED[usize::from(byte)]) {
        let unescaped = Cow::Borrowed(written);
        return (!written.is_empty()).then(|| Fragment { raw: unescaped.clone(), decoded: unescaped });
    }
    let written = written.trim_end_matches(|c: char| c <= ' ');
    let written = written.split(":~:").next().unwrap_or("");
    let cleaned: Cow<'_, str> = if written.contains(['\t', '\n', '\r']) {
        Cow::Owned(written.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(written)
    };
    if cleaned.is_empty() {
        return None;
    }
    let raw = match cleaned {
        Cow::Borrowed(cleaned) => escape_reference(cleaned),
        Cow::Owned(cleaned) => Cow::Owned(escape_reference(&cleaned).into_owned()),
    };
    let decoded = decode_lossy(&raw).into_owned();
    Some(Fragment { raw, decoded: Cow::Owned(decoded) })
}

/// Whether a decoded fragment is a route for a script of the page: `/about`, `!/about`, `!`.
pub(crate) fn is_route(decoded: &str) -> bool {
    decoded.starts_with(['/', '!'])
}

/// Whether a decoded fragment is a list of settings for a script of the page: `tab=two&x=1`. A name such as `operator==`
/// is none.
pub(crate) fn is_settings(decoded: &str) -> bool {
    let is_key = |key: &str| {
        let is_key_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.[]".contains(&byte);
        !key.is_empty() && key.bytes().all(is_key_byte)
    };
    let is_setting = |part: &str| match part.split_once('=') {
        Some((key, value)) => is_key(key) && !value.is_empty() && !value.starts_with('='),
        None => false,
    };
    decoded.split('&').all(|part| is_setting(part) || is_key(part)) && decoded.split('&').any(is_setting)
}

/// Bytes that a fragment never escapes: all printable ones but those that are escaped, `%`, and `:`, which may begin a
/// directive.
const UNESCAPED: [bool; 256] = {
    let mut unescaped = [false; 256];
    let mut byte = 0u8;
    while byte < 128 {
        unescaped[byte as usize] =
            byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'`' | b'%' | b':');
        byte += 1;
    }
    unescaped
};

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::{fragment, is_settings};

    #[test]
    fn recognizes_settings() {
        for settings in ["slide=3", "tab=two&x=1", "a[b]=c&flag", "gid=0", "q=a b", "x=a=b"] {
            assert!(is_settings(settings), "{settings}");
        }
        for name in ["slide", "a&b", "operator=", "operator==", "=x", "", "a b=c", "&a=b", "x=", "h(a=1)"] {
            assert!(!is_settings(name), "{name}");
        }
    }

    #[test]
    fn serializes_fragments_like_the_url_crate() {
        let base = url::Url::parse("http://sitegate.invalid/").unwrap();
        proptest!(ProptestConfig::with_cases(2_000), |(written in "[ -~é\u{0}-\u{1f}]{0,12}")| {
            let reference = format!("#{written}");
            let url = base.join(&reference).unwrap();
            let expected = url.fragment().unwrap_or("").split(":~:").next().unwrap_or("").to_owned();
            let ours = fragment(&reference).map(|f| f.raw.into_owned()).unwrap_or_default();
            prop_assert_eq!(ours, expected);
        });
    }
}
