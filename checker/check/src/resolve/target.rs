//! Where a reference leads.

use super::answer::{Reason, Route};
use crate::walk::FileId;

/// Where a reference leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A file of the export.
    File {
        /// Which.
        file: FileId,
        /// How the host gets there.
        route: Route,
    },
    /// Nothing in the export has this path.
    Missing(Reason),
    /// Another origin, by http or https, or another site on this one: out of the path that the export is deployed under.
    External,
    /// A scheme that names no file: `data:`, `javascript:`, `mailto:` …
    Scheme,
    /// Not a URL.
    Invalid(url::ParseError),
    /// No value where one is needed: an empty attribute, or none at all.
    Empty,
    /// Never looked up: an origin to connect to, or a fragment that is not of this document.
    Unchecked,
}

impl Target {
    /// What a reference means whose path the host redirects: to the path with a `/` more, or, where it ends
    /// `with_slash`, with one less. The target is that of the path it is redirected to.
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
            Target::Missing(Reason::FileWithSlash) if !with_slash => Target::Missing(Reason::TakenForFolder),
            target => target,
        }
    }
}
