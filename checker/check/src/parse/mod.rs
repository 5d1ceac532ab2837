//! Parses one file of the export: its bytes become [`Facts`]. It does not know other files, the site or its host.

pub(crate) mod anchors;
mod app_manifest;
mod damage;
mod decoded_file;
mod facts;
mod feed_content;
pub mod fetched;
mod field_lines;
mod format;
mod html;
mod html_text;
pub mod inline_ignores;
mod json;
mod leak;
pub(crate) mod leftover_values;
mod mapped_text;
mod markdown;
mod options;
mod page;
mod page_metadata;
mod read;
mod reference;
mod reference_kind;
mod source;
mod syntax_ranges;
mod tag_index;
mod token_patterns;
mod tokens;
mod well_known;
mod xml;

pub(crate) use damage::detect_damage;
pub use damage::{Damage, FileKind};
pub(crate) use decoded_file::{DecodedFile, file_encoding};
pub(crate) use facts::MARK;
pub use facts::{
    AmdLoader, AnchorKind, BadBytes, Facts, InlineIgnore, Match, MisnestedEffect, MisnestedMarkup,
    PageScript, ScriptSource, Unclosed, UnclosedPart,
};
pub use field_lines::parse_robots;
pub use format::Format;
pub(crate) use format::syntax_of;
pub(crate) use html::ScriptType;
pub use html::governed::governed;
pub use html::{Governed, GovernedRequest, base_href, parse_html};
pub use html_text::{decode_references, element_text};
pub use leak::Leak;
pub(crate) use leak::{detect_leak, is_searched, private_file, private_folder};
pub use options::{Algorithm, ContentNeeds, ParseOptions, ReadError};
pub use page::Page;
pub(crate) use page_metadata::forbids_indexing;
pub use page_metadata::{CHARSET_LIMIT, ElementNote, IgnoredValue, NoteKind, RequestMode};
pub use read::read;
pub(crate) use reference::is_relative;
pub use reference::{Reference, Value};
pub use reference_kind::{ReferenceKind, Role};
pub use source::Source;
pub(crate) use source::{MAX_SITEMAP, decompress_sitemap};
pub(crate) use syntax_ranges::{StartTag, head_start, quote_before, start_tag, style_comment_around};
pub use tag_index::SourcePosition;
pub(crate) use tag_index::{TagIndex, edit_paths, source_positions};
pub use xml::parse_xml;
