//! Resolves a reference as a browser and a static host would: WHATWG URL, then the export's files.
//!
//! Nearly every link of a real site is a plain relative path, so those are joined by hand without an
//! allocation; everything else goes through the `url` crate. A property test holds the two equal.

mod fragment;
pub mod near;
pub mod redirects;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use url::Url;

use crate::contract::{Host, SiteSettings, TrailingSlash};
use crate::resolve::redirects::{MAX_HOPS, Redirects};
use crate::walk::{FileId, Tree};

pub use fragment::{Fragment, fragment};

/// Stands for the site's own origin when the contract names none; RFC 2606 reserves the domain.
const UNKNOWN_ORIGIN: &str = "http://sitegate.invalid/";

/// The fragment percent-encode set of the URL standard.
const FRAGMENT: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`');

/// What must be escaped to turn a file's path into a URL's path: its own delimiters and `%`.
const PATH: &AsciiSet = &FRAGMENT.add(b'#').add(b'?').add(b'%').add(b'{').add(b'}').add(b'^').add(b'\\');

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
    /// Another origin, by http or https.
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

/// How a host gets from the path to the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// The path is the file's name.
    Exact,
    /// The path ends in `/` and the file is that directory's index document.
    Index,
    /// The path is a directory's name without `/`; the host redirects to it or serves its index document.
    Directory,
    /// The path holds `%2F`, which is no separator in a URL but is decoded by hosts.
    EncodedSlash,
    /// The host adds `.html` to the path.
    Html,
    /// A line of the redirects file sends the browser on.
    Redirect,
}

/// Why nothing was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No file and no directory.
    NoFile,
    /// A directory that has no index document.
    NoIndex,
    /// A directory with an index document, on a host that serves none.
    NoIndexOnHost,
    /// A file, but the path has a `/` after it.
    FileWithSlash,
    /// On this origin, but not below the path that the export is deployed under.
    OutsideBasePath,
    /// The path's bytes are not UTF-8 once decoded.
    NotUtf8,
}

/// The document that references are relative to.
#[derive(Clone, Debug)]
pub struct Base {
    /// The directory part of its URL path, decoded, with no leading `/`; `None` off this site.
    folder: Option<Vec<u8>>,
    /// Its URL.
    url: Url,
}

impl Base {
    /// The URL that a reference means here.
    pub fn join(&self, reference: &str) -> Option<Url> {
        self.url.join(reference).ok()
    }
}

/// Resolves references against one export.
pub struct Resolver<'t> {
    tree: &'t Tree,
    site_url: Url,
    base_path: Vec<u8>,
    strip_slash: bool,
    host: Option<Host>,
    redirects: Redirects,
}

/// A worker's reusable buffer for paths.
pub type PathBuffer = Vec<u8>;

impl<'t> Resolver<'t> {
    /// A resolver for the export as the contract describes it.
    pub fn new(tree: &'t Tree, site: &SiteSettings, redirects: Redirects) -> Self {
        let unknown = || match Url::parse(UNKNOWN_ORIGIN) {
            Ok(url) => url,
            Err(error) => unreachable!("a constant URL parses: {error}"),
        };
        Resolver {
            tree,
            site_url: site.origin.clone().unwrap_or_else(unknown),
            base_path: site.base_path.trim_start_matches('/').as_bytes().to_vec(),
            strip_slash: site.trailing_slash == TrailingSlash::Never,
            host: site.host,
            redirects,
        }
    }

    /// The URL that a file is reached by, and what is relative to it.
    pub fn document(&self, file: FileId) -> Base {
        let path = self.tree.path(file);
        let mut served = self.base_path.clone();
        served.extend_from_slice(match path.strip_suffix(b"index.html") {
            Some(folder) if folder.is_empty() => folder,
            Some(folder) if folder.ends_with(b"/") => {
                if self.strip_slash {
                    &folder[..folder.len() - 1]
                } else {
                    folder
                }
            }
            _ => path,
        });
        let text = String::from_utf8_lossy(&served);
        let mut url = self.site_url.clone();
        url.set_path(&utf8_percent_encode(&text, PATH).to_string());
        let end = served.iter().rposition(|&b| b == b'/').map_or(0, |at| at + 1);
        served.truncate(end);
        Base { folder: Some(served), url }
    }

    /// The base that a `<base href>` makes of a document's own. One that is no http(s) URL is ignored.
    pub fn with_base_element(&self, document: &Base, href: &str) -> Base {
        match document.url.join(href) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => {
                let folder = self.is_own(&url).then(|| {
                    let mut folder = Vec::new();
                    let _ = decode_path(url.path(), &mut folder);
                    let end = folder.iter().rposition(|&b| b == b'/').map_or(0, |at| at + 1);
                    folder.truncate(end);
                    folder
                });
                Base { folder, url }
            }
            _ => document.clone(),
        }
    }

    /// Resolves a reference; `buffer` is scratch space. The fragment plays no part here.
    pub fn resolve(&self, base: &Base, reference: &str, buffer: &mut PathBuffer) -> Target {
        if let Some(folder) = &base.folder
            && let Some(plain) = plain_path(reference)
        {
            buffer.clear();
            if !plain.starts_with('/') {
                buffer.extend_from_slice(folder);
            }
            join(buffer, plain.as_bytes());
            return self.look_up_below_base_path(buffer, false);
        }
        self.resolve_url(base, reference, buffer)
    }

    /// [`Resolver::resolve`] for any reference at all, by the URL standard.
    fn resolve_url(&self, base: &Base, reference: &str, buffer: &mut PathBuffer) -> Target {
        let url = match base.url.join(reference) {
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
            return Target::Missing(Reason::NotUtf8);
        }
        self.look_up_below_base_path(buffer, encoded_slash)
    }

    /// The path below the export's root that a reference on this site asks for, decoded.
    pub fn local_path(&self, base: &Base, reference: &str) -> Option<Vec<u8>> {
        let url = base.url.join(reference).ok().filter(|url| self.is_own(url))?;
        let mut path = Vec::new();
        decode_path(url.path(), &mut path);
        Some(path.strip_prefix(self.base_path.as_slice()).map(<[u8]>::to_vec).unwrap_or(path))
    }

    /// The URL path that a file below the root is served under.
    pub fn served_path(&self, path: &str) -> String {
        let served = match path.strip_suffix("index.html") {
            Some(folder) if folder.is_empty() || folder.ends_with('/') => folder,
            _ => path,
        };
        let served = if self.strip_slash { served.trim_end_matches('/') } else { served };
        format!("/{}{served}", String::from_utf8_lossy(&self.base_path))
    }

    /// The root of the export, as a base.
    pub fn root(&self) -> Base {
        let mut url = self.site_url.clone();
        url.set_path(&String::from_utf8_lossy(&self.base_path));
        Base { folder: Some(self.base_path.clone()), url }
    }

    /// The path of a URL that a file below the root is served under, encoded.
    pub fn address(&self, path: &str) -> String {
        utf8_percent_encode(&self.served_path(path), PATH).to_string()
    }

    /// Whether a URL is on the site's own origin. http and https count as one: a site that moves to
    /// https keeps its links.
    pub fn is_own(&self, url: &Url) -> bool {
        url.host() == self.site_url.host()
            && (url.port_or_known_default() == self.site_url.port_or_known_default()
                || (url.port().is_none() && self.site_url.port().is_none()))
    }

    fn look_up_below_base_path(&self, path: &mut Vec<u8>, encoded_slash: bool) -> Target {
        if !self.base_path.is_empty() {
            let bare = &self.base_path[..self.base_path.len() - 1];
            if path.starts_with(&self.base_path) {
                path.drain(..self.base_path.len());
            } else if path == bare {
                path.clear();
            } else {
                return Target::Missing(Reason::OutsideBasePath);
            }
        }
        match self.follow(path, 0) {
            Target::File { file, .. } if encoded_slash => Target::File { file, route: Route::EncodedSlash },
            target => target,
        }
    }

    /// Looks a path up, and goes where the redirects send it: before files where they are forced, else after.
    fn follow(&self, path: &mut Vec<u8>, hops: usize) -> Target {
        if self.redirects.all.is_empty() {
            return self.look_up(path);
        }
        let asked = String::from_utf8_lossy(path).into_owned();
        let redirect = self.redirects.find(&format!("/{asked}"));
        let target = match &redirect {
            Some((redirect, _)) if redirect.force => Target::Missing(Reason::NoFile),
            _ => self.look_up(path),
        };
        match (target, redirect) {
            (Target::Missing(_), Some((redirect, to))) if hops < MAX_HOPS => {
                match self.redirected(&to, hops + 1) {
                    Target::File { file, .. } if redirect.sends_on() => {
                        Target::File { file, route: Route::Redirect }
                    }
                    target => target,
                }
            }
            (target, _) => target,
        }
    }

    /// Where the destination of a redirect leads.
    pub(crate) fn redirected(&self, to: &str, hops: usize) -> Target {
        let url = match self.site_url.join(to) {
            Ok(url) => url,
            Err(error) => return Target::Invalid(error),
        };
        if !self.is_own(&url) {
            return Target::External;
        }
        let mut path = Vec::new();
        decode_path(url.path(), &mut path);
        self.follow(&mut path, hops)
    }

    /// The site's redirects.
    pub fn redirects(&self) -> &Redirects {
        &self.redirects
    }

    /// Whether a directory is answered with its index document.
    fn serves_index(&self) -> bool {
        self.host != Some(Host::Cloudfront) || self.strip_slash
    }

    /// Finds the file for a decoded path without leading `/`, the way an S3 website endpoint does.
    fn look_up(&self, path: &mut Vec<u8>) -> Target {
        const INDEX: &[u8] = b"index.html";
        if path.is_empty() || path.ends_with(b"/") {
            path.extend_from_slice(INDEX);
            if let Some(file) = self.tree.find(path) {
                return match self.serves_index() || path.len() == INDEX.len() {
                    true => Target::File { file, route: Route::Index },
                    false => {
                        path.truncate(path.len() - INDEX.len());
                        Target::Missing(Reason::NoIndexOnHost)
                    }
                };
            }
            path.truncate(path.len() - INDEX.len());
            let bare = path.strip_suffix(b"/").unwrap_or(path);
            return Target::Missing(if self.tree.is_folder(bare) {
                Reason::NoIndex
            } else if self.tree.find(bare).is_some() {
                Reason::FileWithSlash
            } else {
                Reason::NoFile
            });
        }
        if let Some(file) = self.tree.find(path) {
            return Target::File { file, route: Route::Exact };
        }
        if self.host.is_some_and(Host::adds_html) {
            path.extend_from_slice(b".html");
            if let Some(file) = self.tree.find(path) {
                return Target::File { file, route: Route::Html };
            }
            path.truncate(path.len() - b".html".len());
        }
        if !self.tree.is_folder(path) {
            return Target::Missing(Reason::NoFile);
        }
        path.push(b'/');
        path.extend_from_slice(INDEX);
        match self.tree.find(path) {
            Some(file) if self.serves_index() => Target::File { file, route: Route::Directory },
            Some(_) => {
                path.truncate(path.len() - INDEX.len() - 1);
                Target::Missing(Reason::NoIndexOnHost)
            }
            None => {
                path.truncate(path.len() - INDEX.len());
                Target::Missing(Reason::NoIndex)
            }
        }
    }
}

/// The path of a reference that needs no URL parser: letters, digits and `-._~/` only, before an
/// optional `?` or `#`, with no scheme, host or escape in it. `None` where the standard must decide.
fn plain_path(reference: &str) -> Option<&str> {
    let bytes = reference.as_bytes();
    let end = bytes.iter().position(|b| !PLAIN[usize::from(*b)]).unwrap_or(bytes.len());
    // No path: this document itself, which the slow way resolves against a base element too.
    if end == 0 || bytes.starts_with(b"//") {
        return None;
    }
    // TAB, LF and CR vanish anywhere and trailing spaces are cut, so the rest must hold none that matter.
    let is_plain = match bytes.get(end) {
        None => true,
        Some(b'?' | b'#') => memchr::memchr3(b'\t', b'\n', b'\r', &bytes[end..]).is_none(),
        Some(_) => false,
    };
    is_plain.then(|| &reference[..end])
}

/// The bytes that mean themselves in a path.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0u8;
    while byte < 128 {
        plain[byte as usize] =
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/');
        byte += 1;
    }
    plain
};

/// Appends a relative or absolute path to a directory, with dot segments taken out; they clamp at the root.
fn join(path: &mut Vec<u8>, reference: &[u8]) {
    let reference = reference.strip_prefix(b"/").unwrap_or(reference);
    let mut segments = reference.split(|&b| b == b'/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            b"." => {}
            b".." => {
                let bare = path.len().saturating_sub(1);
                let parent = path[..bare].iter().rposition(|&b| b == b'/').map_or(0, |at| at + 1);
                path.truncate(parent);
            }
            _ => {
                path.extend_from_slice(segment);
                if !last {
                    path.push(b'/');
                }
            }
        }
    }
}

/// Decodes a URL path segment by segment, without its leading `/`. Says whether a segment held `%2F`.
fn decode_path(path: &str, out: &mut Vec<u8>) -> bool {
    let path = path.strip_prefix('/').unwrap_or(path);
    let mut encoded_slash = false;
    for (index, segment) in path.split('/').enumerate() {
        if index > 0 {
            out.push(b'/');
        }
        let start = out.len();
        out.extend(percent_decode_str(segment));
        encoded_slash |= out[start..].contains(&b'/');
    }
    encoded_slash
}

/// The URL crate's reason in words that name the way out.
pub fn invalid_url(error: url::ParseError) -> &'static str {
    use url::ParseError::{
        EmptyHost, IdnaError, InvalidDomainCharacter, InvalidIpv4Address, InvalidIpv6Address, InvalidPort,
        RelativeUrlWithCannotBeABaseBase, RelativeUrlWithoutBase,
    };
    match error {
        EmptyHost => "there is no host after `//`",
        IdnaError => "the host is no valid international domain name",
        InvalidPort => "the port is no number from 0 to 65535",
        InvalidIpv4Address => "the host is no valid IPv4 address",
        InvalidIpv6Address => "the host is no valid IPv6 address",
        InvalidDomainCharacter => "the host has a character that no domain name may hold",
        RelativeUrlWithoutBase | RelativeUrlWithCannotBeABaseBase => "it is relative to nothing",
        _ => "it does not parse",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use proptest::prelude::*;

    use super::{Redirects, Resolver, fragment};
    use crate::contract::SiteSettings;
    use crate::walk::Tree;

    /// References as people write them: mostly path parts, with everything odd thrown in.
    fn references() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            6 => prop::sample::select(vec!["a", "b.html", "index.html", "x y", "c"]),
            3 => prop::sample::select(vec!["/", "//", "../", "./", "..", ".", "?q", "#f", "\\"]),
            1 => prop::sample::select(vec!["%2e", "%2F", "%61", "%ZZ", "\t", "\n", " ", ":", "http:", "é", "@", "\u{a0}", ""]),
        ];
        prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
    }

    fn tree() -> (tempfile::TempDir, Tree) {
        let folder = tempfile::tempdir().unwrap();
        for name in ["index.html", "a/index.html", "a/b.html", "a/a/b.html", "b.html", "a/x y", "c/c"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let tree = Tree::walk(folder.path()).unwrap();
        (folder, tree)
    }

    #[test]
    fn the_short_way_agrees_with_the_url_standard() {
        let (_folder, tree) = tree();
        for base_path in ["/", "/docs/"] {
            let site = SiteSettings { base_path: base_path.to_owned(), ..SiteSettings::default() };
            let resolver = Resolver::new(&tree, &site, Redirects::default());
            proptest!(ProptestConfig::with_cases(2_000), |(reference in references(), file in 0..tree.len() as u32)| {
                let base = resolver.document(file);
                let short = resolver.resolve(&base, &reference, &mut Vec::new());
                let long = resolver.resolve_url(&base, &reference, &mut Vec::new());
                prop_assert_eq!(short, long, "{:?} from {}", reference, tree.display(file));
            });
        }
    }

    #[test]
    fn any_text_at_all_is_resolved() {
        let (_folder, tree) = tree();
        let resolver = Resolver::new(
            &tree,
            &SiteSettings { base_path: "/".to_owned(), ..SiteSettings::default() },
            Redirects::default(),
        );
        let base = resolver.document(0);
        proptest!(ProptestConfig::with_cases(2_000), |(reference in any::<String>())| {
            let short = resolver.resolve(&base, &reference, &mut Vec::new());
            prop_assert_eq!(short, resolver.resolve_url(&base, &reference, &mut Vec::new()));
            let _ = fragment(&reference);
        });
    }
}
