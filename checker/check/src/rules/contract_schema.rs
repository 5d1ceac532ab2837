//! The JSON Schema of `sitegate.toml`, for editors: `sitegate schema` prints it.
//!
//! Rules and their options come from the registry; a test holds every other key to the types that read it.
//! Draft 7 is what TOML editors know.

use serde_json::{Value, json};

use crate::contract::Host;
use crate::rules::{RULES, Registered};

/// The schema as it is shipped.
pub fn text() -> String {
    let mut text = serde_json::to_string_pretty(&schema()).unwrap_or_default();
    text.push('\n');
    text
}

/// The schema.
pub fn schema() -> Value {
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "sitegate.toml",
        "description": "What must hold before a static site goes live.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "extends": {
                "description": "A shared base, or several: tables merge, lists of tables are joined, and the nearer file wins.",
                "anyOf": [string(), strings()]
            },
            "site": object("What the export is and where it will live.", site()),
            "check": object("How a check is run.", json!({
                "baseline": text_key("A file of known findings, of which only new ones fail; it is part of what a seal stands for."),
                "inline-ignores": {
                    "description": "Rules of the contract and of security that pages may excuse themselves from, by a comment or an attribute.",
                    "type": "array",
                    "items": { "enum": RULES.iter().map(|rule| rule.info.id).collect::<Vec<_>>() }
                },
            })),
            "external": object("How other hosts are asked, with --external.", external()),
            "source": object("The files that people edit: findings are shown at their lines.", json!({
                "include": {
                    "description": "Globs of files, relative to this one, such as docs/**.",
                    "type": "array",
                    "items": { "type": "string", "pattern": "^[^/]" }
                },
                "link": {
                    "description": "Where people look at a line of them, with {file} and {line}, for reports that have links.",
                    "type": "string",
                    "pattern": "^http.*\\{file\\}"
                }
            })),
            "rules": object("How much each rule weighs, and its options.", rules(&rule_setting)),
            "pages": object("Which pages must be there, and names for lists of them.", json!({
                "required": { "description": "Pages that must be in the export.", "$ref": "#/definitions/paths" },
                "groups": {
                    "description": "Names for lists of pages, used as @name.",
                    "type": "object",
                    "additionalProperties": strings()
                }
            })),
            "assert": tables("What must be found on which pages.", &["pages", "select"], assertion()),
            "headers": tables("Response headers by path; later entries win.", &["paths", "set"], json!({
                "paths": { "description": "Files, by path or glob.", "$ref": "#/definitions/paths" },
                "set": {
                    "description": "Names and values.",
                    "type": "object",
                    "additionalProperties": string()
                }
            })),
            "redirects": tables("Addresses that moved.", &["from", "to"], json!({
                "from": text_key("The old path, such as /old."),
                "to": text_key("The new path, or a URL.")
            })),
            "override": tables("Levels by path; later entries win.", &["paths", "rules"], json!({
                "paths": { "description": "Files or pages, by path or glob.", "$ref": "#/definitions/paths" },
                "rules": object("The levels there.", rules(&|rule| level(rule.info.summary)))
            })),
            "ignore": tables("Findings that are not reported.", &["reason"], json!({
                "url": text_key("A regular expression, found in the reference as written or in the URL it means."),
                "rule": {
                    "description": "The rule's id.",
                    "enum": RULES.iter().map(|rule| rule.info.id).collect::<Vec<_>>()
                },
                "paths": { "description": "Files or pages, by path or glob.", "$ref": "#/definitions/paths" },
                "reason": { "description": "Why; it must be there.", "type": "string", "minLength": 1 }
            }))
        },
        "definitions": {
            "level": { "enum": ["error", "warn", "off"] },
            "paths": {
                "type": "array",
                "items": { "type": "string", "pattern": "^[/@]" }
            },
            "pages": {
                "anyOf": [{ "type": "string", "pattern": "^[/@]" }, { "$ref": "#/definitions/paths" }]
            },
            "setting": {
                "anyOf": [string(), {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["file", "pointer"],
                    "properties": {
                        "file": text_key("A JSON file, relative to this one."),
                        "pointer": text_key("A JSON Pointer to a string in it."),
                        "env": text_key("An environment variable that overrides it.")
                    }
                }]
            }
        }
    })
}

fn site() -> Value {
    json!({
        "root": text_key("The export's folder, relative to this file."),
        "origin": {
            "description": "Scheme, host and port of the live site: its absolute URLs are then checked as local files.",
            "$ref": "#/definitions/setting"
        },
        "base-path": {
            "description": "The path the export is deployed under.",
            "type": "string",
            "pattern": "^/(.*/)?$"
        },
        "not-found": text_key("The file that answers unknown paths."),
        "host": {
            "description": "Which host the site is for: it decides what paths without a file of their own answer.",
            "enum": Host::ALL.map(Host::name)
        },
        "trailing-slash": {
            "description": "Whether /dir is redirected to /dir/, or /dir/ to /dir.",
            "enum": ["redirect", "never"]
        },
        "clean-urls": described(
            json!({ "type": "boolean" }),
            "Whether /page is answered with page.html, where the host can do either."
        )
    })
}

fn external() -> Value {
    let number = |text: &str| json!({ "description": text, "type": "integer", "minimum": 1 });
    let seconds =
        |text: &str| json!({ "description": text, "type": "number", "minimum": 0, "maximum": 86_400 });
    let host = json!({
        "concurrency": number("Requests at once; 6 where nothing is said."),
        "interval": seconds("Seconds from the start of one request to the start of the next; 0.05 where nothing is said."),
        "headers": {
            "description": "Headers that are sent to it and to no other; secrets come from a variable.",
            "type": "object",
            "additionalProperties": { "anyOf": [string(), { "type": "object", "properties": { "env": string() }, "required": ["env"], "additionalProperties": false }] }
        },
        "accept": {
            "description": "Statuses that mean that an address is there, such as 403.",
            "type": "array",
            "items": { "type": "integer", "minimum": 100, "maximum": 999 }
        },
        "get": { "description": "Whether it is asked by GET at once, and never by HEAD.", "type": "boolean" },
        "profile": { "description": "Whether what is known of well-known hosts counts; true where nothing is said.", "type": "boolean" }
    });
    json!({
        "skip": {
            "description": "Addresses that are not asked, by globs such as https://www.example.org/**.",
            "type": "array",
            "items": { "type": "string", "pattern": "^(http|\\*)" }
        },
        "allow-addresses": {
            "description": "Networks that may be asked although they are not public, such as 10.0.0.0/8.",
            "type": "array",
            "items": string()
        },
        "concurrency": number("Requests at once, to all hosts together; 128 where nothing is said."),
        "timeout": seconds("Seconds that the first byte of an answer may take; 20 where nothing is said."),
        "retries": { "description": "How often a request is sent again that may pass the next time; 2 where nothing is said.", "type": "integer", "minimum": 0 },
        "cache": text_key("The file that answers are kept in, so that CI can carry it; without it, one in the user's cache folder."),
        "certificates": text_key("A file of certificates, in PEM, of authorities that are trusted beside those of the system."),
        "host": object("How every host is asked that is not named.", host.clone()),
        "hosts": {
            "description": "How single hosts are asked, by name.",
            "type": "object",
            "additionalProperties": object("How this host is asked.", host)
        }
    })
}

fn assertion() -> Value {
    let number = |description: &str| json!({ "description": description, "type": "integer", "minimum": 0 });
    let pages = |description: &str| json!({ "description": description, "$ref": "#/definitions/pages" });
    let lists = |description: &str| json!({ "description": description, "type": "object", "additionalProperties": strings() });
    json!({
        "name": text_key("Its name in findings."),
        "pages": pages("Which pages, by path, glob or @group."),
        "except": pages("Which of them are left out."),
        "select": text_key("A CSS selector."),
        "count": number("How many matches there must be on each page."),
        "min": number("How many matches there must be at the least; 1 by default."),
        "max": number("How many matches there may be at the most."),
        "text": text_key("The whole text of each match."),
        "contains": text_key("A part of each match's text."),
        "starts-with": text_key("The start of each match's text."),
        "ends-with": text_key("The end of each match's text."),
        "matches": text_key("A regular expression that is found in each match's text."),
        "texts": described(strings(), "The texts of all matches, in document order."),
        "numbered": {
            "description": "Whether the texts begin with 1, 2, 3 … in document order.",
            "type": "boolean"
        },
        "attributes": {
            "description": "What each match's attributes must be: a value, true (present) or false (absent).",
            "type": "object",
            "additionalProperties": { "anyOf": [{ "type": "boolean" }, { "$ref": "#/definitions/setting" }] }
        },
        "tokens": lists("Tokens that each match's attributes must hold."),
        "values": lists("The values of an attribute over all matches, in document order."),
        "same": described(strings(), "Attributes that must be the same in every match on every page."),
        "help": text_key("What to do about it, shown with the finding.")
    })
}

/// A property for each rule.
fn rules(property: &dyn Fn(&Registered) -> Value) -> Value {
    Value::Object(RULES.iter().map(|rule| (rule.info.id.to_owned(), property(rule))).collect())
}

/// A level, or a table of a level and the rule's options.
fn rule_setting(rule: &Registered) -> Value {
    let mut options = rule.options();
    options.insert("level".to_owned(), json!({ "$ref": "#/definitions/level" }));
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

fn level(description: &str) -> Value {
    json!({ "description": description, "$ref": "#/definitions/level" })
}

fn object(description: &str, properties: Value) -> Value {
    json!({
        "description": description,
        "type": "object",
        "additionalProperties": false,
        "properties": properties
    })
}

fn tables(description: &str, required: &[&str], properties: Value) -> Value {
    json!({
        "description": description,
        "type": "array",
        "items": {
            "type": "object",
            "additionalProperties": false,
            "required": required,
            "properties": properties
        }
    })
}

fn string() -> Value {
    json!({ "type": "string" })
}

fn strings() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

fn text_key(description: &str) -> Value {
    described(string(), description)
}

fn described(mut schema: Value, description: &str) -> Value {
    schema["description"] = description.into();
    schema
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::schema;
    use crate::contract::RawContract;
    use crate::contract::error::unknown_key;

    /// The keys that the types know after `prefix`, a piece of a contract.
    fn known(prefix: &str) -> Vec<String> {
        let error = toml::from_str::<RawContract>(&format!("{prefix}\nno-such-key = 1")).unwrap_err();
        let (_, known) = unknown_key(error.message()).unwrap();
        let mut known: Vec<String> = known.into_iter().map(str::to_owned).collect();
        known.sort();
        known
    }

    #[test]
    fn its_keys_are_those_of_the_types() {
        let schema = schema();
        for (prefix, place) in [
            ("", ""),
            ("[site]", "/properties/site"),
            ("[check]", "/properties/check"),
            ("[external]", "/properties/external"),
            ("[source]", "/properties/source"),
            ("[external.host]", "/properties/external/properties/host"),
            ("[pages]", "/properties/pages"),
            ("[[assert]]", "/properties/assert/items"),
            ("[[headers]]", "/properties/headers/items"),
            ("[[redirects]]", "/properties/redirects/items"),
            ("[[override]]", "/properties/override/items"),
            ("[[ignore]]", "/properties/ignore/items"),
        ] {
            let properties = schema.pointer(&format!("{place}/properties")).unwrap();
            let mut keys: Vec<String> = properties.as_object().unwrap().keys().cloned().collect();
            keys.sort();
            assert_eq!(keys, known(prefix), "{prefix}");
        }
    }

    #[test]
    fn a_rules_options_are_known() {
        let schema = schema();
        let options = &schema["properties"]["rules"]["properties"]["broken-anchor"]["anyOf"][1]["properties"];
        assert!(options.get("ignore").is_some() && options.get("level").is_some(), "{options}");
    }
}
