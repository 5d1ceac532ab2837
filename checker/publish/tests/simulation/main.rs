//! Simulates publishers in paused time, on stores in memory: every kill, and random faults by seed.
//!
//! `SITEGATE_SEED` selects the first seed, and then `SITEGATE_SEEDS` the number of seeds. Without them, some seeds run.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod judge;
mod kills;
mod link;
mod machine;
mod operation;
mod report;
mod rng;
mod round;
mod seeds;
mod site;
mod store;
mod world;

use std::sync::LazyLock;

use kills::{Job, SCENARIOS};
use site::Site;
use world::KINDS;

/// Number of seeds in `npm test`.
const SEEDS: u64 = 400;

/// Sites of 3, 20 and 80 files.
static SITES: LazyLock<[Site; 3]> = LazyLock::new(|| [3, 20, 80].map(Site::new));

fn seed() -> u64 {
    report::number("SITEGATE_SEED").unwrap_or(1)
}

#[test]
fn every_operation_survives_a_kill_at_every_request() {
    let mut jobs = Vec::new();
    for site in SITES.iter().rev() {
        for kind in KINDS {
            jobs.extend(SCENARIOS.iter().map(|scenario| Job { site, kind, scenario }));
        }
    }
    let kills = kills::run_all(&jobs, seed()).unwrap_or_else(|trouble| panic!("\n{trouble}"));
    assert!(kills > 1_000, "only {kills} kills");
    println!("{kills} kills");
}

#[test]
fn random_rounds_end_well() {
    let first = seed();
    let one = report::number("SITEGATE_SEED").map(|_| 1);
    let count = report::number("SITEGATE_SEEDS").or(one).unwrap_or(SEEDS);
    seeds::run_all(&*SITES, first, count).unwrap_or_else(|trouble| panic!("\n{trouble}"));
}
