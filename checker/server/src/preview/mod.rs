//! Previews an export on this machine: serves paths as its host does, with the headers of the contract.

mod conditional;
mod export_files;
pub mod server;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use bytes::Bytes;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode, Uri};

use crate::error::ServerError;
use conditional::{RequestedPart, accepted_coding, is_unchanged, requested_part};
use export_files::{AutoHeaders, CompressedBodies, ExportFiles, OpenFile, PreviewBody};
use sitegate_address::percent::{decode, decode_lossy, escape_path, escape_reference};
use sitegate_address::{INDEX, UrlReference};
use sitegate_check::Contract;
use sitegate_host::answer::{Files, HostAnswer, HostProfile};
use sitegate_host::compression::MIN_COMPRESSED;
use sitegate_host::headers_file::HeadersFile;
use sitegate_host::media::{content_type, is_compressible};
use sitegate_host::redirects::{self, FirstAnswer, MAX_HOPS, Redirects, RedirectsError};
use sitegate_host::{HEADERS_FILE, Host};

/// Headers that the preview sets itself.
const OWN_HEADERS: [HeaderName; 8] = [
    header::ACCEPT_RANGES,
    header::CONNECTION,
    header::CONTENT_ENCODING,
    header::CONTENT_LENGTH,
    header::CONTENT_RANGE,
    header::ETAG,
    header::TRANSFER_ENCODING,
    header::VARY,
];

/// An export, and the rules for serving it.
pub struct Preview {
    files: ExportFiles,
    contract: Contract,
    /// The headers, if the contract has policies with `'auto'`.
    auto: Option<AutoHeaders>,
    host: HostProfile,
    compressed: CompressedBodies,
}

/// The result for a path.
#[derive(Debug, PartialEq, Eq)]
enum PathAnswer {
    /// A file, by its path below the root with `/`.
    File(StatusCode, String),
    /// A redirect to this URL.
    Redirect(StatusCode, String),
    /// A proxied response of another site.
    Proxied(String),
    /// No page.
    Nothing,
}

/// A response of the preview.
pub type PreviewResponse = Response<PreviewBody>;

impl Preview {
    /// Creates a preview of the export in `root`.
    ///
    /// # Errors
    /// When `root` is not a folder.
    pub fn new(root: &Path, contract: Contract) -> Result<Preview, ServerError> {
        let fail = |source| ServerError::Root { root: root.to_path_buf(), source };
        let files = ExportFiles::new(root).map_err(fail)?;
        if !root.is_dir() {
            return Err(fail(io::Error::new(io::ErrorKind::NotADirectory, "not a directory")));
        }
        let auto = AutoHeaders::new(&contract, &files.path("")).map_err(fail)?;
        let host = contract.site.host_profile();
        Ok(Preview { files, contract, auto, host, compressed: CompressedBodies::default() })
    }

    /// Answers one request.
    pub fn answer<B>(&self, request: &Request<B>) -> PreviewResponse {
        if request.method() != Method::GET && request.method() != Method::HEAD {
            let mut answer = plain(StatusCode::METHOD_NOT_ALLOWED, "405 Method Not Allowed\n");
            answer.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            return answer;
        }
        match self.find(request.uri()) {
            Ok(PathAnswer::File(status, path)) => {
                self.file(&path, status, request.method(), request.headers())
            }
            Ok(PathAnswer::Redirect(status, location)) => redirect(status, &location),
            Ok(PathAnswer::Proxied(to)) => {
                let text =
                    format!("502: the host proxies {to}; the preview sends no requests to other sites\n");
                plain(StatusCode::BAD_GATEWAY, &text)
            }
            Ok(PathAnswer::Nothing) => self.not_found(request.uri(), request.method(), request.headers()),
            Err(error) => plain(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error}\n")),
        }
    }

    /// Returns the base path of the site.
    fn base_path(&self) -> &str {
        &self.contract.site.base_path
    }

    /// Finds the result for a request. The redirects file is read each time, so that a reload shows a rebuilt
    /// export.
    fn find(&self, uri: &Uri) -> Result<PathAnswer, RedirectsError> {
        let mut written = Cow::Borrowed(uri.path());
        if self.host.reads_plus_as_space() {
            written = Cow::Owned(written.replace('+', "%20"));
        }
        let Some(decoded) = decode(&written) else {
            return Ok(PathAnswer::Nothing);
        };
        let base = self.base_path();
        if base.len() > 1 && *decoded == base[..base.len() - 1] {
            return Ok(PathAnswer::Redirect(StatusCode::FOUND, location(base, uri)));
        }
        let Some(path) = decoded.strip_prefix(base) else { return Ok(PathAnswer::Nothing) };
        let file = |name: &str| self.files.find(name.as_bytes()).map(|file| self.files.path(&file));
        let redirects = self.contract.read_redirects(file, self.contract.site.host)?;
        Ok(self.resolve_path(path, uri, &redirects, 0))
    }

    /// Finds the result for a path below the root.
    fn resolve_path(&self, path: &str, uri: &Uri, redirects: &Redirects, hops: usize) -> PathAnswer {
        let mut path = path.as_bytes().to_vec();
        match redirects.answer(self.host, &mut path, &self.files) {
            FirstAnswer::Host(HostAnswer::File { file, .. }) if self.is_hidden(&file) => PathAnswer::Nothing,
            FirstAnswer::Host(HostAnswer::File { file, .. }) => {
                let lowercase = self.host.lowercase_address(&path);
                match lowercase.filter(|_| hops == 0 && file.ends_with(".html")) {
                    Some(address) => {
                        let to = format!("{}{}", self.base_path(), String::from_utf8_lossy(&address));
                        PathAnswer::Redirect(StatusCode::MOVED_PERMANENTLY, location(&to, uri))
                    }
                    None => PathAnswer::File(StatusCode::OK, file),
                }
            }
            FirstAnswer::Host(HostAnswer::Redirect { status }) => {
                let to = format!("{}{}", self.base_path(), String::from_utf8_lossy(&path));
                PathAnswer::Redirect(code(status), location(&to, uri))
            }
            FirstAnswer::Line { line, to, .. } if line.is_http_redirect() => {
                let to = redirects::with_query(&to, &query_of(uri));
                PathAnswer::Redirect(code(line.status), escape_reference(&to).into_owned())
            }
            FirstAnswer::Line { line, to, .. } if hops < MAX_HOPS => {
                let Some(destination) = self.own_path(&to) else { return PathAnswer::Proxied(to) };
                match self.resolve_path(&destination, uri, redirects, hops + 1) {
                    PathAnswer::File(_, file) => PathAnswer::File(code(line.status), file),
                    other => other,
                }
            }
            FirstAnswer::Host(HostAnswer::Nothing(_)) | FirstAnswer::Line { .. } => PathAnswer::Nothing,
        }
    }

    /// Returns the decoded path below the root of a redirect's destination; none on another site.
    fn own_path(&self, to: &str) -> Option<String> {
        let origin = self.contract.site.origin.as_ref().map(|origin| origin.as_str().trim_end_matches('/'));
        let to = origin.and_then(|origin| to.strip_prefix(origin)).unwrap_or(to);
        let path = UrlReference::new(to.strip_prefix(self.base_path()).or(to.strip_prefix('/'))?).path();
        Some(decode_lossy(path).into_owned())
    }

    /// Whether the host reads a file, but does not serve it. Others serve such files, as GitLab Pages does.
    fn is_hidden(&self, file: &str) -> bool {
        let host =
            self.contract.site.host.filter(|host| matches!(host, Host::Netlify | Host::CloudflarePages));
        host.is_some_and(|host| host.facts().files_of_export().any(|name| name == file))
    }

    fn not_found(&self, uri: &Uri, method: &Method, request: &HeaderMap) -> PreviewResponse {
        let requested = decode_lossy(uri.path());
        let path = requested.strip_prefix(self.base_path()).unwrap_or_default();
        let is_gone = self.contract.permalinks.answers_410(&requested, self.host.added_html());
        let status = if is_gone { StatusCode::GONE } else { StatusCode::NOT_FOUND };
        if let Some(page) =
            self.host.not_found(path.as_bytes(), self.contract.site.not_found_file(), &self.files)
        {
            return self.file(&page, status, method, request);
        }
        let falls_back = || self.contract.site.host.is_some_and(|host| host.facts().falls_back_to_home_page);
        match self.files.find(INDEX.as_bytes()).filter(|_| !is_gone && falls_back()) {
            Some(home) => self.file(&home, StatusCode::OK, method, request),
            None => plain(status, &format!("{status}\n")),
        }
    }

    fn file(&self, path: &str, status: StatusCode, method: &Method, request: &HeaderMap) -> PreviewResponse {
        let file = match OpenFile::open(&self.files.path(path)) {
            Ok(file) => file,
            Err(error) => return unreadable(path, &error),
        };
        let content_type = content_type(path);
        let is_large = file.length >= MIN_COMPRESSED as u64;
        let coding = if is_large && is_compressible(&content_type) { accepted_coding(request) } else { None };
        let mut headers = self.headers(path, &content_type, file.content().map(|(_, identity)| identity));
        let mut etag = None;
        if let Some((content, identity)) = file.content() {
            let suffix = coding.map_or_else(String::new, |coding| format!("-{}", coding.as_str()));
            let etag = etag.insert(format!("\"{identity}{suffix}\""));
            set(&mut headers, header::ETAG, etag);
            if status == StatusCode::OK && is_unchanged(request, etag) {
                return response(StatusCode::NOT_MODIFIED, headers, Bytes::new().into());
            }
            if let Some(coding) = coding {
                set(&mut headers, header::CONTENT_ENCODING, coding.as_str());
                let body = self.compressed.get(etag, content, coding, method == Method::HEAD);
                return response(status, headers, body);
            }
        }
        let length = file.length;
        let requested = match (status, method) {
            (StatusCode::OK, &Method::GET) => requested_part(request, length, etag.as_deref()),
            _ => RequestedPart::Whole,
        };
        match requested {
            RequestedPart::Whole => response(status, headers, file.body(0..length)),
            RequestedPart::Outside => {
                set(&mut headers, header::CONTENT_RANGE, &format!("bytes */{length}"));
                response(StatusCode::RANGE_NOT_SATISFIABLE, headers, Bytes::new().into())
            }
            RequestedPart::Range(range) => {
                let content_range = format!("bytes {}-{}/{length}", range.start, range.end - 1);
                set(&mut headers, header::CONTENT_RANGE, &content_range);
                response(StatusCode::PARTIAL_CONTENT, headers, file.body(range))
            }
        }
    }

    /// Returns the headers that `_headers` of the export sets on a file: one value for each rule.
    fn headers_of_export(&self, path: &str) -> Vec<(HeaderName, HeaderValue)> {
        let site = &self.contract.site;
        let is_read = site.host.is_some_and(|host| host.facts().reads_headers_file);
        let found = self.files.find(HEADERS_FILE.as_bytes()).filter(|_| is_read);
        let Some(source) = found.and_then(|name| fs::read(self.files.path(&name)).ok()) else {
            return Vec::new();
        };
        let file = HeadersFile::parse(&source, site.host, site.origin.as_ref());
        let names: BTreeSet<String> = file.all().map(|(_, name, _)| name.to_ascii_lowercase()).collect();
        let names = names.iter().filter_map(|name| HeaderName::try_from(name).ok());
        let paths = self.header_paths(path);
        // The preview must describe what it sends.
        let names = names.filter(|name| !OWN_HEADERS.contains(name));
        let values = names.flat_map(|name| {
            let lines = file.lines(&paths, name.as_str()).into_iter();
            let values = lines.filter_map(|line| HeaderValue::try_from(&line.value).ok());
            values.map(|value| (name.clone(), value)).collect::<Vec<_>>()
        });
        values.collect()
    }

    /// Returns the paths of a file for patterns of `_headers`.
    fn header_paths(&self, path: &str) -> Vec<String> {
        let folder = path.strip_suffix(INDEX).filter(|folder| folder.is_empty() || folder.ends_with('/'));
        let page = path.strip_suffix(".html").filter(|_| self.host.adds_html() && folder.is_none());
        let own = Some(path).filter(|_| !(self.host.drops_html() && path.ends_with(".html")));
        let bare = folder.map(|folder| folder.trim_end_matches('/'));
        own.into_iter().chain(page).chain(folder).chain(bare).map(|form| format!("/{form}")).collect()
    }

    /// Returns the headers of a file, uncompressed. The contract takes precedence over `_headers`.
    fn headers(&self, path: &str, content_type: &str, identity: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        set(&mut headers, header::CONTENT_TYPE, content_type);
        // A reload must show a rebuilt export, unless the contract sets this header.
        set(&mut headers, header::CACHE_CONTROL, "no-cache");
        set(&mut headers, header::ACCEPT_RANGES, "bytes");
        if is_compressible(content_type) {
            set(&mut headers, header::VARY, "Accept-Encoding");
        }
        let set_by_export = self.headers_of_export(path);
        for (name, _) in &set_by_export {
            headers.remove(name);
        }
        headers.extend(set_by_export);
        let mut add = |name: &str, value: &str| {
            if let Ok(name) = HeaderName::try_from(name) {
                set(&mut headers, name, value);
            }
        };
        if let Some(auto) = &self.auto {
            let own = auto.of_file(&self.contract, &self.files.path(""), path, identity);
            for (name, value) in &own {
                add(name, value);
            }
        } else {
            let own = self.contract.headers_for(path);
            for (name, value) in &own {
                add(name, value);
            }
        }
        headers
    }
}

/// Reports a file that cannot be read.
fn unreadable(path: &str, error: &io::Error) -> PreviewResponse {
    // EMFILE and ENFILE: too many open files.
    let status = match error.raw_os_error() {
        Some(23 | 24) if cfg!(unix) => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    plain(status, &format!("{path}: {error}\n"))
}

/// Formats a path of the site as `Location`, with the query of the request.
fn location(path: &str, request: &Uri) -> String {
    format!("{}{}", escape_path(path), query_of(request))
}

/// Returns the query of a request with its `?`; empty if it has none.
fn query_of(request: &Uri) -> String {
    request.query().map_or_else(String::new, |query| format!("?{query}"))
}

/// Converts a status; 404 if it is invalid.
fn code(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap_or(StatusCode::NOT_FOUND)
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::try_from(value) {
        headers.insert(name, value);
    }
}

fn response(status: StatusCode, headers: HeaderMap, body: PreviewBody) -> PreviewResponse {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

fn plain(status: StatusCode, text: &str) -> PreviewResponse {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response(status, headers, text.to_owned().into())
}

fn redirect(status: StatusCode, location: &str) -> PreviewResponse {
    let mut answer = plain(status, "");
    set(answer.headers_mut(), header::LOCATION, location);
    answer
}
