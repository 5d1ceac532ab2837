//! Tests that run the program as its users do.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods, // tests start the program, and are its servers
    clippy::expect_used,
    clippy::shadow_unrelated,
    clippy::format_push_string,
    clippy::format_collect,
    clippy::needless_for_each,
    clippy::needless_pass_by_value,
    clippy::if_not_else,
    clippy::semicolon_if_nothing_returned,
    clippy::match_same_arms,
    clippy::assigning_clones
)]

mod carry;
mod causes;
mod cli;
mod concurrent;
mod contract;
mod corrupted;
mod dependencies;
#[cfg(feature = "network")]
mod docs;
mod durable;
#[cfg(feature = "network")]
mod external;
mod fix_refusals;
mod folders;
mod formats;
mod git_environment;
mod host_config;
mod hostile;
mod hostile_contract;
mod hostile_names;
mod hostile_report;
mod ignored_findings;
mod interrupted_edits;
mod inventory;
mod layers;
#[cfg(feature = "network")]
mod live;
mod look_alikes;
mod messages;
mod migration;
#[cfg(feature = "network")]
mod offline;
mod outcome;
mod outputs;
mod publish;
mod redirects;
mod render;
mod report_schema;
mod review;
#[cfg(feature = "network")]
mod s3;
mod sample;
#[cfg(feature = "network")]
mod secrets;
mod serve;
mod serve_process;
#[cfg(feature = "network")]
mod site_server;
#[cfg(feature = "network")]
mod snapshots;
mod sources;
mod watch;

/// Returns the words of a command line for a command that reads or maintains a target.
fn command_words(command: &str) -> Vec<&str> {
    match command {
        "status" | "gc" | "unlock" | "repair" => vec!["target", command],
        "plan" => vec!["publish", "--dry-run"],
        _ => vec![command],
    }
}
