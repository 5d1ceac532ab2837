//! Simulates publishers in paused time, on stores in memory: every kill, and random faults by seed.
//!
//! `SITEGATE_SEED` runs one seed, and with `SITEGATE_SEEDS` this many from it. With large sites and rare stores,
//! a sample of the requests is killed, a larger one with `SITEGATE_TESTS=complete`, and every one with `SITEGATE_KILLS=all`.

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
const SEEDS: u64 = 150;

/// Sites of 3, 20 and 80 files.
static SITES: LazyLock<[Site; 3]> = LazyLock::new(|| [3, 20, 80].map(Site::new));

fn seed() -> u64 {
    report::number("SITEGATE_SEED").unwrap_or(1)
}

/// Kills every operation on a site at one of every `steps` requests, for the kinds of stores in their order.
fn kill_all(site: &Site, steps: [usize; KINDS.len()]) {
    let is_set = |name, wanted: &str| std::env::var_os(name).is_some_and(|value| value == wanted);
    let kinds = KINDS.into_iter().zip(steps.map(|step| match () {
        () if is_set("SITEGATE_KILLS", "all") => 1,
        () if is_set("SITEGATE_TESTS", "complete") => step.div_ceil(4),
        () => step,
    }));
    let jobs = kinds
        .flat_map(|(kind, step)| SCENARIOS.iter().map(move |scenario| Job { site, kind, scenario, step }));
    let kills =
        kills::run_all(&jobs.collect::<Vec<_>>(), seed()).unwrap_or_else(|trouble| panic!("\n{trouble}"));
    assert!(kills > 300, "only {kills} kills");
}

#[test]
fn small_sites_survive_a_kill_at_every_request() {
    kill_all(&SITES[0], [1; KINDS.len()]);
}

#[test]
fn sites_survive_a_kill_at_every_request() {
    kill_all(&SITES[1], [1, 1, 4, 4, 8]);
}

#[test]
fn large_sites_survive_a_kill_at_every_request() {
    kill_all(&SITES[2], [8, 8, 50, 50, 50]);
}

#[test]
fn a_suspended_publisher_overwrites_nothing_and_goes_on_if_no_one_else_ran() {
    for kind in KINDS.into_iter().filter(|kind| kind.has_conditions) {
        let done =
            seeds::suspend_at_each_write(&SITES[1], kind).unwrap_or_else(|trouble| panic!("\n{trouble}"));
        assert!(done > 40, "{}: only {done} suspensions", kind.name);
    }
}

#[test]
fn random_rounds_end_well() {
    let first = seed();
    let one = report::number("SITEGATE_SEED").map(|_| 1);
    let count = report::number("SITEGATE_SEEDS").or(one).unwrap_or(SEEDS);
    seeds::run_all(&*SITES, first, count).unwrap_or_else(|trouble| panic!("\n{trouble}"));
}
