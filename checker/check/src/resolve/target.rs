//! Defines the target of a reference.

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
