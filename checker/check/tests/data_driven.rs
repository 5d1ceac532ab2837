//! Runs a trial for each case, each example of a rule or of an attribute, and each site of a bundler. Any part of a name selects trials:
//! `cargo test --test cases broken-link/utf-16`, `cargo test --test cases -- "broken-link: bad"`, `cargo test --test cases bundles/`.

#![allow(clippy::disallowed_methods)] // tests start programs
#![allow(
    clippy::unwrap_used,
    clippy::shadow_unrelated,
    clippy::format_push_string,
    clippy::format_collect,
    clippy::needless_for_each,
    clippy::needless_pass_by_value
)]

mod bundler_sites;
mod cases;
#[path = "folders/copying.rs"]
mod copying;
mod examples;
#[path = "folders/external_answers.rs"]
mod external_answers;
#[path = "folders/live_server.rs"]
mod live_server;
mod url_attributes;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    let all = [bundler_sites::trials(), cases::trials(), examples::trials(), url_attributes::trials()];
    let trials = all.into_iter().flatten().collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
