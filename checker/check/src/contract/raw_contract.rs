//! Defines the keys of a contract: the types that parse it, with the documentation of each key.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;
use sitegate_review::CauseKind;

use super::addresses::{RawInventory, RawPart, RawPermalinks};
use super::assertion::RawAssertion;
use super::external_settings::RawExternal;
use super::headers::RawHeaders;
use super::patterns::Groups;
use super::redirect::RawRedirect;
use super::rule_entries::{InlineIgnores, RawIgnore, RawOverride};
use super::schema::{self, Paths, Spanned};
use super::site::RawSite;
use super::source_settings::RawSource;

/// The keys at the top of a contract. A file with another key is not a contract, so errors do not show its lines.
pub(super) static KEYS: LazyLock<Vec<String>> =
    LazyLock::new(|| match schema::schema_of::<RawContract>(false).get("properties") {
        Some(Value::Object(keys)) => keys.keys().cloned().collect(),
        _ => Vec::new(),
    });

/// `[pages]`: required pages, and groups of pages.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(inline)]
pub(super) struct RawPages {
    /// Pages that must exist in the export.
    #[schemars(with = "Paths")]
    pub(super) required: Vec<Spanned<String>>,
    /// Named lists of pages, used as @name.
    pub(super) groups: Groups,
}

/// `[check]`: options of the check.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(inline)]
pub(super) struct RawCheck {
    /// A baseline file: only findings that are not in it fail the check. The seal covers it.
    pub(super) baseline: Option<Spanned<PathBuf>>,
    /// Contract and security rules that pages may ignore with a comment or an attribute. With false, they may ignore
    /// no rule.
    pub(super) inline_ignores: InlineIgnores,
    /// Attributes and classes of other checkers, such as data-proofer-ignore: findings in their elements are ignored,
    /// except those of contract and security rules.
    pub(super) ignore_attributes: Vec<Spanned<String>>,
}

/// The contract of a static site: everything that is checked before it goes live.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(title = "sitegate.toml")]
pub(crate) struct RawContract {
    /// A shared base contract, or several. Tables merge, lists of tables are joined, and the file that extends wins.
    // `contract_files` parses it. It is a field so that the key is known.
    #[serde(rename = "extends")]
    #[schemars(schema_with = "schema::files")]
    _extends: serde::de::IgnoredAny,
    /// The export, and its deployment.
    pub(super) site: RawSite,
    /// Options of the check.
    pub(super) check: RawCheck,
    /// External link checks, with --external.
    pub(super) external: RawExternal,
    /// Authored files: findings are shown at their lines.
    pub(super) source: RawSource,
    /// Levels and options of rules.
    #[schemars(schema_with = "schema::rules")]
    pub(super) rules: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    /// Required pages, and groups of pages.
    pub(super) pages: RawPages,
    /// Assertions about elements of pages.
    #[serde(rename = "assert")]
    pub(super) assertions: Vec<RawAssertion>,
    /// Response headers by path. Later entries win.
    pub(super) headers: Vec<RawHeaders>,
    /// Levels by path. Later entries win.
    #[serde(rename = "override")]
    pub(super) overrides: Vec<RawOverride>,
    /// Ignored findings: they are counted, but do not fail the check.
    #[serde(rename = "ignore")]
    pub(super) ignores: Vec<RawIgnore>,
    /// Redirects of moved URLs.
    pub(super) redirects: Vec<RawRedirect>,
    /// The inventory that `sitegate check --inventory` writes.
    pub(super) inventory: RawInventory,
    /// Addresses that must not be lost.
    pub(super) permalinks: RawPermalinks,
    /// Parts of the site that other repositories publish, or other sites with an inventory.
    pub(super) parts: Vec<RawPart>,
    /// Reviews of a change by `sitegate diff`.
    pub(super) review: RawReview,
}

/// `[review]` as parsed from TOML.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
pub(super) struct RawReview {
    /// Kinds of causes for which `sitegate diff` exits with 1.
    #[schemars(schema_with = "cause_kinds")]
    pub(super) fail: Vec<CauseKind>,
}

/// Returns the form of a list of kinds of causes, by their names alone.
fn cause_kinds(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": { "enum": CauseKind::ALL.map(CauseKind::name) } })
}
