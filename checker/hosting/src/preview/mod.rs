//! Previews an export on this machine: paths as its host answers them, headers as the contract sets them.

mod asked;
mod compressed;
mod disk;
pub mod server;

use std::fs;
use std::path::Path;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode, Uri};
use percent_encoding::percent_decode_str;
use sha2::{Digest, Sha256};

use crate::compression::MIN_COMPRESSED;
use crate::media::{content_type, is_text};
use asked::{coding, is_unchanged, range};
use compressed::CompressedBodies;
use disk::Disk;
use sitegate_check::contract::Contract;
use sitegate_check::hex::hex;
use sitegate_check::resolve::answer::{Files, HostAnswer, HostProfile};
use sitegate_check::resolve::path::{escape_path, escape_reference};
use sitegate_check::resolve::redirects::{self, FirstAnswer, MAX_HOPS, Redirects};

/// An export and how it is to be answered.
pub struct Preview {
    disk: Disk,
    contract: Contract,
    host: HostProfile,
    compressed: CompressedBodies,
}

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
enum PathAnswer {
    /// A file, by its path below the root with `/`.
    File(StatusCode, String),
    /// Another address.
    Elsewhere(StatusCode, String),
    /// What another site answers, passed on under this address.
    PassedOn(String),
    /// Nothing.
    Nothing,
}

/// What the preview sends.
pub type PreviewResponse = Response<Full<Bytes>>;

impl Preview {
    /// Makes ready to answer for the export in `root`.
    ///
    /// # Errors
    /// When `root` is not a folder, or the contract sets a header that HTTP does not allow.
    pub fn new(root: &Path, contract: Contract) -> Result<Preview, String> {
        let disk = Disk::new(root).map_err(|error| format!("{}: {error}", root.display()))?;
        if !root.is_dir() {
            return Err(format!("{}: not a directory", root.display()));
        }
        for (name, value) in contract.headers.iter().flat_map(|rule| &rule.set) {
            let known = HeaderName::try_from(name.as_str()).is_ok() && HeaderValue::try_from(value).is_ok();
            if !known {
                return Err(format!("{}: `{name}: {value}` is not a valid header", contract.name()));
            }
        }
        let host = HostProfile::of(&contract.site);
        Ok(Preview { disk, contract, host, compressed: CompressedBodies::default() })
    }

    /// Answers one request.
    pub fn answer<B>(&self, request: &Request<B>) -> PreviewResponse {
        if request.method() != Method::GET && request.method() != Method::HEAD {
            let mut answer = plain(StatusCode::METHOD_NOT_ALLOWED, "405 Method Not Allowed\n");
            answer.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            return answer;
        }
        match self.find(request.uri()) {
            Ok(PathAnswer::File(status, path)) => self.file(&path, status, request.headers()),
            Ok(PathAnswer::Elsewhere(status, location)) => redirect(status, &location),
            Ok(PathAnswer::PassedOn(to)) => {
                let text =
                    format!("502: the host passes on what {to} answers; the preview asks no other site\n");
                plain(StatusCode::BAD_GATEWAY, &text)
            }
            Ok(PathAnswer::Nothing) => self.not_found(request.uri(), request.headers()),
            Err(error) => plain(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error}\n")),
        }
    }

    /// The path that the export is deployed under.
    fn base_path(&self) -> &str {
        &self.contract.site.base_path
    }

    /// Finds what a request's path leads to. The redirects file is read each time, since a rebuilt export must show
    /// at the next reload.
    fn find(&self, uri: &Uri) -> Result<PathAnswer, String> {
        let Ok(decoded) = percent_decode_str(uri.path()).decode_utf8() else {
            return Ok(PathAnswer::Nothing);
        };
        let base = self.base_path();
        if base.len() > 1 && *decoded == base[..base.len() - 1] {
            return Ok(PathAnswer::Elsewhere(StatusCode::FOUND, spelt(base, uri)));
        }
        let Some(path) = decoded.strip_prefix(base) else { return Ok(PathAnswer::Nothing) };
        let file = self.disk.find(redirects::FILE_NAME.as_bytes()).map(|file| self.disk.path(&file));
        let redirects = Redirects::read(file.as_deref(), self.contract.site.host, &self.contract.redirects)?;
        Ok(self.look_up(path, uri, &redirects, 0))
    }

    /// What a path below the root leads to.
    fn look_up(&self, path: &str, uri: &Uri, redirects: &Redirects, hops: usize) -> PathAnswer {
        let mut path = path.as_bytes().to_vec();
        match redirects.answer(self.host, &mut path, &self.disk) {
            FirstAnswer::Host(HostAnswer::File { file, .. }) => PathAnswer::File(StatusCode::OK, file),
            FirstAnswer::Host(HostAnswer::Redirect { status }) => {
                let to = format!("{}{}", self.base_path(), String::from_utf8_lossy(&path));
                PathAnswer::Elsewhere(code(status), spelt(&to, uri))
            }
            FirstAnswer::Line { line, to, .. } if line.sends_on() => {
                PathAnswer::Elsewhere(code(line.status), escape_reference(&to))
            }
            FirstAnswer::Line { line, to, .. } if hops < MAX_HOPS => {
                let Some(path) = self.own_path(&to) else { return PathAnswer::PassedOn(to) };
                match self.look_up(&path, uri, redirects, hops + 1) {
                    PathAnswer::File(_, file) => PathAnswer::File(code(line.status), file),
                    other => other,
                }
            }
            FirstAnswer::Host(HostAnswer::Nothing(_)) | FirstAnswer::Line { .. } => PathAnswer::Nothing,
        }
    }

    /// The decoded path below the root that a redirect's destination names; none on another site.
    fn own_path(&self, to: &str) -> Option<String> {
        let origin = self.contract.site.origin.as_ref().map(|origin| origin.as_str().trim_end_matches('/'));
        let to = origin.and_then(|origin| to.strip_prefix(origin)).unwrap_or(to);
        let path = to.strip_prefix(self.base_path()).or(to.strip_prefix('/'))?.split(['?', '#']).next()?;
        Some(percent_decode_str(path).decode_utf8_lossy().into_owned())
    }

    fn not_found(&self, uri: &Uri, request: &HeaderMap) -> PreviewResponse {
        let asked = percent_decode_str(uri.path()).decode_utf8_lossy();
        let path = asked.strip_prefix(self.base_path()).unwrap_or_default();
        match self.host.not_found(path.as_bytes(), self.contract.site.not_found_file(), &self.disk) {
            Some(path) => self.file(&path, StatusCode::NOT_FOUND, request),
            None => plain(StatusCode::NOT_FOUND, "404 Not Found\n"),
        }
    }

    fn file(&self, path: &str, status: StatusCode, request: &HeaderMap) -> PreviewResponse {
        let body = match fs::read(self.disk.path(path)) {
            Ok(body) => Bytes::from(body),
            Err(error) => return plain(StatusCode::INTERNAL_SERVER_ERROR, &format!("{path}: {error}\n")),
        };
        let content_type = content_type(path);
        let coding = coding(request).filter(|_| body.len() >= MIN_COMPRESSED && is_text(&content_type));
        let digest = hex(&Sha256::digest(&body)[..16]);
        let etag = match coding {
            None => format!("\"{digest}\""),
            Some(coding) => format!("\"{digest}-{}\"", coding.as_str()),
        };
        let mut headers = self.headers(path, &content_type, &etag);
        if status == StatusCode::OK && is_unchanged(request, &etag) {
            return response(StatusCode::NOT_MODIFIED, headers, Bytes::new());
        }
        if let Some(coding) = coding {
            set(&mut headers, header::CONTENT_ENCODING, coding.as_str());
            return response(status, headers, self.compressed.get(digest, coding, &body));
        }
        match range(request, body.len()).filter(|_| status == StatusCode::OK) {
            Some(Ok(range)) => {
                let place = format!("bytes {}-{}/{}", range.start, range.end - 1, body.len());
                set(&mut headers, header::CONTENT_RANGE, &place);
                response(StatusCode::PARTIAL_CONTENT, headers, body.slice(range))
            }
            Some(Err(())) => {
                set(&mut headers, header::CONTENT_RANGE, &format!("bytes */{}", body.len()));
                response(StatusCode::RANGE_NOT_SATISFIABLE, headers, Bytes::new())
            }
            None => response(status, headers, body),
        }
    }

    /// The headers of a file, whole and not compressed; the contract has the last word.
    fn headers(&self, path: &str, content_type: &str, etag: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        set(&mut headers, header::CONTENT_TYPE, content_type);
        // A rebuilt export must show at the next reload, whatever the contract leaves unsaid.
        set(&mut headers, header::CACHE_CONTROL, "no-cache");
        set(&mut headers, header::ETAG, etag);
        set(&mut headers, header::ACCEPT_RANGES, "bytes");
        if is_text(content_type) {
            set(&mut headers, header::VARY, "Accept-Encoding");
        }
        for (name, value) in self.contract.headers_for(&format!("/{path}")) {
            if let Ok(name) = HeaderName::try_from(name) {
                set(&mut headers, name, value);
            }
        }
        headers
    }
}

/// A path of the site as a `Location`, with the query of the request.
fn spelt(path: &str, asked: &Uri) -> String {
    let query = asked.query().map_or_else(String::new, |query| format!("?{query}"));
    format!("{}{query}", escape_path(path))
}

/// A status by its number; 404 where HTTP knows none such.
fn code(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap_or(StatusCode::NOT_FOUND)
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::try_from(value) {
        headers.insert(name, value);
    }
}

fn response(status: StatusCode, headers: HeaderMap, body: Bytes) -> PreviewResponse {
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

fn plain(status: StatusCode, text: &str) -> PreviewResponse {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response(status, headers, Bytes::from(text.to_owned()))
}

fn redirect(status: StatusCode, location: &str) -> PreviewResponse {
    let mut answer = plain(status, "");
    set(answer.headers_mut(), header::LOCATION, location);
    answer
}
