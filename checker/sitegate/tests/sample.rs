//! How much of an exhaustive matrix a run covers: a seeded sample, or all of it with `SITEGATE_TESTS=complete`.
//!
//! `.ci/run` covers everything. `SITEGATE_TEST_SEED` takes another sample than the usual one.

use std::env;

/// A sample has one case of so many.
const STEP: usize = 4;

/// The seed of samples and random walks, if one was chosen.
pub fn seed() -> Option<u64> {
    env::var("SITEGATE_TEST_SEED").ok().map(|seed| seed.parse().expect("SITEGATE_TEST_SEED is a number"))
}

fn step() -> usize {
    if env::var_os("SITEGATE_TESTS").is_some_and(|value| value == "complete") { 1 } else { STEP }
}

/// The positions to try, counted from 1, without an end.
pub fn positions() -> impl Iterator<Item = usize> {
    let step = step();
    let first = seed().map_or(0, |seed| usize::try_from(seed % STEP as u64).unwrap_or_default() % step);
    (1 + first..).step_by(step)
}

/// How many of `all` rounds to run.
pub fn rounds(all: usize) -> usize {
    all.div_ceil(step())
}
