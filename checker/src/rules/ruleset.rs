//! The rules of one run, built from the contract's `[rules]`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use toml::Spanned;

use super::{Keeps, RULES, Rule, RuleInfo, known};
use crate::config::{plain, unknown_key};
use crate::diagnostic::Severity;

/// The rules of one run, with their options and weights.
pub struct Ruleset {
    entries: Vec<(&'static RuleInfo, Severity)>,
    active: Vec<Box<dyn Rule>>,
    /// Those that must see files' bytes, by their place in `active`.
    readers: Vec<usize>,
}

impl Ruleset {
    /// Every rule at its default.
    pub fn defaults() -> Ruleset {
        match build(&BTreeMap::new(), &|_| false, &|_| None, &|_| PathBuf::new()) {
            Ok(rules) => rules,
            Err((_, message)) => unreachable!("rules build without options: {message}"),
        }
    }

    /// The rules that are not off.
    pub fn active(&self) -> &[Box<dyn Rule>] {
        &self.active
    }

    /// The rules that must see this file's bytes.
    pub(crate) fn readers(&self, path: &[u8]) -> Vec<&dyn Rule> {
        let readers = self.readers.iter().map(|&at| &*self.active[at]);
        readers.filter(|rule| rule.files().is_some_and(|files| files.contain(path))).collect()
    }

    /// What the rules need to be kept of every page.
    pub(crate) fn keeps(&self) -> Keeps {
        self.active.iter().map(|rule| rule.keeps()).fold(Keeps::default(), |all, one| Keeps {
            loads: all.loads || one.loads,
            texts: all.texts || one.texts,
        })
    }

    /// How much a rule weighs.
    pub fn level(&self, rule: &RuleInfo) -> Severity {
        let entry = self.entries.iter().find(|(info, _)| info.id == rule.id);
        entry.map_or(rule.default, |(_, level)| *level)
    }
}

/// Reads `[rules]`: a level (`"error"`, `"warn"`, `"off"`), or a table of `level` and the rule's options.
/// `turned_on` says which rules are needed even where they are off, `key_span` where a key stands, and `folder`
/// what a path that is written at an offset is relative to.
pub(crate) fn build(
    settings: &BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    turned_on: &dyn Fn(&str) -> bool,
    key_span: &dyn Fn(&[&str]) -> Option<Range<usize>>,
    folder: &dyn Fn(usize) -> PathBuf,
) -> Result<Ruleset, (Range<usize>, String)> {
    for id in settings.keys() {
        known(id.get_ref()).map_err(|message| (id.span(), message))?;
    }
    let mut ruleset = Ruleset { entries: Vec::new(), active: Vec::new(), readers: Vec::new() };
    for info in RULES {
        let setting = settings.iter().find(|(id, _)| id.get_ref() == info.id).map(|(_, value)| value);
        let fail = |message: String| {
            let span = setting.map_or(0..0, Spanned::span);
            (span, format!("`rules.{}`: {message}", info.id))
        };
        let mut options = match setting.map(Spanned::get_ref) {
            None => toml::Table::new(),
            Some(toml::Value::Table(table)) => table.clone(),
            Some(level) => toml::Table::from_iter([("level".to_owned(), level.clone())]),
        };
        let level = match options.remove("level") {
            None => info.default,
            Some(level) => {
                level.try_into().map_err(|_| fail("a level is \"error\", \"warn\" or \"off\"".to_owned()))?
            }
        };
        let mut rule = (info.build)(options).map_err(|message| {
            let (message, key) = match unknown_key(&message) {
                Some((key, _)) => (plain(&message), Some(key.to_owned())),
                None => option_at_fault(&message),
            };
            let place = key.and_then(|key| key_span(&["rules", info.id, &key]));
            let (span, message) = fail(message);
            (place.unwrap_or(span), message)
        })?;
        ruleset.entries.push((info, level));
        if level != Severity::Off || turned_on(info.id) {
            let folder_of =
                |option: &str| folder(key_span(&["rules", info.id, option]).map_or(0, |span| span.start));
            rule.load(&folder_of).map_err(fail)?;
            if rule.files().is_some() {
                ruleset.readers.push(ruleset.active.len());
            }
            ruleset.active.push(rule);
        }
    }
    Ok(ruleset)
}

/// Splits an error about an option into what is wrong and the option's key, which the TOML reader puts on a
/// line of its own.
fn option_at_fault(message: &str) -> (String, Option<String>) {
    let (message, place) = message.trim().split_once('\n').unwrap_or((message.trim(), ""));
    let key = place.trim().strip_prefix("in `").and_then(|key| key.strip_suffix('`'));
    let key = key.map(|key| key.split(['.', '[']).next().unwrap_or(key).to_owned());
    let message = key.as_ref().map_or_else(|| message.to_owned(), |key| format!("`{key}`: {message}"));
    (message, key)
}
