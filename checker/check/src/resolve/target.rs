//! Defines the target of a reference, and explains why a text is no URL.

use crate::walk::FileId;
use sitegate_host::answer::{Reason, Route};

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
