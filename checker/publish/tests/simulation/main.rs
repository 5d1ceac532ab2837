//! Simulates publishers in paused time, on stores in memory: every kill, and random faults by seed.
//!
//! `SITEGATE_SEED` runs one seed, and with `SITEGATE_SEEDS` this many from it. With large sites and rare stores,
//! a sample of the requests is killed, a larger one with `SITEGATE_TESTS=complete`, and every one with `SITEGATE_KILLS=all`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod at_work;
mod guards;
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
mod suspension;
mod verification;
mod world;

use std::sync::LazyLock;

use at_work::Damage;
use kills::{Job, SCENARIOS};
use round::{Round, in_round};
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
    let kills = kills::run_all(&jobs.collect::<Vec<_>>(), seed()).unwrap();
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
        let done = suspension::suspend_at_each_write(&SITES[1], kind).unwrap();
        assert!(done > 300, "{}: only {done} suspensions", kind.name);
    }
}

#[test]
fn a_publisher_notices_another_one_that_wakes() {
    let kind = KINDS[1];
    let done = suspension::begin_before_one_wakes(&SITES[1], kind).unwrap();
    assert!(done > 160, "only {done} suspensions");
}

#[test]
fn a_reader_sees_one_moment() {
    for kind in KINDS {
        let done = suspension::pause_reader(&SITES[1], kind).unwrap();
        assert_eq!(done, 336, "{}", kind.name);
    }
}

#[test]
fn others_wait_for_a_slow_publisher() {
    for kind in KINDS {
        for damage in [Damage::None, Damage::Backup, Damage::Record] {
            for seed in seed()..seed() + 3 {
                let what = format!("others wait, damage: {damage:?}");
                let work = async |round: &mut Round<'_>| round.work_slowly(damage).await;
                in_round(&SITES[1], kind, seed, &what, work).unwrap();
            }
        }
    }
}

#[test]
fn others_wait_during_a_verification() {
    // At a store without times, others wait for the end.
    for kind in KINDS.into_iter().filter(|kind| kind.is_dated) {
        verification::others_wait(&SITES[1], kind).unwrap();
    }
}

#[test]
fn a_repeated_verification_adds_no_release() {
    for kind in KINDS {
        verification::repeats_add_no_release(&SITES[1], kind).unwrap();
    }
}

#[test]
fn renewals_of_a_slow_publisher_are_in_order() {
    for kind in KINDS {
        for seed in seed()..seed() + 20 {
            let work = async |round: &mut Round<'_>| round.renew_slowly(seed).await;
            in_round(&SITES[1], kind, seed, "slow renewals", work).unwrap();
        }
    }
}

#[test]
fn edits_by_hand_stop_the_next_publish() {
    for kind in KINDS {
        for loses_record in [false, true] {
            guards::notice_edits(&SITES[1], kind, loses_record).unwrap();
        }
    }
}

#[test]
fn a_rollback_reads_all_backups_before_it_changes_a_page() {
    for kind in KINDS {
        guards::refuse_damaged_backups(&SITES[1], kind).unwrap();
    }
}

#[test]
fn edits_during_a_publish_stay() {
    // A page that both versions have, and a new one; before the backups are copied, and after that.
    for key in ["index.html", "section0/new/index.html"] {
        for after in ["put .sitegate/releases/", "put lib/"] {
            for kind in KINDS.into_iter().filter(|kind| kind.has_conditions && !kind.is_folder) {
                let what = format!("{key} is edited after {after}");
                let work = async |round: &mut Round<'_>| round.edit_at_work(key, after).await;
                in_round(&SITES[1], kind, 1, &what, work).unwrap();
            }
        }
    }
}

#[test]
fn a_publisher_stops_if_its_target_is_unlocked() {
    for kind in KINDS {
        let work = async |round: &mut Round<'_>| round.unlock_at_work().await;
        in_round(&SITES[1], kind, 1, "unlocked at work", work).unwrap();
    }
}

#[test]
fn gc_keeps_as_many_releases_as_requested() {
    for kind in KINDS {
        at_work::keeps_releases(&SITES[1], kind).unwrap();
    }
}

#[test]
fn random_rounds_end_well() {
    let first = seed();
    let one = report::number("SITEGATE_SEED").map(|_| 1);
    let count = report::number("SITEGATE_SEEDS").or(one).unwrap_or(SEEDS);
    seeds::run_all(&*SITES, first, count).unwrap();
}

#[test]
fn a_seed_sends_the_same_requests_again() {
    for seed in 1..=20 {
        let [one, other] = [(); 2].map(|()| seeds::run(&*SITES, seed).unwrap());
        let difference = one.iter().zip(&other).find(|(one, other)| one != other);
        assert_eq!(difference, None, "seed {seed}");
        assert_eq!(one.len(), other.len(), "seed {seed}");
    }
}
