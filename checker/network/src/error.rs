//! The errors of this crate: why a request got no answer (name, connection, TLS, time), how statuses are interpreted,
//! and why external links cannot be checked or a site cannot be crawled.

use std::error::Error;
use std::io;

use http::StatusCode;
use hyper_util::client::legacy as client;
use rustls::CertificateError;
use tokio::task::JoinError;
use url::Url;

use crate::connector::{ConnectTimeout, EndlessHead, ProxyUnreachable};
use crate::resolver::{NameNotFound, PrivateAddress, ResolveFailed};

/// A request without an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct RequestFailure {
    /// The reason, as the end of a sentence about the host or the URL.
    pub reason: String,
    pub(crate) kind: RequestFailureKind,
}

/// The consequence of a request without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestFailureKind {
    /// A retry will not help.
    Permanent,
    /// A retry may help. If it does not, the URL is broken.
    Transient,
    /// The connection was cut off; otherwise as `Transient`.
    CutOff,
    /// A retry may help. If it does not, the URL cannot be verified.
    Timeout,
    /// The answer began, but did not end in time. A retry would take as long, and the URL cannot be verified.
    Unfinished,
    /// It was not sent, because its address is not allowed.
    NotAllowed,
    /// It was not sent, or not again, because its host refuses requests.
    Refused,
}

impl RequestFailure {
    pub(crate) fn new(kind: RequestFailureKind, reason: impl Into<String>) -> RequestFailure {
        RequestFailure { reason: reason.into(), kind }
    }

    /// Whether it was not sent, because its address is private.
    pub fn is_private(&self) -> bool {
        self.kind == RequestFailureKind::NotAllowed
    }

    /// Whether a retry may help.
    pub(crate) fn is_transient(&self) -> bool {
        matches!(
            self.kind,
            RequestFailureKind::Transient | RequestFailureKind::CutOff | RequestFailureKind::Timeout
        )
    }

    /// Reports a timeout.
    pub(crate) fn slow(what: &str, limit: std::time::Duration) -> RequestFailure {
        RequestFailure::new(RequestFailureKind::Timeout, format!("{what} within {} s", limit.as_secs_f32()))
    }

    /// Reports an answer without an end.
    pub fn unfinished(limit: std::time::Duration) -> RequestFailure {
        let reason = format!("no end of its answer within {} s", limit.as_secs_f32());
        RequestFailure::new(RequestFailureKind::Unfinished, reason)
    }

    pub(crate) fn refused(address: &PrivateAddress) -> RequestFailure {
        RequestFailure::new(RequestFailureKind::NotAllowed, address.to_string())
    }

    /// Finds the reason of a client error.
    pub fn from_error(error: &(dyn Error + 'static)) -> RequestFailure {
        if let Some(address) = find::<PrivateAddress>(error) {
            return RequestFailure::refused(address);
        }
        if let Some(failure) = proxy_failure(error) {
            return failure;
        }
        if find::<NameNotFound>(error).is_some() {
            return RequestFailure::new(RequestFailureKind::Transient, "no such host");
        }
        // The resolver of the operating system, which the clients of stores use, has no error type of its own.
        if let Some(text) =
            sources(error).map(ToString::to_string).find(|text| text.starts_with("failed to lookup"))
        {
            return if text.contains("Temporary failure") {
                RequestFailure::new(RequestFailureKind::Timeout, "its name could not be looked up")
            } else {
                RequestFailure::new(RequestFailureKind::Transient, "no such host")
            };
        }
        if let Some(unknown) = find::<ResolveFailed>(error) {
            return RequestFailure::new(RequestFailureKind::Timeout, unknown.to_string());
        }
        if let Some(error) = find::<rustls::Error>(error) {
            return RequestFailure::new(RequestFailureKind::Permanent, tls(error));
        }
        if let Some(late) = find::<ConnectTimeout>(error) {
            return RequestFailure::new(RequestFailureKind::Timeout, late.to_string());
        }
        // Over HTTP/2, only the text of the error remains.
        let endless = EndlessHead.to_string();
        if sources(error).any(|source| source.to_string().ends_with(&endless)) {
            return RequestFailure::new(RequestFailureKind::Unfinished, endless);
        }
        let is_connect = find::<client::Error>(error).is_some_and(client::Error::is_connect);
        let reason = match find::<io::Error>(error).map(io::Error::kind) {
            Some(io::ErrorKind::ConnectionRefused) => "it refuses connections",
            Some(io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe) => "it closed the connection",
            Some(io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable) => {
                "there is no route to it"
            }
            Some(io::ErrorKind::TimedOut) => {
                return RequestFailure::new(RequestFailureKind::Timeout, "it could not be reached in time");
            }
            _ if is_connect => "it cannot be reached",
            _ => "its answer is not HTTP, or was cut off",
        };
        let kind = if is_connect { RequestFailureKind::Transient } else { RequestFailureKind::CutOff };
        RequestFailure::new(kind, reason)
    }
}

/// Describes a TLS error.
fn tls(error: &rustls::Error) -> String {
    let rustls::Error::InvalidCertificate(error) = error else {
        return format!("TLS: {error}");
    };
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "its certificate has expired".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "its certificate is not valid yet".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its certificate is for another name".to_owned()
        }
        CertificateError::UnknownIssuer => "its certificate is not signed by a trusted authority".to_owned(),
        CertificateError::Revoked => "its certificate was revoked".to_owned(),
        other => format!("its certificate is not valid: {other}"),
    }
}

/// Describes a failure of a proxy. The client's error type for that of a tunnel is private.
fn proxy_failure(error: &(dyn Error + 'static)) -> Option<RequestFailure> {
    if let Some(failed) = find::<ProxyUnreachable>(error) {
        return Some(RequestFailure::new(RequestFailureKind::Timeout, failed.to_string()));
    }
    let text = sources(error).map(ToString::to_string).find(|text| text.starts_with("tunnel error: "))?;
    let reason = if text.ends_with("proxy authorization required") {
        "the proxy requires a user name and a password"
    } else if text.ends_with("failed to create underlying connection") {
        "the proxy cannot be reached"
    } else {
        "the proxy refuses the connection"
    };
    Some(RequestFailure::new(RequestFailureKind::Timeout, reason))
}

/// Finds the first error of a type in a chain of sources.
fn find<'e, T: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e T> {
    sources(error).find_map(|error| error.downcast_ref::<T>())
}

/// Iterates over an error and its sources.
fn sources<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| {
        // An I/O error reports not its inner error as its source, but the source of that.
        let carried = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        carried.map(|carried| carried as &(dyn Error + 'static)).or_else(|| error.source())
    })
}

/// The meaning of a status for a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatusMeaning {
    There,
    /// A redirect, permanent or temporary.
    Redirect {
        is_permanent: bool,
    },
    /// A retry may help.
    Transient,
    /// The host is overloaded.
    Overloaded,
    /// Bot protection or a login.
    Blocked,
    Missing,
}

impl StatusMeaning {
    pub(crate) fn from_status(status: StatusCode) -> StatusMeaning {
        match status.as_u16() {
            301 | 308 => StatusMeaning::Redirect { is_permanent: true },
            302 | 303 | 307 => StatusMeaning::Redirect { is_permanent: false },
            429 | 503 => StatusMeaning::Overloaded,
            408 | 425 | 500 | 502 | 504 | 520..=527 | 530 => StatusMeaning::Transient,
            // LinkedIn returns 999 to programs. 451 means that the content is blocked for legal reasons.
            401 | 402 | 403 | 407 | 451 | 999 => StatusMeaning::Blocked,
            200..=299 | 304 => StatusMeaning::There,
            _ => StatusMeaning::Missing,
        }
    }
}

/// Formats a status: its number, and its name if it has one.
pub(crate) fn format_status(status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(name) => format!("{} {name}", status.as_u16()),
        None => status.as_u16().to_string(),
    }
}

/// The reason why external links cannot be checked or a site cannot be crawled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// No thread for the network could be started.
    #[error("cannot start a thread for the network: {0}")]
    Thread(#[source] io::Error),
    /// The HTTP client could not be set up, for example with the certificates of a contract.
    #[error("{0}")]
    Client(#[source] rustls::Error),
    /// The network thread ended before its work was done.
    #[error("{0}")]
    Ended(#[source] JoinError),
    /// The site, or its robots.txt, does not answer.
    #[error("{url}: {failure}")]
    NoAnswer {
        /// The URL that was requested.
        url: Url,
        /// The reason.
        #[source]
        failure: RequestFailure,
    },
    /// The start page does not exist.
    #[error("{url}: it answers {status}")]
    Status {
        /// The URL that was requested.
        url: Url,
        /// The status, with its name if it has one.
        status: String,
    },
    /// The server fails to answer with its robots.txt, so nothing may be requested (RFC 9309, 2.3.1).
    #[error("{url}: it answers {status}; `--ignore-robots` continues without it")]
    RobotsUnavailable {
        /// The URL of robots.txt.
        url: Url,
        /// The status, with its name if it has one.
        status: String,
    },
    /// robots.txt disallows the start page.
    #[error("{0}: robots.txt disallows it; `--ignore-robots` fetches it anyway")]
    Disallowed(Url),
    /// The start page redirects to another site.
    #[error("{from}: it redirects to {to}, which is another site; check that URL instead if you mean it")]
    OtherSite {
        /// The URL that redirects.
        from: Url,
        /// The URL of the other site.
        to: String,
    },
    /// The start page redirects in a circle.
    #[error("{0}: it redirects in a loop")]
    RedirectLoop(Url),
    /// The start page is not below the base path of the site.
    #[error("{url}: it is not below the base path `{base_path}`")]
    OutsideBasePath {
        /// The URL of the start page.
        url: Url,
        /// The base path.
        base_path: String,
    },
}
