//! Defines rules, their options, and the registry's entries.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use serde_path_to_error::Segment;

use crate::contract::error::{readable_message, unknown};
use crate::contract::rule_entries::LEVEL;
use crate::contract::schema::schema_of;
use crate::index::Index;
use crate::index::needs::Needs;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo};
use sitegate_address::{PathPatternError, PathPatterns};

/// A rule in the registry: its description, and its check.
pub struct Registered {
    /// The rule's static description.
    pub info: &'static RuleInfo,
    check: RegisteredCheck,
}

type CheckFile = fn(&FileView<'_>, &mut Vec<RawFinding>);
type CheckSite = fn(&Index<'_>, &mut Vec<RawFinding>);

/// How a rule checks: by a struct with options, or by functions.
enum RegisteredCheck {
    WithOptions {
        make: fn(toml::Table) -> Result<Box<dyn Rule>, OptionError>,
        options: fn() -> Map<String, Value>,
    },
    Functions(Functions),
}

/// The functions of a rule without options.
#[derive(Clone, Copy)]
struct Functions {
    file: Option<CheckFile>,
    site: Option<CheckSite>,
    needs: fn(&mut Needs),
}

/// An error in a rule's options.
#[derive(Debug, thiserror::Error)]
pub enum OptionError {
    /// The rule has no such option.
    #[error("{message}")]
    Unknown {
        /// Its name.
        option: String,
        /// The message.
        message: String,
    },
    /// A value has the wrong type, or is out of range.
    #[error("{}", value_message(option.as_deref(), source))]
    Value {
        /// The option, if known.
        option: Option<String>,
        /// The deserialization error.
        source: toml::de::Error,
    },
    /// A path pattern is malformed.
    #[error(transparent)]
    Pattern(#[from] PathPatternError),
    /// A regular expression is malformed.
    #[error(transparent)]
    Regex(#[from] regex::Error),
    /// The regular expression for names with a hash has no group for the hash.
    #[error("`pattern` needs a group `(?<hash>…)`")]
    NoHashGroup,
    /// A regular expression matches everywhere.
    #[error("a pattern that matches the empty text matches everywhere")]
    MatchesEmptyText,
    /// The file in an option cannot be read.
    #[error("{}: {source}", file.display())]
    Unreadable {
        /// The file's path.
        file: PathBuf,
        /// The I/O error.
        source: io::Error,
    },
    /// The file in an option is not a seal. The message does not quote it: it may be any file.
    #[error("{}:{line}:{column}: this is not a seal", file.display())]
    NotASeal {
        /// The file's path.
        file: PathBuf,
        /// The line of the error, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
}

impl OptionError {
    /// Returns the option, if known.
    pub fn option(&self) -> Option<&str> {
        match self {
            OptionError::Unknown { option, .. } => Some(option),
            OptionError::Value { option, .. } => option.as_deref(),
            _ => None,
        }
    }
}

fn named(option: Option<&str>) -> String {
    option.map(|option| format!("`{option}`: ")).unwrap_or_default()
}

/// Returns the message about the value of an option.
fn value_message(option: Option<&str>, source: &toml::de::Error) -> String {
    let reworded = readable_message(source.message(), option);
    if reworded == source.message() { format!("{}{reworded}", named(option)) } else { reworded }
}

/// The reason why a contract or a page cannot refer to a rule.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RuleNameError {
    #[error("there is no rule `{id}`{}", suggestion(*near))]
    Unknown { id: String, near: Option<&'static str> },
    #[error("`{0}` cannot be ignored; set its level in `[rules]`")]
    NotIgnorable(&'static str),
    #[error("a page cannot ignore `{}`, a {} rule", rule.id, protected(rule))]
    NotIgnorableInline { rule: &'static RuleInfo },
}

fn suggestion(near: Option<&str>) -> String {
    near.map_or("; `sitegate explain` lists them".to_owned(), |near| format!("; did you mean `{near}`?"))
}

fn protected(rule: &RuleInfo) -> &'static str {
    match rule.category {
        Category::Contract => "contract",
        _ => "security",
    }
}

impl RuleNameError {
    /// Returns help for pages, if it differs from the usual help.
    pub fn help(&self) -> Option<String> {
        match self {
            RuleNameError::Unknown { .. } => None,
            RuleNameError::NotIgnorable(_) => {
                Some("remove it here; set its level for some paths with `[[override]]`".to_owned())
            }
            RuleNameError::NotIgnorableInline { rule } => Some(format!(
                "ignore it with `[[ignore]]` in the contract, or allow it in pages with `inline-ignores = [\"{}\"]` below `[check]`",
                rule.id
            )),
        }
    }
}

impl Registered {
    /// Creates a rule whose options are its struct's fields.
    pub(super) const fn new<R: Rule + DeserializeOwned + JsonSchema + 'static>(
        info: &'static RuleInfo,
    ) -> Registered {
        Registered { info, check: RegisteredCheck::WithOptions { make: make::<R>, options: options::<R> } }
    }

    /// Creates a rule without options that checks each file.
    pub(super) const fn of_files(info: &'static RuleInfo, file: CheckFile) -> Registered {
        Registered::of_functions(info, Some(file), None)
    }

    /// Creates a rule without options that checks the site as a whole.
    pub(super) const fn of_site(info: &'static RuleInfo, site: CheckSite) -> Registered {
        Registered::of_functions(info, None, Some(site))
    }

    /// Creates a rule without options that checks each file, then the site as a whole.
    pub(super) const fn of_both(info: &'static RuleInfo, file: CheckFile, site: CheckSite) -> Registered {
        Registered::of_functions(info, Some(file), Some(site))
    }

    /// Creates a rule without options whose findings come from another stage of the check, such as the baseline.
    pub(super) const fn of_stage(info: &'static RuleInfo) -> Registered {
        Registered::of_functions(info, None, None)
    }

    const fn of_functions(
        info: &'static RuleInfo,
        file: Option<CheckFile>,
        site: Option<CheckSite>,
    ) -> Registered {
        Registered { info, check: RegisteredCheck::Functions(Functions { file, site, needs: |_| {} }) }
    }

    /// Requests facts for a rule without options.
    pub(super) const fn needing(mut self, needs: fn(&mut Needs)) -> Registered {
        if let RegisteredCheck::Functions(functions) = &mut self.check {
            functions.needs = needs;
        }
        self
    }

    /// Builds the rule with these options.
    ///
    /// # Errors
    /// When an option is unknown, or its value has the wrong type.
    pub fn build(&self, options: toml::Table) -> Result<Box<dyn Rule>, OptionError> {
        let known = self.options();
        if let Some(option) = options.keys().find(|option| !known.contains_key(*option)) {
            let message = unknown(option, std::iter::once(LEVEL).chain(known.keys().map(String::as_str)));
            return Err(OptionError::Unknown { option: option.clone(), message });
        }
        match self.check {
            RegisteredCheck::WithOptions { make, .. } => make(options),
            RegisteredCheck::Functions(functions) => Ok(Box::new(functions)),
        }
    }

    /// Returns the rule's options, each with its JSON Schema (draft 7).
    pub fn options(&self) -> Map<String, Value> {
        match self.check {
            RegisteredCheck::WithOptions { options, .. } => options(),
            RegisteredCheck::Functions(_) => Map::new(),
        }
    }
}

/// A rule. It checks each file, then the whole site. Rules are pure: no I/O, and no state across files.
pub trait Rule: Send + Sync {
    /// Checks one file: a page, a style sheet, or another file that was read.
    fn check_file(&self, _view: &FileView<'_>, _found: &mut Vec<RawFinding>) {}
    /// Checks the site as a whole.
    fn check_site(&self, _index: &Index<'_>, _found: &mut Vec<RawFinding>) {}
    /// Requests facts beyond those that are always collected.
    fn needs(&self, _needs: &mut Needs) {}
    /// Prepares the options, once. `read` returns the content of a file that an option names.
    ///
    /// # Errors
    /// When the file cannot be read, or the options contradict each other.
    fn load(&mut self, _read: &ReadOption<'_>) -> Result<(), OptionError> {
        Ok(())
    }
}

impl Rule for Functions {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        if let Some(check) = self.file {
            check(view, found);
        }
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        if let Some(check) = self.site {
            check(index, found);
        }
    }

    fn needs(&self, needs: &mut Needs) {
        (self.needs)(needs);
    }
}

/// Reads the file that an option names. The arguments are the option's key and the path.
pub type ReadOption<'r> = dyn Fn(&str, &Path) -> Result<Vec<u8>, OptionError> + 'r;

fn make<R: Rule + DeserializeOwned + 'static>(options: toml::Table) -> Result<Box<dyn Rule>, OptionError> {
    let rule: R = serde_path_to_error::deserialize(options).map_err(|error| {
        let option = error.path().iter().find_map(|segment| match segment {
            Segment::Map { key } => Some(key.clone()),
            _ => None,
        });
        OptionError::Value { option, source: error.into_inner() }
    })?;
    Ok(Box::new(rule))
}

/// Deserializes a list or table that selects what a rule applies to. An empty one is an error: the rule would pass
/// although it checks nothing.
pub(super) fn not_empty<'de, D: Deserializer<'de>, T: Selecting<'de>>(value: D) -> Result<T, D::Error> {
    let selecting = T::deserialize(value)?;
    if selecting.is_empty() {
        let message = "without an entry, the rule checks nothing; add one, or set the level to \"off\"";
        return Err(de::Error::custom(message));
    }
    Ok(selecting)
}

/// An option that selects what a rule applies to.
pub(super) trait Selecting<'de>: Deserialize<'de> {
    /// Returns whether it selects nothing.
    fn is_empty(&self) -> bool;
}

impl Selecting<'_> for Vec<String> {
    fn is_empty(&self) -> bool {
        self.iter().all(String::is_empty)
    }
}

impl Selecting<'_> for PathPatterns {
    fn is_empty(&self) -> bool {
        PathPatterns::is_empty(self)
    }
}

impl<'de, V: Deserialize<'de>> Selecting<'de> for BTreeMap<String, V> {
    fn is_empty(&self) -> bool {
        BTreeMap::is_empty(self)
    }
}

fn options<R: JsonSchema>() -> Map<String, Value> {
    match schema_of::<R>(true).remove("properties") {
        Some(Value::Object(options)) => options,
        _ => Map::new(),
    }
}
