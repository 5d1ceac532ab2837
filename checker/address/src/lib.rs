#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! [`UrlReference`] and [`SitePath`] divide addresses, [`percent`] encodes them, and [`relative`] joins them.
//! [`variants`] and [`hashed_name`] recognize names of languages, versions and content hashes.
//! [`inventory`] lists the addresses of a site.

pub mod extension;
pub mod hashed_name;
pub mod inventory;
pub mod percent;
mod reference;
pub mod relative;
mod site_path;
pub mod variants;

pub use reference::{UrlReference, plain_path};
pub use site_path::{AddressText, INDEX, SitePath, segments};
