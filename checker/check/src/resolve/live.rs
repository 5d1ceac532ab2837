//! Resolves references of a live site by the answers of its server, instead of the conventions of its host.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Mutex;

use sitegate_base::lock::lock;
use url::Url;

use super::target::Target;
use crate::walk::{FileId, StoredFile, Tree};
use sitegate_address::percent::decode_path;
use sitegate_host::answer::{Reason, Route};
use sitegate_host::redirects::follow;

/// A live site as `sitegate-network` fetched it. Paths are decoded, below its root, without the leading `/`.
#[derive(Debug)]
pub struct LiveSite {
    /// The URL that all paths are below; it ends with `/`.
    #[doc(hidden)]
    pub root: Url,
    /// The path of the page that was fetched first.
    #[doc(hidden)]
    pub start: Box<[u8]>,
    /// Answers by requested path.
    #[doc(hidden)]
    pub answers: HashMap<Box<[u8]>, LiveAnswer>,
    /// Fetched files, by the path that an export would have.
    #[doc(hidden)]
    pub files: BTreeMap<Box<[u8]>, LiveFile>,
    /// The behavior of the server, from additional requests.
    #[doc(hidden)]
    pub server_behavior: ServerBehavior,
    /// Reasons why this is not the whole site; empty if it is.
    #[doc(hidden)]
    pub skipped: Vec<String>,
    /// URLs without an answer, each with the reason.
    #[doc(hidden)]
    pub unreadable: Vec<String>,
    /// Whether the crawl has ended, so that a check need not ask for more paths.
    #[doc(hidden)]
    pub is_cut: bool,
    /// Maximum number of findings to keep. It bounds the report of a hostile server.
    #[doc(hidden)]
    pub max_findings: usize,
    /// Paths that a check needed and that were not requested.
    #[doc(hidden)]
    pub unknown: Mutex<BTreeSet<Box<[u8]>>>,
}

/// The answer to a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiveAnswer {
    /// The file with this path in [`LiveSite::files`].
    File(Box<[u8]>),
    /// A redirect to another path of the site.
    Leads(Box<[u8]>),
    /// A redirect to another site.
    Leaves,
    /// An error status.
    Status(u16),
    /// Unknown: the path was skipped, or gave no answer.
    Unasked,
}

/// A fetched file.
#[derive(Clone, Debug)]
pub struct LiveFile {
    /// The path that it answers.
    pub address: Box<[u8]>,
    /// The stored content.
    pub stored: StoredFile,
    /// Its length in bytes, decompressed.
    pub length: u64,
    /// The response headers, by name in lower case.
    pub headers: BTreeMap<String, String>,
}

/// The behavior of a server, as far as it was tested.
#[derive(Clone, Debug, Default)]
pub struct ServerBehavior {
    /// The answer to a path that does not exist.
    pub unknown_path: Option<UnknownPathAnswer>,
    /// Whether it supports HTTP/2 or later; `None` if it was not requested by https.
    pub speaks_http2: Option<bool>,
    /// Days until its certificate expires.
    pub certificate_days: Option<i64>,
    /// The status of the start page by http, if it does not redirect to https.
    pub plain_status: Option<u16>,
    /// Second URLs of pages that answer without a redirect to the first.
    pub second_addresses: Vec<SecondAddress>,
}

/// A second URL of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondAddress {
    /// The page's path in [`LiveSite::files`].
    pub page: Box<[u8]>,
    /// The second path that answers.
    pub other: Box<[u8]>,
}

/// The answer to a path that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPathAnswer {
    /// Its status.
    pub status: u16,
    /// The destination, if it is a redirect.
    pub leads_to: Option<String>,
}

impl LiveFile {
    /// Returns a header by its name in lower case; empty if there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Returns the media type in lower case, without parameters.
    pub fn media_type(&self) -> String {
        let written = self.header("content-type").split(';').next().unwrap_or_default();
        written.trim().to_ascii_lowercase()
    }
}

#[doc(hidden)]
impl LiveSite {
    /// Creates a site without any answers.
    pub fn new(root: Url) -> LiveSite {
        LiveSite {
            root,
            start: Box::default(),
            answers: HashMap::new(),
            files: BTreeMap::new(),
            server_behavior: ServerBehavior::default(),
            skipped: Vec::new(),
            unreadable: Vec::new(),
            is_cut: false,
            max_findings: usize::MAX,
            unknown: Mutex::default(),
        }
    }

    /// Whether everything that the site links to was fetched.
    pub fn is_whole(&self) -> bool {
        self.skipped.is_empty() && self.unreadable.is_empty()
    }

    /// Returns its files as the tree of an export.
    pub fn tree(&self) -> Tree {
        let stored = self.files.iter().map(|(path, file)| (path.clone(), file.stored.clone()));
        Tree::fetched(self.root.as_str(), stored.collect())
    }

    /// Returns the decoded path of a URL below the root, and whether it contains `%2F`; `None` if it is not below the
    /// root.
    pub fn path_of(root: &Url, url: &Url) -> Option<(Vec<u8>, bool)> {
        let (mut path, mut base) = (Vec::new(), Vec::new());
        let encoded_slash = decode_path(url.path(), &mut path);
        decode_path(root.path(), &mut base);
        let path = path.strip_prefix(base.as_slice())?.to_vec();
        std::str::from_utf8(&path).is_ok().then_some((path, encoded_slash))
    }

    /// Returns the file of the first page.
    pub fn start_file(&self, tree: &Tree) -> Option<FileId> {
        match self.answers.get(&self.start)? {
            LiveAnswer::File(path) => tree.find(path),
            _ => None,
        }
    }

    /// Takes the paths that were needed and are not known.
    pub fn take_unknown(&self) -> BTreeSet<Box<[u8]>> {
        std::mem::take(&mut *lock(&self.unknown))
    }

    /// Follows the redirects from a path. Returns their number, the path at which they end, and its answer: a redirect
    /// if there are too many.
    fn walk<'l>(&'l self, path: &'l [u8]) -> (usize, &'l [u8], Option<&'l LiveAnswer>) {
        let leads = |at: &&'l [u8]| match self.answers.get(*at) {
            Some(LiveAnswer::Leads(to)) => Some(&**to),
            _ => None,
        };
        let (hops, at) = follow(path, leads).enumerate().last().unwrap_or((0, path));
        (hops, at, self.answers.get(at))
    }

    /// Returns the number of redirects from a path to its answer.
    pub fn hops(&self, path: &[u8]) -> usize {
        self.walk(path).0
    }

    /// Resolves a path.
    pub(super) fn target(&self, path: &[u8], tree: &Tree) -> Target {
        let (_, at, answer) = self.walk(path);
        match answer {
            Some(LiveAnswer::File(name)) => {
                let route = |file| Target::File { file, route: route(path, at, name) };
                tree.find(name).map_or(Target::Unchecked, route)
            }
            Some(LiveAnswer::Leads(_)) => Target::Missing(Reason::RedirectLoop),
            Some(LiveAnswer::Leaves) => Target::External,
            Some(LiveAnswer::Status(404 | 410)) => Target::Missing(reason(at, tree)),
            Some(LiveAnswer::Status(status)) => Target::Missing(Reason::Status(*status)),
            Some(LiveAnswer::Unasked) => Target::Unchecked,
            None if self.is_cut => Target::Unchecked,
            None => {
                lock(&self.unknown).insert(at.into());
                Target::Unchecked
            }
        }
    }
}

/// Returns the route from a path to a file with this name, which answered at `at`.
fn route(path: &[u8], at: &[u8], name: &[u8]) -> Route {
    match path {
        _ if path != at && at.strip_suffix(b"/") == Some(path) => Route::Directory,
        _ if path != at => Route::Redirect,
        _ if path.is_empty() || path.ends_with(b"/") => Route::Index,
        _ if path == name => Route::Exact,
        _ => Route::Html,
    }
}

/// Returns the reason why a path has no answer, as for an export with these files.
fn reason(path: &[u8], tree: &Tree) -> Reason {
    match path.strip_suffix(b"/") {
        Some(bare) if tree.find(bare).is_some() => Reason::FileWithSlash,
        Some(bare) if tree.is_folder(bare) => Reason::NoIndex,
        None if tree.is_folder(path) => Reason::NoIndex,
        _ => Reason::NoFile,
    }
}
