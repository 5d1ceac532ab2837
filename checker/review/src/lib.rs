//! Compares the page facts of two builds of a site: what visitors, browsers and search engines see change, by cause.
//!
//! [`SiteFacts`] are the input: facts of each page, with texts in a [`Texts`] that both builds share. [`facts_file`]
//! stores them. [`Review::compare`] finds the causes, and [`output`] renders them.
//!
//! Nothing here does I/O.

mod address_causes;
mod align;
mod browser_causes;
mod changes;
mod compare;
mod facts;
pub mod facts_file;
mod file_causes;
mod look_at;
pub mod output;
mod pages;
mod review;
mod structure;
mod target_causes;
mod text_causes;
mod texts;
mod words;

pub use compare::ReviewOptions;
pub use facts::{AssetFacts, AssetKind, ContentHash, OtherFile, PageFacts, ScriptFacts, SiteFacts};
pub use review::{CauseKind, NoiseSummary, PageToLookAt, Review, ReviewCause, ReviewedSite};
pub use texts::{TextId, TextTable, Texts};
pub use words::{DiffPart, PartKind, is_date, masked};
