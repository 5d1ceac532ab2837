//! Tests before real servers, which the machine must have: `nginx` and Azurite. Their scripts run them by name.

#![allow(clippy::unwrap_used)]

#[cfg(feature = "network")]
mod azure;
mod nginx;
#[path = "../edge/site.rs"]
mod site;
