//! Publishing: what a check sealed goes live, and nothing else. Checking never enters here.
//!
//! [`publish`] and [`rollback`] are the doors: every guard stands behind them, so that no caller can go round one.
//! Behind them [`release`] compares the export with its seal and turns files into objects with headers, [`target`]
//! opens, reads and writes the bucket or folder that they go to, [`memory`] is what a target remembers of earlier
//! runs, [`plan`] compares the two, `publisher` carries the plan out while others are kept away, and `afterwards` does
//! what follows. [`history`] says which releases can be gone back to, [`keeping`] what is live; it removes what no
//! release needs and frees a target. `verify` asks the live site whether it answers as published.
//!
//! Without the feature `network` a release goes to a folder, and nothing here speaks TLS.

pub(crate) mod afterwards;
#[cfg(feature = "network")]
pub(crate) mod aws;
pub mod events;
pub mod failure;
pub mod history;
pub mod keeping;
pub mod memory;
pub(crate) mod obstacles;
pub mod plan;
pub mod publication;
pub mod publish;
pub(crate) mod publisher;
pub(crate) mod recovery;
pub mod release;
pub mod repair;
pub mod rollback;
pub mod stop;
pub mod target;
pub(crate) mod twins;
#[cfg(feature = "network")]
pub mod verify;
