//! What the references of a document are relative to.

use url::Url;

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

    /// The URL that a reference means here.
    pub fn join(&self, reference: &str) -> Option<Url> {
        self.url.join(reference).ok()
    }
}
