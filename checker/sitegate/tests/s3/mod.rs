//! Tests publishing to S3: the live files, the order of writes, and the state after every fault.
//!
//! The tests use the server in `server.rs`, which can also be a proxy of a real one: lab/servers/real-servers runs all
//! tests with Ceph's gateway.

#![cfg(unix)]

mod bucket;
pub mod claims;
mod credential_services;
mod credentials;
mod faults;
mod google;
mod keys;
mod large;
mod parts;
mod post_publish;
mod publish;
mod releases;
mod repair;
pub mod server;
pub mod signature;
pub mod site;
mod upstream;
mod website;
