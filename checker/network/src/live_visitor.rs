//! Visits live sites over the network: allowed addresses only, with retries, at the pace that the site accepts.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::FutureExt;
use http::{HeaderMap, Method};
use sitegate_address::percent;
use sitegate_check::{Contract, ContractError};
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::target::MIN_BYTES_PER_SECOND;
use sitegate_publish::target_state::pending::SiteUrl;
use sitegate_publish::verify::{MAX_REQUESTS, parse_site_url};
use sitegate_publish::visitor::{BodyReader, NoAnswer, SiteAnswer, SiteBody, Visitor, Visitors};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use url::Url;

use crate::answer::Answer;
use crate::client::{GuardedClient, allowed_addresses, authorities};
use crate::error::RequestFailure;
use crate::resolver::HostSource;
use crate::scheduler::{Reply, RequestOutcome, Scheduler};
use crate::settings::{HostSettings, Settings};

/// Opens visitors of sites on the network.
#[derive(Clone, Copy, Debug)]
pub struct LiveVisitors;

impl Visitors for LiveVisitors {
    fn open(
        &self,
        site: SiteUrl<'_>,
        contract: &Contract,
        timeout: Duration,
    ) -> Result<Box<dyn Visitor>, Failure> {
        let (url, source) = match site {
            SiteUrl::CommandLine(url) => {
                let url = parse_site_url(url)?;
                let source = HostSource::command_line(&url);
                (url, source)
            }
            SiteUrl::Recorded(url) => (parse_site_url(url)?, HostSource::Content),
        };
        let settings = settings(contract, source, timeout)
            .map_err(|error| Failure::new(FailureKind::Usage, error.to_string()))?;
        // Compression is off, since the sealed bytes are compared.
        let client = GuardedClient::new(&settings)
            .map_err(|error| Failure::new(FailureKind::Failed, error.to_string()))?;
        let sender = SiteClient { client, login: login(&url), timeout };
        let (jobs, queue) = mpsc::unbounded_channel();
        let mut worker = JoinSet::new();
        worker.spawn(sender.work(settings, queue));
        Ok(Box::new(LiveVisitor { jobs, _worker: worker }))
    }
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

/// A user name and a password.
type Login = (String, Option<String>);

/// Returns the user name and password of a URL; none if it has neither.
fn login(url: &Url) -> Option<Login> {
    let decoded = |text: &str| percent::decode_lossy(text).into_owned();
    let login = (decoded(url.username()), url.password().map(decoded));
    (!login.0.is_empty() || login.1.is_some()).then_some(login)
}

/// A visitor of a site on the network. Dropping it cancels all requests.
struct LiveVisitor {
    jobs: mpsc::UnboundedSender<VisitJob>,
    /// The task that sends requests. All share one scheduler, so that they share a pace.
    _worker: JoinSet<()>,
}

/// A request, and the receiver of its answer.
struct VisitJob {
    method: Method,
    url: Url,
    limit: u64,
    reply: oneshot::Sender<Result<SiteAnswer, NoAnswer>>,
}

#[async_trait]
impl Visitor for LiveVisitor {
    async fn get(&self, url: &Url, limit: u64) -> Result<SiteAnswer, NoAnswer> {
        self.request(Method::GET, url, limit).await
    }

    async fn head(&self, url: &Url) -> Result<SiteAnswer, NoAnswer> {
        self.request(Method::HEAD, url, 0).await
    }
}

impl LiveVisitor {
    async fn request(&self, method: Method, url: &Url, limit: u64) -> Result<SiteAnswer, NoAnswer> {
        let (reply, answer) = oneshot::channel();
        let stopped = || NoAnswer { reason: "stopped".to_owned(), was_sent: false, is_private: false };
        self.jobs.send(VisitJob { method, url: url.clone(), limit, reply }).map_err(|_| stopped())?;
        answer.await.unwrap_or_else(|_| Err(stopped()))
    }
}

/// Sends the requests of a visitor.
#[derive(Clone)]
struct SiteClient {
    client: GuardedClient,
    login: Option<Login>,
    timeout: Duration,
}

impl SiteClient {
    async fn work(self, settings: Settings, mut queue: mpsc::UnboundedReceiver<VisitJob>) {
        let mut scheduler = Scheduler::<VisitJob, SiteAnswer>::new(Arc::new(settings));
        loop {
            let next = scheduler.next(|job, _| {
                let (client, method) = (self.clone(), job.method.clone());
                let (url, limit) = (job.url.clone(), job.limit);
                async move { client.send(method, &url, limit).await }.boxed()
            });
            tokio::select! {
                Some((job, reply)) = next => {
                    // The caller may have given up.
                    let _ = job.reply.send(answer(reply));
                }
                Some(job) = queue.recv() => scheduler.push(&job.url.clone(), job),
                else => return,
            }
        }
    }

    async fn send(self, method: Method, url: &Url, limit: u64) -> RequestOutcome<SiteAnswer> {
        // A large file may take longer than the timeout for a page.
        let timeout = self.timeout + Duration::from_secs(limit / MIN_BYTES_PER_SECOND);
        let mut request = match self.client.request(method, url).await {
            Ok(request) => request.timeout(timeout),
            Err(failure) => return RequestOutcome::Failed(failure),
        };
        if let Some((name, password)) = &self.login {
            request = request.basic_auth(name, password.as_deref().unwrap_or_default());
        }
        let answer = match request.send(timeout).await {
            Ok(answer) => answer,
            Err(failure) => return RequestOutcome::Failed(failure),
        };
        let (status, headers) = (answer.status, answer.headers.clone());
        match read_body(answer, limit).await {
            Err(failure) => RequestOutcome::Failed(failure),
            Ok(body) => {
                let found = SiteAnswer { status: status.as_u16(), headers: plain_headers(&headers), body };
                RequestOutcome::from_status(status, &headers, found)
            }
        }
    }
}

fn answer(reply: Reply<SiteAnswer>) -> Result<SiteAnswer, NoAnswer> {
    let no_answer = |failure: &RequestFailure, was_sent| {
        Err(NoAnswer { reason: failure.reason.clone(), was_sent, is_private: failure.is_private() })
    };
    match reply {
        Reply::Answer(answer) => Ok(answer),
        Reply::Failed(failure) => no_answer(&failure, true),
        Reply::GivenUp(failure) => no_answer(&failure, false),
    }
}

/// Returns the headers as text; those that are none are empty.
fn plain_headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        (name.as_str().to_owned(), value.to_str().unwrap_or_default().to_owned())
    };
    headers.iter().map(text).collect()
}

/// Reads a body in chunks, up to the limit.
async fn read_body(mut answer: Answer, limit: u64) -> Result<SiteBody, RequestFailure> {
    let mut reader = BodyReader::new(limit);
    while let Some(chunk) = answer.chunk().await? {
        if !reader.add(&chunk) {
            break;
        }
    }
    Ok(reader.finish())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::time::Duration;

    use serde_json::json;
    use sitegate_check::{Contract, Seal};

    use super::LiveVisitors;
    use sitegate_publish::failure::FailureKind;
    use sitegate_publish::target_state::pending::SiteUrl;
    use sitegate_publish::verify::{SealedSite, SiteBefore, SiteVerdict};
    use sitegate_publish::visitor::Visitors;

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
        let verified = async |site| {
            let visitor = LiveVisitors.open(site, &contract, Duration::from_secs(5)).unwrap();
            SealedSite { url: &url, seal: &seal, contract: &contract }
                .verify(&*visitor, SiteBefore::default())
                .await
                .unwrap()
        };
        assert_eq!(verified(SiteUrl::CommandLine(&url)).await.verdict(), SiteVerdict::Verified);
        let recorded = verified(SiteUrl::Recorded(&url)).await;
        let failure = recorded.or_fail(&url).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unverifiable);
        assert!(failure.message.contains("127.0.0.1 is not a public address"), "{failure}");
        assert!(failure.to_string().contains("allow-addresses"), "{failure}");
    }
}
