//! `[rules]`: how much each rule weighs, and its options, by the rule's name alone.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;

use super::error::Fault;
use super::setting::Placed;
use crate::raw_finding::Severity;

/// The key of a rule's level.
pub(super) const LEVEL: &str = "level";

/// What the contract says of one rule. Which rules there are, and what their options mean, is known further up.
#[derive(Clone, Debug)]
pub struct RuleSetting {
    /// The rule's id.
    pub id: Placed,
    /// How much it weighs; `None` where only options are given.
    pub level: Option<Severity>,
    /// Its options.
    pub options: toml::Table,
    /// Where its level or its options stand, in bytes.
    pub span: Range<usize>,
    /// Where each option is named, in bytes.
    pub keys: BTreeMap<String, Range<usize>>,
}

impl RuleSetting {
    /// Takes one entry of `[rules]` apart: a level, or a table of a level and options. `key` gives the place of an
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
