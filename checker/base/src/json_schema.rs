//! Generates the JSON Schema of a document that the program writes.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

/// Returns the schema as shipped, in draft 7. It is derived from the types, and allows unknown fields, because new ones
/// may be added without a new version.
pub fn schema<T: JsonSchema>() -> String {
    let generator = SchemaSettings::draft07().for_serialize().into_generator();
    let schema = generator.into_root_schema_for::<T>();
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
