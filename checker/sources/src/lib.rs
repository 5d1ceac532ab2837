#![doc = include_str!("../README.md")]

mod css;
mod data;
pub mod edits;
mod format;
mod markdown;
mod markup;
mod mdx;
mod proof;
mod python;
mod redirects;
mod reference;
mod restructured;
mod scan;
mod scripts;
mod sidebars;
mod templates;
mod url_attributes;
mod values;

pub use format::SourceFormat;
pub use proof::keeps_references;
pub use reference::{Manner, SourceOptions, SourceReference, SourceScan, SourceTag, decoded_reference};
pub use scan::scan;
pub use values::is_link_key;
