//! Values of a contract that know where they stand, or are kept elsewhere.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

/// A value written here, or kept elsewhere and pointed at.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "a string, or { file = …, pointer = …, env = … }")]
pub enum Setting {
    /// The value itself.
    Value(String),
    /// A string in a JSON file, by JSON Pointer (RFC 6901); `env` names a variable that overrides it.
    Reference(SettingReference),
}

/// The long form of a [`Setting`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingReference {
    file: PathBuf,
    pointer: String,
    env: Option<String>,
}

impl Setting {
    /// The value, looked up below `folder` where it is a reference.
    pub(crate) fn resolve(&self, folder: &Path) -> Result<String, String> {
        let reference = match self {
            Setting::Value(value) => return Ok(value.clone()),
            Setting::Reference(reference) => reference,
        };
        if let Some(name) = &reference.env
            && let Ok(value) = std::env::var(name)
            && !value.is_empty()
        {
            return Ok(value);
        }
        let path = folder.join(&reference.file);
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let json: serde_json::Value =
            serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        match json.pointer(&reference.pointer) {
            Some(serde_json::Value::String(value)) => Ok(value.clone()),
            Some(_) => Err(format!("{}: {} is not a string", path.display(), reference.pointer)),
            None => Err(format!("{}: there is no {}", path.display(), reference.pointer)),
        }
    }
}

/// A value, and where the contract states it.
#[derive(Clone, Debug)]
pub struct Placed {
    /// As written.
    pub value: String,
    /// Where, in bytes.
    pub span: std::ops::Range<usize>,
}

impl From<Spanned<String>> for Placed {
    fn from(spanned: Spanned<String>) -> Self {
        Placed { span: spanned.span(), value: spanned.into_inner() }
    }
}
