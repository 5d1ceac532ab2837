//! Why a request got no answer (name, connection, TLS, time), and what a status means.

use std::error::Error;
use std::io;

use reqwest::StatusCode;
use rustls::CertificateError;

use crate::resolver::{NoAddress, NotLookedUp, RefusedAddress};

/// A request without an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Silence {
    /// The reason, as the end of a sentence about the host or the URL.
    pub reason: String,
    pub(crate) kind: SilenceKind,
}

/// What a request without an answer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SilenceKind {
    /// The next request will get none either.
    Lasting,
    /// The next request may get one; if it does not, the address is broken.
    Passing,
    /// The connection broke off; as for `Passing`.
    BrokenOff,
    /// The next request may get one; if it does not, the address cannot be verified.
    Slow,
    /// It was not sent, because its address is not allowed.
    Refused,
}

impl Silence {
    pub(crate) fn new(kind: SilenceKind, reason: impl Into<String>) -> Silence {
        Silence { reason: reason.into(), kind }
    }

    /// Whether the next request may get an answer.
    pub(crate) fn may_pass(&self) -> bool {
        matches!(self.kind, SilenceKind::Passing | SilenceKind::BrokenOff | SilenceKind::Slow)
    }

    /// No answer, or no end of it, within a time limit.
    pub(crate) fn slow(what: &str, limit: std::time::Duration) -> Silence {
        Silence::new(SilenceKind::Slow, format!("{what} within {} s", limit.as_secs_f32()))
    }

    pub(crate) fn refused(address: &RefusedAddress) -> Silence {
        Silence::new(SilenceKind::Refused, address.to_string())
    }

    /// The reason behind an error of the client.
    pub fn of(error: &reqwest::Error) -> Silence {
        if let Some(address) = find::<RefusedAddress>(error) {
            return Silence::refused(address);
        }
        if let Some(silence) = by_proxy(error) {
            return silence;
        }
        if find::<NoAddress>(error).is_some() {
            return Silence::new(SilenceKind::Passing, "no such host");
        }
        if let Some(unknown) = find::<NotLookedUp>(error) {
            return Silence::new(SilenceKind::Slow, unknown.to_string());
        }
        if let Some(error) = find::<rustls::Error>(error) {
            return Silence::new(SilenceKind::Lasting, tls(error));
        }
        if error.is_timeout() {
            let what =
                if error.is_connect() { "it could not be reached in time" } else { "no answer in time" };
            return Silence::new(SilenceKind::Slow, what);
        }
        let reason = match find::<io::Error>(error).map(io::Error::kind) {
            Some(io::ErrorKind::ConnectionRefused) => "it refuses connections",
            Some(io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe) => "it broke the connection off",
            Some(io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable) => {
                "there is no way to it"
            }
            Some(io::ErrorKind::TimedOut) => {
                return Silence::new(SilenceKind::Slow, "it could not be reached in time");
            }
            _ if error.is_connect() => "it cannot be reached",
            _ => "its answer is not HTTP, or broke off",
        };
        let kind = if error.is_connect() { SilenceKind::Passing } else { SilenceKind::BrokenOff };
        Silence::new(kind, reason)
    }
}

/// What is wrong with an encrypted connection.
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
        CertificateError::UnknownIssuer => "its certificate is signed by nobody that is trusted".to_owned(),
        CertificateError::Revoked => "its certificate was revoked".to_owned(),
        other => format!("its certificate does not hold: {other}"),
    }
}

/// What a proxy did in the place of leading to a host. The client's error for that has no name outside of it.
fn by_proxy(error: &reqwest::Error) -> Option<Silence> {
    let said = behind(error).map(ToString::to_string).find(|said| said.starts_with("tunnel error: "))?;
    let reason = match () {
        () if said.ends_with("proxy authorization required") => "the proxy wants a name and a password",
        () if said.ends_with("failed to create underlying connection") => "the proxy cannot be reached",
        () => "the proxy does not lead there",
    };
    Some(Silence::new(SilenceKind::Slow, reason))
}

/// The first error of a type that lies behind another.
fn find<'e, T: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e T> {
    behind(error).find_map(|error| error.downcast_ref::<T>())
}

/// An error, and those that lie behind it.
fn behind<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| {
        // An error of input and output does not count what it carries as its source, but the source of that.
        let carried = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        carried.map(|carried| carried as &(dyn Error + 'static)).or_else(|| error.source())
    })
}

/// What a status means for a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatusMeaning {
    There,
    /// It leads elsewhere, for good or for now.
    Leads {
        for_good: bool,
    },
    /// It may be otherwise the next time.
    Passing,
    /// Too much was asked.
    TooMuch,
    /// A wall against programs, or a login.
    Wall,
    Gone,
}

impl StatusMeaning {
    pub(crate) fn of(status: StatusCode) -> StatusMeaning {
        match status.as_u16() {
            301 | 308 => StatusMeaning::Leads { for_good: true },
            302 | 303 | 307 => StatusMeaning::Leads { for_good: false },
            429 | 503 => StatusMeaning::TooMuch,
            408 | 425 | 500 | 502 | 504 | 520..=527 | 530 => StatusMeaning::Passing,
            // 999 is LinkedIn's answer to programs, and 451 says that a court or a country does not let it be seen.
            401 | 402 | 403 | 407 | 451 | 999 => StatusMeaning::Wall,
            200..=299 | 304 => StatusMeaning::There,
            _ => StatusMeaning::Gone,
        }
    }
}

/// A status in words: its number, and its name where it has one.
pub(crate) fn status_words(status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(name) => format!("{} {name}", status.as_u16()),
        None => status.as_u16().to_string(),
    }
}
