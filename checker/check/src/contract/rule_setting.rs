//! Parses `[rules]`: levels and options, by rule name.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;

use super::error::Fault;
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
