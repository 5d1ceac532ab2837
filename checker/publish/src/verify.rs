//! Asks a live site whether it answers as sealed: every file by its bytes, every page in both spellings.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use reqwest::{Client, ClientBuilder, Method, Response, StatusCode, header};
use serde::Serialize;
use sha2::{Digest, Sha256};
use url::Url;

use crate::failure::{Exit, Failure};
use crate::memory::state::random_id;
use crate::release::source::leading_page;
use crate::target::store::SLOWEST;
use sitegate_base::hex::hex;
use sitegate_base::plural::count;
use sitegate_check::internal::contract::Contract;
use sitegate_check::internal::contract::headers::{UnlikeHeader, unlike};
use sitegate_check::internal::resolve::answer::{Files, HostAnswer, HostProfile, INDEX};
use sitegate_check::internal::resolve::path::escape_path;
use sitegate_check::internal::seal::{Seal, SealedFile};
use sitegate_hosting::media;
use sitegate_network::{
    HostSettings, Reply, RequestOutcome, Scheduler, Settings, Silence, authorities, client_builder, send,
};

/// Pause between two looks at a site that does not answer right yet.
const PAUSE: Duration = Duration::from_secs(2);

/// Requests at once.
const JOBS: usize = 16;

/// One answer that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Wrong {
    /// The address.
    pub url: String,
    /// What is wrong with its answer.
    pub message: String,
}

/// What a look at a live site found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verified {
    /// How many requests were made.
    pub requests: usize,
    /// The answers that are not as they should be.
    pub wrong: Vec<Wrong>,
}

/// What an address must answer.
#[derive(Clone)]
struct Question<'q> {
    url: String,
    method: Method,
    expected: ExpectedAnswer<'q>,
}

#[derive(Clone)]
enum ExpectedAnswer<'q> {
    /// This file, with this status.
    File { file: &'q SealedFile, status: StatusCode },
    /// This file, or a redirect to this address.
    Leads { file: &'q SealedFile, to: String },
    /// A redirect to this address, or a page that leads there.
    Moved { to: &'q str },
    /// A status only.
    Status(StatusCode),
}

/// The address of a site.
///
/// # Errors
/// [`Exit::Usage`] when it is none.
pub(crate) fn root(base: &str) -> Result<Url, Failure> {
    let root = Url::parse(base).ok().filter(|url| {
        matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none()
    });
    root.ok_or_else(|| {
        let message = format!("`{base}` is not the address of a site, such as https://www.example.com");
        Failure::new(Exit::Usage, message)
    })
}

/// Asks the site at `base` for everything that was sealed.
///
/// # Errors
/// [`Exit::Usage`] when `base` is not the address of a site, or what the contract trusts cannot be read.
pub async fn verify(
    base: &str,
    seal: &Seal,
    config: &Contract,
    timeout: Duration,
) -> Result<Verified, Failure> {
    let mut root_url = root(base)?;
    // A name and a password go into a header of each request, and nowhere else.
    let login = login(&mut root_url);
    let authorities = authorities(config).map_err(|error| Failure::new(Exit::Usage, error.to_string()))?;
    // What is compared are the bytes that were sealed.
    let client = client_builder(&authorities, timeout)
        .map(|builder| builder.no_gzip().user_agent(concat!("sitegate/", env!("CARGO_PKG_VERSION"))))
        .and_then(ClientBuilder::build)
        .map_err(|error| Failure::new(Exit::Failed, error.to_string()))?;
    let mut scheduler = Scheduler::new(Arc::new(settings()));
    for question in questions(root_url.as_str().trim_end_matches('/'), seal, config) {
        scheduler.push(&root_url, question);
    }
    let mut wrong = Vec::new();
    while let Some((question, reply)) = scheduler
        .next(|question, _| ask(client.clone(), login.clone(), timeout, question.clone(), config).boxed())
        .await
    {
        let message = match reply {
            Reply::Answer(Ok(())) => continue,
            Reply::Answer(Err(mismatch)) => mismatch.to_string(),
            Reply::Silence(silence) => format!("no answer: {silence}"),
            Reply::GivenUp(silence) => format!("not requested, because others got no answer: {silence}"),
        };
        let Question { url, method, .. } = question;
        wrong.push(Wrong { url: if method == Method::HEAD { format!("HEAD {url}") } else { url }, message });
    }
    wrong.sort();
    Ok(Verified { requests: scheduler.requests(), wrong })
}

/// The pace of a verification: the site is the publisher's own.
fn settings() -> Settings {
    let host = HostSettings {
        concurrency: JOBS,
        interval: Duration::ZERO,
        is_pace_chosen: true,
        ..HostSettings::default()
    };
    Settings { host, ..Settings::default() }
}

/// Asks a live site again and again until it answers as sealed, or `patience` ends.
///
/// # Errors
/// As [`verify`].
pub async fn ask_until(
    url: &str,
    seal: &Seal,
    config: &Contract,
    timeout: Duration,
    patience: Duration,
) -> Result<Verified, Failure> {
    let end = Instant::now() + patience;
    loop {
        let found = verify(url, seal, config, timeout).await?;
        if found.wrong.is_empty() || Instant::now() >= end {
            return Ok(found);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

impl Verified {
    /// What is wrong as a failure.
    ///
    /// # Errors
    /// [`Exit::Unverified`] when anything is wrong.
    pub fn or_fail(&self, url: &str) -> Result<(), Failure> {
        if self.wrong.is_empty() {
            return Ok(());
        }
        let names = self.wrong.iter().map(|wrong| format!("{}  {}", wrong.url, wrong.message));
        let answers = count(self.wrong.len(), "answer");
        let are = if self.wrong.len() == 1 { "is" } else { "are" };
        let message = format!("{url}: {answers} {are} not as sealed");
        Err(Failure::new(Exit::Unverified, message).names(names))
    }
}

/// What is to be asked: each file by the addresses that the host answers with it, each address that moved, and one
/// that is not there.
fn questions<'q>(root: &str, seal: &'q Seal, config: &'q Contract) -> Vec<Question<'q>> {
    let host = HostProfile::of(&config.site);
    let sealed = SealedPaths(&seal.files);
    let address = |path: &str| format!("{root}/{}", escape_path(path));
    let mut questions = Vec::new();
    let mut question = |url: String, method: Method, expected: ExpectedAnswer<'q>| {
        questions.push(Question { url, method, expected });
    };
    for (at, file) in seal.files.iter().enumerate() {
        let path = file.path.as_str();
        for spelling in spellings(host, path) {
            let mut leads = spelling.clone().into_bytes();
            let answer = host.answer(&mut leads, &sealed);
            if is_file(&answer, at) {
                if spelling != path {
                    question(address(&spelling), Method::HEAD, ExpectedAnswer::Status(StatusCode::OK));
                }
                let status = StatusCode::OK;
                question(address(&spelling), Method::GET, ExpectedAnswer::File { file, status });
                continue;
            }
            // What leads elsewhere or nowhere is not this file's address; the check has told who links to it.
            let to = address(&String::from_utf8_lossy(&leads));
            if matches!(answer, HostAnswer::Redirect { .. }) && is_file(&host.answer(&mut leads, &sealed), at)
            {
                question(address(&spelling), Method::GET, ExpectedAnswer::Leads { file, to });
            }
        }
    }
    for moved in &config.redirects {
        let url = address(moved.from.trim_start_matches('/'));
        question(url, Method::GET, ExpectedAnswer::Moved { to: &moved.to });
    }
    let nowhere = format!("{root}/sitegate-{}", random_id());
    let page = seal.files.iter().find(|file| file.path == config.site.not_found_file());
    question(nowhere.clone(), Method::HEAD, ExpectedAnswer::Status(StatusCode::NOT_FOUND));
    question(
        nowhere,
        Method::GET,
        match page {
            Some(file) => ExpectedAnswer::File { file, status: StatusCode::NOT_FOUND },
            None => ExpectedAnswer::Status(StatusCode::NOT_FOUND),
        },
    );
    questions
}

/// The paths that a file is asked for by: an index document by its directory's, with and without `/`.
fn spellings(host: HostProfile, path: &str) -> Vec<String> {
    match path.strip_suffix(INDEX) {
        Some("") => vec![String::new()],
        Some(folder) if folder.ends_with('/') && host.serves_index() => {
            vec![folder.trim_end_matches('/').to_owned(), folder.to_owned()]
        }
        _ => vec![path.to_owned()],
    }
}

fn is_file(answer: &HostAnswer<usize>, file: usize) -> bool {
    matches!(answer, HostAnswer::File { file: found, .. } if *found == file)
}

/// The sealed files, in the order of paths.
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

/// A name and a password.
type Login = (String, Option<String>);

/// Takes the name and the password out of an address; none where it has neither.
fn login(url: &mut Url) -> Option<Login> {
    let decoded = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
    let login = (decoded(url.username()), url.password().map(decoded));
    // An address with a host, as these are, takes both.
    let _ = url.set_username("").and_then(|()| url.set_password(None));
    (!login.0.is_empty() || login.1.is_some()).then_some(login)
}

/// Sends a question, and compares the answer with the expected one.
async fn ask(
    client: Client,
    login: Option<Login>,
    timeout: Duration,
    question: Question<'_>,
    config: &Contract,
) -> RequestOutcome<Result<(), Mismatch>> {
    // A film may take longer than a page.
    let size = match &question.expected {
        ExpectedAnswer::File { file, .. } | ExpectedAnswer::Leads { file, .. } => file.size,
        ExpectedAnswer::Moved { .. } | ExpectedAnswer::Status(_) => 0,
    };
    let timeout = timeout + Duration::from_secs(size / SLOWEST);
    let mut request = client.request(question.method.clone(), question.url.clone()).timeout(timeout);
    if let Some((name, password)) = login {
        request = request.basic_auth(name, password);
    }
    let answer = match send(request, timeout).await {
        Ok(answer) => answer,
        Err(silence) => return RequestOutcome::Silent(silence),
    };
    let (status, headers) = (answer.status(), answer.headers().clone());
    match question.compare(answer, config).await {
        Err(Mismatch::BrokenOff(error)) => RequestOutcome::Silent(Silence::of(&error)),
        compared => RequestOutcome::of_status(status, &headers, compared),
    }
}

/// The difference between an answer and the expected one.
#[derive(Debug, thiserror::Error)]
enum Mismatch {
    #[error("answers {found} instead of {expected}")]
    Status { found: u16, expected: u16 },
    #[error("`{name}` is `{found}` instead of `{expected}`")]
    Header { name: String, found: String, expected: String },
    #[error("answers with other bytes than {0}")]
    Bytes(String),
    #[error("redirects to `{found}` instead of {expected}")]
    Redirect { found: String, expected: String },
    #[error("leads to `{found}` instead of {expected}")]
    MovedElsewhere { found: String, expected: String },
    #[error("does not lead to {0}")]
    NotMoved(String),
    #[error("the answer broke off: {0}")]
    BrokenOff(#[from] reqwest::Error),
}

impl Question<'_> {
    /// Compares an answer with the expected one.
    async fn compare(&self, answer: Response, config: &Contract) -> Result<(), Mismatch> {
        let location = answer.headers().get(header::LOCATION).and_then(|value| value.to_str().ok());
        let resolve = |to: &str| Url::parse(&self.url).and_then(|url| url.join(to)).ok();
        let target = location.and_then(resolve);
        let found = location.unwrap_or_default().to_owned();
        let is_redirect = answer.status().is_redirection();
        match &self.expected {
            ExpectedAnswer::Status(status) => as_status(&answer, *status),
            ExpectedAnswer::File { file, status } => as_sealed(answer, file, *status, config).await,
            ExpectedAnswer::Moved { to } if location.is_some() => {
                if is_redirect && target.is_some() && target == resolve(to) {
                    Ok(())
                } else {
                    Err(Mismatch::MovedElsewhere { found, expected: (*to).to_owned() })
                }
            }
            ExpectedAnswer::Moved { to } => {
                as_status(&answer, StatusCode::OK)?;
                let page = leading_page(to);
                if holds(answer, page.len() as u64, &hex(&Sha256::digest(&page))).await? {
                    Ok(())
                } else {
                    Err(Mismatch::NotMoved((*to).to_owned()))
                }
            }
            ExpectedAnswer::Leads { file, .. } if !is_redirect => {
                as_sealed(answer, file, StatusCode::OK, config).await
            }
            ExpectedAnswer::Leads { to, .. } => {
                if target.is_some_and(|url| url.as_str() == to) {
                    Ok(())
                } else {
                    Err(Mismatch::Redirect { found, expected: to.clone() })
                }
            }
        }
    }
}

fn as_status(answer: &Response, expected: StatusCode) -> Result<(), Mismatch> {
    match answer.status() {
        found if found == expected => Ok(()),
        found => Err(Mismatch::Status { found: found.as_u16(), expected: expected.as_u16() }),
    }
}

async fn as_sealed(
    answer: Response,
    file: &SealedFile,
    status: StatusCode,
    config: &Contract,
) -> Result<(), Mismatch> {
    as_status(&answer, status)?;
    headers_as_sealed(&answer, &file.path, config)?;
    if holds(answer, file.size, &file.sha256).await? {
        Ok(())
    } else {
        Err(Mismatch::Bytes(file.path.clone()))
    }
}

/// Compares the headers that the contract sets, and the media type.
fn headers_as_sealed(answer: &Response, path: &str, config: &Contract) -> Result<(), Mismatch> {
    let named = format!("/{path}");
    let set = config.headers_for(&named);
    let header =
        |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if let Some(UnlikeHeader { name, found, wanted }) = unlike(&set, header).next() {
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

/// Whether an answer has this body. It is read a chunk at a time, and no further than it could be.
async fn holds(mut answer: Response, size: u64, sha256: &str) -> reqwest::Result<bool> {
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
    use sitegate_check::internal::contract::{Contract, Host, TrailingSlash};
    use sitegate_check::internal::seal::Seal;

    use super::{ExpectedAnswer, Method, questions};

    /// What is asked of a host by GET, by path: the file that answers, and where a redirect may lead instead.
    fn asked(host: Option<Host>, slash: TrailingSlash) -> Vec<String> {
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
        let mut asked = Vec::new();
        for question in questions("", &seal, &config) {
            match question.expected {
                ExpectedAnswer::File { file, .. } if question.method == Method::GET => {
                    asked.push(format!("{} {}", question.url, file.path));
                }
                ExpectedAnswer::Leads { file, to } => {
                    asked.push(format!("{} {} > {to}", question.url, file.path));
                }
                _ => {}
            }
        }
        asked
    }

    #[test]
    fn each_host_is_asked_for_what_it_serves() {
        let (slash, never) = (TrailingSlash::Redirect, TrailingSlash::Never);
        let folder = ["/a%20b a b/index.html > /a%20b/", "/a%20b/ a b/index.html"];
        let rest = ["/ index.html", "/page.html page.html"];
        let license = "/LICENSE LICENSE";
        assert_eq!(asked(None, slash), [&[license][..], &folder, &rest].concat());
        assert_eq!(asked(Some(Host::Cloudfront), slash), [&folder[..], &rest].concat());
        let bare = [license, "/a%20b a b/index.html", "/a%20b/ a b/index.html > /a%20b"];
        assert_eq!(asked(Some(Host::Cloudfront), never), [&bare[..], &rest].concat());
        let names = [license, "/a%20b/index.html a b/index.html"];
        assert_eq!(asked(Some(Host::S3Rest), slash), [&names[..], &rest].concat());
    }
}
