//! Divides the path of a file or a page at `/`, as text or as bytes.

use std::ops::Range;

use crate::extension::is_page_extension;

/// The index document of a folder: the file that a host answers `/folder/` with.
pub const INDEX: &str = "index.html";

/// A text that is cut at ASCII delimiters such as `/` and `?`.
///
/// File names on Unix and decoded URL paths are bytes; references in pages are `str`. Both are cut in the same way, and
/// a cut at an ASCII byte never splits a character.
pub trait AddressText {
    /// Returns the text as bytes.
    fn bytes(&self) -> &[u8];

    /// Returns a part of the text, whose ends are the ends of the text or next to an ASCII byte.
    fn part(&self, range: Range<usize>) -> &Self;
}

impl AddressText for str {
    #[inline]
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    #[inline]
    fn part(&self, range: Range<usize>) -> &str {
        &self[range]
    }
}

impl AddressText for [u8] {
    #[inline]
    fn bytes(&self) -> &[u8] {
        self
    }

    #[inline]
    fn part(&self, range: Range<usize>) -> &[u8] {
        &self[range]
    }
}

/// A path below the root of a site or of a project, with `/` between its segments: `guide/setup/index.html`.
///
/// It is decoded, and may begin with `/`. Nothing is copied, and dot segments are names as any other
/// ([`relative`](crate::relative) resolves them).
///
/// ```
/// use sitegate_address::SitePath;
///
/// let path = SitePath::new("guide/setup/index.html");
/// assert_eq!(path.folder(), "guide/setup");
/// assert_eq!(path.name(), "index.html");
/// assert_eq!(path.extension(), Some("html"));
/// assert_eq!(path.index_folder(), Some("guide/setup/"));
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct SitePath<'t, T: ?Sized = str>(&'t T);

// A derive would require that `T` is `Copy`.
impl<T: ?Sized> Copy for SitePath<'_, T> {}

impl<T: ?Sized> Clone for SitePath<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<'t, T: AddressText + ?Sized> SitePath<'t, T> {
    /// Wraps a path.
    #[inline]
    pub fn new(path: &'t T) -> Self {
        SitePath(path)
    }

    /// Returns the whole path.
    #[inline]
    pub fn as_text(self) -> &'t T {
        self.0
    }

    /// Returns the last segment: empty for a path that ends with `/`, and the path itself if it has no `/`.
    #[inline]
    pub fn name(self) -> &'t T {
        self.0.part(self.name_start()..self.0.bytes().len())
    }

    /// Returns everything before the last `/`; empty if there is none.
    #[inline]
    pub fn folder(self) -> &'t T {
        self.0.part(0..self.name_start().saturating_sub(1))
    }

    /// Returns everything up to the last `/`, which is included; empty if there is none. This and
    /// [`name`](Self::name) are the whole path.
    #[inline]
    pub fn folder_with_slash(self) -> &'t T {
        self.0.part(0..self.name_start())
    }

    /// Returns [`folder`](Self::folder) and [`name`](Self::name).
    #[inline]
    pub fn split(self) -> (&'t T, &'t T) {
        (self.folder(), self.name())
    }

    /// Returns the folder of a path that has a `/`.
    #[inline]
    pub fn parent(self) -> Option<&'t T> {
        let end = self.name_start().checked_sub(1)?;
        Some(self.0.part(0..end))
    }

    /// Returns the segments of [`folder`](Self::folder), none for a path without `/`.
    #[inline]
    pub fn folders(self) -> impl Iterator<Item = &'t T> {
        self.parent().into_iter().flat_map(segments)
    }

    /// Returns the folders that contain the path, the outermost first: `a` and `a/b` for `a/b/c`.
    #[inline]
    pub fn ancestors(self) -> impl DoubleEndedIterator<Item = &'t T> {
        memchr::memchr_iter(b'/', self.0.bytes()).map(move |end| self.0.part(0..end))
    }

    /// Returns the path and its ends after each `/`, the longest first: `a/b`, then `b`.
    #[inline]
    pub fn suffixes(self) -> impl Iterator<Item = &'t T> {
        let starts = memchr::memchr_iter(b'/', self.0.bytes()).map(|slash| slash + 1);
        std::iter::once(0).chain(starts).map(move |start| self.0.part(start..self.0.bytes().len()))
    }

    /// Returns the part of the last segment after its last dot; `None` without a dot. `.htaccess` has the extension
    /// `htaccess`, and an empty [`stem`](Self::stem).
    #[inline]
    pub fn extension(self) -> Option<&'t T> {
        Some(self.0.part(self.dot()? + 1..self.0.bytes().len()))
    }

    /// Returns the last segment without its extension and the dot.
    #[inline]
    pub fn stem(self) -> &'t T {
        self.0.part(self.name_start()..self.dot().unwrap_or(self.0.bytes().len()))
    }

    /// Returns the path without its extension and the dot.
    #[inline]
    pub fn without_extension(self) -> &'t T {
        self.0.part(0..self.dot().unwrap_or(self.0.bytes().len()))
    }

    /// Returns the folder of an index document, with its `/` at the end: empty for that of the root. Returns `None` for
    /// other files.
    #[inline]
    pub fn index_folder(self) -> Option<&'t T> {
        let folder = self.0.bytes().strip_suffix(INDEX.as_bytes())?.len();
        let is_whole_name = folder == 0 || self.0.bytes()[folder - 1] == b'/';
        is_whole_name.then(|| self.0.part(0..folder))
    }

    /// Whether it is the path of an index document.
    #[inline]
    pub fn is_index(self) -> bool {
        self.index_folder().is_some()
    }

    /// Returns the folder of an index document, and other paths as they are.
    #[inline]
    pub fn without_index(self) -> &'t T {
        self.index_folder().unwrap_or(self.0)
    }

    /// Returns the path of a page without the name of an index document, and without slashes at its end: `guide/setup`
    /// for `guide/setup/index.html` and for `guide/setup/`.
    #[inline]
    #[must_use]
    pub fn page(self) -> Self {
        let folder = self.without_index();
        let end = folder.bytes().iter().rposition(|byte| *byte != b'/').map_or(0, |at| at + 1);
        SitePath(folder.part(0..end))
    }

    /// Whether the file is a page, by its extension.
    #[inline]
    pub fn is_page(self) -> bool {
        self.extension().is_some_and(|extension| is_page_extension(extension.bytes()))
    }

    #[inline]
    fn name_start(self) -> usize {
        // Last segments are shorter than what `memrchr` needs to be faster.
        self.0.bytes().iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1)
    }

    /// Returns the position of the last dot in the last segment.
    #[inline]
    fn dot(self) -> Option<usize> {
        let at = self.0.bytes().iter().rposition(|byte| matches!(byte, b'.' | b'/'))?;
        (self.0.bytes()[at] == b'.').then_some(at)
    }
}

impl SitePath<'_> {
    /// Returns the path by which people name a page, with a leading slash: `/terms` for `terms/index.html`, `/` for
    /// `index.html`, and the path of any other file.
    pub fn page_path(self) -> String {
        match self.index_folder() {
            Some(folder) => format!("/{}", folder.trim_end_matches('/')),
            None => format!("/{}", self.0),
        }
    }

    /// Returns the path of the file that a host answers with: that of the index document for a folder.
    pub fn with_index(self) -> String {
        let index = if self.name().is_empty() { INDEX } else { "" };
        format!("{}{index}", self.0)
    }
}

/// Returns the segments of a path. An empty path has one, which is empty.
#[inline]
pub fn segments<T: AddressText + ?Sized>(path: &T) -> impl Iterator<Item = &T> {
    let length = path.bytes().len();
    let ends = memchr::memchr_iter(b'/', path.bytes()).chain(std::iter::once(length));
    let mut start = 0;
    ends.map(move |end| path.part(std::mem::replace(&mut start, end + 1)..end))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{SitePath, segments};

    #[test]
    fn divides_paths() {
        for (path, folder, name, extension) in [
            ("", "", "", None),
            ("a", "", "a", None),
            ("/a", "", "a", None),
            ("a/", "a", "", None),
            ("a/b/c.html", "a/b", "c.html", Some("html")),
            ("a.b/c", "a.b", "c", None),
            ("a.tar.gz", "", "a.tar.gz", Some("gz")),
            ("a/.htaccess", "a", ".htaccess", Some("htaccess")),
            ("a.", "", "a.", Some("")),
            ("ä/ö.ü", "ä", "ö.ü", Some("ü")),
        ] {
            let of = SitePath::new(path);
            assert_eq!((of.folder(), of.name(), of.extension()), (folder, name, extension), "{path}");
            assert_eq!(format!("{}{}", of.folder_with_slash(), of.name()), path);
            let dot = extension.map_or(String::new(), |extension| format!(".{extension}"));
            assert_eq!(format!("{}{dot}", of.without_extension()), path);
            assert_eq!(of.parent().is_some(), path.contains('/'));
            let bytes = SitePath::new(path.as_bytes());
            assert_eq!((bytes.folder(), bytes.stem()), (folder.as_bytes(), of.stem().as_bytes()));
        }
        assert_eq!(SitePath::new("a/b/c").folders().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(SitePath::new("c").folders().count(), 0);
        assert_eq!(SitePath::new("a/b/c").ancestors().collect::<Vec<_>>(), ["a", "a/b"]);
        assert_eq!(SitePath::new("a/b/c").suffixes().collect::<Vec<_>>(), ["a/b/c", "b/c", "c"]);
    }

    #[test]
    fn an_index_document_has_the_whole_name() {
        let folder = |path| SitePath::new(path).index_folder();
        assert_eq!(folder("index.html"), Some(""));
        assert_eq!(folder("/index.html"), Some("/"));
        assert_eq!(folder("a/index.html"), Some("a/"));
        for path in ["", "a/", "myindex.html", "a/Index.html", "index.html/a"] {
            assert_eq!(folder(path), None, "{path}");
            assert_eq!(SitePath::new(path).without_index(), path);
            assert_eq!(SitePath::new(path).page().as_text(), path.trim_end_matches('/'));
            assert_eq!(SitePath::new(path).page_path(), format!("/{path}"));
        }
        assert_eq!(SitePath::new("index.html").page_path(), "/");
        assert_eq!(SitePath::new("a/b/index.html").page_path(), "/a/b");
        for path in ["a/b/index.html", "a/b/", "a/b//", "a/b"] {
            assert_eq!(SitePath::new(path).page().as_text(), "a/b");
        }
        let files = ["", "a/", "a", "a/b.html"].map(|path| SitePath::new(path).with_index());
        assert_eq!(files, ["index.html", "a/index.html", "a", "a/b.html"]);
    }

    #[test]
    fn pages_have_an_extension_of_html() {
        assert!(["a.html", "a/B.HTM", "c.xhtml"].iter().all(|path| SitePath::new(*path).is_page()));
        assert!(["a.md", "html", "a.html/b"].iter().all(|path| !SitePath::new(*path).is_page()));
    }

    proptest! {
        #[test]
        fn segments_are_those_of_split(path in "[a/.é]{0,8}") {
            prop_assert!(segments(&*path).eq(path.split('/')));
        }
    }
}
