#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! [`UrlReference`] and [`SitePath`] divide addresses, [`percent`] encodes them, and [`relative`] joins them.
//! [`PathPatterns`] match paths.
//! [`variants`] and [`hashed_name`] recognize names of languages, versions and content hashes.
//! [`inventory`] lists the addresses of a site, and [`robots`] says which of them crawlers may request.

pub mod extension;
pub mod hashed_name;
pub mod inventory;
mod path_patterns;
pub mod percent;
mod reference;
pub mod relative;
pub mod robots;
mod site_path;
pub mod variants;

pub use path_patterns::{AddedHtml, PathPatternError, PathPatterns};
pub use reference::{UrlReference, plain_path};
pub use site_path::{AddressText, INDEX, SitePath, segments};
