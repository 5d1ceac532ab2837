//! Summarizes the external checks for the report, by host.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::excerpt::is_false;
use crate::external::{ExternalSummary, HostTally};

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
    #[serde(default, skip_serializing_if = "is_false")]
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
    /// Summarizes external checks.
    pub fn new(summary: &ExternalSummary) -> ExternalHosts {
        let host = |host: &HostTally| ExternalHost {
            host: host.time.name.clone(),
            counts: HostCounts::new(host),
            seconds: seconds(host.time.wall),
            at_once: host.time.at_once,
        };
        ExternalHosts {
            known: summary.known,
            all: HostCounts::new(&summary.all()),
            seconds: seconds(summary.took),
            stopped: summary.is_stopped,
            // A redirect may name a host that was not requested, such as a private one.
            hosts: summary.hosts.iter().map(host).filter(ExternalHost::has_results).collect(),
        }
    }
}

impl ExternalHost {
    /// Whether a link names it, or it was requested.
    fn has_results(&self) -> bool {
        self.counts.addresses > 0 || self.counts.requests > 0
    }
}

impl HostCounts {
    fn new(tally: &HostTally) -> HostCounts {
        let HostTally { ref time, links, addresses, there, moved, broken, unverified } = *tally;
        HostCounts { links, addresses, there, moved, broken, unverified, requests: time.requests }
    }
}

/// Returns a duration in seconds, rounded to milliseconds.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::ExternalHosts;
    use crate::external::{ExternalSummary, HostTally, HostTime};

    #[test]
    fn a_host_without_links_and_requests_is_not_listed() {
        let tally = |name: &str, addresses: usize, requests: usize| HostTally {
            time: HostTime { name: name.to_owned(), requests, ..HostTime::default() },
            addresses,
            ..HostTally::default()
        };
        let hosts = vec![tally("a.test", 1, 0), tally("redirected.test", 0, 1), tally("10.0.0.1", 0, 0)];
        let external = ExternalHosts::new(&ExternalSummary { hosts, ..ExternalSummary::default() });
        let listed: Vec<&str> = external.hosts.iter().map(|host| host.host.as_str()).collect();
        assert_eq!(listed, ["a.test", "redirected.test"]);
    }
}
