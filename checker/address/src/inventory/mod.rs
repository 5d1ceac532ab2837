//! Inventories of sites: the addresses that a site answers, with their anchors and redirects.
//!
//! [`Inventory::read`] recognizes the format of a file: the project's own ([`mod@format`]), and those of other tools
//! ([`foreign`]). [`Inventory::write`] writes the project's own, with the same bytes for the same addresses.
//!
//! Nothing here does I/O. What is read is bounded: see [`MAX_SIZE`] and [`MAX_ENTRIES`].

mod compression;
pub mod foreign;
pub mod format;
mod model;

pub use compression::{Compression, MAX_SIZE};
pub use foreign::{ReadSettings, SitemapPart, read_sitemap, read_sitemap_index};
pub use format::is_own;
pub use model::{AnchorSet, AnswerKind, Inventory, InventoryAddress, InventoryError, MAX_ENTRIES, Via};
