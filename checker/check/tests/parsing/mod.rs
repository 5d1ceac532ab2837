//! Tests of the parser for many files. They are compiled with the crate, since they need more than its interface.

#![allow(clippy::disallowed_methods)] // tests start programs
#![allow(
    clippy::unwrap_used,
    clippy::shadow_unrelated,
    clippy::format_push_string,
    clippy::format_collect,
    clippy::needless_for_each,
    clippy::needless_pass_by_value
)]

mod any_bytes;
mod differential;
mod independence;
