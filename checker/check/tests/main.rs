//! Tests of the library in code. `data_driven.rs` runs the tests that folders describe.

#![allow(clippy::disallowed_methods)] // tests start programs
#![allow(
    clippy::unwrap_used,
    clippy::shadow_unrelated,
    clippy::format_push_string,
    clippy::format_collect,
    clippy::needless_for_each,
    clippy::needless_pass_by_value
)]

mod incremental;
mod inferred_deployment;
mod linear;
mod public_api;
mod replaced_script;
mod upload_limits;
