//! Selects the cases of exhaustive tests: a seeded sample, or all with `SITEGATE_TESTS=complete`.
//!
//! `.ci/run` runs all cases. `SITEGATE_TEST_SEED` selects another sample.

use std::env;

/// A sample has one of this many cases.
const STEP: usize = 4;

/// Returns the seed of samples and random walks, if it is set.
pub fn seed() -> Option<u64> {
    env::var("SITEGATE_TEST_SEED").ok().map(|seed| seed.parse().expect("SITEGATE_TEST_SEED is a number"))
}

fn step() -> usize {
    if env::var_os("SITEGATE_TESTS").is_some_and(|value| value == "complete") { 1 } else { STEP }
}

/// Returns the positions to test, from 1, without an end.
pub fn positions() -> impl Iterator<Item = usize> {
    let step = step();
    let first = seed().map_or(0, |seed| usize::try_from(seed % STEP as u64).unwrap_or_default() % step);
    (1 + first..).step_by(step)
}

/// Returns how many of `all` rounds to run.
pub fn rounds(all: usize) -> usize {
    all.div_ceil(step())
}
