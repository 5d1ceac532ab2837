//! Compiles patterns: globs of file paths, regular expressions of references.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de};
use toml::Spanned;

use super::error::Fault;

/// An invalid pattern.
#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    /// A path pattern does not start with `/`.
    #[error("`{0}` must start with `/`")]
    NotFromRoot(String),
    /// A path pattern is malformed.
    #[error(transparent)]
    Glob(#[from] globset::Error),
    /// A regular expression is malformed.
    #[error("`{pattern}` is not a regular expression: {}", reason(source))]
    Regex {
        /// The expression as written.
        pattern: String,
        /// The error.
        source: regex::Error,
    },
}

/// Returns a regular expression's error on one line.
fn reason(error: &regex::Error) -> String {
    let error = error.to_string();
    error.lines().last().unwrap_or(&error).trim_start_matches("error: ").to_owned()
}

/// Compiles path patterns: `*` stays within a segment, `**` crosses segments.
pub(crate) fn globs(patterns: &[Spanned<String>]) -> Result<GlobSet, Fault> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(glob(pattern.get_ref()).map_err(|error| (pattern.span(), error.into()))?);
    }
    set.build().map_err(|error| (0..0, error.into()))
}

/// Compiles the path patterns of an entry that would have no effect without them.
pub(crate) fn some_globs(patterns: &Spanned<Vec<Spanned<String>>>, key: &str) -> Result<GlobSet, Fault> {
    if patterns.get_ref().is_empty() {
        let message =
            format!("`{key}` is empty, so this entry applies to nothing; list paths such as \"/blog/**\"");
        return Err((patterns.span(), message.into()));
    }
    globs(patterns.get_ref())
}

fn glob(pattern: &str) -> Result<Glob, PatternError> {
    if !pattern.starts_with('/') {
        return Err(PatternError::NotFromRoot(pattern.to_owned()));
    }
    Ok(GlobBuilder::new(pattern).literal_separator(true).build()?)
}

/// Files, by patterns of their paths: `*` stays within a segment, `**` crosses segments.
#[derive(Clone, Debug, Default, JsonSchema)]
#[schemars(with = "Vec<String>", extend("items" = { "type": "string", "pattern": "^/" }))]
pub struct Paths(GlobSet);

impl Paths {
    /// # Errors
    /// When a pattern is malformed, or does not start with `/`.
    pub fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<Paths, PatternError> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            set.add(glob(pattern)?);
        }
        Ok(Paths(set.build()?))
    }

    /// Returns whether there are no patterns.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether a file matches, by its path below the root.
    pub fn contain(&self, path: &[u8]) -> bool {
        !self.0.is_empty() && self.0.is_match(format!("/{}", String::from_utf8_lossy(path)))
    }
}

impl<'de> Deserialize<'de> for Paths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let patterns = Vec::<String>::deserialize(deserializer)?;
        Paths::new(patterns.iter().map(String::as_str)).map_err(de::Error::custom)
    }
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
        regex::Regex::new(&pattern).map(Pattern).map_err(|source| PatternError::Regex { pattern, source })
    }
}

#[cfg(test)]
mod tests {
    use super::Paths;

    #[test]
    fn paths_match_from_the_root() {
        let paths = Paths::new(["/assets/**", "/*.js"]).unwrap_or_default();
        assert!(paths.contain(b"assets/a/b.css") && paths.contain(b"a.js") && !paths.contain(b"b/a.js"));
        assert!(Paths::new(["x"]).is_err() && !Paths::default().contain(b""));
    }
}
