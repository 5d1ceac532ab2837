//! The JSON Schema of the JSON report, for programs that read one: `sitegate schema report` prints it.
//!
//! It is made of the very type that is written. Fields may be added without a new `schema_version`, so it refuses none
//! that it does not know.

use schemars::generate::SchemaSettings;

use crate::report::Report;

/// The schema as it is shipped, in draft 7.
pub fn text() -> String {
    let generator = SchemaSettings::draft07().for_serialize().into_generator();
    let schema = generator.into_root_schema_for::<Report>();
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
