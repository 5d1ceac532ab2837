//! Tests of the library that code drives. `data_driven.rs` runs those that folders describe.

#![allow(
    clippy::unwrap_used,
    clippy::shadow_unrelated,
    clippy::format_push_string,
    clippy::format_collect,
    clippy::needless_for_each,
    clippy::needless_pass_by_value
)]

mod again;
mod differential;
mod independence;
mod linear;
#[path = "folders/listing.rs"]
mod listing;
mod public_api;
mod whereabouts;
