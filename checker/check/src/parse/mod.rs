//! Reads one file of the export: its bytes become [`Facts`]. Other files, the site and its host never enter here.

mod about;
pub(crate) mod anchors;
pub mod css;
mod damage;
mod dangling_ids;
pub mod descriptors;
mod encoding;
mod facts;
mod feed_content;
mod fields;
mod format;
mod html;
mod idrefs;
pub mod ignores;
mod implied_ends;
mod json;
mod mapped_text;
mod markdown;
mod marks;
mod names;
mod open_elements;
mod page;
pub mod page_addresses;
pub mod page_fragments;
mod read;
mod read_error;
mod reference;
mod reference_kind;
pub mod refresh;
mod source;
pub mod srcset;
mod statement_ends;
mod text;
mod wanted;
mod xml;

pub use about::{About, Note, Noticed};
pub(crate) use damage::damage;
pub use damage::{Damage, FileKind};
pub use facts::{
    BadBytes, DanglingId, Facts, InlineIgnore, Malformed, Match, PageScript, RepeatedId, ScriptSource,
    Speculation, Unclosed, UnclosedPart,
};
pub use fields::parse_robots;
pub use format::Format;
pub use html::{base_href, element_text, parse_html};
pub use idrefs::{IdAttribute, NamedId};
pub use json::{parse_json_feed, parse_manifest};
pub use marks::{Mark, edited_at, marks};
pub use page::Page;
pub use read::{Request, read};
pub use read_error::ReadError;
pub use reference::{Reference, Value};
pub use reference_kind::{ReferenceInfo, ReferenceKind, Role};
pub use source::Source;
pub(crate) use source::decode_utf16;
pub use text::decode_references;
pub use wanted::{Algorithm, Selected, Wanted};
pub use xml::parse_xml;
