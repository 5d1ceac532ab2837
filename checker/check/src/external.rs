//! Defines what a check needs to know of external URLs. The check submits URLs while it reads, and collects the
//! answers when it has read all.
//! The implementation of [`ExternalLinks`] sends the requests; the check itself never uses the network.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

/// Requests external URLs for a check.
pub trait ExternalLinks: Sync {
    /// Submits a URL with its fragment, without a user name and a password. Called by all threads, possibly more than
    /// once for a URL. Returns whether it will be answered: URLs that the settings leave out will not.
    fn submit(&self, url: &Url) -> bool;

    /// Whether links are left out that another check requests. Then an ignore that matches none of the others is not
    /// unused.
    #[doc(hidden)]
    fn is_partial(&self) -> bool {
        false
    }

    /// Returns the answers, after all URLs were submitted.
    fn answers(&self) -> ExternalAnswers;
}

/// Answers of external hosts, and how long they took.
#[derive(Clone, Debug, Default)]
pub struct ExternalAnswers {
    /// Answers by URL without fragment.
    pub by_url: HashMap<String, ExternalAnswer>,
    /// Hosts that were requested in this check.
    pub hosts: Vec<HostTime>,
    /// Number of URLs that were answered from the cache.
    pub known: usize,
    /// Time from the first submitted URL to the last answer.
    pub took: Duration,
    /// Whether the check was stopped before all had answered.
    pub is_stopped: bool,
}

/// Requests to one host, and their time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostTime {
    /// Host name, with its port if that is not the default.
    pub name: String,
    /// Number of requests.
    pub requests: usize,
    /// Maximum number of concurrent requests.
    pub at_once: usize,
    /// Time from the first request to the last answer.
    pub wall: Duration,
}

/// Summary of the answers of all external hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternalSummary {
    /// Hosts, in descending order of links.
    pub hosts: Vec<HostTally>,
    /// Number of URLs that were answered from the cache.
    pub known: usize,
    /// Time from the first submitted URL to the last answer.
    pub took: Duration,
    /// Whether the check was stopped before all had answered.
    pub is_stopped: bool,
}

/// Counts of the URLs on one host; each URL counts once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostTally {
    /// Requests and their time; no request if all answers were cached, or if only redirects point to the host.
    pub time: HostTime,
    /// Number of references to the host.
    pub links: usize,
    /// Number of distinct URLs in these references, without fragments.
    pub addresses: usize,
    /// Number of URLs that exist.
    pub there: usize,
    /// Number of URLs that moved permanently.
    pub moved: usize,
    /// Number of broken URLs.
    pub broken: usize,
    /// Number of URLs that could not be verified.
    pub unverified: usize,
}

impl ExternalSummary {
    /// Returns the sum of all hosts.
    pub fn all(&self) -> HostTally {
        let mut all = HostTally::default();
        for host in &self.hosts {
            all.time.requests += host.time.requests;
            all.links += host.links;
            all.addresses += host.addresses;
            all.there += host.there;
            all.moved += host.moved;
            all.broken += host.broken;
            all.unverified += host.unverified;
        }
        all
    }
}

impl HostTally {
    /// Counts the verdict on one more URL.
    pub(crate) fn count(&mut self, verdict: &ExternalVerdict) {
        self.addresses += 1;
        *match verdict {
            ExternalVerdict::There => &mut self.there,
            ExternalVerdict::Moved(_) => &mut self.moved,
            ExternalVerdict::Broken(_) => &mut self.broken,
            ExternalVerdict::Unverified(_) => &mut self.unverified,
        } += 1;
    }
}

/// The verdict on an external URL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExternalVerdict {
    /// It exists, or redirects temporarily.
    There,
    /// It moved permanently, to this URL.
    Moved(String),
    /// It is broken, for this reason.
    Broken(String),
    /// It could not be verified, for this reason.
    Unverified(String),
}

/// The answer for an external URL and its fragments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalAnswer {
    /// Verdict on the URL.
    pub verdict: ExternalVerdict,
    /// Requested fragments that the page does not have.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub missing: BTreeSet<String>,
    /// Requested fragments that the page has, or that could not be verified.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub present: BTreeSet<String>,
}

impl ExternalAnswer {
    /// Whether the URL exists, here or at another URL.
    pub fn is_there(&self) -> bool {
        matches!(self.verdict, ExternalVerdict::There | ExternalVerdict::Moved(_))
    }
}
