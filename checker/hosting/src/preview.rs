//! Previews an export on this machine with the manners of an S3 website behind a CDN.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fs;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, Uri};
use hyper_util::rt::{TokioIo, TokioTimer};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;

use crate::compression::{Coding, Effort, MIN_COMPRESSED};
use crate::headers::STATE;
use crate::media::{content_type, is_text};
use sitegate_check::contract::{Contract, TrailingSlash};
use sitegate_check::hex::hex;

/// Compressed bodies that are kept, in bytes.
const KEPT: usize = 64 << 20;

/// What must be encoded in the path of a `Location`.
const PATH: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>').add(b'?').add(b'`').add(b'%');

/// An export and how it is to be answered.
pub struct Preview {
    root: PathBuf,
    config: Contract,
    compressed: Mutex<HashMap<(String, Coding), Bytes>>,
}

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    /// A file, by its path below the root with `/`.
    File(String),
    /// Another spelling of the same address.
    Elsewhere(StatusCode, String),
    /// Nothing.
    Nothing,
}

type Answer = Response<Full<Bytes>>;

impl Preview {
    /// Makes ready to answer for the export in `root`.
    ///
    /// # Errors
    /// When `root` is no folder, or the contract sets a header that HTTP does not allow.
    pub fn new(root: &Path, config: Contract) -> Result<Preview, String> {
        let real = fs::canonicalize(root).map_err(|error| format!("{}: {error}", root.display()))?;
        if !real.is_dir() {
            return Err(format!("{}: not a directory", root.display()));
        }
        for (name, value) in config.headers.iter().flat_map(|rule| &rule.set) {
            let known = HeaderName::try_from(name.as_str()).is_ok() && HeaderValue::try_from(value).is_ok();
            if !known {
                return Err(format!("{}: `{name}: {value}` is no valid header", config.name()));
            }
        }
        Ok(Preview { root: real, config, compressed: Mutex::default() })
    }

    /// Listens on 127.0.0.1 and answers until Ctrl-C, or until `limit` has passed. `ready` is told the
    /// address.
    ///
    /// # Errors
    /// When the port is taken or may not be used.
    pub fn run(
        self,
        port: u16,
        limit: Option<Duration>,
        ready: impl FnOnce(&str) -> io::Result<()>,
    ) -> Result<(), String> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.map_err(|error| error.to_string())?.block_on(self.listen(port, limit, ready))
    }

    async fn listen(
        self,
        port: u16,
        limit: Option<Duration>,
        ready: impl FnOnce(&str) -> io::Result<()>,
    ) -> Result<(), String> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = TcpListener::bind(address).await.map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => {
                format!(
                    "port {port} is in use; choose another with `--port N`, or any free one with `--port 0`"
                )
            }
            _ => format!("{address}: {error}"),
        })?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let url = format!("http://{address}{}", self.config.site.base_path);
        ready(&url).map_err(|error| error.to_string())?;
        let preview = Arc::new(self);
        let serve = async {
            loop {
                // A connection that failed before it was accepted concerns nobody else.
                let Ok((stream, _)) = listener.accept().await else { continue };
                let preview = Arc::clone(&preview);
                tokio::spawn(async move {
                    let service = service_fn(move |request: Request<hyper::body::Incoming>| {
                        let preview = Arc::clone(&preview);
                        async move { Ok::<_, Infallible>(preview.answer(&request)) }
                    });
                    let mut server = hyper::server::conn::http1::Builder::new();
                    let connection = server.timer(TokioTimer::new());
                    // A browser that hangs up early is no failure of the server.
                    let _ = connection.serve_connection(TokioIo::new(stream), service).await;
                });
            }
        };
        let end = async {
            match limit {
                Some(limit) => tokio::time::sleep(limit).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = serve => Ok(()),
            () = end => Ok(()),
            stopped = tokio::signal::ctrl_c() => stopped.map_err(|error| error.to_string()),
        }
    }

    fn answer<B>(&self, request: &Request<B>) -> Answer {
        if request.method() != Method::GET && request.method() != Method::HEAD {
            let mut answer = plain(StatusCode::METHOD_NOT_ALLOWED, "405 Method Not Allowed\n");
            answer.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            return answer;
        }
        if let Some(to) = self.moved(request.uri()) {
            return redirect(StatusCode::MOVED_PERMANENTLY, &to);
        }
        match self.find(request.uri()) {
            Found::File(path) => self.file(&path, StatusCode::OK, request.headers()),
            Found::Elsewhere(status, location) => redirect(status, &location),
            Found::Nothing => self.not_found(request.headers()),
        }
    }

    /// Where the contract says that an address moved to; it is asked first, as the edge would be.
    fn moved(&self, uri: &Uri) -> Option<String> {
        let path = uri.path().strip_prefix(self.config.site.base_path.trim_end_matches('/'))?;
        let path = path.trim_end_matches('/');
        self.config
            .redirects
            .iter()
            .find(|redirect| redirect.from == path)
            .map(|redirect| redirect.to.clone())
    }

    /// Finds what a request's path leads to, without ever leaving the root.
    fn find(&self, uri: &Uri) -> Found {
        let Ok(decoded) = percent_decode_str(uri.path()).decode_utf8() else { return Found::Nothing };
        let base = self.config.site.base_path.as_str();
        let elsewhere = |status, path: &str| {
            let query = uri.query().map_or_else(String::new, |query| format!("?{query}"));
            Found::Elsewhere(status, format!("{}{query}", utf8_percent_encode(path, PATH)))
        };
        if base.len() > 1 && *decoded == base[..base.len() - 1] {
            return elsewhere(StatusCode::FOUND, base);
        }
        let Some(path) = decoded.strip_prefix(base) else { return Found::Nothing };
        let folder = path.strip_suffix('/').unwrap_or(path);
        let escapes = |segment| matches!(segment, "" | "." | "..");
        if !path.is_empty() && folder.split('/').any(escapes) || path.contains(['\\', '\0']) {
            return Found::Nothing;
        }
        // What `publish` remembers in a folder is no part of the site.
        if path.starts_with(STATE) {
            return Found::Nothing;
        }
        let never = self.config.site.trailing_slash == TrailingSlash::Never;
        if path.is_empty() || path.ends_with('/') {
            if never && !path.is_empty() {
                return elsewhere(StatusCode::MOVED_PERMANENTLY, &format!("{base}{folder}"));
            }
            return self.existing(format!("{path}index.html"));
        }
        let file = self.existing(path.to_owned());
        let index = match file {
            Found::Nothing => self.existing(format!("{path}/index.html")),
            file => return file,
        };
        match index {
            Found::File(_) if !never => elsewhere(StatusCode::FOUND, &format!("{base}{path}/")),
            index => index,
        }
    }

    /// The file at a path, if it is one and no symbolic link leads out of the root.
    fn existing(&self, path: String) -> Found {
        let real = fs::canonicalize(self.root.join(&path));
        match real {
            Ok(real) if real.starts_with(&self.root) && real.is_file() => Found::File(path),
            _ => Found::Nothing,
        }
    }

    fn not_found(&self, request: &HeaderMap) -> Answer {
        let page = self.config.site.not_found.as_ref().map_or("404.html", |name| &name.value);
        match self.existing(page.trim_start_matches('/').to_owned()) {
            Found::File(path) => self.file(&path, StatusCode::NOT_FOUND, request),
            _ => plain(StatusCode::NOT_FOUND, "404 Not Found\n"),
        }
    }

    fn file(&self, path: &str, status: StatusCode, request: &HeaderMap) -> Answer {
        let body = match fs::read(self.root.join(path)) {
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
        let mut headers = HeaderMap::new();
        let mut set = |name: HeaderName, value: &str| {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(name, value);
            }
        };
        set(header::CONTENT_TYPE, &content_type);
        // A rebuilt export must show at the next reload, whatever the contract leaves unsaid.
        set(header::CACHE_CONTROL, "no-cache");
        set(header::ETAG, &etag);
        set(header::ACCEPT_RANGES, "bytes");
        if is_text(&content_type) {
            set(header::VARY, "Accept-Encoding");
        }
        for (name, value) in self.config.headers_for(&format!("/{path}")) {
            if let Ok(name) = HeaderName::try_from(name) {
                set(name, value);
            }
        }
        if status == StatusCode::OK && is_unchanged(request, &etag) {
            return answer(StatusCode::NOT_MODIFIED, headers, Bytes::new());
        }
        if let Some(coding) = coding {
            if let Ok(value) = HeaderValue::try_from(coding.as_str()) {
                headers.insert(header::CONTENT_ENCODING, value);
            }
            let body = self.compressed(digest, coding, &body);
            return answer(status, headers, body);
        }
        match range(request, body.len()) {
            Some(Ok(range)) if status == StatusCode::OK => {
                let place = format!("bytes {}-{}/{}", range.start, range.end - 1, body.len());
                if let Ok(place) = HeaderValue::try_from(place) {
                    headers.insert(header::CONTENT_RANGE, place);
                }
                answer(StatusCode::PARTIAL_CONTENT, headers, body.slice(range))
            }
            Some(Err(())) if status == StatusCode::OK => {
                if let Ok(place) = HeaderValue::try_from(format!("bytes */{}", body.len())) {
                    headers.insert(header::CONTENT_RANGE, place);
                }
                answer(StatusCode::RANGE_NOT_SATISFIABLE, headers, Bytes::new())
            }
            _ => answer(status, headers, body),
        }
    }

    /// A body in compressed form, kept by its digest so that each is compressed once.
    fn compressed(&self, digest: String, coding: Coding, body: &Bytes) -> Bytes {
        let key = (digest, coding);
        if let Some(known) = self.compressed.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let made = Bytes::from(coding.compress(body, Effort::Quick));
        let mut kept = self.compressed.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.values().map(Bytes::len).sum::<usize>() + made.len() > KEPT {
            kept.clear();
        }
        kept.insert(key, made.clone());
        made
    }
}

/// The best compression that a client takes.
fn coding(request: &HeaderMap) -> Option<Coding> {
    let accepted = request.get(header::ACCEPT_ENCODING)?.to_str().ok()?;
    let takes = |wanted: &str| {
        accepted.split(',').any(|entry| {
            let mut parts = entry.split(';').map(str::trim);
            let refused = |part: &str| part.strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
            parts.next().is_some_and(|name| name.eq_ignore_ascii_case(wanted)) && !parts.any(refused)
        })
    };
    if takes("br") {
        Some(Coding::Brotli)
    } else if takes("gzip") {
        Some(Coding::Gzip)
    } else {
        None
    }
}

fn is_unchanged(request: &HeaderMap, etag: &str) -> bool {
    let known = request.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    known.is_some_and(|known| {
        known.split(',').map(str::trim).any(|tag| tag == "*" || tag.trim_start_matches("W/") == etag)
    })
}

/// The one range of bytes that is asked for: `None` where there is none to heed, an error where it lies
/// outside the body. Several ranges at once are answered with the whole.
fn range(request: &HeaderMap, length: usize) -> Option<Result<std::ops::Range<usize>, ()>> {
    let asked = request.get(header::RANGE)?.to_str().ok()?.strip_prefix("bytes=")?;
    let (first, last) = asked.split_once('-')?;
    let range = match (first.trim(), last.trim()) {
        ("", suffix) => length.saturating_sub(suffix.parse().ok()?)..length,
        (first, "") => first.parse().ok()?..length,
        (first, last) => first.parse().ok()?..last.parse::<usize>().ok()?.saturating_add(1).min(length),
    };
    Some(if range.start < range.end { Ok(range) } else { Err(()) })
}

fn answer(status: StatusCode, headers: HeaderMap, body: Bytes) -> Answer {
    let mut answer = Response::new(Full::new(body));
    *answer.status_mut() = status;
    *answer.headers_mut() = headers;
    answer
}

fn plain(status: StatusCode, text: &str) -> Answer {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    answer(status, headers, Bytes::from(text.to_owned()))
}

fn redirect(status: StatusCode, location: &str) -> Answer {
    let mut answer = plain(status, "");
    if let Ok(location) = HeaderValue::try_from(location) {
        answer.headers_mut().insert(header::LOCATION, location);
    }
    answer
}

/// Writes the address where people look for it, at once, even into a pipe.
///
/// # Errors
/// When the writer fails; a reader that has gone is no failure.
pub fn announce(out: &mut dyn Write, url: &str, root: &Path) -> io::Result<()> {
    let text = format!("{url}\nserving {}; Ctrl-C stops\n", root.display());
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
