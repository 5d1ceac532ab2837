#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! [`UrlReference`] and [`SitePath`] divide addresses, [`percent`] encodes them, and [`relative`] joins them.
//! [`variants`], [`hashed_name`] and [`stable_name`] recognize names of languages, versions and content hashes.
//! [`inventory`] lists the addresses of a site.

pub mod extension;
pub mod hashed_name;
pub mod inventory;
pub mod percent;
mod reference;
pub mod relative;
mod site_path;
pub mod stable_name;
mod text;
pub mod variants;

pub use reference::UrlReference;
pub use site_path::{INDEX, SitePath, segments};
pub use text::AddressText;
