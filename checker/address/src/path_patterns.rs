//! Matches paths of files and pages with patterns: `*` stays within a segment, `**` crosses segments.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de};

use crate::site_path::SitePath;

/// A pattern that cannot be compiled.
#[derive(Debug, thiserror::Error)]
pub enum PathPatternError {
    /// It does not start with `/`.
    #[error("`{0}` must start with `/`")]
    NotFromRoot(String),
    /// It is malformed.
    #[error(transparent)]
    Glob(#[from] globset::Error),
}

/// Files and pages, by patterns of their paths from the root.
///
/// ```
/// use sitegate_address::PathPatterns;
///
/// let patterns = PathPatterns::new(["/assets/**", "/*.js", "/terms"])?;
/// assert!(patterns.has_file(b"assets/a/b.css") && patterns.has_file(b"app.js"));
/// assert!(!patterns.has_file(b"a/app.js"));
/// assert!(patterns.has_file_or_page("terms/index.html"));
/// # Ok::<(), sitegate_address::PathPatternError>(())
/// ```
#[derive(Clone, Debug, Default, JsonSchema)]
#[schemars(with = "Vec<String>", extend("items" = { "type": "string", "pattern": "^/" }))]
pub struct PathPatterns {
    globs: GlobSet,
    /// Whether a pattern is `/**`, which needs no matching.
    has_all: bool,
}

impl PathPatterns {
    /// Compiles patterns.
    ///
    /// # Errors
    /// When a pattern is malformed, or does not start with `/`.
    pub fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<PathPatterns, PathPatternError> {
        let (mut globs, mut has_all) = (GlobSetBuilder::new(), false);
        for pattern in patterns {
            globs.add(glob(pattern)?);
            has_all |= pattern == "/**";
        }
        Ok(PathPatterns { globs: globs.build()?, has_all })
    }

    /// Returns the pattern that only this path matches.
    pub fn escape(path: &str) -> String {
        // In a pattern, a backslash escapes the next character.
        globset::escape(path).replace('\\', "[\\]")
    }

    /// Returns whether there are no patterns.
    pub fn is_empty(&self) -> bool {
        self.globs.is_empty()
    }

    /// Returns whether a path matches. It has a leading slash.
    pub fn has(&self, path: &str) -> bool {
        // Even an empty set parses the path first.
        self.has_all || (!self.globs.is_empty() && self.globs.is_match(path))
    }

    /// Returns whether a file matches, by its path below the root.
    pub fn has_file(&self, path: &[u8]) -> bool {
        self.has_all
            || (!self.globs.is_empty() && self.globs.is_match(format!("/{}", String::from_utf8_lossy(path))))
    }

    /// Returns whether a file matches by its path below the root, or as a page (see [`SitePath::page_path`]).
    pub fn has_file_or_page(&self, path: &str) -> bool {
        self.has(&format!("/{path}")) || self.has(&SitePath::new(path).page_path())
    }

    /// Returns the indices of the patterns that match a path.
    pub fn matching(&self, path: &str) -> Vec<usize> {
        self.globs.matches(path)
    }
}

impl<'de> Deserialize<'de> for PathPatterns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let patterns = Vec::<String>::deserialize(deserializer)?;
        PathPatterns::new(patterns.iter().map(String::as_str)).map_err(de::Error::custom)
    }
}

fn glob(pattern: &str) -> Result<Glob, PathPatternError> {
    if !pattern.starts_with('/') {
        return Err(PathPatternError::NotFromRoot(pattern.to_owned()));
    }
    Ok(GlobBuilder::new(pattern).literal_separator(true).build()?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::PathPatterns;

    #[test]
    fn patterns_begin_at_the_root() {
        let patterns = PathPatterns::new(["/assets/**", "/*.js"]).unwrap();
        assert!(patterns.has_file(b"assets/a/b.css") && patterns.has_file(b"a.js"));
        assert!(!patterns.has_file(b"b/a.js"));
        assert!(PathPatterns::new(["x"]).is_err() && !PathPatterns::default().has_file(b""));
        assert!(PathPatterns::new(["/{a"]).is_err());
    }

    #[test]
    fn a_page_has_the_path_of_its_folder() {
        let patterns = PathPatterns::new(["/guide"]).unwrap();
        assert!(patterns.has_file_or_page("guide/index.html") && !patterns.has_file(b"guide/index.html"));
        assert!(!patterns.has_file_or_page("guide.html") && !patterns.has_file_or_page("guideindex.html"));
        assert!(PathPatterns::new(["/"]).unwrap().has_file_or_page("index.html"));
    }

    #[test]
    fn everything_matches_as_the_glob_does() {
        let everything = PathPatterns::new(["/**"]).unwrap();
        for path in ["/", "/a", "/a/b/c.html", "/a b/\u{e9}", "/.x/y", "/a\n"] {
            assert!(everything.has_all && everything.globs.is_match(path), "{path}");
        }
    }

    #[test]
    fn an_escaped_path_matches_itself_only() {
        let path = "/a[b]*{c}?\\d";
        let patterns = PathPatterns::new([&*PathPatterns::escape(path)]).unwrap();
        assert!(patterns.has(path) && !patterns.has("/ab"));
    }
}
