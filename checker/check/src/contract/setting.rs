//! Parses values that keep their location, or come from another file.

use std::io;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;

use super::access::{Access, VariableError};
use super::schema::Spanned;

/// A value, written here or taken from another file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "setting")]
#[serde(untagged, expecting = "a string, or { file = …, pointer = …, env = … }")]
pub enum Setting {
    /// The value itself.
    Value(String),
    /// A string in a JSON file, by JSON Pointer (RFC 6901). The variable `env` overrides it.
    Reference(SettingReference),
}

/// The long form of a [`Setting`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct SettingReference {
    /// A JSON file, relative to this file.
    file: PathBuf,
    /// A JSON Pointer to a string in the file.
    pointer: String,
    /// An environment variable that overrides the string.
    env: Option<String>,
}

/// The reason why a value from another file is not available.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingError {
    #[error("{}: {source}", file.display())]
    Unreadable { file: PathBuf, source: io::Error },
    #[error("{}: {source}", file.display())]
    Malformed { file: PathBuf, source: serde_json::Error },
    #[error("{}: {pointer} is not a string", file.display())]
    NotText { file: PathBuf, pointer: String },
    #[error("{}: there is no {pointer}", file.display())]
    Missing { file: PathBuf, pointer: String },
    #[error(transparent)]
    Variable(#[from] VariableError),
}

/// The value of a [`Setting`].
#[derive(Clone, Debug)]
pub struct ResolvedSetting {
    /// The value.
    pub value: String,
    /// The file and the pointer of a value that is not written in the contract. Messages name them instead of the
    /// value, which may be a secret.
    pub source: Option<String>,
}

impl ResolvedSetting {
    /// Returns the value for messages, given its displayed form, or its source.
    pub fn display(&self, value: &str) -> String {
        match &self.source {
            None => format!("`{value}`"),
            Some(source) => format!("the value of {source}"),
        }
    }
}

impl Setting {
    /// Returns the value. Reads it from a file relative to `folder` if it is a reference.
    pub(crate) fn resolve(&self, folder: &Path, access: &Access) -> Result<ResolvedSetting, SettingError> {
        let reference = match self {
            Setting::Value(value) => return Ok(ResolvedSetting { value: value.clone(), source: None }),
            Setting::Reference(reference) => reference,
        };
        if let Some(name) = &reference.env
            && let Some(value) = access.variable(name)?
        {
            return Ok(ResolvedSetting { value, source: Some(format!("the variable `{name}`")) });
        }
        let file = folder.join(&reference.file);
        let json: serde_json::Value = match access.read(&file).map(|text| serde_json::from_slice(&text)) {
            Ok(Ok(json)) => json,
            Ok(Err(source)) => return Err(SettingError::Malformed { file, source }),
            Err(source) => return Err(SettingError::Unreadable { file, source }),
        };
        let pointer = reference.pointer.clone();
        match json.pointer(&pointer) {
            Some(serde_json::Value::String(value)) => Ok(ResolvedSetting {
                value: value.clone(),
                source: Some(format!("`{pointer}` in `{}`", reference.file.display())),
            }),
            Some(_) => Err(SettingError::NotText { file, pointer }),
            None => Err(SettingError::Missing { file, pointer }),
        }
    }
}

/// A value and its location in the contract.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The value as written.
    pub value: String,
    /// The span, in bytes.
    pub span: std::ops::Range<usize>,
}

impl From<Spanned<String>> for Placed {
    fn from(spanned: Spanned<String>) -> Self {
        Placed { span: spanned.span(), value: spanned.into_inner() }
    }
}
