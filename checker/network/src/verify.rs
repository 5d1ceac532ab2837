//! Verifies that a live site matches its seal: every file's bytes, and every page with and without a trailing
//! slash.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures_util::FutureExt;
use http::{Method, StatusCode, header};
use serde::Serialize;
use sha2::{Digest, Sha256};
use sitegate_address::{SitePath, percent};
use url::Url;

use crate::answer::Answer;
use crate::client::{GuardedClient, allowed_addresses, authorities};
use crate::request_failure::RequestFailure;
use crate::resolver::HostSource;
use crate::scheduler::{Reply, RequestOutcome, Scheduler};
use crate::settings::{HostSettings, Settings};
use sitegate_address::percent::escape_path;
use sitegate_base::hex::hex;
use sitegate_base::plural::count;
use sitegate_check::{Contract, ContractError, Seal, SealedFile, UnlikeHeader, unlike_headers};
use sitegate_host::answer::{Files, HostAnswer, HostProfile};
use sitegate_host::media;
use sitegate_host::redirect_page::{SCRIPT_HASH, allows_script, redirect_page};
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::machine::{Machine, ThisMachine};
use sitegate_publish::post_publish::SiteVerifier;
use sitegate_publish::target::MIN_BYTES_PER_SECOND;
use sitegate_publish::target_state::pending::SiteUrl;

/// Pause between two verifications.
const PAUSE: Duration = Duration::from_secs(2);

/// Maximum number of concurrent requests.
const MAX_REQUESTS: usize = 16;

/// A response that differs from the seal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct WrongResponse {
    /// The URL.
    pub url: String,
    /// The difference.
    pub message: String,
}

/// The result of a verification.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verification {
    /// The number of requests.
    pub requests: usize,
    /// The responses that differ from the seal.
    pub wrong: Vec<WrongResponse>,
    /// The reason why no request got a response.
    #[serde(skip)]
    pub unreachable: Option<RequestFailure>,
}

/// A request, and the response to expect.
#[derive(Clone)]
struct Expectation<'q> {
    url: String,
    method: Method,
    expected: ExpectedAnswer<'q>,
}

#[derive(Clone)]
enum ExpectedAnswer<'q> {
    /// This file, with this status.
    File { file: &'q SealedFile, status: StatusCode },
    /// This file, or a redirect to this URL.
    FileOrRedirect { file: &'q SealedFile, to: String },
    /// A redirect to this URL, or a redirect page.
    Redirect { to: &'q str },
    /// Only a status.
    Status(StatusCode),
}

/// Parses the URL of a site.
///
/// # Errors
/// [`FailureKind::Usage`] when it is no site's URL.
pub(crate) fn parse_site_url(base: &str) -> Result<Url, Failure> {
    let parse_site_url = Url::parse(base).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none()
    });
    parse_site_url.ok_or_else(|| {
        let message = format!("`{base}` is not the URL of a site, such as https://www.example.com");
        Failure::new(FailureKind::Usage, message)
    })
}

/// Requests everything in the seal from the site at `base`.
///
/// # Errors
/// [`FailureKind::Usage`] when `base` is not the URL of a site, or the contract's certificates cannot be read.
pub async fn verify(
    base: SiteUrl<'_>,
    seal: &Seal,
    config: &Contract,
    timeout: Duration,
) -> Result<Verification, Failure> {
    let (mut root_url, source) = match base {
        SiteUrl::CommandLine(url) => {
            let url = parse_site_url(url)?;
            let source = HostSource::command_line(&url);
            (url, source)
        }
        SiteUrl::Recorded(url) => (parse_site_url(url)?, HostSource::Content),
    };
    // The user name and password are sent only in a request header.
    let login = login(&mut root_url);
    let settings = settings(config, source, timeout)
        .map_err(|error| Failure::new(FailureKind::Usage, error.to_string()))?;
    // Compression is off, since the sealed bytes are compared.
    let client = GuardedClient::new(&settings)
        .map_err(|error| Failure::new(FailureKind::Failed, error.to_string()))?;
    let mut scheduler = Scheduler::new(Arc::new(settings));
    for expectation in expectations(root_url.as_str().trim_end_matches('/'), seal, config) {
        scheduler.push(&root_url, expectation);
    }
    let (mut wrong, mut has_answers, mut unreachable) = (Vec::new(), false, None);
    while let Some((expectation, reply)) = scheduler
        .next(|expectation, _| {
            request(client.clone(), login.clone(), timeout, expectation.clone(), config).boxed()
        })
        .await
    {
        let message = match reply {
            Reply::Answer(answer) => {
                has_answers = true;
                let Err(mismatch) = answer else { continue };
                mismatch.to_string()
            }
            Reply::Failed(failure) => {
                unreachable = Some(failure.clone());
                format!("no response: {failure}")
            }
            Reply::GivenUp(failure) => {
                format!("not requested, because other requests got no response: {failure}")
            }
        };
        let Expectation { url, method, .. } = expectation;
        wrong.push(WrongResponse {
            url: if method == Method::HEAD { format!("HEAD {url}") } else { url },
            message,
        });
    }
    wrong.sort();
    let unreachable = if has_answers { None } else { unreachable };
    Ok(Verification { requests: scheduler.requests(), wrong, unreachable })
}

/// Returns the settings of requests. Their pace is fast: the site is the publisher's own.
fn settings(config: &Contract, source: HostSource, timeout: Duration) -> Result<Settings, ContractError> {
    let host = HostSettings {
        concurrency: MAX_REQUESTS,
        interval: Duration::ZERO,
        is_pace_chosen: true,
        ..HostSettings::default()
    };
    let mut settings = Settings { host, connect: timeout, ..Settings::default() };
    concat!("sitegate/", env!("CARGO_PKG_VERSION")).clone_into(&mut settings.user_agent);
    settings.authorities = authorities(config)?;
    settings.resolver.allowed = allowed_addresses(config)?;
    settings.resolver.source = source;
    Ok(settings)
}

/// Verifies a live site repeatedly until it matches the seal, or `patience` ends.
///
/// # Errors
/// As [`verify`].
pub async fn verify_until(
    url: SiteUrl<'_>,
    seal: &Seal,
    config: &Contract,
    timeout: Duration,
    patience: Duration,
) -> Result<Verification, Failure> {
    let end = Instant::now() + patience;
    loop {
        let found = verify(url, seal, config, timeout).await?;
        if found.wrong.is_empty() || Instant::now() >= end {
            return Ok(found);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Verifies live sites over the network.
#[derive(Clone, Copy, Debug)]
pub struct LiveVerifier;

#[async_trait]
impl SiteVerifier for LiveVerifier {
    fn refuse_url(&self, url: &str) -> Result<(), Failure> {
        parse_site_url(url).map(drop)
    }

    async fn verify(
        &self,
        url: SiteUrl<'_>,
        shown: &str,
        seal: &Seal,
        contract: &Contract,
        [timeout, patience]: [Duration; 2],
    ) -> Result<Result<(), Failure>, Failure> {
        Ok(verify_until(url, seal, contract, timeout, patience).await?.or_fail(shown))
    }
}

impl Verification {
    /// Turns differences into a failure.
    ///
    /// # Errors
    /// [`FailureKind::Unverified`] when there is a difference.
    pub fn or_fail(&self, url: &str) -> Result<(), Failure> {
        if self.wrong.is_empty() {
            return Ok(());
        }
        if let Some(reason) = &self.unreachable {
            let message = format!("{url}: {reason}; nothing was compared");
            let failure = Failure::new(FailureKind::Unverified, message);
            return Err(if reason.is_private() {
                failure.help("name it by `--verify` again, or add it to `allow-addresses` of the contract")
            } else {
                failure
            });
        }
        let names = self.wrong.iter().map(|wrong| format!("{}  {}", wrong.url, wrong.message));
        let responses = count(self.wrong.len(), "response");
        let differ = if self.wrong.len() == 1 { "differs" } else { "differ" };
        let message = format!("{url}: {responses} {differ} from the seal");
        Err(Failure::new(FailureKind::Unverified, message).names(names))
    }
}

/// Returns the requests to send: each file by its URLs on this host, each redirect, and a URL that does not
/// exist.
fn expectations<'q>(parse_site_url: &str, seal: &'q Seal, config: &'q Contract) -> Vec<Expectation<'q>> {
    let host = config.site.host_profile();
    let sealed = SealedPaths(&seal.files);
    let address = |path: &str| format!("{parse_site_url}/{}", escape_path(path));
    let mut expectations = Vec::new();
    let mut expectation = |url: String, method: Method, expected: ExpectedAnswer<'q>| {
        expectations.push(Expectation { url, method, expected });
    };
    for (at, file) in seal.files.iter().enumerate() {
        let path = file.path.as_str();
        for url_path in url_paths(host, path) {
            let mut resolved = url_path.clone().into_bytes();
            let answer = host.answer(&mut resolved, &sealed);
            if is_file(&answer, at) {
                if url_path != path {
                    expectation(address(&url_path), Method::HEAD, ExpectedAnswer::Status(StatusCode::OK));
                }
                let status = StatusCode::OK;
                expectation(address(&url_path), Method::GET, ExpectedAnswer::File { file, status });
                continue;
            }
            // Other redirects and missing pages are not this file's URLs. The check has reported links to them.
            let to = address(&String::from_utf8_lossy(&resolved));
            if matches!(answer, HostAnswer::Redirect { .. })
                && is_file(&host.answer(&mut resolved, &sealed), at)
            {
                expectation(address(&url_path), Method::GET, ExpectedAnswer::FileOrRedirect { file, to });
            }
        }
    }
    for redirect in &config.redirects {
        let url = address(redirect.from.trim_start_matches('/'));
        expectation(url, Method::GET, ExpectedAnswer::Redirect { to: &redirect.to });
    }
    let missing = format!("{parse_site_url}/sitegate-{}", ThisMachine::default().random_id());
    let page = seal.files.iter().find(|file| file.path == config.site.not_found_file());
    expectation(missing.clone(), Method::HEAD, ExpectedAnswer::Status(StatusCode::NOT_FOUND));
    expectation(
        missing,
        Method::GET,
        match page {
            Some(file) => ExpectedAnswer::File { file, status: StatusCode::NOT_FOUND },
            None => ExpectedAnswer::Status(StatusCode::NOT_FOUND),
        },
    );
    expectations
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

    fn is_folder(&self, path: &[u8]) -> bool {
        let folder = [path, b"/"].concat();
        let at = self.0.partition_point(|file| file.path.as_bytes() < folder.as_slice());
        path.is_empty() || self.0.get(at).is_some_and(|file| file.path.as_bytes().starts_with(&folder))
    }
}

/// A user name and a password.
type Login = (String, Option<String>);

/// Removes the user name and password from a URL. Returns none if it has neither.
fn login(url: &mut Url) -> Option<Login> {
    let decoded = |text: &str| percent::decode_lossy(text).into_owned();
    let login = (decoded(url.username()), url.password().map(decoded));
    // A URL with a host supports both.
    let _ = url.set_username("").and_then(|()| url.set_password(None));
    (!login.0.is_empty() || login.1.is_some()).then_some(login)
}

/// Sends a request, and compares the response with the expected one.
async fn request(
    client: GuardedClient,
    login: Option<Login>,
    timeout: Duration,
    expectation: Expectation<'_>,
    config: &Contract,
) -> RequestOutcome<Result<(), Mismatch>> {
    // A large file may take longer than the timeout for a page.
    let size = match &expectation.expected {
        ExpectedAnswer::File { file, .. } | ExpectedAnswer::FileOrRedirect { file, .. } => file.size,
        ExpectedAnswer::Redirect { .. } | ExpectedAnswer::Status(_) => 0,
    };
    let timeout = timeout + Duration::from_secs(size / MIN_BYTES_PER_SECOND);
    let begun = match Url::parse(&expectation.url) {
        Ok(url) => client.request(expectation.method.clone(), &url).await,
        Err(error) => return RequestOutcome::Final(Err(Mismatch::NotUrl(error))),
    };
    let mut request = match begun {
        Ok(request) => request.timeout(timeout),
        Err(failure) => return RequestOutcome::Failed(failure),
    };
    if let Some((name, password)) = login {
        request = request.basic_auth(&name, &password.unwrap_or_default());
    }
    let answer = match request.send(timeout).await {
        Ok(answer) => answer,
        Err(failure) => return RequestOutcome::Failed(failure),
    };
    let (status, headers) = (answer.status, answer.headers.clone());
    match expectation.compare(answer, config).await {
        Err(Mismatch::CutOff(failure)) => RequestOutcome::Failed(failure),
        compared => RequestOutcome::from_status(status, &headers, compared),
    }
}

/// The difference between a response and the expected one.
#[derive(Debug, thiserror::Error)]
enum Mismatch {
    #[error("returns {found} instead of {expected}")]
    Status { found: u16, expected: u16 },
    #[error("`{name}` is `{found}` instead of `{expected}`")]
    Header { name: String, found: String, expected: String },
    #[error("the content differs from {0}")]
    Bytes(String),
    #[error("redirects to `{found}` instead of {expected}")]
    Redirect { found: String, expected: String },
    #[error("does not redirect to {0}")]
    NoRedirect(String),
    #[error("the policy blocks the script that keeps the fragment: add {SCRIPT_HASH} to script-src")]
    BlockedScript,
    #[error("this is no URL: {0}")]
    NotUrl(url::ParseError),
    #[error("the response was cut off: {0}")]
    CutOff(#[from] RequestFailure),
}

impl Expectation<'_> {
    /// Compares a response with the expected one.
    async fn compare(&self, answer: Answer, config: &Contract) -> Result<(), Mismatch> {
        let location = answer.headers.get(header::LOCATION).and_then(|value| value.to_str().ok());
        let resolve =
            |to: &str| Url::parse(&self.url).and_then(|url| sitegate_base::host_name::join(&url, to)).ok();
        let target = location.and_then(resolve);
        let found = location.unwrap_or_default().to_owned();
        let is_redirect = answer.status.is_redirection();
        match &self.expected {
            ExpectedAnswer::Status(status) => expect_status(&answer, *status),
            ExpectedAnswer::File { file, status } => expect_sealed(answer, file, *status, config).await,
            ExpectedAnswer::Redirect { to } if location.is_some() => {
                if is_redirect && target.is_some() && target == resolve(to) {
                    Ok(())
                } else {
                    Err(Mismatch::Redirect { found, expected: (*to).to_owned() })
                }
            }
            ExpectedAnswer::Redirect { to } => {
                expect_status(&answer, StatusCode::OK)?;
                let page = redirect_page(to);
                let is_blocked = blocks_script(&answer);
                if !has_body(answer, page.len() as u64, &hex(&Sha256::digest(&page))).await? {
                    return Err(Mismatch::NoRedirect((*to).to_owned()));
                }
                if is_blocked { Err(Mismatch::BlockedScript) } else { Ok(()) }
            }
            ExpectedAnswer::FileOrRedirect { file, .. } if !is_redirect => {
                expect_sealed(answer, file, StatusCode::OK, config).await
            }
            ExpectedAnswer::FileOrRedirect { to, .. } => {
                if target.is_some_and(|url| url.as_str() == to) {
                    Ok(())
                } else {
                    Err(Mismatch::Redirect { found, expected: to.clone() })
                }
            }
        }
    }
}

/// Whether the policies of a response block the script of a redirect page.
fn blocks_script(answer: &Answer) -> bool {
    let mut policies = answer.headers.get_all(header::CONTENT_SECURITY_POLICY).iter();
    policies.any(|policy| policy.to_str().is_ok_and(|policy| !allows_script(policy)))
}

fn expect_status(answer: &Answer, expected: StatusCode) -> Result<(), Mismatch> {
    match answer.status {
        found if found == expected => Ok(()),
        found => Err(Mismatch::Status { found: found.as_u16(), expected: expected.as_u16() }),
    }
}

async fn expect_sealed(
    answer: Answer,
    file: &SealedFile,
    status: StatusCode,
    config: &Contract,
) -> Result<(), Mismatch> {
    expect_status(&answer, status)?;
    headers_as_sealed(&answer, &file.path, config)?;
    if has_body(answer, file.size, &file.sha256).await? {
        Ok(())
    } else {
        Err(Mismatch::Bytes(file.path.clone()))
    }
}

/// Compares the media type and the headers that the contract sets.
fn headers_as_sealed(answer: &Answer, path: &str, config: &Contract) -> Result<(), Mismatch> {
    let named = format!("/{path}");
    let set = config.headers_for(&named);
    let header =
        |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if let Some(UnlikeHeader { name, found, wanted }) = unlike_headers(&set, header).next() {
        return Err(Mismatch::Header { name, found, expected: wanted.to_owned() });
    }
    let essence = |value: &str| value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let (found, wanted) = (header("content-type"), media::content_type(path));
    let same = essence(found) == essence(&wanted)
        || essence(found).ends_with("/xml") && essence(&wanted).ends_with("/xml")
        || essence(found).ends_with("/javascript") && essence(&wanted).ends_with("/javascript");
    if !same && !set.keys().any(|name| name.eq_ignore_ascii_case("content-type")) {
        let (name, found) = ("content-type".to_owned(), found.to_owned());
        return Err(Mismatch::Header { name, found, expected: wanted.to_string() });
    }
    Ok(())
}

/// Whether a response has this body. Reads it in chunks, and stops at a larger size.
async fn has_body(mut answer: Answer, size: u64, sha256: &str) -> Result<bool, RequestFailure> {
    let (mut hash, mut length) = (Sha256::new(), 0);
    while let Some(chunk) = answer.chunk().await? {
        length += chunk.len() as u64;
        if length > size {
            return Ok(false);
        }
        hash.update(&chunk);
    }
    Ok(hex(&hash.finalize()) == sha256)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;
    use sitegate_check::Contract;
    use sitegate_check::Seal;
    use sitegate_host::{Host, TrailingSlash};

    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::time::Duration;

    use super::{ExpectedAnswer, Method, SiteUrl, expectations, verify};

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
                ExpectedAnswer::File { file, .. } if expectation.method == Method::GET => {
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

    #[tokio::test]
    async fn a_recorded_url_has_a_public_address() {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", server.local_addr().unwrap());
        std::thread::spawn(move || {
            for stream in server.incoming().map_while(Result::ok) {
                let lines = BufReader::new(&stream).lines().map_while(Result::ok);
                lines.take_while(|line| !line.is_empty()).for_each(drop);
                let answer = b"HTTP/1.1 404 x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                let _ = (&stream).write_all(answer);
            }
        });
        let seal: Seal = serde_json::from_value(json!({
            "schema_version": 1, "kind": "", "tool": {"name": "", "version": ""}, "tree": "", "contract": null,
            "counts": {"files": 0, "pages": 0, "links": 0}, "files": [],
        }))
        .unwrap();
        let contract = Contract::defaults();
        let verified = async |site| verify(site, &seal, &contract, Duration::from_secs(5)).await.unwrap();
        assert_eq!(verified(SiteUrl::CommandLine(&url)).await.wrong, []);
        let recorded = verified(SiteUrl::Recorded(&url)).await;
        let failure = recorded.unreachable.unwrap();
        assert!(failure.is_private() && failure.reason == "127.0.0.1 is not a public address", "{failure}");
    }
}
