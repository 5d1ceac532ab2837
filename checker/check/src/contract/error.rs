//! Errors in a contract, with their locations. Messages of serde are reworded: they name the key, the expected value and
//! how to write it.

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

/// Rewords a message of serde about the value of a key.
pub(crate) fn readable_message(message: &str, key: Option<&str>) -> String {
    let first = message.lines().next().unwrap_or(message);
    let reworded = unknown_key(first)
        .map(|(name, known)| unknown(name, known))
        .or_else(|| unknown_variant(first, key))
        .or_else(|| wrong_type(first, key))
        .or_else(|| missing_key(first));
    reworded.unwrap_or_else(|| message.to_owned())
}

/// Returns the key of a value, by the text before the value on its line.
pub(super) fn key_before_value(line: &str) -> Option<&str> {
    let before = line.trim_end().strip_suffix('=')?.trim_end();
    let key = before.rsplit([' ', '\t', '{', ',', '.']).next()?.trim_matches(['"', '\'']);
    (!key.is_empty()).then_some(key)
}

/// Rewords the message about an unknown name, with similar ones.
fn unknown_variant(message: &str, key: Option<&str>) -> Option<String> {
    let (found, expected) = message.strip_prefix("unknown variant `")?.split_once('`')?;
    let known: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let subject =
        key.map_or_else(|| format!("unknown value `{found}`"), |key| format!("unknown `{key}`: `{found}`"));
    let similar = || known.iter().copied().filter(|name| !found.is_empty() && name.starts_with(found));
    let near: Vec<&str> = match nearest(found, known.iter().copied()) {
        Some(near) => vec![near],
        None => similar().collect(),
    };
    Some(match near.as_slice() {
        [] => format!("{subject}; known values: `{}`", known.join("`, `")),
        near => format!("{subject}; did you mean `{}`?", near.join("` or `")),
    })
}

/// Rewords the message about a value of the wrong type, with an example if the value shows the intention.
fn wrong_type(message: &str, key: Option<&str>) -> Option<String> {
    let wrong = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "))?;
    let (found, expected) = wrong.rsplit_once(", expected ")?;
    let text = found.strip_prefix("string \"").and_then(|text| text.strip_suffix('"'));
    let plain = || found.split('`').nth(1);
    let (words, example) = match expected {
        "usize" | "u64" | "u32" | "u16" | "u8" => {
            let number = text.filter(|text| text.parse::<u64>().is_ok());
            (
                if number.is_some() { "a whole number without quotes" } else { "a whole number" },
                number.map(str::to_owned),
            )
        }
        "i64" | "i32" => {
            ("a whole number", text.filter(|text| text.parse::<i64>().is_ok()).map(str::to_owned))
        }
        "f64" | "f32" => ("a number", text.filter(|text| text.parse::<f64>().is_ok()).map(str::to_owned)),
        "a boolean" => {
            ("`true` or `false`", text.filter(|text| matches!(*text, "true" | "false")).map(str::to_owned))
        }
        "a string" | "path string" => ("text in quotes", plain().map(|value| format!("\"{value}\""))),
        "a sequence" => ("a list", text.map(|text| format!("[\"{text}\"]"))),
        "a map" => ("a table", None),
        _ if expected.starts_with("struct ") => ("a table", None),
        other => (other, None),
    };
    let subject = key.map_or_else(|| "this value".to_owned(), |key| format!("`{key}`"));
    let found = match found {
        "sequence" => "a list".to_owned(),
        "map" => "a table".to_owned(),
        _ => text.map_or_else(|| format!("`{}`", plain().unwrap_or(found)), |text| format!("`\"{text}\"`")),
    };
    let verb = if key.is_some() { "takes" } else { "must be" };
    Some(match (key, example) {
        (Some(key), Some(example)) => format!("{subject} {verb} {words}: `{key} = {example}`"),
        _ => format!("{subject} {verb} {words}, not {found}"),
    })
}

/// Rewords the message about a missing key.
fn missing_key(message: &str) -> Option<String> {
    match message.strip_prefix("missing field `")?.split('`').next()? {
        "reason" => Some("add a `reason`: it is shown in reports and in the seal".to_owned()),
        key => Some(format!("missing key `{key}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::{key_before_value, readable_message};

    #[test]
    fn names_the_key_and_an_example() {
        for (message, line, expected) in [
            (
                "invalid type: string \"3\", expected usize",
                "count = ",
                "`count` takes a whole number without quotes: `count = 3`",
            ),
            (
                "invalid type: string \"a\", expected usize",
                "count = ",
                "`count` takes a whole number, not `\"a\"`",
            ),
            (
                "invalid value: integer `-1`, expected usize",
                "x = { count = ",
                "`count` takes a whole number, not `-1`",
            ),
            (
                "invalid type: integer `3`, expected a string",
                "root = ",
                "`root` takes text in quotes: `root = \"3\"`",
            ),
            (
                "invalid type: integer `3`, expected a string",
                "required = [",
                "this value must be text in quotes, not `3`",
            ),
            (
                "invalid type: string \"/\", expected a sequence",
                "required = ",
                "`required` takes a list: `required = [\"/\"]`",
            ),
            ("invalid type: map, expected a sequence", "required = ", "`required` takes a list, not a table"),
            (
                "unknown variant `s3`, expected one of `s3-website`, `s3-rest`, `nginx`",
                "host = ",
                "unknown `host`: `s3`; did you mean `s3-website` or `s3-rest`?",
            ),
            (
                "unknown variant `x`, expected `redirect` or `never`",
                "a.b = ",
                "unknown `b`: `x`; known values: `redirect`, `never`",
            ),
            ("missing field `from`", "", "missing key `from`"),
            ("invalid length 3", "x = ", "invalid length 3"),
        ] {
            assert_eq!(readable_message(message, key_before_value(line)), expected);
        }
    }
}
