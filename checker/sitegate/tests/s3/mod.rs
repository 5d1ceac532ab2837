//! Tests publishing to S3: what goes live, in which order, and the effects of every fault.
//!
//! The suite runs against the server in `server.rs`, which can also proxy a real one: lab/servers/real-servers
//! runs it against Ceph's gateway.

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
mod random_sequences;
mod releases;
mod repair;
pub mod server;
pub mod signature;
pub mod site;
mod suspended;
mod upstream;
mod website;
