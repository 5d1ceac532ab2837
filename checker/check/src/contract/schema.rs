//! Derives the schema of the contract from the types that parse it, and reads values with their locations.
//!
//! The documentation of a field is the description of its key, in editors and in the reference.

use std::borrow::Cow;
use std::ops::Range;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;

/// Returns the schema of a type that is parsed from TOML, in draft 7, which TOML editors support. With `is_inline`, it
/// has no definitions.
pub(crate) fn schema_of<T: JsonSchema>(is_inline: bool) -> Schema {
    let settings = SchemaSettings::draft07().with(|settings| {
        settings.inline_subschemas = is_inline;
        settings.transforms.insert(0, Box::new(RecursiveTransform(adapt_to_toml)));
    });
    settings.into_generator().into_root_schema_for::<T>()
}

/// Removes `null`, which TOML does not have, also as a default, and the line breaks of descriptions.
fn adapt_to_toml(schema: &mut Schema) {
    let is_null = |form: &Value| form["type"] == "null";
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(alternatives)) = schema.get_mut("anyOf")
        && alternatives.iter().any(is_null)
    {
        alternatives.retain(|form| !is_null(form));
        if let [Value::Object(only)] = alternatives.as_slice() {
            let only = only.clone();
            schema.remove("anyOf");
            for (keyword, value) in only {
                schema.ensure_object().entry(keyword).or_insert(value);
            }
        }
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.replace('\n', " ");
    }
}

/// The form of a list of paths.
pub(super) enum Paths {}

impl JsonSchema for Paths {
    fn schema_name() -> Cow<'static, str> {
        "paths".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": "string", "pattern": "^[/@]" } })
    }
}

/// Returns the form of a rule's id. The ruleset adds the definition.
pub(super) fn rule_id(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "$ref": "#/definitions/rule" })
}

/// Returns the form of a table of rules. The ruleset adds the rules.
pub(super) fn rules(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "additionalProperties": false })
}

/// Returns the form of a path, or a list of paths, of files.
pub(super) fn files(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] })
}

/// A value and its location in the contract, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(transparent)]
pub(crate) struct Spanned<T>(toml::Spanned<T>);

impl<T> Spanned<T> {
    pub fn new(span: Range<usize>, value: T) -> Self {
        Spanned(toml::Spanned::new(span, value))
    }

    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }

    pub fn get_ref(&self) -> &T {
        self.0.get_ref()
    }

    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T: JsonSchema> JsonSchema for Spanned<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}
