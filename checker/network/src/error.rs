//! The errors of this crate: the network is not available, or a site cannot be crawled.

use std::io;

use tokio::task::JoinError;
use url::Url;

use crate::request_failure::RequestFailure;

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
