//! Runs one trial for each case, each example of a rule and each file set of a bundler. Any part of a name selects:
//! `cargo test --test cases broken-link/utf-16`, `cargo test --test cases -- "broken-link: bad"`, `cargo test --test cases bundles/`.

#![allow(
    clippy::unwrap_used,
    clippy::shadow_unrelated,
    clippy::format_push_string,
    clippy::format_collect,
    clippy::needless_for_each,
    clippy::needless_pass_by_value
)]

mod bundles;
mod cases;
#[path = "folders/copying.rs"]
mod copying;
mod examples;
#[path = "folders/external.rs"]
mod external;
#[path = "folders/listing.rs"]
mod listing;
#[path = "folders/live.rs"]
mod live;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    let trials = [bundles::trials(), cases::trials(), examples::trials()].into_iter().flatten().collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
