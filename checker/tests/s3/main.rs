//! Publishing to S3: what goes live, in which order, and what every fault leaves behind.
//!
//! The suite runs against the server in `server.rs`. With SITEGATE_TEST_ENDPOINT set, `store.rs` runs its
//! part against that store too (scripts/s3-conformance).

#![allow(clippy::unwrap_used)]

mod faults;
mod publish;
mod releases;
mod server;
mod site;
