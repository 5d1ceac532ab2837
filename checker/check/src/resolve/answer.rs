//! What a static host answers to a path: a file, a redirect, or nothing and why. No I/O: who asks says what is there.
//!
//! The check, the preview and `verify` all ask here, and tests hold the edge configurations to it.

use crate::contract::host::{Host, TrailingSlash};
use crate::contract::site::SiteSettings;
use crate::walk::{FileId, Tree};

/// The index document of a directory.
pub const INDEX: &str = "index.html";

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
}

/// What decides a host's answers, apart from the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostProfile {
    host: Option<Host>,
    trailing_slash: TrailingSlash,
}

impl HostProfile {
    /// The host that a contract names.
    pub fn of(site: &SiteSettings) -> HostProfile {
        HostProfile { host: site.host, trailing_slash: site.trailing_slash }
    }

    /// What the host answers to a path: decoded, below the root, without its leading `/`.
    ///
    /// The path is scratch space, so that nothing is allocated. After [`HostAnswer::Redirect`] it is the path that
    /// the redirect leads to.
    pub fn answer<E: Files>(self, path: &mut Vec<u8>, files: &E) -> HostAnswer<E::File> {
        if self.host == Some(Host::Nginx) {
            merge_slashes(path);
        }
        match path.is_empty() || path.ends_with(b"/") {
            true => self.answer_folder(path, files),
            false => self.answer_name(path, files),
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
            None => {
                let bare = path.strip_suffix(b"/").unwrap_or(path);
                HostAnswer::Nothing(if files.is_folder(bare) {
                    Reason::NoIndex
                } else if files.find(bare).is_some() {
                    Reason::FileWithSlash
                } else {
                    Reason::NoFile
                })
            }
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
            return HostAnswer::File { file, route: Route::Exact };
        }
        let asked = path.len();
        if self.host.is_some_and(Host::adds_html) {
            path.extend_from_slice(b".html");
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
            (Some(file), _) if self.strips_slash() => HostAnswer::File { file, route: Route::Directory },
            // `publish` stores a directory's index document under the directory's name too.
            (Some(file), Some(Host::Cloudfront)) => HostAnswer::File { file, route: Route::Exact },
            (Some(_), _) => self.add_slash(path),
            (None, _) if !files.is_folder(path) => HostAnswer::Nothing(Reason::NoFile),
            // nginx looks for the index document only after the redirect.
            (None, Some(Host::Nginx)) if !self.strips_slash() => self.add_slash(path),
            (None, _) => HostAnswer::Nothing(Reason::NoIndex),
        }
    }

    fn add_slash<F>(self, path: &mut Vec<u8>) -> HostAnswer<F> {
        path.push(b'/');
        let status = if matches!(self.host, None | Some(Host::S3Website)) { 302 } else { 301 };
        HostAnswer::Redirect { status }
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
            (Some(Host::S3Rest), slash, "docs/", Nothing(NoIndexOnHost), ""),
            (Some(Host::S3Rest), never, "docs", Nothing(NoIndexOnHost), ""),
        ] {
            let mut asked = path.as_bytes().to_vec();
            let found = HostProfile { host, trailing_slash }.answer(&mut asked, &SmallSite);
            assert_eq!(found, expected, "/{path}, {host:?}, {trailing_slash:?}");
            if matches!(found, Redirect { .. }) {
                assert_eq!(asked, leads.as_bytes(), "/{path}, {host:?}, {trailing_slash:?}");
            }
        }
    }
}
