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
    /// The URL that a reference means here.
    pub fn join(&self, reference: &str) -> Option<Url> {
        self.url.join(reference).ok()
    }
}
