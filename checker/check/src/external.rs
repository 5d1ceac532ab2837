//! Defines what a check needs to know of external URLs. The check submits URLs while it reads, and collects the
//! answers when it has read all.
//! The implementation of [`ExternalLinks`] sends the requests; the check itself never uses the network.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use schemars::JsonSchema;
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

/// The results of the external checks, in total and by host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "OtherHosts")]
#[non_exhaustive]
pub struct ExternalHosts {
    /// Number of URLs whose results were cached, so that they were not requested.
    pub known: usize,
    /// Counts for all hosts together.
    #[serde(flatten)]
    pub all: HostCounts,
    /// Seconds from the first external URL to the last response.
    pub seconds: f64,
    /// Whether the checks were stopped before all hosts had answered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// The hosts, those with the most links first.
    pub hosts: Vec<ExternalHost>,
}

/// The results of the external checks on one host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "OtherHost")]
#[non_exhaustive]
pub struct ExternalHost {
    /// Name of the host, with its port unless that is the default.
    pub host: String,
    /// Counts for this host.
    #[serde(flatten)]
    pub counts: HostCounts,
    /// Seconds from the first request to the last response; 0 if nothing was requested.
    pub seconds: f64,
    /// Maximum number of concurrent requests.
    pub at_once: usize,
}

/// The results of external URLs, each counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct HostCounts {
    /// Number of links to these URLs.
    pub links: usize,
    /// Number of different URLs, without fragments.
    pub addresses: usize,
    /// Number of URLs that exist.
    pub there: usize,
    /// Number of URLs that redirect permanently.
    pub moved: usize,
    /// Number of URLs that do not exist.
    pub broken: usize,
    /// Number of URLs that could not be verified.
    pub unverified: usize,
    /// Number of requests sent.
    pub requests: usize,
}

impl ExternalHosts {
    /// Summarizes the results of hosts, those with the most links first.
    pub(crate) fn new(mut hosts: Vec<ExternalHost>, answers: &ExternalAnswers) -> ExternalHosts {
        // A redirect may name a host that was not requested, such as a private one.
        hosts.retain(|host| host.counts.addresses > 0 || host.counts.requests > 0);
        hosts.sort_by(|a, b| b.counts.links.cmp(&a.counts.links).then_with(|| a.host.cmp(&b.host)));
        let ExternalAnswers { known, took, is_stopped: stopped, .. } = *answers;
        let mut all = HostCounts::default();
        for host in &hosts {
            all.add(host.counts);
        }
        ExternalHosts { known, all, seconds: seconds(took), stopped, hosts }
    }
}

impl ExternalHost {
    /// Creates the results of a host without any URL.
    pub(crate) fn new(HostTime { name, requests, at_once, wall }: HostTime) -> ExternalHost {
        let counts = HostCounts { requests, ..HostCounts::default() };
        ExternalHost { host: name, counts, seconds: seconds(wall), at_once }
    }
}

impl HostCounts {
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

    fn add(&mut self, more: HostCounts) {
        self.links += more.links;
        self.addresses += more.addresses;
        self.there += more.there;
        self.moved += more.moved;
        self.broken += more.broken;
        self.unverified += more.unverified;
        self.requests += more.requests;
    }
}

/// Returns a duration in seconds, rounded to milliseconds.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
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

#[cfg(test)]
mod tests {
    use super::{ExternalAnswers, ExternalHost, ExternalHosts, ExternalVerdict, HostTime};

    #[test]
    fn a_host_without_links_and_requests_is_not_listed() {
        let host = |name: &str, addresses: usize, requests: usize| {
            let time = HostTime { name: name.to_owned(), requests, ..HostTime::default() };
            let mut host = ExternalHost::new(time);
            (0..addresses).for_each(|_| host.counts.count(&ExternalVerdict::There));
            host
        };
        let hosts = vec![host("a.test", 1, 0), host("redirected.test", 0, 1), host("10.0.0.1", 0, 0)];
        let external = ExternalHosts::new(hosts, &ExternalAnswers::default());
        let listed: Vec<&str> = external.hosts.iter().map(|listed| listed.host.as_str()).collect();
        assert_eq!(listed, ["a.test", "redirected.test"]);
    }
}
