//! What the references of a document are relative to.

use std::borrow::Cow;

use url::Url;

use crate::host_name;

/// The document that references are relative to.
#[derive(Clone, Debug)]
pub struct Base {
    /// The directory part of its URL path, decoded, with no leading `/`; `None` off this site.
    pub(super) folder: Option<Vec<u8>>,
    /// Its URL.
    pub(super) url: Url,
}

impl Base {
    /// The URL itself.
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// The base of a URL that is no file's.
    #[cfg(test)]
    #[allow(clippy::unwrap_used)]
    pub(crate) fn of_url(url: &str) -> Base {
        Base { folder: None, url: Url::parse(url).unwrap() }
    }

    /// The path of the URL.
    pub fn path(&self) -> &str {
        self.url.path()
    }

    /// The host that a reference leads to: that which it names, and off this site else this base's own.
    pub fn host<'r>(&'r self, reference: &'r str) -> Option<Cow<'r, str>> {
        let own = || self.url.host_str().filter(|_| self.folder.is_none()).map(Cow::Borrowed);
        self.named_host(reference).or_else(own)
    }

    /// The host that a reference names by itself.
    pub fn named_host<'r>(&self, reference: &'r str) -> Option<Cow<'r, str>> {
        host_name::host(reference, &self.url)
    }

    /// The URL that a reference means here.
    pub fn join(&self, reference: &str) -> Option<Url> {
        self.url.join(reference).ok()
    }
}
