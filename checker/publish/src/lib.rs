//! Publishes exactly the files that passed a check. Nothing is checked here.
//!
//! [`publish`] and [`rollback`] are the entry points; every guard runs inside them. [`release`] compares the
//! export with its seal and builds objects with headers. [`target`] reads and writes the bucket or folder.
//! [`target_state`] is what a target stores about earlier runs. [`plan`] compares release and target;
//! `publisher` executes the plan under a lease, and `post_publish` runs the steps after that. [`history`] finds
//! the releases to roll back to. [`release_inventories`] reads the inventories of releases. [`status`], [`unlock`], [`gc`] and [`repair`] maintain a target. [`verify`]
//! checks that the live site matches the seal, by requests of a [`visitor`].
//!
//! Without the feature `network`, only folders can be published to, and there is no TLS.

#[cfg(feature = "network")]
pub(crate) mod aws;
pub mod events;
pub mod failure;
pub mod gc;
pub mod history;
#[cfg(feature = "network")]
pub mod live_visitor;
pub(crate) mod path_conflicts;
pub mod plan;
pub(crate) mod post_publish;
pub(crate) mod precompressed;
pub mod publication;
pub mod publish;
pub(crate) mod publisher;
mod random_id;
pub(crate) mod recovery;
pub mod release;
pub mod release_files;
pub mod release_inventories;
pub mod repair;
pub mod rollback;
pub mod status;
pub mod stop;
pub mod target;
pub mod target_state;
pub mod unlock;
pub mod verify;
pub mod visitor;
