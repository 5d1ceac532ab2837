//! Compiles patterns of the contract: of file paths, with their locations, and regular expressions of references.

use schemars::JsonSchema;
use serde::Deserialize;
use sitegate_address::PathPatterns;

use super::error::Fault;
use super::schema::Spanned;

/// A malformed regular expression.
#[derive(Debug, thiserror::Error)]
#[error("`{pattern}` is not a regular expression: {}", reason(source))]
pub struct PatternError {
    /// The expression as written.
    pattern: String,
    /// The error.
    source: regex::Error,
}

/// Returns a regular expression's error on one line.
fn reason(error: &regex::Error) -> String {
    let error = error.to_string();
    error.lines().last().unwrap_or(&error).trim_start_matches("error: ").to_owned()
}

/// Compiles path patterns.
pub(super) fn path_patterns(patterns: &[Spanned<String>]) -> Result<PathPatterns, Fault> {
    let compiled = PathPatterns::new(patterns.iter().map(|pattern| pattern.get_ref().as_str()));
    compiled.map_err(|error| {
        let is_wrong = |pattern: &&Spanned<String>| PathPatterns::new([pattern.get_ref().as_str()]).is_err();
        let span = patterns.iter().find(is_wrong).map_or(0..0, Spanned::span);
        (span, error.into())
    })
}

/// Compiles the path patterns of an entry that would have no effect without them.
pub(super) fn some_path_patterns(
    patterns: &Spanned<Vec<Spanned<String>>>,
    key: &str,
) -> Result<PathPatterns, Fault> {
    if patterns.get_ref().is_empty() {
        let message =
            format!("`{key}` is empty, so this entry applies to nothing; list paths such as \"/blog/**\"");
        return Err((patterns.span(), message.into()));
    }
    path_patterns(patterns.get_ref())
}

/// A regular expression in a rule's options or in an ignore.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String", extend("format" = "regex"))]
pub struct Pattern(regex::Regex);

impl Pattern {
    /// Returns whether the expression matches a part of the text.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// Returns the expression as written.
    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl TryFrom<String> for Pattern {
    type Error = PatternError;

    fn try_from(pattern: String) -> Result<Pattern, PatternError> {
        regex::Regex::new(&pattern).map(Pattern).map_err(|source| PatternError { pattern, source })
    }
}
