//! Builds the JSON Schema of `sitegate.toml` for editors, which `sitegate schema` prints. The reference is generated
//! from it.
//!
//! The keys come from the types that parse them, rules and their options from the registry.

use schemars::Schema;
use serde_json::{Value, json};

use crate::contract::raw_contract::RawContract;
use crate::contract::rule_entries::LEVEL;
use crate::contract::schema::schema_of;
use crate::rules::{RULES, Registered};

/// URL of the schema of this version, which each release publishes.
const ID: &str = concat!(
    env!("CARGO_PKG_REPOSITORY"),
    "/releases/download/v",
    env!("CARGO_PKG_VERSION"),
    "/sitegate.schema.json"
);

/// Returns the schema as shipped.
pub fn contract_schema() -> String {
    let mut text = serde_json::to_string_pretty(&schema()).unwrap_or_default();
    text.push('\n');
    text
}

fn schema() -> Schema {
    let mut schema = schema_of::<RawContract>(false);
    schema.insert("$id".to_owned(), ID.into());
    let ids: Vec<&str> = RULES.iter().map(|rule| rule.info.id).collect();
    let definitions =
        [("level", json!({ "enum": ["error", "warn", "off"] })), ("rule", json!({ "enum": ids }))];
    let all = schema.ensure_object().entry("definitions").or_insert_with(|| json!({}));
    for (name, definition) in definitions {
        all[name] = definition;
    }
    // Both tables are empty in the schema of the contract, which does not know the rules.
    for (pointer, property) in [
        ("/properties/rules", rule_setting as fn(&Registered) -> Value),
        ("/properties/override/items/properties/rules", rule_level),
    ] {
        if let Some(table) = schema.pointer_mut(pointer) {
            table["properties"] =
                RULES.iter().map(|rule| (rule.info.id.to_owned(), property(rule))).collect();
        }
    }
    schema
}

/// Returns the schema of a rule's setting: a level, or a table with a level and the rule's options.
fn rule_setting(rule: &Registered) -> Value {
    let mut options = rule.options();
    options.insert(LEVEL.to_owned(), json!({ "$ref": "#/definitions/level" }));
    json!({
        "description": rule.info.summary,
        "default": match rule.info.default {
            crate::raw_finding::Severity::Warn => "warn",
            severity => severity.as_str(),
        },
        "anyOf": [
            { "$ref": "#/definitions/level" },
            { "type": "object", "additionalProperties": false, "properties": options }
        ]
    })
}

/// Returns the schema of a rule's level on some paths.
fn rule_level(rule: &Registered) -> Value {
    json!({ "description": rule.info.summary, "allOf": [{ "$ref": "#/definitions/level" }] })
}

#[cfg(test)]
mod tests {
    use super::schema;

    #[test]
    fn schema_has_the_rules_and_their_options() {
        let schema = schema();
        let rules = ["/properties/rules", "/properties/override/items/properties/rules"];
        for table in rules.map(|pointer| schema.pointer(pointer)) {
            assert!(table.is_some_and(|table| table["properties"].get("broken-link").is_some()), "{table:?}");
        }
        let options = &schema.as_value()["properties"]["rules"]["properties"]["broken-anchor"]["anyOf"][1]["properties"];
        assert!(options.get("ignore").is_some() && options.get("level").is_some(), "{options}");
    }
}
