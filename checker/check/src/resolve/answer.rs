//! What a static host answers to a path: a file, a redirect, or nothing and why. No I/O: who asks says what is there.
//!
//! The check, the preview and `verify` all ask here, and tests hold the edge configurations to it.

use super::conventions::{BareFolder, Conventions, WithSlash, is_answered_by_platform};
use crate::contract::host::{Host, TrailingSlash};
use crate::contract::site::SiteSettings;
use crate::walk::{FileId, Tree};

/// The index document of a directory.
pub const INDEX: &str = "index.html";

/// The page that hosts answer unknown paths with where nothing else is said.
pub const NOT_FOUND: &str = "404.html";

/// Whether a file's path is that of a not-found page, of the site or of a directory: `404.html` or `404/index.html`.
pub fn is_error_page_name(path: &[u8]) -> bool {
    let bare = path.strip_suffix(b"/index.html").or_else(|| path.strip_suffix(HTML)).unwrap_or_default();
    bare.rsplit(|&byte| byte == b'/').next() == Some(b"404")
}

const HTML: &[u8] = b".html";

/// What an answer is looked up in. Paths are decoded, below the root, with no `/` at either end.
pub trait Files {
    /// What stands for a file.
    type File;

    /// The file with exactly this path; a path with an empty or a dot segment has none.
    fn find(&self, path: &[u8]) -> Option<Self::File>;

    /// Whether a directory has exactly this path.
    fn is_folder(&self, path: &[u8]) -> bool;
}

impl Files for Tree {
    type File = FileId;

    fn find(&self, path: &[u8]) -> Option<FileId> {
        Tree::find(self, path)
    }

    fn is_folder(&self, path: &[u8]) -> bool {
        Tree::is_folder(self, path)
    }
}

/// What a host answers to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostAnswer<F> {
    /// This file.
    File {
        /// Which.
        file: F,
        /// How the host gets there.
        route: Route,
    },
    /// A redirect. The path that was asked for is left as the one that it leads to.
    Redirect {
        /// Its HTTP status.
        status: u16,
    },
    /// 404, or what a host says instead.
    Nothing(Reason),
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
    /// The path holds `%2F`, which does not separate segments in a URL but is decoded by hosts.
    EncodedSlash,
    /// The host adds `.html` to the path.
    Html,
    /// A line of the redirects file sends the browser on, or the host does because of a `/` after a file's name.
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
    /// A file whose name has no `.`, on a host that takes such a name for a directory's.
    TakenForFolder,
    /// On this origin, but not below the path that the export is deployed under.
    OutsideBasePath,
    /// The path's bytes are not UTF-8 once decoded.
    NotUtf8,
    /// A redirect or a rewrite answers with a page, where a script, a style sheet or a picture is asked for.
    Page,
    /// A live site answers with this status, which is an error and not 404.
    Status(u16),
    /// A live site redirects in a circle, or too often.
    Circle,
}

/// What decides a host's answers, apart from the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostProfile {
    host: Option<Host>,
    trailing_slash: TrailingSlash,
    conventions: Conventions,
}

impl HostProfile {
    /// The host that a contract names.
    pub fn of(site: &SiteSettings) -> HostProfile {
        let mut conventions = Conventions::of(site.host);
        conventions.adds_html = site.clean_urls.unwrap_or(conventions.adds_html);
        HostProfile { host: site.host, trailing_slash: site.trailing_slash, conventions }
    }

    /// What the host answers to a path: decoded, below the root, without its leading `/`.
    ///
    /// The path is scratch space, so that nothing is allocated. After [`HostAnswer::Redirect`] it is the path that
    /// the redirect leads to.
    pub fn answer<E: Files>(self, path: &mut Vec<u8>, files: &E) -> HostAnswer<E::File> {
        if self.conventions.merges_slashes {
            merge_slashes(path);
        }
        if path.is_empty() || path.ends_with(b"/") {
            self.answer_folder(path, files)
        } else {
            self.answer_name(path, files)
        }
    }

    /// Whether a directory's path is answered with its index document.
    pub fn serves_index(self) -> bool {
        self.host != Some(Host::S3Rest)
    }

    /// Whether `/dir/` is redirected to `/dir`, and not the other way round.
    pub(super) fn strips_slash(self) -> bool {
        // A host that serves no index document has nothing in front of it that could strip the slash.
        self.trailing_slash == TrailingSlash::Never && self.serves_index()
    }

    /// Whether `/dir/` is answered at once, and not redirected to `/dir`.
    pub(crate) fn keeps_slash(self) -> bool {
        self.trailing_slash != TrailingSlash::Never
    }

    /// Whether `/page` is answered with `page.html`.
    pub fn adds_html(self) -> bool {
        self.conventions.adds_html
    }

    /// Whether `/page.html` is redirected to `/page`.
    pub(super) fn drops_html(self) -> bool {
        self.conventions.drops_html
    }

    /// Whether `/dir` is known to be redirected to `/dir/`.
    pub(crate) fn redirects_folders(self) -> bool {
        self.host.is_some() && !self.strips_slash() && self.conventions.folder != BareFolder::Index
    }

    /// Whether the platform answers a path by itself, such as `/.netlify/functions/mail`: decoded, from the root of the
    /// origin, without its leading `/`.
    pub fn is_platform(self, path: &[u8]) -> bool {
        is_answered_by_platform(self.host, path)
    }

    /// The file that answers an unknown path: the nearest `404.html` on Cloudflare Pages ("Serving Pages"), elsewhere
    /// the one of the whole site.
    pub fn not_found<E: Files>(self, path: &[u8], of_site: &str, files: &E) -> Option<E::File> {
        if self.host == Some(Host::CloudflarePages) {
            let ends = (0..path.len()).rev().filter(|&at| path[at] == b'/');
            let nearest = ends.map(|at| [&path[..=at], NOT_FOUND.as_bytes()].concat());
            if let Some(page) = nearest.into_iter().find_map(|page| files.find(&page)) {
                return Some(page);
            }
        }
        files.find(of_site.as_bytes())
    }

    /// The answer to a path that ends in `/`, or to the root.
    fn answer_folder<E: Files>(self, path: &mut Vec<u8>, files: &E) -> HostAnswer<E::File> {
        if self.strips_slash() && !path.is_empty() {
            if has_empty_segment(path) {
                return HostAnswer::Nothing(Reason::NoFile);
            }
            path.pop();
            return HostAnswer::Redirect { status: 301 };
        }
        let asked = path.len();
        path.extend_from_slice(INDEX.as_bytes());
        let index = files.find(path);
        path.truncate(asked);
        match index {
            Some(_) if asked > 0 && !self.serves_index() => HostAnswer::Nothing(Reason::NoIndexOnHost),
            Some(file) => HostAnswer::File { file, route: Route::Index },
            None => self.answer_slash(path, files),
        }
    }

    /// The answer to a path that ends in `/` and leads to no index document.
    fn answer_slash<E: Files>(self, path: &mut Vec<u8>, files: &E) -> HostAnswer<E::File> {
        let bare = path.len().saturating_sub(1);
        let is_folder = files.is_folder(&path[..bare]);
        if is_folder && self.conventions.folder == BareFolder::RedirectFirst {
            return HostAnswer::Nothing(Reason::NoIndex);
        }
        if self.conventions.page_with_slash != WithSlash::Nothing && bare > 0 {
            path.truncate(bare);
            path.extend_from_slice(HTML);
            let page = files.find(path);
            path.truncate(bare);
            match page {
                Some(file) if self.conventions.page_with_slash == WithSlash::File => {
                    return HostAnswer::File { file, route: Route::Html };
                }
                Some(_) => return HostAnswer::Redirect { status: self.conventions.status },
                None => path.push(b'/'),
            }
        }
        if is_folder {
            return HostAnswer::Nothing(Reason::NoIndex);
        }
        match files.find(&path[..bare]) {
            None => HostAnswer::Nothing(Reason::NoFile),
            Some(_) => HostAnswer::Nothing(Reason::FileWithSlash),
        }
    }

    /// The answer to a path that does not end in `/`.
    fn answer_name<E: Files>(self, path: &mut Vec<u8>, files: &E) -> HostAnswer<E::File> {
        if self.takes_for_folder(path) {
            if has_empty_segment(path) {
                return HostAnswer::Nothing(Reason::NoFile);
            }
            path.push(b'/');
            return HostAnswer::Redirect { status: 301 };
        }
        if let Some(file) = files.find(path) {
            if self.conventions.drops_html && self.drop_html(path, files) {
                return HostAnswer::Redirect { status: self.conventions.status };
            }
            return HostAnswer::File { file, route: Route::Exact };
        }
        if self.conventions.folder == BareFolder::RedirectFirst
            && !self.strips_slash()
            && files.is_folder(path)
        {
            return self.add_slash(path);
        }
        let asked = path.len();
        if self.conventions.adds_html {
            path.extend_from_slice(HTML);
            let page = files.find(path);
            path.truncate(asked);
            if let Some(file) = page {
                return HostAnswer::File { file, route: Route::Html };
            }
        }
        path.push(b'/');
        path.extend_from_slice(INDEX.as_bytes());
        let index = files.find(path);
        path.truncate(asked);
        match (index, self.host) {
            (Some(_), _) if !self.serves_index() => HostAnswer::Nothing(Reason::NoIndexOnHost),
            (Some(file), _) if self.strips_slash() || self.conventions.folder == BareFolder::Index => {
                HostAnswer::File { file, route: Route::Directory }
            }
            // `publish` stores a directory's index document under the directory's name too.
            (Some(file), Some(Host::Cloudfront)) => HostAnswer::File { file, route: Route::Exact },
            (Some(_), _) => self.add_slash(path),
            (None, _) if !files.is_folder(path) => HostAnswer::Nothing(Reason::NoFile),
            (None, _) if self.conventions.folder == BareFolder::RedirectUnseen && !self.strips_slash() => {
                self.add_slash(path)
            }
            (None, _) => HostAnswer::Nothing(Reason::NoIndex),
        }
    }

    /// Takes `.html` or `index.html` off a path, unless a file has the rest for its name.
    fn drop_html<E: Files>(self, path: &mut Vec<u8>, files: &E) -> bool {
        let kept = match path.strip_suffix(INDEX.as_bytes()) {
            Some(folder) if folder.is_empty() || folder.ends_with(b"/") => folder.len(),
            _ => match path.strip_suffix(HTML) {
                Some(bare) if !bare.is_empty() && !bare.ends_with(b"/") => bare.len(),
                _ => return false,
            },
        };
        let is_free = files.find(&path[..kept]).is_none();
        if is_free {
            path.truncate(kept);
        }
        is_free
    }

    fn add_slash<F>(self, path: &mut Vec<u8>) -> HostAnswer<F> {
        path.push(b'/');
        HostAnswer::Redirect { status: self.conventions.status }
    }

    /// Whether the function in front of the bucket, which cannot see the files, takes a name for a directory's.
    fn takes_for_folder(self, path: &[u8]) -> bool {
        self.host == Some(Host::Cloudfront)
            && !self.strips_slash()
            && !path.iter().rev().take_while(|&&byte| byte != b'/').any(|&byte| byte == b'.')
    }
}

fn has_empty_segment(path: &[u8]) -> bool {
    path.starts_with(b"/") || memchr::memmem::find(path, b"//").is_some()
}

/// Leaves one of several slashes in a row, and none at the start.
fn merge_slashes(path: &mut Vec<u8>) {
    if has_empty_segment(path) {
        path.dedup_by(|second, first| *first == b'/' && *second == b'/');
        if path.starts_with(b"/") {
            path.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Files, HostAnswer, HostProfile, Reason, Route};
    use crate::contract::SiteSettings;
    use crate::contract::host::{Host, TrailingSlash};

    /// `page.html`, `LICENSE`, `docs/index.html`, `v1.2/index.html` and `empty/file.txt`.
    struct SmallSite;

    impl Files for SmallSite {
        type File = ();

        fn find(&self, path: &[u8]) -> Option<()> {
            let files = ["page.html", "LICENSE", "docs/index.html", "v1.2/index.html", "empty/file.txt"];
            files.iter().any(|file| file.as_bytes() == path).then_some(())
        }

        fn is_folder(&self, path: &[u8]) -> bool {
            matches!(path, b"" | b"docs" | b"v1.2" | b"empty")
        }
    }

    const fn file(route: Route) -> HostAnswer<()> {
        HostAnswer::File { file: (), route }
    }

    #[test]
    fn hosts_answer_in_their_own_ways() {
        use HostAnswer::{Nothing, Redirect};
        use Reason::{FileWithSlash, NoFile, NoIndex, NoIndexOnHost};
        let slash = TrailingSlash::Redirect;
        let never = TrailingSlash::Never;
        for (host, trailing_slash, path, expected, leads) in [
            (None, slash, "docs", Redirect { status: 302 }, "docs/"),
            (None, slash, "docs/", file(Route::Index), ""),
            (None, slash, "page.html/", Nothing(FileWithSlash), ""),
            (None, slash, "empty", Nothing(NoIndex), ""),
            (None, never, "docs", file(Route::Directory), ""),
            (None, never, "docs/", Redirect { status: 301 }, "docs"),
            (None, never, "/example.com/", Nothing(NoFile), ""),
            (Some(Host::Netlify), slash, "page", file(Route::Html), ""),
            (Some(Host::S3Website), slash, "page", Nothing(NoFile), ""),
            (Some(Host::Nginx), slash, "empty", Redirect { status: 301 }, "empty/"),
            (Some(Host::Nginx), slash, "/docs//", file(Route::Index), ""),
            (Some(Host::Cloudfront), slash, "LICENSE", Redirect { status: 301 }, "LICENSE/"),
            (Some(Host::Cloudfront), slash, "LICENSE/", Nothing(FileWithSlash), ""),
            (Some(Host::Cloudfront), slash, "v1.2", file(Route::Exact), ""),
            (Some(Host::Cloudfront), never, "LICENSE", file(Route::Exact), ""),
            (Some(Host::Netlify), slash, "page/", Redirect { status: 301 }, "page"),
            (Some(Host::CloudflarePages), slash, "page", file(Route::Html), ""),
            (Some(Host::CloudflarePages), slash, "page/", Redirect { status: 308 }, "page"),
            (Some(Host::CloudflarePages), slash, "page.html", Redirect { status: 308 }, "page"),
            (Some(Host::CloudflarePages), slash, "docs/index.html", Redirect { status: 308 }, "docs/"),
            (Some(Host::CloudflarePages), slash, "docs", Redirect { status: 308 }, "docs/"),
            (Some(Host::Vercel), slash, "page", Nothing(NoFile), ""),
            (Some(Host::Vercel), slash, "docs", file(Route::Directory), ""),
            (Some(Host::Vercel), slash, "docs/", file(Route::Index), ""),
            (Some(Host::GitlabPages), slash, "page/", file(Route::Html), ""),
            (Some(Host::GitlabPages), slash, "docs", Redirect { status: 302 }, "docs/"),
            (Some(Host::GitlabPages), slash, "empty", Redirect { status: 302 }, "empty/"),
            (Some(Host::Firebase), slash, "page", Nothing(NoFile), ""),
            (Some(Host::Firebase), slash, "docs", Redirect { status: 301 }, "docs/"),
            (Some(Host::AzureStaticWebApps), slash, "page/", file(Route::Html), ""),
            (Some(Host::AzureStaticWebApps), slash, "docs", file(Route::Directory), ""),
            (Some(Host::Apache), slash, "/docs//", file(Route::Index), ""),
            (Some(Host::Apache), slash, "empty", Redirect { status: 301 }, "empty/"),
            (Some(Host::Caddy), slash, "page.html/", Nothing(FileWithSlash), ""),
            (Some(Host::Caddy), slash, "/docs//", file(Route::Index), ""),
            (Some(Host::Caddy), slash, "docs", Redirect { status: 308 }, "docs/"),
            (Some(Host::Caddy), slash, "empty", Nothing(NoIndex), ""),
            (Some(Host::S3Rest), slash, "docs/", Nothing(NoIndexOnHost), ""),
            (Some(Host::S3Rest), never, "docs", Nothing(NoIndexOnHost), ""),
        ] {
            let mut asked = path.as_bytes().to_vec();
            let site = SiteSettings { host, trailing_slash, ..SiteSettings::default() };
            let found = HostProfile::of(&site).answer(&mut asked, &SmallSite);
            assert_eq!(found, expected, "/{path}, {host:?}, {trailing_slash:?}");
            if matches!(found, Redirect { .. }) {
                assert_eq!(asked, leads.as_bytes(), "/{path}, {host:?}, {trailing_slash:?}");
            }
        }
    }
}
