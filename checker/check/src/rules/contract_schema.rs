//! Builds the JSON Schema of `sitegate.toml` for editors, which `sitegate schema` prints. The reference is generated
//! from it.
//!
//! Rules and their options come from the registry; a test compares all other keys with the types that parse them.
//! Uses draft 7, which TOML editors support.

use serde_json::{Value, json};
use sitegate_review::CauseKind;

use crate::rules::{RULES, Registered};
use sitegate_host::Host;

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

/// Returns the schema.
pub fn schema() -> Value {
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": ID,
        "title": "sitegate.toml",
        "description": "The contract of a static site: everything that is checked before it goes live.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "extends": {
                "description": "A shared base contract, or several. Tables merge, lists of tables are joined, and the file that extends wins.",
                "anyOf": [string(), strings()]
            },
            "site": object("The export, and its deployment.", &site()),
            "check": object("Options of the check.", &json!({
                "baseline": text_key("A baseline file: only findings that are not in it fail the check. The seal covers it."),
                "inline-ignores": {
                    "description": "Contract and security rules that pages may ignore with a comment or an attribute. With false, they may ignore no rule.",
                    "type": ["array", "boolean"],
                    "items": { "enum": RULES.iter().map(|rule| rule.info.id).collect::<Vec<_>>() }
                },
                "ignore-attributes": described(
                    strings(),
                    "Attributes and classes of other checkers, such as data-proofer-ignore: findings in their elements are ignored, except those of contract and security rules."
                )
            })),
            "external": object("External link checks, with --external.", &external()),
            "source": object("Authored files: findings are shown at their lines.", &json!({
                "include": {
                    "description": "Globs of authored files, relative to this file, such as docs/**.",
                    "type": "array",
                    "items": { "type": "string", "pattern": "^[^/]" }
                },
                "link": {
                    "description": "URL of a line in an authored file, with {file} and {line}, for reports with links.",
                    "type": "string",
                    "pattern": "^http.*\\{file\\}"
                }
            })),
            "rules": object("Levels and options of rules.", &rules(&rule_setting)),
            "pages": object("Required pages, and groups of pages.", &json!({
                "required": { "description": "Pages that must exist in the export.", "$ref": "#/definitions/paths" },
                "groups": {
                    "description": "Named lists of pages, used as @name.",
                    "type": "object",
                    "additionalProperties": strings()
                }
            })),
            "assert": tables("Assertions about elements of pages.", &["pages", "select"], &assertion()),
            "headers": tables("Response headers by path. Later entries win.", &["paths", "set"], &json!({
                "paths": { "description": "Files, by path or glob.", "$ref": "#/definitions/paths" },
                "set": {
                    "description": "Header names and values. In a Content-Security-Policy, 'auto' adds the hashes of inline code.",
                    "type": "object",
                    "additionalProperties": string()
                }
            })),
            "redirects": tables("Redirects of moved URLs.", &["from", "to"], &json!({
                "from": text_key("The old path, such as /old."),
                "to": text_key("The new path, or a URL.")
            })),
            "inventory": object("The inventory that `sitegate check --inventory` writes.", &json!({
                "anchors": {
                    "description": "Anchors in the inventory: those of headings, terms, sections and figures (`headings`); these and all that a link of the site uses (`linked`, the default); or `all`.",
                    "enum": ["linked", "headings", "all"]
                },
                "ignore": { "description": "Files that are left out, by path or glob.", "$ref": "#/definitions/paths" }
            })),
            "permalinks": object("Addresses that must not be lost.", &permalinks()),
            "review": object("Reviews of a change by `sitegate diff`.", &json!({
                "fail": {
                    "description": "Kinds of causes for which `sitegate diff` exits with 1.",
                    "type": "array",
                    "items": { "enum": CauseKind::ALL.map(CauseKind::name) }
                }
            })),
            "parts": tables("Parts of the site that other repositories publish, or other sites with an inventory.", &["at", "inventory"], &json!({
                "at": described(
                    json!({ "type": "string", "pattern": "^(/|https?://).*/$" }),
                    "A path below the origin, such as /blog/, or a URL. It ends with a slash."
                ),
                "inventory": text_key("A file, relative to this file, or a URL: an inventory of sitegate, objects.inv, site-manifest.json, xrefmap.yml, or a sitemap. `{branch}` is replaced by the branch of this checkout."),
                "default-branch": text_key("The branch whose inventory is used if `{branch}` in `inventory` has none of its own. Default: main."),
                "fallback": text_key("A file to use if the inventory at a URL was not requested."),
                "max-age": described(
                    json!({ "type": "string", "pattern": "^[0-9]+[dh]$" }),
                    "Maximum age of a cached inventory, in days or hours, such as 14d."
                )
            })),
            "override": tables("Levels by path. Later entries win.", &["paths", "rules"], &json!({
                "paths": { "description": "Files or pages, by path or glob.", "$ref": "#/definitions/paths" },
                "rules": object("Levels for these paths.", &rules(&|rule| level(rule.info.summary)))
            })),
            "ignore": tables("Ignored findings: they are counted, but do not fail the check.", &["reason"], &json!({
                "url": text_key("A regular expression, searched in the reference as written and in the URL that it resolves to."),
                "rule": {
                    "description": "The rule id.",
                    "enum": RULES.iter().map(|rule| rule.info.id).collect::<Vec<_>>()
                },
                "paths": { "description": "Files or pages, by path or glob.", "$ref": "#/definitions/paths" },
                "reason": { "description": "The reason, required. It appears in reports and in the seal.", "type": "string", "minLength": 1 }
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
                        "file": text_key("A JSON file, relative to this file."),
                        "pointer": text_key("A JSON Pointer to a string in the file."),
                        "env": text_key("An environment variable that overrides the string.")
                    }
                }]
            }
        }
    })
}

fn site() -> Value {
    json!({
        "root": text_key("The folder of the export, relative to this file."),
        "origin": {
            "description": "Scheme, host and port of the live site. Absolute URLs with this origin are checked as local files. Default: inferred.",
            "$ref": "#/definitions/setting"
        },
        "base-path": {
            "description": "The URL path that the site is deployed under, such as /docs/. Default: inferred.",
            "type": "string",
            "pattern": "^/(.*/)?$"
        },
        "not-found": text_key("The file that the host serves for unknown paths. Default: 404.html."),
        "host": {
            "description": "The host that serves the site. It determines the answers to paths that are not file names. Default: inferred.",
            "enum": Host::ALL.map(Host::name)
        },
        "host-config": text_key("The host's configuration file outside of the export, relative to this file: vercel.json, netlify.toml, firebase.json or staticwebapp.config.json. Its redirects and rewrites are used. One in the export needs no key."),
        "trailing-slash": {
            "description": "Whether the host redirects /dir to /dir/ (`redirect`), or /dir/ to /dir (`never`). Default: inferred.",
            "enum": ["redirect", "never"]
        },
        "clean-urls": described(
            json!({ "type": "boolean" }),
            "Whether the host serves page.html for /page. Only for hosts that can do both. Default: inferred."
        )
    })
}

fn permalinks() -> Value {
    json!({
        "keep": {
            "description": "Lists of addresses that must not be lost, as files relative to this file, or URLs: inventories, sitemaps, lists of URLs, CSV exports of search consoles, access logs, and targets of `sitegate publish`, such as s3://my-site.",
            "type": "array",
            "items": {
                "anyOf": [string(), {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["file"],
                    "properties": {
                        "file": text_key("A file or a URL."),
                        "min-requests": described(
                            json!({ "type": "integer", "minimum": 1 }),
                            "Minimum number of 404s of an address in an access log. Default: 10."
                        )
                    }
                }]
            }
        },
        "gone": {
            "description": "Addresses that may be lost.",
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": false,
                "required": ["paths", "reason"],
                "properties": {
                    "paths": { "description": "Addresses by path or glob, with or without an anchor.", "$ref": "#/definitions/paths" },
                    "reason": { "description": "The reason, required.", "type": "string", "minLength": 1 },
                    "status": { "description": "410: `sitegate serve` and `sitegate host-config` for nginx, Apache and Caddy answer 410 instead of 404.", "const": 410 }
                }
            }
        }
    })
}

fn external() -> Value {
    let number = |text: &str| json!({ "description": text, "type": "integer", "minimum": 1 });
    let seconds =
        |text: &str| json!({ "description": text, "type": "number", "minimum": 0, "maximum": 86_400 });
    let host = json!({
        "concurrency": number("Maximum number of parallel requests. Default: 6."),
        "interval": seconds("Minimum number of seconds between the starts of two requests. Default: 0.05."),
        "headers": {
            "description": "Headers that are sent only to this host. Secrets come from an environment variable.",
            "type": "object",
            "additionalProperties": { "anyOf": [string(), { "type": "object", "properties": { "env": string() }, "required": ["env"], "additionalProperties": false }] }
        },
        "accept": {
            "description": "Statuses that count as success, such as 403.",
            "type": "array",
            "items": { "type": "integer", "minimum": 100, "maximum": 999 }
        },
        "get": { "description": "Whether to always use GET instead of HEAD. Default: false.", "type": "boolean" },
        "profile": { "description": "Whether to use the built-in profiles of well-known hosts. Default: true.", "type": "boolean" }
    });
    json!({
        "skip": {
            "description": "URLs that are not checked, as globs such as https://www.example.org/**, or as regular expressions that start with ^.",
            "type": "array",
            "items": { "type": "string", "pattern": "^(http|\\*|\\^)" }
        },
        "max-age": described(
            json!({ "type": "string", "pattern": "^[0-9]+[dh]$" }),
            "Maximum age of a good answer in the file of `--lock`, in days or hours. Default: 30d."
        ),
        "allow-addresses": {
            "description": "Private networks that may be requested, such as 10.0.0.0/8.",
            "type": "array",
            "items": string()
        },
        "concurrency": number("Maximum number of parallel requests to all hosts together. Default: 128."),
        "timeout": seconds("Maximum number of seconds until the first byte of a response. Default: 20."),
        "retries": { "description": "Maximum number of retries after temporary failures. Default: 2.", "type": "integer", "minimum": 0 },
        "certificates": text_key("A PEM file of certificate authorities that are trusted in addition to those of the system."),
        "host": object("Settings for all hosts that are not listed below `hosts`.", &host),
        "hosts": {
            "description": "Settings for single hosts, by host name.",
            "type": "object",
            "additionalProperties": object("Settings for this host.", &host)
        }
    })
}

fn assertion() -> Value {
    let number = |description: &str| json!({ "description": description, "type": "integer", "minimum": 0 });
    let pages = |description: &str| json!({ "description": description, "$ref": "#/definitions/pages" });
    let lists = |description: &str| json!({ "description": description, "type": "object", "additionalProperties": strings() });
    json!({
        "name": text_key("The assertion's name in findings."),
        "pages": pages("The pages, by path, glob or @group."),
        "except": pages("Pages to exclude."),
        "select": text_key("A CSS selector."),
        "count": number("Required number of matches on each page."),
        "min": number("Minimum number of matches on each page. Default: 1."),
        "max": number("Maximum number of matches on each page."),
        "text": text_key("Required text of each match."),
        "contains": text_key("Text that each match must contain."),
        "starts-with": text_key("Start of each match's text."),
        "ends-with": text_key("End of each match's text."),
        "matches": text_key("A regular expression that must match a part of each match's text."),
        "texts": described(strings(), "Required texts of all matches, in document order."),
        "numbered": {
            "description": "Whether the texts must start with 1, 2, 3 … in document order.",
            "type": "boolean"
        },
        "attributes": {
            "description": "Required attributes of each match: a value, true (present) or false (absent).",
            "type": "object",
            "additionalProperties": { "anyOf": [{ "type": "boolean" }, { "$ref": "#/definitions/setting" }] }
        },
        "tokens": lists("Tokens that each match's attributes must contain."),
        "values": lists("Required values of an attribute over all matches, in document order."),
        "same": described(strings(), "Attributes that must be equal in all matches on all pages."),
        "help": text_key("How to fix a failure. Shown with the finding.")
    })
}

/// Returns a property for each rule.
fn rules(property: &dyn Fn(&Registered) -> Value) -> Value {
    Value::Object(RULES.iter().map(|rule| (rule.info.id.to_owned(), property(rule))).collect())
}

/// Returns the schema of a rule's setting: a level, or a table with a level and the rule's options.
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

fn object(description: &str, properties: &Value) -> Value {
    json!({
        "description": description,
        "type": "object",
        "additionalProperties": false,
        "properties": properties
    })
}

fn tables(description: &str, required: &[&str], properties: &Value) -> Value {
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
    use crate::contract::error::unknown_key;
    use crate::contract::raw_contract::RawContract;

    /// Returns the keys that the types accept after `prefix`, a part of a contract.
    fn accepted_keys(prefix: &str) -> Vec<String> {
        let error = toml::from_str::<RawContract>(&format!("{prefix}\nno-such-key = 1")).unwrap_err();
        let (_, known) = unknown_key(error.message()).unwrap();
        let mut known: Vec<String> = known.into_iter().map(str::to_owned).collect();
        known.sort();
        known
    }

    #[test]
    fn schema_has_the_keys_of_the_types() {
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
            assert_eq!(keys, accepted_keys(prefix), "{prefix}");
        }
    }

    #[test]
    fn schema_has_the_options_of_rules() {
        let schema = schema();
        let options = &schema["properties"]["rules"]["properties"]["broken-anchor"]["anyOf"][1]["properties"];
        assert!(options.get("ignore").is_some() && options.get("level").is_some(), "{options}");
    }
}
