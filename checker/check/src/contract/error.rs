//! Errors in a contract, with their locations.

use std::error::Error;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use sitegate_base::nearest::nearest;
use sitegate_base::sanitize::visible;

/// The reason of an error: a message, or another error.
pub(crate) type ErrorSource = Box<dyn Error + Send + Sync>;

/// A reason, and its span in the contract.
pub(crate) type Fault = (Range<usize>, ErrorSource);

/// An error in a contract, with its location.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub struct ContractError {
    /// The contract's path as given.
    pub file: PathBuf,
    /// Line and column, from 1, and the text of the line.
    pub place: Option<(usize, usize, String)>,
    /// Number of characters of the line that the error is about.
    pub length: usize,
    /// The reason.
    pub source: ErrorSource,
}

impl ContractError {
    /// Creates an error about a whole file.
    pub(crate) fn about(file: &Path, source: impl Into<ErrorSource>) -> ContractError {
        ContractError { file: file.to_path_buf(), place: None, length: 0, source: source.into() }
    }

    /// Creates an error at a range of bytes of a file's text. Only the first line of the range is underlined.
    pub(crate) fn at(
        file: &Path,
        text: &str,
        span: Range<usize>,
        source: impl Into<ErrorSource>,
    ) -> ContractError {
        let (line, column, shown) = line_and_column(text, span.start);
        let rest = shown.chars().count().saturating_sub(column - 1);
        let marked = text.get(span).map_or(1, |marked| marked.chars().count());
        let length = marked.min(rest).max(1);
        ContractError { place: Some((line, column, shown)), length, ..ContractError::about(file, source) }
    }
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display().to_string();
        let message = self.source.to_string();
        let message = visible(&message);
        write!(f, "{}", visible(&file))?;
        match &self.place {
            None => write!(f, ": {message}"),
            Some((line, column, text)) => {
                write!(f, ":{line}:{column}: {message}")?;
                let number = line.to_string();
                let gap = " ".repeat(number.len());
                let indent: String =
                    text.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
                let mark = "^".repeat(self.length);
                write!(f, "\n {gap} |\n {number} | {text}\n {gap} | {indent}{mark}")
            }
        }
    }
}

/// An error in the value of a key.
#[derive(Debug, thiserror::Error)]
#[error("`{key}`: {source}")]
pub(crate) struct KeyError {
    pub key: String,
    pub source: ErrorSource,
}

impl KeyError {
    pub fn new(key: impl Into<String>, source: impl Into<ErrorSource>) -> KeyError {
        KeyError { key: key.into(), source: source.into() }
    }
}

/// Returns line, column (both from 1, in characters) and line text of a byte offset.
pub(crate) fn line_and_column(source: &str, offset: usize) -> (usize, usize, String) {
    let offset = source.floor_char_boundary(offset);
    let start = source[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = source[..start].matches('\n').count() + 1;
    let text = source[start..].lines().next().unwrap_or("").to_owned();
    (line, source[start..offset].chars().count() + 1, text)
}

/// Returns the message about an unknown key, with the nearest known key.
pub(crate) fn unknown<'k>(key: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(key, known.iter().copied()) {
        Some(near) => format!("unknown key `{key}`; did you mean `{near}`?"),
        None if known.is_empty() => format!("unknown key `{key}`; no keys are allowed here"),
        None => format!("unknown key `{key}`; known keys: {}", known.join(", ")),
    }
}

/// Returns the key that serde's message is about, and the known keys.
pub(crate) fn unknown_key(message: &str) -> Option<(&str, Vec<&str>)> {
    let message = message.lines().next().unwrap_or(message);
    let (key, expected) = message.strip_prefix("unknown field `")?.split_once('`')?;
    let known = expected.split('`').skip(1).step_by(2);
    Some((key, known.collect()))
}
