//! Divides the reference of a link into its path, query and fragment, as the URL standard does.

use crate::text::AddressText;

/// A reference as written in a document: `../guide/?lang=en#install`, or a whole URL.
///
/// A fragment begins at the first `#`, and a query at the first `?` before it (URL standard, 4.4: in the fragment state,
/// `?` has no meaning). Nothing is decoded or copied.
///
/// ```
/// use sitegate_address::UrlReference;
///
/// let reference = UrlReference::new("../guide/?lang=en#install");
/// assert_eq!(reference.path(), "../guide/");
/// assert_eq!(reference.query(), Some("lang=en"));
/// assert_eq!(reference.fragment(), Some("install"));
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct UrlReference<'t, T: ?Sized = str> {
    text: &'t T,
    path_end: usize,
}

// A derive would require that `T` is `Copy`.
impl<T: ?Sized> Copy for UrlReference<'_, T> {}

impl<T: ?Sized> Clone for UrlReference<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<'t, T: AddressText + ?Sized> UrlReference<'t, T> {
    /// Divides a reference.
    #[inline]
    pub fn new(text: &'t T) -> Self {
        let bytes = text.bytes();
        UrlReference { text, path_end: memchr::memchr2(b'?', b'#', bytes).unwrap_or(bytes.len()) }
    }

    /// Returns everything before the query and the fragment: of a URL, the scheme and the host, too.
    #[inline]
    pub fn path(self) -> &'t T {
        self.text.part(0..self.path_end)
    }

    /// Returns the query without its `?`; `None` if there is none.
    #[inline]
    pub fn query(self) -> Option<&'t T> {
        let end = self.fragment_start().unwrap_or(self.text.bytes().len());
        (self.text.bytes().get(self.path_end) == Some(&b'?')).then(|| self.text.part(self.path_end + 1..end))
    }

    /// Returns the fragment without its `#`, percent-encoded; `None` if there is none.
    #[inline]
    pub fn fragment(self) -> Option<&'t T> {
        Some(self.text.part(self.fragment_start()? + 1..self.text.bytes().len()))
    }

    /// Returns the path and the query: the part that is requested from a server.
    #[inline]
    pub fn without_fragment(self) -> &'t T {
        self.text.part(0..self.fragment_start().unwrap_or(self.text.bytes().len()))
    }

    /// Returns the query and the fragment, with `?` and `#`. [`path`](Self::path) and this are the whole reference.
    #[inline]
    pub fn query_and_fragment(self) -> &'t T {
        self.text.part(self.path_end..self.text.bytes().len())
    }

    #[inline]
    fn fragment_start(self) -> Option<usize> {
        memchr::memchr(b'#', &self.text.bytes()[self.path_end..]).map(|at| self.path_end + at)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;
    use url::Url;

    use super::UrlReference;

    #[test]
    fn a_fragment_begins_at_the_first_hash() {
        for (text, path, query, fragment) in [
            ("", "", None, None),
            ("a/b.html", "a/b.html", None, None),
            ("a?", "a", Some(""), None),
            ("a#", "a", None, Some("")),
            ("a?b?c#d#e", "a", Some("b?c"), Some("d#e")),
            // A router's path in the fragment has no query.
            ("a#/b?c", "a", None, Some("/b?c")),
            ("?é", "", Some("é"), None),
            ("https://e.org/x?y#z", "https://e.org/x", Some("y"), Some("z")),
        ] {
            let reference = UrlReference::new(text);
            assert_eq!(
                (reference.path(), reference.query(), reference.fragment()),
                (path, query, fragment),
                "{text}"
            );
            let bytes = UrlReference::new(text.as_bytes());
            assert_eq!(bytes.path(), path.as_bytes());
            assert_eq!(bytes.query_and_fragment(), reference.query_and_fragment().as_bytes());
            assert_eq!(bytes.without_fragment(), reference.without_fragment().as_bytes());
        }
    }

    proptest! {
        #[test]
        fn divides_as_the_url_standard(path in "([a-z][a-z/.]{0,5})?", rest in "([?#][?#a-z/]{0,8})?") {
            let text = format!("{path}{rest}");
            let url = Url::parse("https://e.org/x/y?q").unwrap().join(&text).unwrap();
            let reference = UrlReference::new(&*text);
            prop_assert_eq!(url.fragment(), reference.fragment());
            if !reference.path().is_empty() || reference.query().is_some() {
                prop_assert_eq!(url.query(), reference.query());
            }
            let whole = format!("{}{}", reference.path(), reference.query_and_fragment());
            prop_assert_eq!(whole, text);
        }
    }
}
