//! What is wrong with a contract, and where.

use std::error::Error;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use sitegate_base::nearest::nearest;
use sitegate_base::sanitize::visible;

/// What is wrong with a contract: a message, or the error that says so.
pub(crate) type ErrorSource = Box<dyn Error + Send + Sync>;

/// What is wrong, and the bytes of the contract that say so.
pub(crate) type Fault = (Range<usize>, ErrorSource);

/// A contract that cannot be used, with the place that says why.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub struct ContractError {
    /// The contract's path as it was given.
    pub file: PathBuf,
    /// Where in it: line and column from 1, and the text of the line.
    pub place: Option<(usize, usize, String)>,
    /// What is wrong.
    pub source: ErrorSource,
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
                write!(f, "\n {gap} |\n {number} | {text}\n {gap} | {indent}^")
            }
        }
    }
}

/// What is wrong with the value of a key.
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

/// Line, column (both from 1, in characters) and text of the line at a byte offset.
pub(crate) fn place(source: &str, offset: usize) -> (usize, usize, String) {
    let offset = source.floor_char_boundary(offset);
    let start = source[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = source[..start].matches('\n').count() + 1;
    let text = source[start..].lines().next().unwrap_or("").to_owned();
    (line, source[start..offset].chars().count() + 1, text)
}

/// Turns serde's message about a key into ours, with the nearest key that exists.
pub(crate) fn plain(message: &str) -> String {
    match unknown_key(message) {
        Some((key, known)) => unknown(key, known),
        None => message.to_owned(),
    }
}

/// What is said of a key that is not known, with the nearest one that is.
pub(crate) fn unknown<'k>(key: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(key, known.iter().copied()) {
        Some(near) => format!("unknown key `{key}`; did you mean `{near}`?"),
        None if known.is_empty() => format!("unknown key `{key}`; there are none here"),
        None => format!("unknown key `{key}`; known here: {}", known.join(", ")),
    }
}

/// The key that serde's message is about, and the keys that it knows.
pub(crate) fn unknown_key(message: &str) -> Option<(&str, Vec<&str>)> {
    let message = message.lines().next().unwrap_or(message);
    let (key, expected) = message.strip_prefix("unknown field `")?.split_once('`')?;
    let known = expected.split('`').skip(1).step_by(2);
    Some((key, known.collect()))
}
