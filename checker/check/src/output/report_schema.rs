//! Generates the JSON Schema of the JSON report, which `sitegate schema report` prints.
//!
//! The schema is derived from the report's types. New fields may be added without a new `schema_version`, so it allows
//! unknown fields.

use schemars::generate::SchemaSettings;

use crate::report::Report;

/// Returns the schema as shipped, in draft 7.
pub fn text() -> String {
    let generator = SchemaSettings::draft07().for_serialize().into_generator();
    let schema = generator.into_root_schema_for::<Report>();
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
