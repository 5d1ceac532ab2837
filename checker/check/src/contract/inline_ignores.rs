//! Parses `check.inline-ignores`: the ignores that pages may contain.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

use super::schema::{Spanned, rule_id};
use super::setting::Placed;

/// The ignores that pages may contain.
#[derive(Debug)]
pub enum InlineIgnores {
    /// None: every ignore is reported.
    Refused,
    /// Ignores of all rules but contract and security rules, and of these rules.
    Allowed(Vec<Placed>),
}

impl Default for InlineIgnores {
    fn default() -> InlineIgnores {
        InlineIgnores::Allowed(Vec::new())
    }
}

impl InlineIgnores {
    /// Returns the contract and security rules that pages may ignore.
    pub fn rules(&self) -> &[Placed] {
        match self {
            InlineIgnores::Refused => &[],
            InlineIgnores::Allowed(rules) => rules,
        }
    }
}

impl<'de> Deserialize<'de> for InlineIgnores {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<InlineIgnores, D::Error> {
        deserializer.deserialize_any(InlineIgnoresVisitor)
    }
}

impl JsonSchema for InlineIgnores {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "inline-ignores".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["array", "boolean"], "items": rule_id(generator) })
    }
}

struct InlineIgnoresVisitor;

impl<'de> Visitor<'de> for InlineIgnoresVisitor {
    type Value = InlineIgnores;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of rules, or false")
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<InlineIgnores, E> {
        Ok(if value { InlineIgnores::default() } else { InlineIgnores::Refused })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<InlineIgnores, A::Error> {
        let mut rules = Vec::new();
        while let Some(rule) = list.next_element::<Spanned<String>>()? {
            rules.push(rule.into());
        }
        Ok(InlineIgnores::Allowed(rules))
    }
}
