//! Publishing: what a check sealed goes live, and nothing else.
//!
//! [`seal`] is what a check leaves behind; [`source`] compares the export with it. [`release`] turns files
//! into objects with headers. [`store`] opens the bucket or folder that they go to, [`target`] reads and
//! writes it, [`state`] is what it remembers of earlier runs, and [`survey`] reads both. [`plan`] compares the
//! two and guards the outcome, [`lock`] keeps others away while [`publisher`] carries it out. [`keeping`] goes back to an earlier release and clears away what no
//! release needs, and [`verify`] asks the live site whether it answers as published.

mod aws;
pub mod cloudfront;
mod credentials;
pub mod failure;
pub mod keeping;
pub mod lock;
pub mod plan;
mod probe;
mod profile;
pub mod publisher;
pub mod release;
pub mod seal;
pub mod source;
pub mod state;
pub mod store;
pub mod survey;
pub mod target;
pub mod verify;

/// Chooses the cryptography for TLS; once for the process, before the first client is made.
pub(crate) fn choose_cryptography() {
    // A second choice is refused, and it would be the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
