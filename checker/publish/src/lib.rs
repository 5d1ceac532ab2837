//! Publishing: what a check sealed goes live, and nothing else.
//!
//! [`release`] compares the export with its seal and turns files into objects with headers. [`target`] opens, reads
//! and writes the bucket or folder that they go to, and [`memory`] is what it remembers of earlier runs. [`plan`]
//! compares the two and guards the outcome, and [`publisher`] carries it out while others are kept away. [`keeping`]
//! goes back to an earlier release and clears away what no release needs, and [`verify`] asks the live site whether
//! it answers as published.

pub mod aws;
pub mod failure;
pub mod keeping;
pub mod memory;
pub mod plan;
pub mod publisher;
pub mod release;
pub mod target;
pub mod verify;
