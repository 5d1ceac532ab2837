//! Publishing: what a check sealed goes live, and nothing else.

pub mod seal;
