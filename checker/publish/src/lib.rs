//! Publishing: what a check sealed goes live, and nothing else. Checking never enters here.
//!
//! [`publish`] and [`rollback`] are the doors: every guard stands behind them, so that no caller can go round one.
//! Behind them [`release`] compares the export with its seal and turns files into objects with headers, [`target`]
//! opens, reads and writes the bucket or folder that they go to, [`memory`] is what a target remembers of earlier
//! runs, [`plan`] compares the two, and `publisher` carries the plan out while others are kept away. [`keeping`] says
//! what is live, removes what no release needs and frees a target. `verify` asks the live site whether it answers as
//! published.
//!
//! Without the feature `network` a release goes to a folder, and nothing here speaks TLS.

#[cfg(feature = "network")]
pub(crate) mod aws;
pub mod events;
pub mod failure;
pub mod keeping;
pub mod memory;
pub mod plan;
pub mod publication;
pub mod publish;
pub(crate) mod publisher;
pub mod release;
pub mod rollback;
pub mod stop;
pub mod target;
#[cfg(feature = "network")]
pub mod verify;
