#![doc = include_str!("../README.md")]

mod css;
mod data;
pub mod edits;
mod markdown;
mod markup;
mod mdx;
mod positions;
mod python;
mod reference;
mod restructured;
mod scan;
mod scripts;
mod templates;
mod url_attributes;
mod values;

pub use reference::{Manner, SourceOptions, SourceReference, SourceScan, SourceTag, decoded_reference};
pub use scan::{SourceFormat, proven_edits, scan, with_title_lines};
pub use values::is_link_key;
