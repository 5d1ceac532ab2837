//! Sends the request of an external link, by HEAD or GET, and says what its answer means for the link.

use reqwest::header::{ACCEPT, CONNECTION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response, StatusCode};
use sitegate_check::internal::external::host_of;
use sitegate_check::internal::parse::page_fragments::PageFragments;
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::failure::{Silence, SilenceKind, StatusMeaning, status_words};
use crate::profiles::KnownHost;
use crate::request::{redirect_target, retry_after, send};
use crate::scheduler::RequestOutcome;
use crate::settings::Settings;

/// One request of an external link.
#[derive(Clone, Debug)]
pub(crate) struct LinkRequest {
    /// The URL of the link, or one that it redirects to.
    pub url: Url,
    /// Whether it is sent by GET, and not by HEAD.
    pub get: bool,
    /// Whether the ids of the page are read.
    pub with_page: bool,
    /// Headers for just its host.
    pub headers: Vec<(String, String)>,
    /// Statuses that count as success on its host.
    pub accept: Vec<u16>,
    /// The profile of its host.
    pub known: Option<&'static KnownHost>,
    /// Whether nothing else waits for its host, so that the connection need not stay open.
    pub is_last: bool,
}

/// What an answer means for a link.
#[derive(Debug)]
pub(crate) enum LinkAnswer {
    /// The page exists.
    There(PageRead),
    /// It redirects.
    Redirect { to: Url, is_permanent: bool },
    /// The page does not exist, for this reason.
    Gone(String),
    /// The host hides it from programs, for this reason.
    Wall(String),
    /// The host does not answer HEAD.
    WantsGet,
}

/// What was read of a page.
#[derive(Debug)]
pub(crate) enum PageRead {
    /// Its ids were not wanted.
    NotAsked,
    /// It has no ids, such as an image or a text, or was not read to its end.
    NoPage,
    Whole(PageFragments),
}

impl LinkRequest {
    /// Sends it. Redirects are not followed.
    pub(crate) async fn send(self, client: Client, settings: &Settings) -> RequestOutcome<LinkAnswer> {
        if let Err(address) = settings.resolver.may_ask(&self.url) {
            return RequestOutcome::Silent(Silence::refused(&address));
        }
        let deadline = Instant::now() + settings.whole;
        let method = if self.get { Method::GET } else { Method::HEAD };
        let request = client.request(method, self.url.clone()).headers(self.headers());
        let answer = match send(request, settings.connect + settings.first_byte).await {
            Ok(answer) => answer,
            // Some hosts hang up on HEAD.
            Err(silence) if !self.get && silence.kind == SilenceKind::BrokenOff => {
                return RequestOutcome::Final(LinkAnswer::WantsGet);
            }
            Err(silence) => return RequestOutcome::Silent(silence),
        };
        let status = answer.status();
        let meaning = self.meaning(status);
        let reason = || format!("it answers {}", status_words(status));
        let retry_after = retry_after(answer.headers());
        let link = match meaning {
            StatusMeaning::There => LinkAnswer::There(self.read(answer, settings, deadline).await),
            StatusMeaning::Leads { for_good } => self.redirect(&answer, for_good, settings),
            _ if !self.get && is_about_the_method(status.as_u16()) => {
                return RequestOutcome::Final(LinkAnswer::WantsGet);
            }
            StatusMeaning::TooMuch | StatusMeaning::Wall => LinkAnswer::Wall(reason()),
            StatusMeaning::Passing | StatusMeaning::Gone => LinkAnswer::Gone(reason()),
        };
        RequestOutcome::of(meaning, retry_after, link)
    }

    /// What a status means, here and from this host.
    fn meaning(&self, status: StatusCode) -> StatusMeaning {
        let number = status.as_u16();
        match StatusMeaning::of(status) {
            _ if self.accept.contains(&number) => StatusMeaning::There,
            _ if self.known.is_some_and(|known| known.walls.contains(&number)) => StatusMeaning::Wall,
            meaning => meaning,
        }
    }

    fn redirect(&self, answer: &Response, is_permanent: bool, settings: &Settings) -> LinkAnswer {
        match redirect_target(answer.headers(), answer.url()) {
            Some(to) if is_login(&to, settings) && !is_login(&self.url, settings) => {
                LinkAnswer::Wall("it leads to a login".to_owned())
            }
            Some(to) => LinkAnswer::Redirect { to, is_permanent },
            None => {
                let status = status_words(answer.status());
                LinkAnswer::Gone(format!("it answers {status}, and does not say where to"))
            }
        }
    }

    /// The headers of the request; those that its host wants replace the ones that all get.
    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"));
        if self.is_last {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        for (name, value) in &self.headers {
            if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
                headers.insert(name, value);
            }
        }
        headers
    }

    /// Reads a page's ids, up to a bound of bytes and of time.
    async fn read(&self, mut answer: Response, settings: &Settings, deadline: Instant) -> PageRead {
        if !self.with_page {
            return PageRead::NotAsked;
        }
        let kind =
            answer.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("text/html");
        let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if !matches!(essence.as_str(), "text/html" | "application/xhtml+xml") {
            return PageRead::NoPage;
        }
        let mut page = Vec::new();
        loop {
            match timeout_at(deadline, answer.chunk()).await {
                Ok(Ok(Some(chunk))) if page.len() + chunk.len() <= settings.page_bytes => {
                    page.extend_from_slice(&chunk);
                }
                Ok(Ok(None)) => break,
                _ => return PageRead::NoPage,
            }
        }
        PageRead::Whole(PageFragments::read(page, self.known.and_then(|known| known.prefix)))
    }
}

/// Whether a host redirects anyone to this URL whom it does not know.
fn is_login(url: &Url, settings: &Settings) -> bool {
    settings.known(&host_of(url)).is_some_and(|known| known.is_login(url.path()))
}

/// Whether a host may answer so only because of HEAD. Some answer it with whatever their programs end in.
fn is_about_the_method(status: u16) -> bool {
    !matches!(status, 401 | 410 | 429 | 451 | 502..=504)
}
