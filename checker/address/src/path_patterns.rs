//! Matches paths of files and pages with patterns: `*` stays within a segment, `**` crosses segments.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de};

use crate::site_path::{INDEX, SitePath};

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

/// The addresses without `.html` at which a host answers with `page.html`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddedHtml {
    /// `/page`.
    pub bare: bool,
    /// `/page/`.
    pub slash: bool,
}

/// Files and pages, by patterns of their paths from the root.
///
/// A pattern matches a file by its path, or by the address of its page: `/terms` and `/terms/` match `terms/index.html`. If
/// the host adds `.html`, `/terms` also matches `terms.html`.
///
/// ```
/// use sitegate_address::{AddedHtml, PathPatterns};
///
/// let patterns = PathPatterns::new(["/assets/**", "/*.js", "/terms"])?;
/// let has_file = |path: &str| patterns.has_file(path.as_bytes(), AddedHtml::default());
/// assert!(has_file("assets/a/b.css") && has_file("app.js") && has_file("terms/index.html"));
/// assert!(!has_file("a/app.js") && !has_file("terms.html"));
/// assert!(patterns.has_file(b"terms.html", AddedHtml { bare: true, slash: false }));
/// # Ok::<(), sitegate_address::PathPatternError>(())
/// ```
#[derive(Clone, Debug, Default, JsonSchema)]
#[schemars(with = "Vec<String>", extend("items" = { "type": "string", "pattern": "^/" }))]
pub struct PathPatterns {
    /// The patterns, and those of index documents.
    globs: GlobSet,
    /// For each of `globs`, the index of its pattern.
    origins: Vec<usize>,
    /// The patterns with `.html` at the end, which apply if the host adds it.
    bare_html: GlobSet,
    /// The same for patterns that end with `/`.
    slash_html: GlobSet,
    /// For each of `bare_html` and of `slash_html`, the index of its pattern.
    html_origins: [Vec<usize>; 2],
    /// Whether a pattern is `/**`, which needs no matching.
    has_all: bool,
}

impl PathPatterns {
    /// Compiles patterns.
    ///
    /// # Errors
    /// When a pattern is malformed, or does not start with `/`.
    pub fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<PathPatterns, PathPatternError> {
        let mut compiled = PathPatterns::default();
        let [mut globs, mut bare_html, mut slash_html] = [(); 3].map(|()| GlobSetBuilder::new());
        for (number, pattern) in patterns.into_iter().enumerate() {
            let page = PagePattern::new(pattern);
            globs.add(glob(pattern)?);
            compiled.origins.push(number);
            if let Some(index) = page.index {
                globs.add(glob(&index)?);
                compiled.origins.push(number);
            }
            if let Some(html) = page.html {
                let is_slash = pattern.ends_with('/');
                let of_kind = if is_slash { &mut slash_html } else { &mut bare_html };
                of_kind.add(glob(&html)?);
                compiled.html_origins[usize::from(is_slash)].push(number);
            }
            compiled.has_all |= pattern == ALL;
        }
        compiled.globs = globs.build()?;
        compiled.bare_html = bare_html.build()?;
        compiled.slash_html = slash_html.build()?;
        Ok(compiled)
    }

    /// Returns the pattern that only this path matches.
    pub fn escape(path: &str) -> String {
        // In a pattern, a backslash escapes the next character.
        globset::escape(path).replace('\\', "[\\]")
    }

    /// Returns the patterns of the files that a pattern matches: by their paths, and as the pages of these addresses.
    /// [`PathPatterns::has_file`] matches the same files.
    pub fn file_patterns(pattern: &str, html: AddedHtml) -> Vec<String> {
        let PagePattern { index, html: page } = PagePattern::new(pattern);
        let is_added = if pattern.ends_with('/') { html.slash } else { html.bare };
        let own = (!pattern.ends_with('/')).then(|| pattern.to_owned());
        own.into_iter().chain(index).chain(page.filter(|_| is_added)).collect()
    }

    /// Returns whether there are no patterns.
    pub fn is_empty(&self) -> bool {
        self.globs.is_empty()
    }

    /// Returns whether a path matches. It has a leading slash, and no file: for that, use [`PathPatterns::has_file`].
    fn has(&self, path: &str) -> bool {
        // Even an empty set parses the path first.
        self.has_all || (!self.globs.is_empty() && self.globs.is_match(path))
    }

    /// Returns whether a file matches, by its path below the root. `html` has the addresses of pages on its host.
    pub fn has_file(&self, path: &[u8], html: AddedHtml) -> bool {
        if self.has_all || self.globs.is_empty() {
            return self.has_all;
        }
        let path = format!("/{}", String::from_utf8_lossy(path));
        let added =
            html.bare && self.bare_html.is_match(&path) || html.slash && self.slash_html.is_match(&path);
        added || self.globs.is_match(&path)
    }

    /// Returns whether an address matches that may have no file, with or without an anchor. It is decoded, and has a leading
    /// slash. `/old` matches the addresses of its page: `/old/` and `/old/index.html`, and `/old.html` if the host adds
    /// `.html`.
    pub fn has_address(&self, address: &str, html: AddedHtml) -> bool {
        if self.has(address) {
            return true;
        }
        let (path, anchor) = address.find('#').map_or((address, ""), |start| address.split_at(start));
        let folder = SitePath::new(path).without_index();
        let bare = folder.strip_suffix('/').or_else(|| path.strip_suffix(".html").filter(|_| html.bare));
        match anchor {
            "" => {
                let index = format!("{}/{INDEX}", folder.trim_end_matches('/'));
                let is_folder = SitePath::new(path).extension().is_none() || path != folder;
                let files = [Some(path), is_folder.then_some(&*index)];
                files.into_iter().flatten().any(|file| self.has_file(&file.as_bytes()[1..], html))
            }
            _ => [Some(folder), bare].into_iter().flatten().any(|form| self.has(&format!("{form}{anchor}"))),
        }
    }

    /// Returns the indices of the patterns that match a file.
    pub fn matching(&self, path: &[u8], html: AddedHtml) -> Vec<usize> {
        let path = format!("/{}", String::from_utf8_lossy(path));
        let [bare, slash] = &self.html_origins;
        let sets = [
            (&self.globs, &self.origins, true),
            (&self.bare_html, bare, html.bare),
            (&self.slash_html, slash, html.slash),
        ];
        let sets = sets.into_iter().filter(|(.., applies)| *applies);
        let mut found: Vec<usize> = sets
            .flat_map(|(globs, origins, _)| globs.matches(&path).into_iter().map(|at| origins[at]))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The pattern of all files.
const ALL: &str = "/**";

/// The patterns of the files of the pages whose addresses a pattern matches, apart from the pattern itself.
struct PagePattern {
    /// That of index documents.
    index: Option<String>,
    /// That of pages without `.html` in their addresses.
    html: Option<String>,
}

impl PagePattern {
    fn new(pattern: &str) -> PagePattern {
        match pattern.strip_suffix('/') {
            // It matches all files below a folder.
            None if pattern.ends_with("/**") => PagePattern { index: None, html: None },
            None => PagePattern {
                index: Some(format!("{pattern}/{INDEX}")),
                html: Some(format!("{pattern}.html")),
            },
            Some(bare) => PagePattern {
                index: Some(format!("{pattern}{INDEX}")),
                html: (!bare.is_empty()).then(|| format!("{bare}.html")),
            },
        }
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

    use super::{AddedHtml, PathPatterns};

    const NONE: AddedHtml = AddedHtml { bare: false, slash: false };
    const BARE: AddedHtml = AddedHtml { bare: true, slash: false };
    const BOTH: AddedHtml = AddedHtml { bare: true, slash: true };

    #[test]
    fn patterns_begin_at_the_root() {
        let patterns = PathPatterns::new(["/assets/**", "/*.js"]).unwrap();
        assert!(patterns.has_file(b"assets/a/b.css", NONE) && patterns.has_file(b"a.js", NONE));
        assert!(!patterns.has_file(b"b/a.js", NONE));
        assert!(PathPatterns::new(["x"]).is_err() && !PathPatterns::default().has_file(b"", NONE));
        assert!(PathPatterns::new(["/{a"]).is_err());
    }

    /// Compares the ways to match a file.
    fn has(pattern: &str, file: &str, html: AddedHtml) -> bool {
        let patterns = PathPatterns::new([pattern]).unwrap();
        let has = patterns.has_file(file.as_bytes(), html);
        assert_eq!(patterns.matching(file.as_bytes(), html), if has { vec![0] } else { vec![] });
        let expanded = PathPatterns::file_patterns(pattern, html);
        let globs: Vec<_> = expanded.iter().map(|own| super::glob(own).unwrap().compile_matcher()).collect();
        assert_eq!(globs.iter().any(|glob| glob.is_match(format!("/{file}"))), has, "{pattern} {file}");
        has
    }

    #[test]
    fn a_path_is_that_of_a_page() {
        for (pattern, file) in [
            ("/", "index.html"),
            ("/guide", "guide/index.html"),
            ("/guide/", "guide/index.html"),
            ("/guide/index.html", "guide/index.html"),
            ("/v1.2", "v1.2/index.html"),
            ("/LICENSE", "LICENSE"),
            ("/guide.html", "guide.html"),
        ] {
            assert!(has(pattern, file, NONE), "{pattern} {file}");
        }
        for (pattern, file) in [
            ("/", "a.html"),
            ("/", "a/index.html"),
            ("/guide", "guideindex.html"),
            ("/guide/", "guide"),
            ("/guide", "guide/a.html"),
            ("/guide.html", "guide/index.html"),
        ] {
            assert!(!has(pattern, file, BOTH), "{pattern} {file}");
        }
        assert!(!has("/guide", "guide.html", NONE) && !has("/guide/", "guide.html", BARE));
        assert!(has("/guide", "guide.html", BARE) && has("/guide/", "guide.html", BOTH));
    }

    #[test]
    fn a_glob_matches_addresses_of_pages() {
        for file in ["blog/index.html", "blog/a.html", "blog/a/index.html", "blog/a.css"] {
            assert!(has("/blog/**", file, NONE) && has("/blog/*", file, NONE), "{file}");
        }
        assert!(!has("/blog/*", "blog/a/b.html", NONE) && !has("/blog/**", "blog.html", BARE));
        assert!(has("/{a,b}", "b/index.html", NONE) && has("/v?", "v1.html", BARE));
    }

    #[test]
    fn addresses_need_no_file() {
        let has = |pattern: &str, address: &str, html: AddedHtml| {
            PathPatterns::new([pattern]).unwrap().has_address(address, html)
        };
        for address in ["/old", "/old/", "/old/index.html"] {
            assert!(has("/old", address, NONE) && has("/old/", address, NONE), "{address}");
            assert!(!has("/old.html", address, NONE) && !has("/older", address, NONE), "{address}");
        }
        assert!(has("/old", "/old.html", BARE) && !has("/old", "/old.html", NONE));
        assert!(has("/beta/**", "/beta/", NONE) && !has("/a.css/", "/a.css", NONE));
        assert!(has("/old#a", "/old/#a", NONE) && has("/old/#*", "/old/index.html#b", NONE));
        assert!(has("/old#a", "/old.html#a", BARE) && !has("/old#a", "/old/", NONE));
        assert!(!has("/old", "/old/#a", NONE));
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
