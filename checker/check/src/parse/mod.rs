//! Parses one file of the export: its bytes become [`Facts`]. It does not know other files, the site or its host.

pub(crate) mod anchors;
mod character_references;
mod content_needs;
pub mod crawl_urls;
mod damage;
mod encoding;
mod facts;
mod feed_content;
mod field_lines;
mod format;
mod html;
mod idrefs;
pub mod inline_ignores;
mod json;
mod leak;
pub(crate) mod leftover_values;
mod mapped_text;
mod markdown;
mod missing_ids;
mod page;
pub mod page_fragments;
mod page_metadata;
mod read;
mod read_error;
mod reference;
mod reference_kind;
mod source;
mod source_positions;
pub mod srcset_descriptors;
mod start_tag;
mod statement_ends;
mod tag_index;
mod token_patterns;
mod tokens;
mod well_known;
mod xml;

pub use character_references::decode_references;
pub use content_needs::{Algorithm, ContentNeeds};
pub(crate) use damage::detect_damage;
pub use damage::{Damage, FileKind};
pub(crate) use encoding::{charset_of_content_type, declared_encoding};
pub use facts::{
    AmdLoader, AnchorKind, BadBytes, Facts, InlineIgnore, Match, MisnestedEffect, MisnestedMarkup,
    PageScript, ScriptSource, Unclosed, UnclosedPart,
};
pub use field_lines::parse_robots;
pub use format::Format;
pub(crate) use html::ScriptType;
pub use html::governed::governed;
pub use html::{Governed, GovernedRequest, base_href, element_text, parse_html};
pub use leak::Leak;
pub(crate) use leak::{detect_leak, is_searched, private_file, private_folder};
pub use page::Page;
pub use page_metadata::{CHARSET_LIMIT, ElementNote, NoteKind};
pub use read::{ParseOptions, read};
pub use read_error::ReadError;
pub(crate) use reference::is_relative;
pub use reference::{Reference, Value};
pub use reference_kind::{ReferenceKind, Role};
pub use source::Source;
pub(crate) use source::{MAX_SITEMAP, decode_utf16, decompress_sitemap};
pub use source_positions::SourcePosition;
pub(crate) use source_positions::{edit_paths, source_positions};
pub(crate) use start_tag::{StartTag, head_start, quote_before, start_tag, style_comment_around};
pub(crate) use tag_index::TagIndex;
pub use xml::parse_xml;
