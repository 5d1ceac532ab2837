//! One request and its answer: what it says of an address, or what is to be asked next.

use std::time::{Duration, SystemTime};

use reqwest::header::{
    ACCEPT, CONNECTION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER,
};
use reqwest::{Client, Method, Response, StatusCode};
use sitegate_check::external::host_of;
use sitegate_check::parse::page_fragments::PageFragments;
use tokio::time::{Instant, timeout, timeout_at};
use url::Url;

use crate::failure::{Silence, SilenceKind, StatusMeaning, status_words};
use crate::profiles::KnownHost;
use crate::settings::Settings;

/// What is asked in one request.
#[derive(Clone, Debug)]
pub(crate) struct HostRequest {
    /// The address, which may be one that the first led to.
    pub url: Url,
    /// Whether it is asked for by GET, and not by HEAD.
    pub get: bool,
    /// Whether its page is read.
    pub with_page: bool,
    /// Headers for just its host.
    pub headers: Vec<(String, String)>,
    /// Statuses that mean there that it is there.
    pub accept: Vec<u16>,
    /// What is known of its host.
    pub known: Option<&'static KnownHost>,
    /// Whether nothing else is wanted of its host for now, so that the connection need not stay open.
    pub is_last: bool,
}

/// What came of a request.
#[derive(Debug)]
pub(crate) enum ExchangeOutcome {
    /// It is there; with what can be reached in its page, where that was read.
    There(PageRead),
    /// It leads to another address.
    Leads { to: Url, for_good: bool },
    /// It is not there.
    Gone(String),
    /// It stands behind a wall.
    Wall(String),
    /// The method was not liked.
    WantsGet,
    /// Too much was asked; when to come again, if that was said.
    TooMuch { reason: String, after: Option<Duration> },
    /// It may be otherwise the next time.
    Passing(String),
    /// No answer.
    Silent(Silence),
}

/// What was read of a page.
#[derive(Debug)]
pub(crate) enum PageRead {
    /// It was not asked for.
    NotAsked,
    /// It is no page that has ids, such as a picture or a text, or was not read to its end.
    NoPage,
    Whole(PageFragments),
}

/// Sends one request. It is never followed by another here.
pub(crate) async fn exchange(client: &Client, request: &HostRequest, settings: &Settings) -> ExchangeOutcome {
    if let Err(address) = settings.resolver.may_ask(&request.url) {
        return ExchangeOutcome::Silent(Silence::refused(&address));
    }
    let deadline = Instant::now() + settings.whole;
    let method = if request.get { Method::GET } else { Method::HEAD };
    let asked = client.request(method.clone(), request.url.clone()).headers(request.headers());
    let answer = match timeout(settings.connect + settings.first_byte, asked.send()).await {
        Err(_) => {
            return ExchangeOutcome::Silent(Silence::slow(
                "no answer",
                settings.connect + settings.first_byte,
            ));
        }
        Ok(Err(error)) => return silent(&error, &method),
        Ok(Ok(answer)) => answer,
    };
    let status = answer.status();
    let reason = || format!("it answers {}", status_words(status));
    match request.meaning(status) {
        StatusMeaning::There => ExchangeOutcome::There(read(answer, request, settings, deadline).await),
        StatusMeaning::Leads { for_good } => match leads_to(answer.headers(), answer.url()) {
            Some(to) if is_login(&to, settings) && !is_login(&request.url, settings) => {
                ExchangeOutcome::Wall("it leads to a login".to_owned())
            }
            Some(to) => ExchangeOutcome::Leads { to, for_good },
            None => ExchangeOutcome::Gone(format!("{}, and does not say where to", reason())),
        },
        _ if method == Method::HEAD && is_about_the_method(status.as_u16()) => ExchangeOutcome::WantsGet,
        StatusMeaning::TooMuch => {
            ExchangeOutcome::TooMuch { reason: reason(), after: retry_after(answer.headers()) }
        }
        StatusMeaning::Passing => ExchangeOutcome::Passing(reason()),
        StatusMeaning::Wall => ExchangeOutcome::Wall(reason()),
        StatusMeaning::Gone => ExchangeOutcome::Gone(reason()),
    }
}

impl HostRequest {
    /// What a status means, here and from this host.
    fn meaning(&self, status: StatusCode) -> StatusMeaning {
        let number = status.as_u16();
        match StatusMeaning::of(status) {
            _ if self.accept.contains(&number) => StatusMeaning::There,
            _ if self.known.is_some_and(|known| known.walls.contains(&number)) => StatusMeaning::Wall,
            meaning => meaning,
        }
    }

    /// What is sent along; what its host wants goes before what all get.
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
}

/// Whether an address is one to which its host leads whoever it does not know.
fn is_login(url: &Url, settings: &Settings) -> bool {
    settings.known(&host_of(url)).is_some_and(|known| known.is_login(url.path()))
}

/// Whether a host may answer so only because of HEAD. Some answer it with whatever their programs end in.
fn is_about_the_method(status: u16) -> bool {
    !matches!(status, 401 | 410 | 429 | 451 | 502..=504)
}

fn silent(error: &reqwest::Error, method: &Method) -> ExchangeOutcome {
    let silence = Silence::of(error);
    // Some hosts hang up on HEAD.
    if *method == Method::HEAD && silence.kind == SilenceKind::Passing && !error.is_connect() {
        return ExchangeOutcome::WantsGet;
    }
    ExchangeOutcome::Silent(silence)
}

/// Where a redirect leads; the fragment that it brings goes before the one that was asked for.
pub(crate) fn leads_to(headers: &HeaderMap, from: &Url) -> Option<Url> {
    let location = headers.get(LOCATION)?;
    // Some send the letters of a name as they are, in UTF-8.
    let location = String::from_utf8_lossy(location.as_bytes());
    from.join(&location).ok()
}

/// When a host wants to be asked again: in seconds, or at a time (RFC 9110, 10.2.3).
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    match value.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => {
            let at = httpdate::parse_http_date(value).ok()?;
            Some(at.duration_since(SystemTime::now()).unwrap_or_default())
        }
    }
}

/// Reads a page's ids, up to a bound of bytes and of time.
async fn read(
    mut answer: Response,
    request: &HostRequest,
    settings: &Settings,
    deadline: Instant,
) -> PageRead {
    if !request.with_page {
        return PageRead::NotAsked;
    }
    let kind =
        answer.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("text/html");
    let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !matches!(essence.as_str(), "text/html" | "application/xhtml+xml") {
        return PageRead::NoPage;
    }
    let mut page = Vec::new();
    let is_whole = loop {
        match timeout_at(deadline, answer.chunk()).await {
            Ok(Ok(None)) => break true,
            Ok(Ok(Some(piece))) if page.len() + piece.len() <= settings.page_bytes => {
                page.extend_from_slice(&piece)
            }
            Ok(Ok(Some(piece))) => {
                page.extend_from_slice(&piece[..settings.page_bytes - page.len()]);
                break false;
            }
            Ok(Err(_)) | Err(_) => break false,
        }
    };
    let prefix = request.known.and_then(|known| known.prefix);
    if is_whole { PageRead::Whole(PageFragments::of(page, prefix)) } else { PageRead::NoPage }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::time::{Duration, SystemTime};

    use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};

    use super::retry_after;

    #[test]
    fn hosts_say_when_to_come_again_in_seconds_or_by_a_date() {
        let told = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_str(value).unwrap());
            retry_after(&headers)
        };
        assert_eq!(told("17"), Some(Duration::from_secs(17)));
        assert_eq!(told("soon"), None);
        assert_eq!(told("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO));
        let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(90));
        assert!((88..=90).contains(&told(&date).unwrap().as_secs()), "{date}");
    }
}
