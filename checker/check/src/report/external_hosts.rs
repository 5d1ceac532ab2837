//! The answers of other hosts, as the report has them.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::finding::is_false;
use crate::external::{ExternalSummary, HostTally};

/// What other hosts said: all together, and each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "OtherHosts")]
#[non_exhaustive]
pub struct ExternalHosts {
    /// Addresses that were known from earlier, and not asked for.
    pub known: usize,
    /// All hosts together.
    #[serde(flatten)]
    pub all: HostCounts,
    /// From the first address that was met to the last answer.
    pub seconds: f64,
    /// Whether the requests were stopped before all had answered.
    #[serde(default, skip_serializing_if = "is_false")]
    pub stopped: bool,
    /// Those that most links lead to first.
    pub hosts: Vec<ExternalHost>,
}

/// What one host said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "OtherHost")]
#[non_exhaustive]
pub struct ExternalHost {
    /// Its name, with its port where that is an unusual one.
    pub host: String,
    /// What it said.
    #[serde(flatten)]
    pub counts: HostCounts,
    /// From the first request to the last answer; none where nothing was asked.
    pub seconds: f64,
    /// Requests at once, at most.
    pub at_once: usize,
}

/// What was said of the addresses on hosts, each counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct HostCounts {
    /// References that lead there.
    pub links: usize,
    /// Addresses that these name, without their fragments.
    pub addresses: usize,
    /// Addresses that are there.
    pub there: usize,
    /// Addresses that have moved for good.
    pub moved: usize,
    /// Addresses that are not there.
    pub broken: usize,
    /// Addresses of which nobody can tell.
    pub unverified: usize,
    /// Requests that were sent.
    pub requests: usize,
}

impl ExternalHosts {
    /// Sums up what was said.
    pub fn of(tally: &ExternalSummary) -> ExternalHosts {
        let host = |host: &HostTally| ExternalHost {
            host: host.time.name.clone(),
            counts: HostCounts::of(host),
            seconds: seconds(host.time.wall),
            at_once: host.time.at_once,
        };
        ExternalHosts {
            known: tally.known,
            all: HostCounts::of(&tally.all()),
            seconds: seconds(tally.took),
            stopped: tally.is_stopped,
            hosts: tally.hosts.iter().map(host).collect(),
        }
    }
}

impl HostCounts {
    fn of(tally: &HostTally) -> HostCounts {
        let HostTally { ref time, links, addresses, there, moved, broken, unverified } = *tally;
        HostCounts { links, addresses, there, moved, broken, unverified, requests: time.requests }
    }
}

/// Seconds, to a thousandth.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}
