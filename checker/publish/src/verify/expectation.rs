//! Decides what a live site must answer: each file by its URLs on this host, each redirect, and an unknown path.
//! Requests it, a number of URLs at the same time.

use std::borrow::Cow;
use std::collections::BTreeMap;

use futures_util::{Stream, StreamExt};
use sitegate_address::SitePath;
use sitegate_address::percent::escape_path;
use sitegate_check::{Contract, Seal, SealedFile};
use sitegate_host::answer::{Files, HostAnswer, HostProfile, lowercase};
use url::Url;

use crate::machine::random_id;
use crate::release::objects::redirect_page_path;
use crate::visitor::{NoAnswer, SiteAnswer, Visitor};

/// Maximum number of concurrent requests.
pub const MAX_REQUESTS: usize = 16;

/// A request, and the answer to expect.
#[derive(Clone, Debug)]
pub(super) struct Expectation<'q> {
    /// The URL.
    pub url: String,
    /// The request's name, which is the same for each release: its path, after `HEAD ` if that is the method.
    pub name: String,
    /// Whether the method is HEAD; otherwise GET.
    pub is_head: bool,
    /// The file that the answer depends on; none for other answers to an unknown path.
    pub path: Option<Cow<'q, str>>,
    /// The answer to expect.
    pub expected: ExpectedAnswer<'q>,
}

#[derive(Clone, Debug)]
pub(super) enum ExpectedAnswer<'q> {
    /// This file, with this status.
    File { file: ExpectedFile<'q>, status: u16 },
    /// This file, or a redirect to this URL.
    FileOrRedirect { file: ExpectedFile<'q>, to: String },
    /// A redirect to this URL, or a redirect page.
    Redirect { to: &'q str },
    /// Only a status.
    Status(u16),
}

/// A file that an answer must have.
#[derive(Clone, Debug)]
pub(super) struct ExpectedFile<'q> {
    /// Its path.
    pub path: &'q str,
    /// Its contents: several while a switch is incomplete.
    pub contents: Vec<ExpectedContent<'q>>,
    /// The headers that the store sends, by lowercase name, if they are not those of the contract.
    pub stored_headers: Option<&'q BTreeMap<String, String>>,
}

/// A content that an answer may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ExpectedContent<'q> {
    /// Its size in bytes.
    pub size: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: &'q str,
}

impl<'q> ExpectedFile<'q> {
    fn sealed(file: &'q SealedFile) -> ExpectedFile<'q> {
        let content = ExpectedContent { size: file.size, sha256: &file.sha256 };
        ExpectedFile { path: &file.path, contents: vec![content], stored_headers: None }
    }
}

/// Returns the requests to send to a site, whose URL has no `/` at its end.
pub(super) fn expectations<'q>(site: &'q str, seal: &'q Seal, config: &'q Contract) -> Vec<Expectation<'q>> {
    let host = config.site.host_profile();
    let sealed = SealedPaths(&seal.files);
    let mut requests = ExpectationList { site, list: Vec::new() };
    for (at, file) in seal.files.iter().enumerate() {
        let path = Some(Cow::Borrowed(file.path.as_str()));
        let expected = ExpectedFile::sealed(file);
        for url_path in url_paths(host, &file.path) {
            let mut resolved = url_path.clone().into_bytes();
            let answer = host.answer(&mut resolved, &sealed);
            if is_file(&answer, at) {
                if url_path != file.path {
                    requests.head(&url_path, path.clone(), ExpectedAnswer::Status(200));
                }
                let whole = ExpectedAnswer::File { file: expected.clone(), status: 200 };
                requests.get(&url_path, path.clone(), whole);
                continue;
            }
            // Other redirects and missing pages are not this file's URLs. The check has reported links to them.
            let to = format!("{site}/{}", escape_path(&String::from_utf8_lossy(&resolved)));
            if matches!(answer, HostAnswer::Redirect { .. })
                && is_file(&host.answer(&mut resolved, &sealed), at)
            {
                let either = ExpectedAnswer::FileOrRedirect { file: expected.clone(), to };
                requests.get(&url_path, path.clone(), either);
            }
        }
    }
    for redirect in &config.redirects {
        let from = redirect.from.trim_start_matches('/');
        let page = Some(Cow::Owned(redirect_page_path(&redirect.from)));
        requests.get(from, page, ExpectedAnswer::Redirect { to: &redirect.to });
    }
    let page = seal.files.iter().find(|file| file.path == config.site.not_found_file());
    let expected = page.map_or(ExpectedAnswer::Status(404), |file| ExpectedAnswer::File {
        file: ExpectedFile::sealed(file),
        status: 404,
    });
    requests.unknown_path(page.map(|file| file.path.as_str()), expected);
    requests.list
}

/// A list of requests to a site.
struct ExpectationList<'q> {
    site: &'q str,
    list: Vec<Expectation<'q>>,
}

impl<'q> ExpectationList<'q> {
    /// Returns the URL of a path. S3's REST endpoint reads `+` as a space, so it is escaped.
    fn url(&self, path: &str) -> String {
        format!("{}/{}", self.site, escape_path(path).replace('+', "%2B"))
    }

    fn get(&mut self, path: &str, file: Option<Cow<'q, str>>, expected: ExpectedAnswer<'q>) {
        let (url, name) = (self.url(path), format!("/{path}"));
        self.list.push(Expectation { url, name, is_head: false, path: file, expected });
    }

    fn head(&mut self, path: &str, file: Option<Cow<'q, str>>, expected: ExpectedAnswer<'q>) {
        let (url, name) = (self.url(path), format!("HEAD /{path}"));
        self.list.push(Expectation { url, name, is_head: true, path: file, expected });
    }

    /// Adds requests for a path that does not exist.
    fn unknown_path(&mut self, page: Option<&'q str>, expected: ExpectedAnswer<'q>) {
        let missing = format!("sitegate-{}", random_id());
        let first = self.list.len();
        self.head(&missing, None, ExpectedAnswer::Status(404));
        self.get(&missing, page.map(Cow::Borrowed), expected);
        for (request, name) in self.list[first..].iter_mut().zip(["HEAD unknown path", "unknown path"]) {
            name.clone_into(&mut request.name);
        }
    }
}

/// Returns the URL paths of a file: for an index document, its folder with and without `/`.
fn url_paths(host: HostProfile, path: &str) -> Vec<String> {
    match SitePath::new(path).index_folder() {
        Some("") => vec![String::new()],
        Some(folder) if host.serves_index() => {
            vec![folder.trim_end_matches('/').to_owned(), folder.to_owned()]
        }
        _ => vec![path.to_owned()],
    }
}

fn is_file(answer: &HostAnswer<usize>, file: usize) -> bool {
    matches!(answer, HostAnswer::File { file: found, .. } if *found == file)
}

/// The sealed files, sorted by path.
struct SealedPaths<'s>(&'s [SealedFile]);

impl Files for SealedPaths<'_> {
    type File = usize;

    fn find(&self, path: &[u8]) -> Option<usize> {
        self.0.binary_search_by(|file| file.path.as_bytes().cmp(path)).ok()
    }

    fn find_in_any_case(&self, path: &[u8]) -> Option<usize> {
        let wanted = lowercase(path);
        let first = || self.0.iter().position(|file| lowercase(file.path.as_bytes()) == wanted);
        self.find(&wanted).or_else(first)
    }

    fn is_folder(&self, path: &[u8]) -> bool {
        let folder = [path, b"/"].concat();
        let at = self.0.partition_point(|file| file.path.as_bytes() < folder.as_slice());
        path.is_empty() || self.0.get(at).is_some_and(|file| file.path.as_bytes().starts_with(&folder))
    }
}

/// Requests several URLs at the same time, and returns the answers as they arrive.
pub(super) fn request_all<'q>(
    expectations: Vec<Expectation<'q>>,
    visitor: &dyn Visitor,
) -> impl Stream<Item = (Expectation<'q>, Result<SiteAnswer, NoAnswer>)> + Unpin {
    let requests = expectations.into_iter().map(async |expectation| {
        let answer = expectation.request(visitor).await;
        (expectation, answer)
    });
    Box::pin(futures_util::stream::iter(requests).buffer_unordered(MAX_REQUESTS))
}

impl Expectation<'_> {
    async fn request(&self, visitor: &dyn Visitor) -> Result<SiteAnswer, NoAnswer> {
        let url = Url::parse(&self.url).map_err(|error| NoAnswer {
            reason: format!("this is no URL: {error}"),
            was_sent: true,
            is_private: false,
        })?;
        if self.is_head { visitor.head(&url).await } else { visitor.get(&url, self.limit()).await }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;
    use sitegate_check::{Contract, Seal};
    use sitegate_host::{Host, TrailingSlash};

    use super::{ExpectedAnswer, expectations};

    /// Returns the GET requests for a host, by path: the file to expect, and the redirect that may be returned
    /// instead.
    fn requested(host: Option<Host>, slash: TrailingSlash) -> Vec<String> {
        let sealed = |path: &str| json!({"path": path, "size": 0, "sha256": ""});
        let files = ["LICENSE", "a b/index.html", "index.html", "page.html"].map(sealed);
        let seal: Seal = serde_json::from_value(json!({
            "schema_version": 1, "kind": "", "tool": {"name": "", "version": ""}, "tree": "", "contract": null,
            "counts": {"files": 4, "pages": 3, "links": 0}, "files": files,
        }))
        .unwrap();
        let mut config = Contract::defaults();
        config.site.host = host;
        config.site.trailing_slash = slash;
        let mut requested = Vec::new();
        for expectation in expectations("", &seal, &config) {
            match expectation.expected {
                ExpectedAnswer::File { file, .. } if !expectation.is_head => {
                    requested.push(format!("{} {}", expectation.url, file.path));
                }
                ExpectedAnswer::FileOrRedirect { file, to } => {
                    requested.push(format!("{} {} > {to}", expectation.url, file.path));
                }
                _ => {}
            }
        }
        requested
    }

    #[test]
    fn requests_the_urls_that_each_host_serves() {
        let (slash, never) = (TrailingSlash::Redirect, TrailingSlash::Never);
        let folder = ["/a%20b a b/index.html > /a%20b/", "/a%20b/ a b/index.html"];
        let rest = ["/ index.html", "/page.html page.html"];
        let license = "/LICENSE LICENSE";
        assert_eq!(requested(None, slash), [&[license][..], &folder, &rest].concat());
        assert_eq!(requested(Some(Host::Cloudfront), slash), [&folder[..], &rest].concat());
        let bare = [license, "/a%20b a b/index.html", "/a%20b/ a b/index.html > /a%20b"];
        assert_eq!(requested(Some(Host::Cloudfront), never), [&bare[..], &rest].concat());
        let names = [license, "/a%20b/index.html a b/index.html"];
        assert_eq!(requested(Some(Host::S3Rest), slash), [&names[..], &rest].concat());
    }
}
