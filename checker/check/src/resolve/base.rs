//! Represents the base URL of a document.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use url::Url;

use sitegate_address::SitePath;
use sitegate_address::percent::escape_path;
use sitegate_base::host_name;

/// Placeholder for the site's own origin if the contract has none; RFC 2606 reserves the domain.
pub(super) const UNKNOWN_ORIGIN: &str = "http://sitegate.invalid/";
const UNKNOWN_HOST: &str = "sitegate.invalid";

/// The base URL that references are relative to.
#[derive(Clone, Debug)]
pub struct Base {
    /// Decoded path of the URL, without the leading `/`.
    path: Vec<u8>,
    /// Length of the folder part of the path; `None` on another site.
    folder: Option<usize>,
    is_document_url: bool,
    /// A URL with the same origin.
    origin: Arc<Url>,
    /// The URL, parsed on demand: most documents only have plain links.
    url: OnceLock<Url>,
}

impl Base {
    /// Creates a base from a decoded path on this site, without the leading `/`.
    pub(super) fn from_path(path: Vec<u8>, origin: &Arc<Url>) -> Base {
        let folder = Some(SitePath::new(path.as_slice()).folder_with_slash().len());
        Base { path, folder, is_document_url: true, origin: Arc::clone(origin), url: OnceLock::new() }
    }

    /// Creates a base from a URL, with its decoded path if it is on this site.
    pub(crate) fn from_url(url: Url, path: Option<Vec<u8>>) -> Base {
        let folder = path.as_deref().map(|path| SitePath::new(path).folder_with_slash().len());
        let path = path.unwrap_or_default();
        Base { path, folder, is_document_url: false, origin: Arc::new(url.clone()), url: url.into() }
    }

    /// Whether it is the URL of a document itself, not of a base element.
    pub(super) fn is_document_url(&self) -> bool {
        self.is_document_url
    }

    /// Returns the folder part of the decoded path, without the leading `/`; `None` on another site.
    pub(crate) fn folder(&self) -> Option<&[u8]> {
        self.folder.map(|length| &self.path[..length])
    }

    pub(super) fn parsed(&self) -> &Url {
        self.url.get_or_init(|| {
            let mut url = Url::clone(&self.origin);
            url.set_path(&escape_path(&String::from_utf8_lossy(&self.path)));
            url
        })
    }

    /// Returns the URL.
    pub fn url(&self) -> &str {
        self.parsed().as_str()
    }

    /// Returns the path of the URL.
    pub fn path(&self) -> &str {
        self.parsed().path()
    }

    /// Returns the host of a reference: the host in the reference, or this base's own if it is on another site.
    pub fn host<'r>(&'r self, reference: &'r str) -> Option<Cow<'r, str>> {
        let is_external = self.folder.is_none();
        let own = || is_external.then(|| self.parsed().host_str()).flatten().map(Cow::Borrowed);
        self.named_host(reference).or_else(own)
    }

    /// Returns the host in a reference.
    pub fn named_host<'r>(&self, reference: &'r str) -> Option<Cow<'r, str>> {
        host_name::host(reference, || self.parsed())
    }

    /// Resolves a reference to a URL.
    pub fn join(&self, reference: &str) -> Option<Url> {
        host_name::join(self.parsed(), reference).ok()
    }

    /// Resolves an external reference to a URL. If the site's own scheme is unknown, it is https.
    pub(crate) fn join_external(&self, reference: &str) -> Option<Url> {
        let mut url = self.join(reference)?;
        let names_scheme = reference.trim_start().as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
        if !names_scheme && self.parsed().host_str() == Some(UNKNOWN_HOST) {
            url.set_scheme("https").ok()?;
        }
        Some(url)
    }
}
