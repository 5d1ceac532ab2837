//! What a live site answered, which then counts in the place of what its host is expected to answer.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use url::Url;

use super::answer::{Reason, Route};
use super::path::decode_path;
use super::target::Target;
use crate::walk::{FileId, StoredFile, Tree};

/// Redirects that are followed from one address.
const MOST_HOPS: usize = 10;

/// A live site as it was fetched, which `sitegate-network` makes. Paths are decoded, below its root, with no leading `/`.
#[derive(Debug)]
pub struct LiveSite {
    /// The address that all paths are below; it ends with `/`.
    #[doc(hidden)]
    pub root: Url,
    /// The path of the page that was fetched first.
    #[doc(hidden)]
    pub start: Box<[u8]>,
    /// What was answered, by the path that was asked for.
    #[doc(hidden)]
    pub answers: HashMap<Box<[u8]>, LiveAnswer>,
    /// What was fetched, by the path that an export would have it at.
    #[doc(hidden)]
    pub files: BTreeMap<Box<[u8]>, LiveFile>,
    /// What was asked beside that, to see how the server behaves.
    #[doc(hidden)]
    pub manners: Manners,
    /// Why this is not the whole site, a line for each reason; nothing where it is.
    #[doc(hidden)]
    pub skipped: Vec<String>,
    /// Addresses that gave no answer, each with the reason.
    #[doc(hidden)]
    pub unreadable: Vec<String>,
    /// Paths that a check asked for and that were not asked of the site.
    #[doc(hidden)]
    pub unknown: Mutex<BTreeSet<Box<[u8]>>>,
}

/// What was answered to a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiveAnswer {
    /// The file with this path in [`LiveSite::files`].
    File(Box<[u8]>),
    /// A redirect to another path of the site.
    Leads(Box<[u8]>),
    /// A redirect to another site.
    Leaves,
    /// An error, by its status.
    Status(u16),
    /// Nothing is known: it was left out, or gave no answer.
    Unasked,
}

/// A file that was fetched.
#[derive(Clone, Debug)]
pub struct LiveFile {
    /// The path that it answers.
    pub address: Box<[u8]>,
    /// Where its content is.
    pub stored: StoredFile,
    /// Its length in bytes, decompressed.
    pub length: u64,
    /// The headers of its answer, by names in lower case.
    pub headers: BTreeMap<String, String>,
}

/// How a server behaves, as far as it was tried.
#[derive(Clone, Debug, Default)]
pub struct Manners {
    /// The answer to a path that nobody has.
    pub unknown_path: Option<UnknownPathAnswer>,
    /// Whether it speaks HTTP/2 or later, where it was asked by https.
    pub speaks_http2: Option<bool>,
    /// Days until its certificate ends.
    pub certificate_days: Option<i64>,
    /// The status that the start page has by http, where that does not lead to https.
    pub plain_status: Option<u16>,
    /// Second addresses of pages that answer too, without leading to the first.
    pub second_addresses: Vec<SecondAddress>,
}

/// A second address of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondAddress {
    /// The page's path in [`LiveSite::files`].
    pub page: Box<[u8]>,
    /// The path that answers too.
    pub other: Box<[u8]>,
}

/// The answer to a path that nobody has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPathAnswer {
    /// Its status.
    pub status: u16,
    /// Where it leads, if it is a redirect.
    pub leads_to: Option<String>,
}

impl LiveFile {
    /// A header, by its name in lower case; empty where there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Its media type in lower case, without parameters.
    pub fn media_type(&self) -> String {
        let written = self.header("content-type").split(';').next().unwrap_or_default();
        written.trim().to_ascii_lowercase()
    }
}

#[doc(hidden)]
impl LiveSite {
    /// A site of which nothing is known yet.
    pub fn new(root: Url) -> LiveSite {
        LiveSite {
            root,
            start: Box::default(),
            answers: HashMap::new(),
            files: BTreeMap::new(),
            manners: Manners::default(),
            skipped: Vec::new(),
            unreadable: Vec::new(),
            unknown: Mutex::default(),
        }
    }

    /// Whether everything that the site leads to was fetched.
    pub fn is_whole(&self) -> bool {
        self.skipped.is_empty() && self.unreadable.is_empty()
    }

    /// Its files as those of an export.
    pub fn tree(&self) -> Tree {
        let stored = self.files.iter().map(|(path, file)| (path.clone(), file.stored.clone()));
        Tree::fetched(self.root.as_str(), stored.collect())
    }

    /// The path of an address below the root, decoded, with whether it holds `%2F`; `None` where it is not below it.
    pub fn path_of(root: &Url, url: &Url) -> Option<(Vec<u8>, bool)> {
        let (mut path, mut base) = (Vec::new(), Vec::new());
        let encoded_slash = decode_path(url.path(), &mut path);
        decode_path(root.path(), &mut base);
        let path = path.strip_prefix(base.as_slice())?.to_vec();
        std::str::from_utf8(&path).is_ok().then_some((path, encoded_slash))
    }

    /// The first page's file.
    pub fn start_file(&self, tree: &Tree) -> Option<FileId> {
        match self.answers.get(&self.start)? {
            LiveAnswer::File(path) => tree.find(path),
            _ => None,
        }
    }

    /// Takes the paths that were asked for and are not known.
    pub fn take_unknown(&self) -> BTreeSet<Box<[u8]>> {
        std::mem::take(&mut *self.unknown.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How many redirects there are from a path to what answers it.
    pub fn hops(&self, path: &[u8]) -> usize {
        let mut at = path;
        let mut hops = 0;
        while let Some(LiveAnswer::Leads(to)) = self.answers.get(at).filter(|_| hops <= MOST_HOPS) {
            (at, hops) = (to, hops + 1);
        }
        hops
    }

    /// Where a path leads.
    pub(super) fn target(&self, path: &[u8], tree: &Tree) -> Target {
        let mut at = path;
        for _ in 0..=MOST_HOPS {
            match self.answers.get(at) {
                Some(LiveAnswer::File(name)) => {
                    let route = |file| Target::File { file, route: route(path, at, name) };
                    return tree.find(name).map_or(Target::Unchecked, route);
                }
                Some(LiveAnswer::Leads(to)) => at = to,
                Some(LiveAnswer::Leaves) => return Target::External,
                Some(LiveAnswer::Status(404 | 410)) => return Target::Missing(reason(at, tree)),
                Some(LiveAnswer::Status(status)) => return Target::Missing(Reason::Status(*status)),
                Some(LiveAnswer::Unasked) => return Target::Unchecked,
                None => {
                    self.unknown.lock().unwrap_or_else(PoisonError::into_inner).insert(at.into());
                    return Target::Unchecked;
                }
            }
        }
        Target::Missing(Reason::Circle)
    }
}

/// How a path led to a file, which answered at `at` and has this name.
fn route(path: &[u8], at: &[u8], name: &[u8]) -> Route {
    match path {
        _ if path != at && at.strip_suffix(b"/") == Some(path) => Route::Directory,
        _ if path != at => Route::Redirect,
        _ if path.is_empty() || path.ends_with(b"/") => Route::Index,
        _ if path == name => Route::Exact,
        _ => Route::Html,
    }
}

/// Why nothing answers a path, as an export with these files would have it.
fn reason(path: &[u8], tree: &Tree) -> Reason {
    match path.strip_suffix(b"/") {
        Some(bare) if tree.find(bare).is_some() => Reason::FileWithSlash,
        Some(bare) if tree.is_folder(bare) => Reason::NoIndex,
        None if tree.is_folder(path) => Reason::NoIndex,
        _ => Reason::NoFile,
    }
}
