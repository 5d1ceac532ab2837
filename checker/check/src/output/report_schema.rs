//! The JSON Schema of the JSON report, for programs that read one: `sitegate schema report` prints it.
//!
//! It is made of the very types that are written. Fields may be added without a new `schema_version`, so it refuses none
//! that it does not know.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use super::hosts::JsonElsewhere;
use super::json::{Finding, JsonCause, JsonExcused, JsonTaken, JsonTool};
use crate::report::Summary;
use crate::report::excuse_tally::ExcuseTally;

/// What `sitegate check --format json` writes.
#[derive(JsonSchema)]
#[schemars(rename = "Report")]
#[expect(dead_code, reason = "a report is written entry by entry, and never held as a whole")]
struct JsonReport {
    /// The version of this shape: it grows when a field is removed or changes its meaning.
    schema_version: u32,
    /// The program that wrote it.
    tool: JsonTool,
    /// The export's folder, as it was given.
    root: String,
    /// What was looked at, and how much was found.
    summary: Summary,
    /// Where the site lives, by the keys of the contract's `[site]`, as far as that was taken from the export.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    taken: BTreeMap<String, JsonTaken<'static>>,
    /// Why not all of a live site was looked at, a line for each reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
    /// What could not be read: then nothing can be promised of the export.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<String>,
    /// What other hosts said, where they were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<JsonElsewhere<'static>>,
    /// What findings have in common, most important first.
    causes: Vec<JsonCause<'static>>,
    /// Every finding, by file and place.
    diagnostics: Vec<Finding<'static>>,
    /// What was let pass, counted by who excuses it and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    excuses: Vec<ExcuseTally>,
    /// Every finding that was let pass.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    excused: Vec<JsonExcused<'static>>,
}

/// The schema as it is shipped, in draft 7.
pub fn text() -> String {
    let generator = SchemaSettings::draft07().for_serialize().into_generator();
    let schema = generator.into_root_schema_for::<JsonReport>();
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
