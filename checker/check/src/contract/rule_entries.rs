//! Parses `[rules]`, `[[override]]` and `[[ignore]]`: levels and options of rules, and ignored findings; and the ignores
//! that pages may contain, `check.inline-ignores` and `check.ignore-attributes`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use sitegate_address::PathPatterns;

use super::error::{Fault, KeyError};
use super::patterns::{Pattern, some_path_patterns};
use super::schema::{self, Paths, Spanned, rule_id};
use super::setting::Placed;
use crate::raw_finding::Severity;

/// The key of a rule's level.
pub(crate) const LEVEL: &str = "level";

/// A rule's settings in the contract. The ruleset checks that the rule and its options exist.
#[derive(Clone, Debug)]
pub struct RuleSetting {
    /// The rule id.
    pub id: Placed,
    /// The level; `None` if only options are set.
    pub level: Option<Severity>,
    /// The options.
    pub options: toml::Table,
    /// The span of the level or options, in bytes.
    pub span: Range<usize>,
    /// The spans of the options' names, in bytes.
    pub keys: BTreeMap<String, Range<usize>>,
}

impl RuleSetting {
    /// Parses one entry of `[rules]`: a level, or a table with a level and options. `key` returns the span of an
    /// option's name.
    pub(super) fn build(
        id: Spanned<String>,
        value: Spanned<toml::Value>,
        key: impl Fn(&str) -> Option<Range<usize>>,
    ) -> Result<RuleSetting, Fault> {
        let span = value.span();
        let mut options = match value.into_inner() {
            toml::Value::Table(table) => table,
            level => toml::Table::from_iter([(LEVEL.to_owned(), level)]),
        };
        let level = options.remove(LEVEL).map(toml::Value::try_into).transpose();
        let level = level.map_err(|_| {
            let message = format!("`rules.{}`: a level is \"error\", \"warn\" or \"off\"", id.get_ref());
            (span.clone(), message.into())
        })?;
        let keys = options.keys().filter_map(|option| Some((option.clone(), key(option)?))).collect();
        Ok(RuleSetting { id: Placed::from(id), level, options, span, keys })
    }
}

/// One `[[override]]` as parsed from TOML.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(inline)]
pub(crate) struct RawOverride {
    /// Files or pages, by path or glob.
    #[schemars(with = "Paths")]
    paths: Spanned<Vec<Spanned<String>>>,
    /// Levels for these paths.
    #[schemars(schema_with = "schema::rules")]
    rules: Spanned<BTreeMap<Spanned<String>, Spanned<toml::Value>>>,
}

/// The levels of some rules in some files.
#[derive(Debug)]
pub struct Override {
    /// The files or pages.
    pub paths: PathPatterns,
    /// Rule ids and their levels.
    pub levels: Vec<(Placed, Severity)>,
    /// The entry's span in the contract, in bytes.
    pub span: Range<usize>,
}

impl RawOverride {
    pub fn build(self) -> Result<Override, Fault> {
        let paths = some_path_patterns(&self.paths, "override.paths")?;
        let mut levels = Vec::with_capacity(self.rules.get_ref().len());
        if self.rules.get_ref().is_empty() {
            let message =
                "`override.rules` is empty, so this entry sets no level; name rules, or remove the entry";
            return Err((self.rules.span(), message.into()));
        }
        for (id, level) in self.rules.into_inner() {
            let wrong = || {
                let message =
                    format!("`override.rules.{}`: a level is \"error\", \"warn\" or \"off\"", id.get_ref());
                let help = if level.get_ref().is_table() { "; set options in `[rules]`" } else { "" };
                (level.span(), format!("{message}{help}").into())
            };
            let severity = level.get_ref().clone().try_into().map_err(|_| wrong())?;
            levels.push((Placed::from(id), severity));
        }
        Ok(Override { span: self.paths.span(), paths, levels })
    }
}

impl Override {
    /// Returns whether the override turns a rule on.
    pub fn turns_on(&self, rule: &str) -> bool {
        self.levels.iter().any(|(id, level)| id.value == rule && *level != Severity::Off)
    }
}

/// One `[[ignore]]` as parsed from TOML.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(inline)]
pub(crate) struct RawIgnore {
    /// A regular expression, searched in the reference as written and in the URL that it resolves to.
    url: Option<Spanned<String>>,
    /// The rule id.
    #[serde(default)]
    #[schemars(schema_with = "schema::rule_id")]
    rule: Option<Spanned<String>>,
    /// Files or pages, by path or glob.
    #[schemars(with = "Option<Paths>")]
    paths: Option<Spanned<Vec<Spanned<String>>>>,
    /// The reason, required. It appears in reports and in the seal.
    #[schemars(length(min = 1))]
    reason: Spanned<String>,
}

/// Ignored findings, by rule, URL and path.
#[derive(Debug)]
pub struct ContractIgnore {
    /// A regular expression, searched in the reference as written and in the URL that it resolves to.
    pub url: Option<Pattern>,
    /// The rule id.
    pub rule: Option<Placed>,
    /// The files or pages.
    pub paths: Option<PathPatterns>,
    /// The reason.
    pub reason: String,
    /// The entry's span in the contract, in bytes.
    pub span: Range<usize>,
}

impl RawIgnore {
    pub fn build(self) -> Result<ContractIgnore, Fault> {
        let span = self.url.as_ref().or(self.rule.as_ref()).map(Spanned::span);
        let Some(span) = span else {
            let message =
                "`ignore` needs `url` or `rule`; without them it would ignore everything".to_owned();
            return Err((self.reason.span(), message.into()));
        };
        if !is_stated(self.reason.get_ref()) {
            return Err((
                self.reason.span(),
                "`ignore.reason` is empty: add a reason, which appears in reports and in the seal".into(),
            ));
        }
        let url = self.url.map(|url| {
            let at = url.span();
            Pattern::try_from(url.into_inner())
                .map_err(|error| (at, KeyError::new("ignore.url", error).into()))
        });
        let paths = self.paths.map(|paths| some_path_patterns(&paths, "ignore.paths"));
        Ok(ContractIgnore {
            url: url.transpose()?,
            rule: self.rule.map(Placed::from),
            paths: paths.transpose()?,
            reason: self.reason.into_inner(),
            span,
        })
    }
}

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

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<InlineIgnores, E> {
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

/// Characters that show something: letters, numbers, punctuation and symbols, except those that are blank. Unicode's
/// ignorable characters include joiners, variation selectors, tags, soft hyphens and the fillers of Hangul. The others are
/// the blanks of Braille, hieroglyphs and music, and the place of an object.
static SHOWN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let blank = r"\p{Default_Ignorable_Code_Point}\u{2800}\u{13441}\u{13442}\u{1d159}\u{fffc}";
    Regex::new(&format!(r"[[\p{{L}}\p{{N}}\p{{P}}\p{{S}}]--[{blank}]]")).ok()
});

/// Whether a reason is stated: it has a character that readers see.
pub fn is_stated(reason: &str) -> bool {
    SHOWN.as_ref().is_some_and(|shown| shown.is_match(reason))
}

#[cfg(test)]
mod tests {
    use super::is_stated;

    #[test]
    fn recognizes_text_that_readers_see() {
        for stated in
            ["x", "the shop answers these", "待修", "لاحقا", "🙈", "1", "-", "\u{200b}x\u{200b}", "e\u{301}"]
        {
            assert!(is_stated(stated), "{stated:?}");
        }
    }

    /// Every character that shows nothing, by Unicode's ranges rather than by the properties of the library.
    #[test]
    fn invisible_characters_are_no_reason() {
        let ranges = [
            0x00..=0x20,
            0x7f..=0xa0,
            0xad..=0xad,
            0x34f..=0x34f,
            0x61c..=0x61c,
            0x115f..=0x1160,
            0x1680..=0x1680,
            0x17b4..=0x17b5,
            0x180b..=0x180f,
            0x2000..=0x200f,
            0x2028..=0x202f,
            0x205f..=0x206f,
            0x2800..=0x2800,
            0x3000..=0x3000,
            0x3164..=0x3164,
            0xe000..=0xf8ff,
            0xfe00..=0xfe0f,
            0xfeff..=0xfeff,
            0xffa0..=0xffa0,
            0xfff0..=0xfffc,
            0xfffe..=0xffff,
            0x13441..=0x13442,
            0x1bca0..=0x1bca3,
            0x1d159..=0x1d159,
            0x1d173..=0x1d17a,
            0xe0000..=0xe0fff,
            0xf0000..=0x10_ffff,
        ];
        assert!(!is_stated(""));
        let mut all = String::new();
        for c in ranges.into_iter().flatten().filter_map(char::from_u32) {
            assert!(!is_stated(c.encode_utf8(&mut [0; 4])), "{c:?}");
            all.push(c);
        }
        assert!(!is_stated(&all));
    }
}
