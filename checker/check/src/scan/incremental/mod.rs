//! Checks an export again: reads only the files that changed since the last check.

pub mod cache;
pub(super) mod rejoin;
