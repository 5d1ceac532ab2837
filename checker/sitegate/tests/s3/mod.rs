//! Publishing to S3: what goes live, in which order, and what every fault leaves behind.
//!
//! The suite runs against the server in `server.rs`, which can stand before a real one: lab/servers/real-servers runs
//! all of it against Ceph's gateway.

#![cfg(unix)]

mod afterwards;
mod bucket;
mod credentials;
mod faults;
mod givers;
mod google;
mod keys;
mod large;
mod parts;
mod positions;
mod publish;
mod releases;
mod repair;
pub mod server;
pub mod signature;
pub mod site;
mod sleepers;
mod upstream;
mod walks;
mod website;
