//! What a rule is, and how it is made from its options.

use std::io;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use serde_path_to_error::Segment;

use crate::contract::error::unknown;
use crate::contract::pattern::PatternError;
use crate::index::Index;
use crate::index::needs::Needs;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo};

/// A rule in the registry: what is known of it, its options, and how it is made from them.
pub struct Registered {
    /// What is known of it without running it.
    pub info: &'static RuleInfo,
    make: fn(toml::Table) -> Result<Box<dyn Rule>, OptionError>,
    options: fn() -> Map<String, Value>,
}

/// What is wrong with a rule's options.
#[derive(Debug, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("{message}")]
    Unknown {
        /// Its name.
        option: String,
        /// What is said of it.
        message: String,
    },
    /// A value is of another type, or out of its range.
    #[error("{}{}", named(option.as_deref()), source.message())]
    Value {
        /// The option, if it is known which.
        option: Option<String>,
        /// What is wrong with the value.
        source: toml::de::Error,
    },
    /// A pattern of paths is malformed.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A regular expression is malformed.
    #[error(transparent)]
    Regex(#[from] regex::Error),
    /// The regular expression for names with a hash captures no hash.
    #[error("`pattern` needs a group `(?<hash>…)`")]
    NoHashGroup,
    /// A regular expression matches everywhere.
    #[error("a pattern that matches the empty text is found everywhere")]
    MatchesEmptyText,
    /// The file that an option names cannot be read.
    #[error("{}: {source}", file.display())]
    Unreadable {
        /// Its path.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file that an option names is malformed.
    #[error("{}: {source}", file.display())]
    Malformed {
        /// Its path.
        file: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

impl OptionError {
    /// The option, if it is known which.
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

/// Why a contract or a page cannot name a rule.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RuleNameError {
    #[error("there is no rule `{id}`{}", suggestion(*near))]
    Unknown { id: String, near: Option<&'static str> },
    #[error("`{0}` takes no exceptions; set its level in `[rules]`")]
    NotIgnorable(&'static str),
    #[error("a page cannot excuse itself from `{}`, a rule of {}", rule.id, protected(rule))]
    NotIgnorableInline { rule: &'static RuleInfo },
}

fn suggestion(near: Option<&str>) -> String {
    near.map_or("; `sitegate rules` lists them".to_owned(), |near| format!("; did you mean `{near}`?"))
}

fn protected(rule: &RuleInfo) -> &'static str {
    match rule.category {
        Category::Contract => "the contract",
        _ => "security",
    }
}

impl RuleNameError {
    /// What to do in a page that names it, if that is another thing than usual.
    pub fn help(&self) -> Option<String> {
        match self {
            RuleNameError::Unknown { .. } => None,
            RuleNameError::NotIgnorable(_) => {
                Some("remove it here; `[[override]]` sets levels for some paths".to_owned())
            }
            RuleNameError::NotIgnorableInline { rule } => Some(format!(
                "excuse it by `[[ignore]]` in the contract, or let pages do so by `inline-ignores = [\"{}\"]` below `[check]`",
                rule.id
            )),
        }
    }
}

impl Registered {
    /// A rule whose options are its struct's fields.
    pub(super) const fn of<R: Rule + DeserializeOwned + JsonSchema + 'static>(
        info: &'static RuleInfo,
    ) -> Registered {
        Registered { info, make: make::<R>, options: options::<R> }
    }

    /// A rule without options whose findings come from another stage of the check, such as the baseline.
    pub(super) const fn of_stage(info: &'static RuleInfo) -> Registered {
        Registered { info, make: |_| Ok(Box::new(NoCheck)), options: Map::new }
    }

    /// The rule with these options.
    ///
    /// # Errors
    /// When an option is not known, or its value is of another type.
    pub fn build(&self, options: toml::Table) -> Result<Box<dyn Rule>, OptionError> {
        let known = self.options();
        if let Some(option) = options.keys().find(|option| !known.contains_key(*option)) {
            let message = unknown(option, known.keys().map(String::as_str));
            return Err(OptionError::Unknown { option: option.clone(), message });
        }
        (self.make)(options)
    }

    /// The rule's options, each with its JSON Schema (draft 7).
    pub fn options(&self) -> Map<String, Value> {
        (self.options)()
    }
}

/// A rule: it sees each file, then the whole site. It does no input or output and keeps nothing from file to file.
pub trait Rule: Send + Sync {
    /// Looks at one file: a page, a style sheet, or another that was read.
    fn check_file(&self, _view: &FileView<'_>, _found: &mut Vec<RawFinding>) {}
    /// Looks at what all files have in common.
    fn check_site(&self, _index: &Index<'_>, _found: &mut Vec<RawFinding>) {}
    /// Says what it needs to be known beyond what is always kept.
    fn needs(&self, _needs: &mut Needs) {}
    /// Makes its options ready, once. `read` gives the content of a file that an option names.
    ///
    /// # Errors
    /// When that cannot be read, or the options contradict each other.
    fn load(&mut self, _read: &ReadOption<'_>) -> Result<(), OptionError> {
        Ok(())
    }
}

/// The check of a rule whose findings come from another stage.
struct NoCheck;

impl Rule for NoCheck {}

/// Reads the file that an option names: the option's key, and the path in it.
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

fn options<R: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft07().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<R>().to_value();
    match schema.get_mut("properties").map(Value::take) {
        Some(Value::Object(options)) => options,
        _ => Map::new(),
    }
}
