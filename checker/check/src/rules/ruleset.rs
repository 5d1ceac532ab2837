//! Builds the rules of one run from the contract.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::rule::{OptionError, Rule, RuleNameError};
use super::{ERRORS_IN_SEALS, RULES, known};
use crate::contract::error::KeyError;
use crate::contract::{Contract, ContractError};
use crate::external::ExternalLinks;
use crate::index::needs::Needs;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::inventories::{FetchedInventories, Inventories};

/// The level of a rule.
#[derive(Clone, Copy)]
struct RuleLevel {
    info: &'static RuleInfo,
    level: Severity,
    /// Whether the contract sets it. Otherwise findings may have a higher one.
    is_stated: bool,
}

/// The rules of one run, with their options and levels.
#[derive(Clone)]
pub struct Ruleset {
    entries: Vec<RuleLevel>,
    active: Arc<[Box<dyn Rule>]>,
    /// The inventories that the contract names.
    pub(crate) inventories: Inventories,
    /// Whether external links are checked; else their rules are off.
    checks_external: bool,
    /// Whether only some external links are checked.
    is_external_partial: bool,
    /// Whether the site is live; else the rules about its server are off.
    is_live: bool,
    /// The files that options name.
    pub files: Vec<PathBuf>,
}

impl Ruleset {
    /// Builds the rules from a contract.
    ///
    /// # Errors
    /// When the contract names a rule or option that does not exist, or a file that cannot be read.
    pub fn new(contract: &Contract) -> Result<Ruleset, ContractError> {
        Ruleset::with_inventories(contract, &FetchedInventories::default())
    }

    /// Builds the rules from a contract, with the inventories that it names as URLs.
    ///
    /// # Errors
    /// As [`Ruleset::new`], or when an inventory is malformed.
    pub fn with_inventories(
        contract: &Contract,
        fetched: &FetchedInventories,
    ) -> Result<Ruleset, ContractError> {
        check_names(contract)?;
        let inventories = Inventories::load(contract, fetched)?;
        let (mut entries, mut active) = (Vec::new(), Vec::new());
        let files = RefCell::new(inventories.files.clone());
        for registered in RULES {
            let info = registered.info;
            let setting = contract.rules.iter().find(|setting| setting.id.value == info.id);
            let fail = |error: OptionError| {
                let key = error.option().and_then(|option| setting?.keys.get(option).cloned());
                let span = key.or(setting.map(|setting| setting.span.clone())).unwrap_or_default();
                contract.error(span, KeyError::new(format!("rules.{}", info.id), error))
            };
            let options = setting.map(|setting| setting.options.clone()).unwrap_or_default();
            let mut rule = registered.build(options).map_err(fail)?;
            let stated = setting.and_then(|setting| setting.level);
            let level = stated.unwrap_or(info.default);
            entries.push(RuleLevel { info, level, is_stated: stated.is_some() });
            if level != Severity::Off || contract.overrides.iter().any(|entry| entry.turns_on(info.id)) {
                let read = |option: &str, path: &Path| {
                    let key = setting.and_then(|setting| setting.keys.get(option));
                    let file = contract.beside(key.map_or(0, |key| key.start), path);
                    match contract.read(&file) {
                        Ok(bytes) => {
                            files.borrow_mut().push(file);
                            Ok(bytes)
                        }
                        Err(source) => Err(OptionError::Unreadable { file, source }),
                    }
                };
                rule.load(&read).map_err(fail)?;
                active.push(rule);
            }
        }
        let files = files.into_inner();
        Ok(Ruleset {
            entries,
            active: active.into(),
            inventories,
            checks_external: false,
            is_external_partial: false,
            is_live: false,
            files,
        })
    }

    /// Returns the same rules for a check with or without external links, of a live site or an export.
    pub(crate) fn for_check(&self, external: Option<&dyn ExternalLinks>, is_live: bool) -> Ruleset {
        let is_external_partial = external.is_some_and(ExternalLinks::is_partial);
        Ruleset { checks_external: external.is_some(), is_external_partial, is_live, ..self.clone() }
    }

    /// Returns the same rules for a check whose export is sealed: some warnings are errors, unless the contract sets
    /// their level.
    pub(crate) fn for_seal(mut self) -> Ruleset {
        for entry in &mut self.entries {
            if ERRORS_IN_SEALS.contains(&entry.info.id) && !entry.is_stated {
                entry.level = Severity::Error;
            }
        }
        self
    }

    /// Returns the rules that are not off.
    pub fn active(&self) -> &[Box<dyn Rule>] {
        &self.active
    }

    /// Returns the facts that the rules need beyond those that are always collected.
    pub(crate) fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        self.active.iter().for_each(|rule| rule.needs(&mut needs));
        needs
    }

    /// Returns whether a rule can report all of its findings on any path.
    pub(crate) fn can_count(&self, contract: &Contract, rule: &str) -> bool {
        let is_cut = |info: &RuleInfo| self.is_external_partial && info.category == Category::External;
        if known(rule).is_ok_and(|info| self.is_inactive(info) || is_cut(info)) {
            return false;
        }
        let stated = self.entries.iter().any(|entry| entry.info.id == rule && entry.level != Severity::Off);
        stated || contract.overrides.iter().any(|entry| entry.turns_on(rule))
    }

    /// Returns whether a rule is off because external links are not checked, or the site is not live.
    fn is_inactive(&self, rule: &RuleInfo) -> bool {
        match rule.category {
            Category::External => !self.checks_external,
            Category::Live => !self.is_live,
            _ => false,
        }
    }

    /// Returns the severity of a finding, without overrides: the level of its rule, or a higher one of its own if the
    /// contract does not set the level.
    pub(crate) fn severity(&self, finding: &RawFinding) -> Severity {
        if self.is_inactive(finding.rule) {
            return Severity::Off;
        }
        match self.entries.iter().find(|entry| entry.info.id == finding.rule.id) {
            Some(entry) if entry.is_stated || entry.level == Severity::Off => entry.level,
            Some(entry) => entry.level.max(finding.severity),
            None => finding.severity,
        }
    }
}

/// Checks that every rule name in the contract exists.
fn check_names(contract: &Contract) -> Result<(), ContractError> {
    let levels = contract.overrides.iter().flat_map(|entry| &entry.levels).map(|(id, _)| id);
    let ignored = contract.ignores.iter().filter_map(|ignore| ignore.rule.as_ref());
    let ignored = ignored.chain(contract.inline_ignores.rules());
    let levels = levels.map(|id| (id, known(&id.value)));
    let ignored = ignored.map(|id| (id, ignorable(&id.value)));
    let settings = contract.rules.iter().map(|setting| (&setting.id, known(&setting.id.value)));
    for (id, known) in levels.chain(ignored).chain(settings) {
        known.map_err(|error| contract.error(id.span.clone(), error))?;
    }
    Ok(())
}

/// Returns the rule that an ignore refers to. Rules about ignores themselves have a level, but cannot be ignored.
pub(super) fn ignorable(id: &str) -> Result<&'static RuleInfo, RuleNameError> {
    let rule = known(id)?;
    match rule.category {
        Category::Policy => Err(RuleNameError::NotIgnorable(rule.id)),
        _ => Ok(rule),
    }
}

/// Returns the rule with this id, if a page may ignore it. Pages can ignore contract and security rules only if the
/// contract allows it.
pub(crate) fn ignorable_inline(contract: &Contract, id: &str) -> Result<&'static RuleInfo, RuleNameError> {
    let rule = ignorable(id)?;
    let is_protected = matches!(rule.category, Category::Contract | Category::Security);
    if is_protected && !contract.inline_ignores.rules().iter().any(|allowed| allowed.value == id) {
        return Err(RuleNameError::NotIgnorableInline { rule });
    }
    Ok(rule)
}
