//! Sends the request of an external link, by HEAD or GET, and interprets its answer. Tracks each URL: its answer, and the
//! fragments of links to it.

use std::collections::BTreeSet;

use http::header::{ACCEPT, ACCEPT_ENCODING, CONNECTION, CONTENT_TYPE, SET_COOKIE};
use http::{HeaderMap, Method, StatusCode};
use sitegate_base::host_name::host_of;
use sitegate_check::{ExternalAnswer, ExternalVerdict, PageFragments};
use url::Url;

use crate::answer::{Answer, redirect_target, retry_after};
use crate::client::{GuardedClient, GuardedRequest};
use crate::error::{RequestFailureKind, StatusMeaning, format_status};
use crate::fetched::{FetchedBody, media_type, read_body};
use crate::scheduler::RequestOutcome;
use crate::settings::{KnownHost, Settings};

/// One request of an external link.
#[derive(Clone, Debug)]
pub(crate) struct LinkRequest {
    /// The URL of the link, or one that it redirects to.
    pub url: Url,
    /// Whether it is sent by GET, and not by HEAD.
    pub get: bool,
    /// Whether the ids of the page are read.
    pub with_page: bool,
    /// Headers for this host only.
    pub headers: Vec<(String, String)>,
    /// Statuses that count as success on its host.
    pub accept: Vec<u16>,
    /// The profile of its host.
    pub known: Option<&'static KnownHost>,
    /// Whether no other request waits for this host, so that the connection can be closed.
    pub is_last: bool,
}

/// The meaning of an answer for a link.
#[derive(Debug)]
pub(crate) enum LinkAnswer {
    /// The page exists.
    There(PageIds),
    /// It redirects.
    Redirect { to: Url, is_permanent: bool, sets_cookie: bool },
    /// The page does not exist, for this reason.
    Missing(String),
    /// The host blocks bots, for this reason.
    Blocked(String),
    /// The host answers HEAD with an error.
    NeedsGet,
    /// The host closed the connection on HEAD.
    HeadCutOff,
}

/// The ids of a page.
#[derive(Debug)]
pub(crate) enum PageIds {
    /// They were not needed.
    NotRead,
    /// It has no ids, such as an image or plain text, or was not read completely.
    NoIds,
    Whole(PageFragments),
}

impl LinkRequest {
    /// Sends the request. Redirects are not followed.
    pub(crate) async fn send(self, client: GuardedClient, settings: &Settings) -> RequestOutcome<LinkAnswer> {
        let method = if self.get { Method::GET } else { Method::HEAD };
        let request = match client.request(method, &self.url).await {
            Ok(request) => self.with_headers(request),
            Err(failure) => return RequestOutcome::Failed(failure),
        };
        let answer = match request.send(settings.connect + settings.first_byte).await {
            Ok(answer) => answer,
            // Some hosts close the connection on HEAD.
            Err(failure) if !self.get && failure.kind == RequestFailureKind::CutOff => {
                return RequestOutcome::Undecided(LinkAnswer::HeadCutOff);
            }
            Err(failure) => return RequestOutcome::Failed(failure),
        };
        let status = answer.status;
        let meaning = self.meaning(status);
        let reason = || format!("it answers {}", format_status(status));
        let retry_after = retry_after(&answer.headers);
        let link = match meaning {
            StatusMeaning::There => LinkAnswer::There(self.read(answer, settings).await),
            StatusMeaning::Redirect { is_permanent } => self.redirect(&answer, is_permanent, settings),
            _ if !self.get && may_be_due_to_head(status.as_u16()) => {
                return RequestOutcome::Final(LinkAnswer::NeedsGet);
            }
            StatusMeaning::Overloaded | StatusMeaning::Blocked => LinkAnswer::Blocked(reason()),
            StatusMeaning::Transient | StatusMeaning::Missing => LinkAnswer::Missing(reason()),
        };
        RequestOutcome::from_meaning(meaning, retry_after, link)
    }

    /// Returns the meaning of a status from this host.
    fn meaning(&self, status: StatusCode) -> StatusMeaning {
        let number = status.as_u16();
        match StatusMeaning::from_status(status) {
            _ if self.accept.contains(&number) => StatusMeaning::There,
            _ if self.known.is_some_and(|known| known.blocked_statuses.contains(&number)) => {
                StatusMeaning::Blocked
            }
            meaning => meaning,
        }
    }

    fn redirect(&self, answer: &Answer, is_permanent: bool, settings: &Settings) -> LinkAnswer {
        match redirect_target(&answer.headers, &self.url) {
            Some(to) if is_login(&to, settings) && !is_login(&self.url, settings) => {
                LinkAnswer::Blocked("it redirects to a login page".to_owned())
            }
            Some(to) => {
                let sets_cookie = answer.headers.contains_key(SET_COOKIE);
                LinkAnswer::Redirect { to, is_permanent, sets_cookie }
            }
            None => {
                let status = format_status(answer.status);
                LinkAnswer::Missing(format!("it answers {status} without a target"))
            }
        }
    }

    /// Adds the headers. Those for its host replace the common ones.
    fn with_headers(&self, request: GuardedRequest) -> GuardedRequest {
        let pages = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8";
        let common = [(ACCEPT.as_str(), pages), (ACCEPT_ENCODING.as_str(), "gzip")];
        let last = self.is_last.then_some((CONNECTION.as_str(), "close"));
        let own = self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        request.headers(common.into_iter().chain(last).chain(own))
    }

    /// Reads a page's ids, within limits on size and time.
    async fn read(&self, answer: Answer, settings: &Settings) -> PageIds {
        if !self.with_page {
            return PageIds::NotRead;
        }
        if !matches!(media_type(&answer.headers).as_str(), "" | "text/html" | "application/xhtml+xml") {
            return PageIds::NoIds;
        }
        let charset = charset(&answer.headers);
        let mut permit = None;
        match read_body(answer, settings.page_bytes, false, &mut permit).await {
            Ok(FetchedBody::Whole(page)) => {
                let page = utf8_of_utf16(page, charset.as_deref());
                PageIds::Whole(PageFragments::read(page, self.known.and_then(|known| known.prefix)))
            }
            _ => PageIds::NoIds,
        }
    }
}

/// Returns the encoding that `Content-Type` names, in lowercase.
fn charset(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?.to_ascii_lowercase();
    let (_, rest) = value.split_once("charset=")?;
    let name = rest.split(';').next()?.trim_matches(|c: char| c == '"' || c == '\'' || c.is_whitespace());
    Some(name.to_owned())
}

/// Returns a page in UTF-8, if its byte order mark or its header says that it is UTF-16. Markup has ASCII bytes in all
/// other encodings that browsers support.
fn utf8_of_utf16(page: Vec<u8>, charset: Option<&str>) -> Vec<u8> {
    let is_big_endian = match (page.get(..2), charset) {
        (Some([0xFE, 0xFF]), _) => true,
        (Some([0xFF, 0xFE]), _) => false,
        _ if page.starts_with(b"\xEF\xBB\xBF") => return page,
        (_, Some("utf-16be")) => true,
        (_, Some("utf-16" | "utf-16le")) => false,
        _ => return page,
    };
    let unit =
        |pair: &[u8; 2]| if is_big_endian { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) };
    let units = page.as_chunks().0.iter().map(unit);
    let text = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
    text.collect::<String>().into_bytes()
}

/// Whether a URL is the login page of its host.
fn is_login(url: &Url, settings: &Settings) -> bool {
    settings.known(&host_of(url)).is_some_and(|known| known.is_login(url.path()))
}

/// Whether a status may be due to HEAD. Some hosts answer HEAD with arbitrary errors.
fn may_be_due_to_head(status: u16) -> bool {
    !matches!(status, 401 | 410 | 429 | 451 | 502..=504)
}

/// The state of a URL, without its fragment.
#[derive(Debug)]
pub(crate) struct UrlState {
    /// The URL, as it is requested first.
    pub url: Url,
    /// The fragments of links to it.
    fragments: BTreeSet<String>,
    answer: AnswerState,
}

#[derive(Debug)]
enum AnswerState {
    /// It has no answer yet.
    Open,
    /// It is not requested in this run, for this reason.
    NotRequested(String),
    /// It was requested.
    Known { verdict: ExternalVerdict, page: PageIds },
    /// Its answer comes from the cache.
    Cached(ExternalAnswer),
}

impl UrlState {
    /// Creates the state of a URL to request.
    pub(crate) fn new(url: Url, fragment: Option<String>) -> UrlState {
        UrlState { url, fragments: fragment.into_iter().collect(), answer: AnswerState::Open }
    }

    /// Creates the state of a URL with a cached answer. It is requested again if the answer does not cover the
    /// fragment.
    pub(crate) fn cached(url: Url, fragment: Option<String>, answer: ExternalAnswer) -> UrlState {
        let mut cached = UrlState { url, fragments: BTreeSet::new(), answer: AnswerState::Cached(answer) };
        if let Some(fragment) = fragment {
            cached.add_fragment(fragment);
        }
        cached
    }

    /// Adds the fragment of another link. Returns whether the URL must be requested, for the first time or
    /// again.
    pub(crate) fn add_fragment(&mut self, fragment: String) -> bool {
        if self.fragments.contains(&fragment) {
            return false;
        }
        let known = match &self.answer {
            AnswerState::Open | AnswerState::NotRequested(_) => true,
            AnswerState::Known { verdict, page } => !is_there(verdict) || !matches!(page, PageIds::NotRead),
            AnswerState::Cached(answer) => {
                !answer.is_there() || answer.missing.contains(&fragment) || answer.present.contains(&fragment)
            }
        };
        self.fragments.insert(fragment);
        if !known {
            self.answer = AnswerState::Open;
        }
        !known
    }

    /// Whether the next request must read the page.
    pub(crate) fn wants_page(&self) -> bool {
        !self.fragments.is_empty()
    }

    /// Records the answer. Returns whether the URL must be requested again, because a link with a fragment was
    /// added meanwhile.
    pub(crate) fn record_answer(&mut self, verdict: ExternalVerdict, page: PageIds) -> bool {
        if is_there(&verdict) && matches!(page, PageIds::NotRead) && !self.fragments.is_empty() {
            self.answer = AnswerState::Open;
            return true;
        }
        self.answer = AnswerState::Known { verdict, page };
        false
    }

    /// Ends it without an answer. It is unverified in this run, and requested by the next one.
    pub(crate) fn give_up(&mut self, reason: String) {
        self.answer = AnswerState::NotRequested(reason);
    }

    /// Whether it waits for an answer.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.answer, AnswerState::Open)
    }

    /// Whether it was requested in this run.
    pub(crate) fn is_new(&self) -> bool {
        matches!(self.answer, AnswerState::Known { .. })
    }

    /// Whether its answer comes from the cache.
    pub(crate) fn is_cached(&self) -> bool {
        matches!(self.answer, AnswerState::Cached(_))
    }

    /// Returns the final answer.
    pub(crate) fn answer(self) -> (Url, ExternalAnswer) {
        let unverified = |reason| ExternalAnswer {
            verdict: ExternalVerdict::Unverified(reason),
            missing: BTreeSet::new(),
            present: BTreeSet::new(),
        };
        let answer = match self.answer {
            AnswerState::Open => unverified("the check was stopped before it answered".to_owned()),
            AnswerState::NotRequested(reason) => unverified(reason),
            AnswerState::Cached(answer) => answer,
            AnswerState::Known { verdict, page } => {
                let is_missing = |fragment: &String| match &page {
                    PageIds::Whole(page) => !page.defines(fragment),
                    PageIds::NotRead | PageIds::NoIds => false,
                };
                let (missing, present) = self.fragments.into_iter().partition(is_missing);
                ExternalAnswer { verdict, missing, present }
            }
        };
        (self.url, answer)
    }
}

fn is_there(verdict: &ExternalVerdict) -> bool {
    matches!(verdict, ExternalVerdict::There | ExternalVerdict::Moved(_))
}
