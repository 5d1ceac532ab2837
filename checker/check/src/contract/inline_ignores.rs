//! Parses `check.inline-ignores` and `check.ignore-attributes`: the ignores that pages may contain.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

use super::error::Fault;
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

/// Returns the attributes and classes of other checkers whose elements pages may ignore, in lowercase.
///
/// # Errors
/// If one is no name of an attribute, or if the contract refuses ignores in pages.
pub(super) fn ignore_attributes(
    names: Vec<Spanned<String>>,
    inline_ignores: &InlineIgnores,
) -> Result<Vec<String>, Fault> {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    };
    let build = |name: Spanned<String>| {
        if matches!(inline_ignores, InlineIgnores::Refused) {
            let message =
                "`check.ignore-attributes` has no effect with `inline-ignores = false`; remove one of them";
            return Err((name.span(), message.into()));
        }
        if !is_name(name.get_ref()) {
            let message =
                "`check.ignore-attributes`: write names of attributes, such as \"data-proofer-ignore\"";
            return Err((name.span(), message.into()));
        }
        Ok(name.into_inner().to_ascii_lowercase())
    };
    names.into_iter().map(build).collect()
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
