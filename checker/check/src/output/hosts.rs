//! What other hosts said, as programs read it.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use crate::external::{HostTally, WorldTally};

/// What other hosts said: all together, and each.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OtherHosts")]
pub(super) struct JsonElsewhere<'t> {
    /// Addresses that were known from earlier, and not asked for.
    known: usize,
    #[serde(flatten)]
    all: JsonSaid,
    /// From the first address that was met to the last answer.
    seconds: f64,
    /// Those that most links lead to first.
    hosts: Vec<JsonHost<'t>>,
}

/// What one host said.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OtherHost")]
struct JsonHost<'t> {
    /// Its name, with its port where that is an unusual one.
    host: &'t str,
    #[serde(flatten)]
    said: JsonSaid,
    /// From the first request to the last answer; none where nothing was asked.
    seconds: f64,
}

#[derive(Serialize, JsonSchema)]
struct JsonSaid {
    /// References that lead there.
    links: usize,
    /// Addresses that these name, without their fragments.
    addresses: usize,
    /// Addresses that are there.
    there: usize,
    /// Addresses that have moved for good.
    moved: usize,
    /// Addresses that are not there.
    broken: usize,
    /// Addresses of which nobody can tell.
    unverified: usize,
    /// Requests that were sent.
    requests: usize,
}

impl<'t> JsonElsewhere<'t> {
    pub(super) fn of(elsewhere: &'t WorldTally) -> JsonElsewhere<'t> {
        let host = |tally: &'t HostTally| JsonHost {
            host: &tally.time.name,
            said: JsonSaid::of(tally),
            seconds: seconds(tally.time.wall),
        };
        JsonElsewhere {
            known: elsewhere.known,
            all: JsonSaid::of(&elsewhere.all()),
            seconds: seconds(elsewhere.took),
            hosts: elsewhere.hosts.iter().map(host).collect(),
        }
    }
}

impl JsonSaid {
    fn of(tally: &HostTally) -> JsonSaid {
        let HostTally { ref time, links, addresses, there, moved, broken, unverified } = *tally;
        JsonSaid { links, addresses, there, moved, broken, unverified, requests: time.requests }
    }
}

/// Seconds, to a thousandth.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}
