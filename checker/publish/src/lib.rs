//! Publishes exactly the files that passed a check. Nothing is checked here.
//!
//! [`publish`] and [`rollback`] are the entry points; every guard runs inside them. [`release`] compares the
//! export with its seal and builds objects with headers. [`store`] is where releases go: a trait with its capabilities
//! as data. [`folder`] is one. [`target`] is a store with its URL. [`machine`] gives time and random IDs.
//! [`target_state`] is what a target stores about earlier runs. [`plan`] compares release and target;
//! `publisher` executes the plan under a lease, and `post_publish` runs the steps after that. [`history`] finds
//! the releases to roll back to. [`release_files`] reads the files and inventories of releases. [`maintenance`] and
//! [`repair`] maintain a target. [`verify`] checks that the live site matches the seal, by requests of a [`visitor`].
//!
//! There is no network here: the crate `sitegate-network` has buckets, and visitors of live sites.

pub mod failure;
pub mod folder;
pub mod history;
pub mod machine;
pub mod maintenance;
pub mod plan;
pub(crate) mod post_publish;
pub(crate) mod precompressed;
pub mod publication;
pub mod publish;
pub(crate) mod publisher;
pub(crate) mod recovery;
pub mod release;
pub mod release_files;
pub mod repair;
pub mod rollback;
pub mod store;
pub mod target;
pub mod target_state;
pub mod verify;
pub mod visitor;
