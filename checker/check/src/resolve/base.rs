//! What the references of a document are relative to.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use url::Url;

use super::path::{escape_path, folder};
use sitegate_base::host_name;

/// Stands for the site's own origin when the contract names none; RFC 2606 reserves the domain.
pub(super) const UNKNOWN_ORIGIN: &str = "http://sitegate.invalid/";
const UNKNOWN_HOST: &str = "sitegate.invalid";

/// The document that references are relative to.
#[derive(Clone, Debug)]
pub struct Base {
    /// The path of its URL, decoded, with no leading `/`.
    path: Vec<u8>,
    /// The bytes of that which are the directory; `None` off this site.
    folder: Option<usize>,
    is_of_document: bool,
    /// A URL of the same origin.
    origin: Arc<Url>,
    /// Its URL, made when it is asked for: most documents have plain links only.
    url: OnceLock<Url>,
}

impl Base {
    /// Whether the same references lead to the same places from another base.
    pub fn is_same(&self, other: &Base) -> bool {
        (&self.path, self.folder, self.is_of_document, &self.origin)
            == (&other.path, other.folder, other.is_of_document, &other.origin)
    }

    /// The base of a path on this site: decoded, with no leading `/`.
    pub(super) fn of_path(path: Vec<u8>, origin: &Arc<Url>) -> Base {
        let folder = Some(folder(&path).len());
        Base { path, folder, is_of_document: true, origin: Arc::clone(origin), url: OnceLock::new() }
    }

    /// The base of a URL, whose decoded path is given where it is on this site.
    pub(crate) fn of_url(url: Url, path: Option<Vec<u8>>) -> Base {
        let folder = path.as_deref().map(|path| folder(path).len());
        let path = path.unwrap_or_default();
        Base { path, folder, is_of_document: false, origin: Arc::new(url.clone()), url: url.into() }
    }

    /// Whether it is a document's own address, and not what a base element says.
    pub(super) fn is_of_document(&self) -> bool {
        self.is_of_document
    }

    /// The directory part of its URL's path, decoded, with no leading `/`; `None` off this site.
    pub(super) fn folder(&self) -> Option<&[u8]> {
        self.folder.map(|length| &self.path[..length])
    }

    pub(super) fn parsed(&self) -> &Url {
        self.url.get_or_init(|| {
            let mut url = Url::clone(&self.origin);
            url.set_path(&escape_path(&String::from_utf8_lossy(&self.path)));
            url
        })
    }

    /// The URL itself.
    pub fn url(&self) -> &str {
        self.parsed().as_str()
    }

    /// The path of the URL.
    pub fn path(&self) -> &str {
        self.parsed().path()
    }

    /// The host that a reference leads to: that which it names, and off this site else this base's own.
    pub fn host<'r>(&'r self, reference: &'r str) -> Option<Cow<'r, str>> {
        let own = || self.parsed().host_str().filter(|_| self.folder.is_none()).map(Cow::Borrowed);
        self.named_host(reference).or_else(own)
    }

    /// The host that a reference names by itself.
    pub fn named_host<'r>(&self, reference: &'r str) -> Option<Cow<'r, str>> {
        host_name::host(reference, || self.parsed())
    }

    /// The URL that a reference means here.
    pub fn join(&self, reference: &str) -> Option<Url> {
        self.parsed().join(reference).ok()
    }

    /// The same of a reference to another host: where the site's own scheme is not known, it is https.
    pub(crate) fn join_external(&self, reference: &str) -> Option<Url> {
        let mut url = self.join(reference)?;
        let names_scheme = reference.trim_start().as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
        if !names_scheme && self.parsed().host_str() == Some(UNKNOWN_HOST) {
            url.set_scheme("https").ok()?;
        }
        Some(url)
    }
}
