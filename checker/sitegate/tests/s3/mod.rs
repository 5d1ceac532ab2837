//! Publishing to S3: what goes live, in which order, and what every fault leaves behind.
//!
//! The suite runs against the server in `server.rs`, which can stand before a real one: lab/servers/real-servers runs
//! all of it against Ceph's gateway.

#![cfg(unix)]

mod bucket;
mod credential_services;
mod credentials;
mod faults;
mod google;
mod keys;
mod large;
mod parts;
mod positions;
mod post_publish;
mod publish;
mod releases;
mod repair;
pub mod server;
pub mod signature;
pub mod site;
mod suspended_publishers;
mod upstream;
mod walks;
mod website;
