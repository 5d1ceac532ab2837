//! Parses `[rules]`, `[[override]]` and `[[ignore]]`: levels and options of rules, and ignored findings.

use std::collections::BTreeMap;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;
use sitegate_address::PathPatterns;

use super::error::{Fault, KeyError};
use super::patterns::{Pattern, some_path_patterns};
use super::reason;
use super::schema::{self, Paths, Spanned};
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
        if !reason::is_stated(self.reason.get_ref()) {
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
