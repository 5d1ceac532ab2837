//! Publishing: what a check sealed goes live, and nothing else.
//!
//! [`seal`] is what a check leaves behind; [`source`] compares the export with it. [`release`] turns files
//! into objects with headers, [`target`] is the bucket or folder they go to, [`state`] what that target
//! remembers of earlier runs. [`plan`] compares the two and guards the outcome, [`publisher`] carries it out.
//! [`keeping`] goes back to an earlier release and clears away what no release needs, and [`verify`] asks the
//! live site whether it answers as published.

pub mod cloudfront;
pub mod failure;
pub mod keeping;
pub mod plan;
mod probe;
mod profile;
pub mod publisher;
pub mod release;
pub mod seal;
pub mod source;
pub mod state;
pub mod target;
pub mod verify;

/// Chooses the cryptography for TLS; once for the process, before the first client is made.
pub(crate) fn choose_cryptography() {
    // A second choice is refused, and it would be the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
