//! Tests with real servers, `nginx` and Azurite, which must be installed. Scripts in lab/servers run them.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods, // tests start the program, and are its servers
    clippy::shadow_unrelated,
    clippy::format_push_string,
    clippy::format_collect,
    clippy::needless_for_each,
    clippy::needless_pass_by_value
)]

#[cfg(feature = "network")]
mod azure;
#[path = "../folders.rs"]
#[allow(dead_code)] // the other tests use the rest
mod folders;
mod nginx;
#[path = "../outcome.rs"]
mod outcome;
#[path = "../host_config/site.rs"]
mod site;
