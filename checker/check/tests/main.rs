//! Tests of the library that code drives. `data_driven.rs` runs those that folders describe.

#![allow(clippy::unwrap_used)]

mod again;
mod differential;
mod independence;
mod linear;
#[path = "folders/listing.rs"]
mod listing;
mod public_api;
mod whereabouts;
