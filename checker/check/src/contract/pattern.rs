//! Patterns: files by globs of their paths, references by regular expressions.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de};
use toml::Spanned;

/// A set of path patterns: `*` stays within a segment, `**` crosses them.
pub(crate) fn globs(patterns: &[Spanned<String>]) -> Result<GlobSet, (std::ops::Range<usize>, String)> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        if !pattern.get_ref().starts_with('/') {
            let message = format!("`{}` must begin with `/`", pattern.get_ref());
            return Err((pattern.span(), message));
        }
        let glob = GlobBuilder::new(pattern.get_ref()).literal_separator(true).build();
        set.add(glob.map_err(|error| (pattern.span(), error.to_string()))?);
    }
    set.build().map_err(|error| (0..0, error.to_string()))
}

/// Files, by patterns of their paths: `*` stays within a segment, `**` crosses them.
#[derive(Clone, Debug, Default, JsonSchema)]
#[schemars(with = "Vec<String>", extend("items" = { "type": "string", "pattern": "^/" }))]
pub struct Paths(GlobSet);

impl Paths {
    /// # Errors
    /// When a pattern is malformed, or does not begin with `/`.
    pub fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<Paths, String> {
        let patterns: Vec<Spanned<String>> =
            patterns.into_iter().map(|pattern| Spanned::new(0..0, pattern.to_owned())).collect();
        globs(&patterns).map(Paths).map_err(|(_, message)| message)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a file, by its path below the root, is one of them.
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

/// A regular expression in a rule's options or in an exception.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String", extend("format" = "regex"))]
pub struct Pattern(regex::Regex);

impl Pattern {
    /// Whether it is found anywhere in the text.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// As it is written.
    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(pattern: String) -> Result<Pattern, String> {
        regex::Regex::new(&pattern).map(Pattern).map_err(|error| {
            let error = error.to_string();
            let reason = error.lines().last().unwrap_or(&error).trim_start_matches("error: ");
            format!("`{pattern}` is not a regular expression: {reason}")
        })
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
