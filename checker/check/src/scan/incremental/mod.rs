//! Checks an export again, and reads only the files that have changed since the last check.

pub mod cache;
pub(super) mod rejoin;
