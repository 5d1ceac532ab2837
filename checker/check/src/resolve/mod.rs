//! Resolves references as a browser and a static host do: by the WHATWG URL standard, then by the export's files.
//!
//! Most links of a real site are plain relative paths. These are joined without an allocation; all others are parsed
//! by the `url` crate. A property test compares both ways. This module reads no pages.

pub(crate) mod address_forms;
mod base;
pub mod inventories;
pub mod live;
mod memo;
pub mod parts;
pub(crate) mod redirect_walk;
pub mod respell;
pub mod suggestion;
pub(crate) mod target;

use std::borrow::Cow;
use std::sync::Arc;

use sitegate_address::percent::{decode_path, escape_path};
use sitegate_address::relative::append_url_path;
use sitegate_address::{SitePath, UrlReference, plain_path};
use sitegate_base::host_name;
use sitegate_host::answer::{Files, HostAnswer, HostProfile, is_error_page_name};
use sitegate_host::redirects::Redirects;
use url::Url;

use crate::contract::site::SiteSettings;
use crate::walk::{FileId, Tree};
use live::LiveSite;
use parts::Parts;

pub use base::Base;
use base::UNKNOWN_ORIGIN;
pub use memo::Memo;
pub use sitegate_host::answer::{Reason, Route};
pub use target::{Target, fragment, invalid_url};

impl Files for Tree {
    type File = FileId;

    fn find(&self, path: &[u8]) -> Option<FileId> {
        Tree::find(self, path)
    }

    fn is_folder(&self, path: &[u8]) -> bool {
        Tree::is_folder(self, path)
    }

    fn find_in_any_case(&self, path: &[u8]) -> Option<FileId> {
        Tree::find_in_any_case(self, path)
    }
}

/// Resolves references against one export.
pub struct Resolver<'t> {
    tree: &'t Tree,
    site_url: Arc<Url>,
    base_path: Vec<u8>,
    /// Whether the contract sets the base path.
    is_base_path_stated: bool,
    strip_slash: bool,
    host: HostProfile,
    redirects: Arc<Redirects>,
    /// Whether the host or a rewrite may serve pages at addresses in other folders.
    may_shift: bool,
    parts: Arc<Parts>,
    /// Answers of the site, if it is a live one.
    live: Option<Arc<LiveSite>>,
}

/// A reusable buffer for paths.
pub type PathBuffer = Vec<u8>;

impl<'t> Resolver<'t> {
    /// Creates a resolver for an export with these settings.
    pub fn new(tree: &'t Tree, site: &SiteSettings, redirects: Arc<Redirects>) -> Self {
        let unknown = || match Url::parse(UNKNOWN_ORIGIN) {
            Ok(url) => url,
            Err(error) => unreachable!("a constant URL parses: {error}"),
        };
        let host = site.host_profile();
        Resolver {
            tree,
            site_url: Arc::new(site.origin.clone().unwrap_or_else(unknown)),
            base_path: site.base_path.trim_start_matches('/').as_bytes().to_vec(),
            is_base_path_stated: site.has_base_path,
            strip_slash: host.strips_slash(),
            host,
            may_shift: host.serves_both_slashes() || redirects.has_rewrites(),
            redirects,
            parts: Arc::default(),
            live: None,
        }
    }

    /// Resolves by the answers of a live site, instead of the conventions of its host.
    pub(crate) fn with_live_site(self, live: Option<Arc<LiveSite>>) -> Self {
        Resolver { live, ..self }
    }

    /// Uses the inventories of other parts of the site.
    pub(crate) fn with_parts(self, parts: Arc<Parts>) -> Self {
        Resolver { parts, ..self }
    }

    /// Returns the other parts of the site.
    pub(crate) fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Returns the live site, if it is one.
    pub(crate) fn live(&self) -> Option<&LiveSite> {
        self.live.as_deref()
    }

    /// Returns the URL of a file, as the base of its references.
    pub fn document(&self, file: FileId) -> Base {
        let path = self.tree.path(file);
        let mut served = self.base_path.clone();
        if let Some(live_file) = self.live().and_then(|live| live.files.get(path)) {
            served.extend_from_slice(&live_file.address);
            return Base::from_path(served, &self.site_url);
        }
        served.extend_from_slice(&self.served_name(path));
        Base::from_path(served, &self.site_url)
    }

    /// Returns the path below the root from which relative references of a file resolve.
    fn served_name<'p>(&self, path: &'p [u8]) -> Cow<'p, [u8]> {
        if let Some(stem) = self.stem_before_slash(path) {
            return Cow::Owned([stem, b"/"].concat());
        }
        let path = SitePath::new(path).without_index();
        Cow::Borrowed(path.strip_suffix(b"/").filter(|_| self.strip_slash).unwrap_or(path))
    }

    /// Returns the path of a page without `.html` if the host serves it only with a `/` instead. Not-found pages are
    /// served at any address.
    fn stem_before_slash<'p>(&self, path: &'p [u8]) -> Option<&'p [u8]> {
        let is_page =
            self.host.adds_slash_to_pages() && !SitePath::new(path).is_index() && !is_error_page_name(path);
        path.strip_suffix(b".html").filter(|stem| is_page && !stem.is_empty() && !stem.ends_with(b"/"))
    }

    /// Returns the base after a `<base href>` in a document. A value that is not an http(s) URL is ignored.
    pub(crate) fn with_base_element(&self, document: &Base, href: &str) -> Base {
        match host_name::join(document.parsed(), href) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => {
                let path = self.is_own(&url).then(|| {
                    let mut path = Vec::new();
                    let _ = decode_path(url.path(), &mut path);
                    path
                });
                Base::from_url(url, path)
            }
            _ => document.clone(),
        }
    }

    /// Returns the base of a file's references. `base` is the `href` of its base element, if it has one.
    pub(crate) fn base(&self, file: FileId, base: Option<&str>) -> Base {
        let document = self.document(file);
        match base {
            Some(href) => self.with_base_element(&document, href),
            None => document,
        }
    }

    /// Resolves a reference; `buffer` is scratch space. The fragment is ignored.
    pub fn resolve(&self, base: &Base, reference: &str, buffer: &mut PathBuffer) -> Target {
        let target = self.resolve_path(base, reference, buffer);
        let has_plus = || UrlReference::new(reference).path().contains('+');
        match target {
            Target::File { .. } if self.host.reads_plus_as_space() && has_plus() => {
                Target::Missing(Reason::PlusAsSpace)
            }
            target => target,
        }
    }

    fn resolve_path(&self, base: &Base, reference: &str, buffer: &mut PathBuffer) -> Target {
        if let Some(folder) = base.folder()
            && let Some(plain) = plain_path(reference)
        {
            buffer.clear();
            if !plain.starts_with('/') {
                buffer.extend_from_slice(folder);
            }
            append_url_path(buffer, plain.as_bytes());
            return self.look_up_below_base_path(buffer, false, || self.stays(base, plain));
        }
        self.resolve_url(base, reference, buffer)
    }

    /// Resolves any reference by the URL standard, see [`Resolver::resolve`].
    fn resolve_url(&self, base: &Base, reference: &str, buffer: &mut PathBuffer) -> Target {
        let url = match host_name::join(base.parsed(), reference) {
            Ok(url) => url,
            Err(error) => return Target::Invalid(error),
        };
        if !matches!(url.scheme(), "http" | "https") {
            return Target::Scheme;
        }
        if !self.is_own(&url) {
            return Target::External;
        }
        buffer.clear();
        let encoded_slash = decode_path(url.path(), buffer);
        if std::str::from_utf8(buffer).is_err() {
            let file = self
                .host
                .finds_any_bytes()
                .then(|| self.look_up_below_base_path(buffer, encoded_slash, || self.stays(base, reference)));
            let file = file.filter(|target| matches!(target, Target::File { .. }));
            return file.unwrap_or(Target::Missing(Reason::NotUtf8));
        }
        self.look_up_below_base_path(buffer, encoded_slash, || self.stays(base, reference))
    }

    /// Whether a reference out of the base path was most likely meant to stay in it: it begins with `/`, or a base
    /// element misdirects it.
    /// A reference that names the origin, or climbs by `..`, means another site on it.
    fn stays(&self, base: &Base, reference: &str) -> bool {
        let text = reference.trim_matches(|c: char| c <= ' ');
        let mut start =
            text.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).map(|c| matches!(c, '/' | '\\'));
        match (start.next(), start.next()) {
            (Some(true), Some(true)) => false,
            (Some(true), _) => true,
            _ if Url::parse(text).is_ok() => false,
            _ => base.folder().is_none_or(|folder| !folder.starts_with(&self.base_path)),
        }
    }

    /// Returns the decoded path below the export's root of a reference on this site.
    pub(crate) fn local_path(&self, base: &Base, reference: &str) -> Option<Vec<u8>> {
        // A URL contains only text, even if names of folders do not.
        let folder = base.folder().filter(|folder| std::str::from_utf8(folder).is_ok());
        let Some((folder, plain)) = folder.zip(plain_path(reference)) else {
            return self.local_path_of_url(base, reference);
        };
        let mut path = Vec::with_capacity(folder.len() + plain.len());
        if !plain.starts_with('/') {
            path.extend_from_slice(folder);
        }
        append_url_path(&mut path, plain.as_bytes());
        Some(path.strip_prefix(self.base_path.as_slice()).map(<[u8]>::to_vec).unwrap_or(path))
    }

    /// Returns the local path of any reference by the URL standard, see [`Resolver::local_path`].
    fn local_path_of_url(&self, base: &Base, reference: &str) -> Option<Vec<u8>> {
        let url = base.join(reference).filter(|url| self.is_own(url))?;
        let mut path = Vec::new();
        decode_path(url.path(), &mut path);
        Some(path.strip_prefix(self.base_path.as_slice()).map(<[u8]>::to_vec).unwrap_or(path))
    }

    /// Returns the URL path that serves a file below the root.
    pub(crate) fn served_path(&self, path: &str) -> String {
        if let Some(file) = self.live().and_then(|live| live.files.get(path.as_bytes())) {
            let below = String::from_utf8_lossy(&file.address);
            return format!("/{}{below}", String::from_utf8_lossy(&self.base_path));
        }
        let served = SitePath::new(path).without_index();
        let served = if self.strip_slash { served.trim_end_matches('/') } else { served };
        let served =
            if self.host.drops_html() { served.strip_suffix(".html").unwrap_or(served) } else { served };
        let slash = if self.stem_before_slash(path.as_bytes()).is_some() { "/" } else { "" };
        let base = String::from_utf8_lossy(&self.base_path);
        ["/", &base, served, slash].concat()
    }

    /// Returns the root of the export as a base.
    pub fn root(&self) -> Base {
        Base::from_path(self.base_path.clone(), &self.site_url)
    }

    /// Returns the encoded URL path that serves a file below the root.
    pub(crate) fn address(&self, path: &str) -> String {
        escape_path(&self.served_path(path))
    }

    /// Whether a URL is on the site's own origin. http and https are equal: a site that moves to https keeps its
    /// links.
    pub(crate) fn is_own(&self, url: &Url) -> bool {
        if self.live().is_some_and(|live| live.root.origin() == url.origin()) {
            return true;
        }
        url.host() == self.site_url.host()
            && (url.port_or_known_default() == self.site_url.port_or_known_default()
                || (url.port().is_none() && self.site_url.port().is_none()))
    }

    /// Looks up a path from the root of the origin. `stays` returns whether a path out of the base path was meant to
    /// be in it.
    fn look_up_below_base_path(
        &self,
        path: &mut Vec<u8>,
        encoded_slash: bool,
        stays: impl FnOnce() -> bool,
    ) -> Target {
        let is_platform = self.host.is_platform(path);
        // Files of the export come before those of other parts.
        let is_of_part = !self.parts.is_empty() && self.parts.own(path).is_some();
        if !self.base_path.is_empty() {
            let bare = &self.base_path[..self.base_path.len() - 1];
            if path.starts_with(&self.base_path) {
                path.drain(..self.base_path.len());
            } else if path == bare {
                path.clear();
            } else if is_platform {
                return Target::Unchecked;
            } else if is_of_part {
                return Target::External;
            } else if stays() && (self.is_base_path_stated || self.is_file(path)) {
                return Target::Missing(Reason::OutsideBasePath);
            } else {
                return Target::External;
            }
        }
        match self.target_of(path, 0) {
            Target::Missing(_) if is_platform => Target::Unchecked,
            Target::Missing(_) if is_of_part => Target::External,
            Target::File { file, .. } if encoded_slash => Target::File { file, route: Route::EncodedSlash },
            target => target,
        }
    }

    /// Whether a file answers a path below the root. If the base path is only inferred, a path from the root is a
    /// mistake only if the base path is all that is missing.
    fn is_file(&self, path: &[u8]) -> bool {
        matches!(self.target_of(&mut path.to_vec(), 0), Target::File { .. })
    }

    /// Whether a file of the export answers a decoded path, so that only a forced redirect of it applies.
    pub(crate) fn has_file(&self, path: &str) -> bool {
        self.file_of_host(path).is_some()
    }

    /// Returns the file of the export that answers a decoded path, if no redirect applies.
    pub(crate) fn file_of_host(&self, path: &str) -> Option<FileId> {
        let mut below = self.local_path(&self.root(), &escape_path(path))?;
        match self.host.exact_answer(&mut below, self.tree) {
            HostAnswer::File { file, .. } => Some(file),
            _ => None,
        }
    }

    /// Returns the profile of the host.
    pub(crate) fn host(&self) -> HostProfile {
        self.host
    }

    /// Returns the site's redirects.
    pub(crate) fn redirects(&self) -> &Redirects {
        &self.redirects
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::cell::RefCell;
    use std::fs;

    use proptest::prelude::*;

    use super::{Arc, Memo, Reason, Resolver, Target, fragment};
    use crate::contract::SiteSettings;
    use crate::walk::Tree;
    use sitegate_host::Host;

    /// Generates references as people write them: mostly parts of paths, with unusual characters.
    fn references() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            6 => prop::sample::select(vec!["a", "b.html", "index.html", "x y", "c"]),
            3 => prop::sample::select(vec!["/", "//", "../", "./", "..", ".", "?q", "#f", "\\"]),
            1 => prop::sample::select(vec!["%2e", "%2F", "%61", "%ZZ", "\t", "\n", " ", ":", "http:", "é", "@", "a(b),c", "!$&'*+;=", "\u{a0}", ""]),
        ];
        prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
    }

    fn tree() -> Tree {
        let files = ["index.html", "a/index.html", "a/b.html", "a/a/b.html", "b.html", "a/x y", "c/c"];
        Tree::of_paths(files.map(str::to_owned))
    }

    #[test]
    fn plain_paths_resolve_as_the_url_standard_requires() {
        let tree = tree();
        for base_path in ["/", "/docs/"] {
            let site = SiteSettings { base_path: base_path.to_owned(), ..SiteSettings::default() };
            let resolver = Resolver::new(&tree, &site, Arc::default());
            proptest!(ProptestConfig::with_cases(2_000), |(reference in references(), file in 0..tree.len() as u32)| {
                let base = resolver.document(file);
                let short = resolver.resolve(&base, &reference, &mut Vec::new());
                let long = resolver.resolve_url(&base, &reference, &mut Vec::new());
                prop_assert_eq!(short, long, "{:?} from {}", reference, tree.display(file));
                let short_path = resolver.local_path(&base, &reference);
                let long_path = resolver.local_path_of_url(&base, &reference);
                prop_assert_eq!(short_path, long_path, "{:?} from {}", reference, tree.display(file));
            });
        }
    }

    #[test]
    fn cached_targets_are_those_of_the_url_standard() {
        let tree = tree();
        for base_path in ["/", "/docs/"] {
            let site = SiteSettings { base_path: base_path.to_owned(), ..SiteSettings::default() };
            let resolver = Resolver::new(&tree, &site, Arc::default());
            let memo = RefCell::new(Memo::default());
            let written = prop::collection::vec((references(), "(#[ -~]{0,3})?"), 1..8);
            let element =
                prop::option::weighted(0.2, prop::sample::select(vec!["/a/", "x/", "//other.example/", "c"]));
            proptest!(ProptestConfig::with_cases(2_000), |(written in written, file in 0..tree.len() as u32, element in element)| {
                let base = resolver.base(file, element);
                let mut memo = memo.borrow_mut();
                memo.start_document(&base);
                for (reference, fragment) in written {
                    let reference = format!("{reference}{fragment}");
                    let long = resolver.resolve_url(&base, &reference, &mut Vec::new());
                    let short = memo.resolve(&reference, |paths| resolver.resolve(&base, &reference, paths));
                    prop_assert_eq!(short, long, "{:?} from {}", reference, base.url());
                }
            });
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn servers_find_names_that_are_not_utf8() {
        use std::os::unix::ffi::OsStrExt;

        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(std::ffi::OsStr::from_bytes(b"bad\xff.html")), "").unwrap();
        fs::write(folder.path().join("index.html"), "").unwrap();
        let tree = Tree::walk(folder.path()).unwrap();
        for (host, is_found) in [(Some(Host::Nginx), true), (Some(Host::S3Rest), false), (None, false)] {
            let site = SiteSettings { base_path: "/".to_owned(), host, ..SiteSettings::default() };
            let resolver = Resolver::new(&tree, &site, Arc::default());
            let target =
                |reference: &str| resolver.resolve(&resolver.document(0), reference, &mut Vec::new());
            assert_eq!(matches!(target("/bad%ff.html"), Target::File { .. }), is_found, "{host:?}");
            assert_eq!(target("/gone%ff.html"), Target::Missing(Reason::NotUtf8));
        }
    }

    #[test]
    fn resolves_any_text() {
        let tree = tree();
        let resolver = Resolver::new(
            &tree,
            &SiteSettings { base_path: "/".to_owned(), ..SiteSettings::default() },
            Arc::default(),
        );
        let base = resolver.document(0);
        proptest!(ProptestConfig::with_cases(2_000), |(reference in any::<String>())| {
            let short = resolver.resolve(&base, &reference, &mut Vec::new());
            prop_assert_eq!(short, resolver.resolve_url(&base, &reference, &mut Vec::new()));
            let _ = fragment(&reference);
        });
    }
}
