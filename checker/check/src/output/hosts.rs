//! What other hosts said, as programs read it.

use std::time::Duration;

use serde::Serialize;

use crate::world::{HostTally, WorldTally};

/// All hosts together, and each.
#[derive(Serialize)]
pub(super) struct JsonElsewhere<'t> {
    /// Addresses that were known from earlier.
    known: usize,
    #[serde(flatten)]
    all: JsonSaid,
    seconds: f64,
    hosts: Vec<JsonHost<'t>>,
}

#[derive(Serialize)]
struct JsonHost<'t> {
    host: &'t str,
    #[serde(flatten)]
    said: JsonSaid,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonSaid {
    links: usize,
    addresses: usize,
    there: usize,
    moved: usize,
    broken: usize,
    unverified: usize,
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
