//! Parses patterns of the contract: path patterns, lists of pages with groups, and regular expressions.

use std::collections::BTreeMap;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;

use super::error::Fault;
use super::schema::{Paths, Spanned};
use sitegate_address::{AddedHtml, PathPatterns};
use sitegate_base::nearest::nearest;

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

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a string or a list of strings")]
#[schemars(rename = "pages")]
pub(super) enum OneOrMany {
    One(#[schemars(regex(pattern = "^[/@]"))] String),
    Many(#[schemars(with = "Paths")] Vec<String>),
}

/// `[pages.groups]`: named lists of pages, used as `@name`.
pub(super) type Groups = BTreeMap<String, Vec<String>>;

/// Returns the pages that an assertion applies to, as [`expand_groups`] does.
///
/// # Errors
/// When a list or a group is empty: the assertion would pass although it checks nothing.
pub(super) fn checked_pages(
    list: Spanned<OneOrMany>,
    groups: &Groups,
    assertion: &str,
) -> Result<Vec<Spanned<String>>, Fault> {
    let span = list.span();
    let names = match list.get_ref() {
        OneOrMany::One(page) => std::slice::from_ref(page),
        OneOrMany::Many(pages) => pages,
    };
    let is_empty = |name: &&str| groups.get(*name).is_some_and(Vec::is_empty);
    let empty = names.iter().filter_map(|name| name.strip_prefix('@')).find(is_empty);
    let message = match empty {
        Some(group) => format!(
            "`pages.groups.{group}` is empty, so the assertion \u{201c}{assertion}\u{201d} does not apply to any of \
             its pages; list them, or remove `@{group}` here"
        ),
        None if names.is_empty() => format!(
            "`assert.pages` is empty, so the assertion \u{201c}{assertion}\u{201d} applies to no page; list its \
             pages, or remove the assertion"
        ),
        None => return expand_groups(list, groups),
    };
    Err((span, message.into()))
}

/// Returns the pages of a list with their spans. Groups are replaced by their pages.
pub(super) fn expand_groups(
    list: Spanned<OneOrMany>,
    groups: &Groups,
) -> Result<Vec<Spanned<String>>, Fault> {
    let span = list.span();
    let names = match list.into_inner() {
        OneOrMany::One(page) => vec![page],
        OneOrMany::Many(pages) => pages,
    };
    let mut all = Vec::new();
    for name in names {
        match name.strip_prefix('@').map(|group| (group, groups.get(group))) {
            None => all.push(Spanned::new(span.clone(), name)),
            Some((outer, Some(group))) => {
                if let Some(inner) = group.iter().find(|page| page.starts_with('@')) {
                    let message = format!(
                        "`pages.groups.{outer}` has `{inner}`, but a group contains no groups; list the pages"
                    );
                    return Err((span, message.into()));
                }
                all.extend(group.iter().map(|page| Spanned::new(span.clone(), page.clone())));
            }
            Some((group, None)) => {
                let near = nearest(group, groups.keys().map(String::as_str));
                let near = near.map(|near| format!("; did you mean `@{near}`?")).unwrap_or_default();
                return Err((span, format!("`pages.groups` has no `{group}`{near}").into()));
            }
        }
    }
    Ok(all)
}

/// A set of pages, by path or glob, each entry with its span in the contract.
pub struct PageSet {
    entries: Vec<(String, Range<usize>)>,
    include: PathPatterns,
    except: PathPatterns,
}

impl PageSet {
    pub(super) fn build(pages: Vec<Spanned<String>>, except: &[Spanned<String>]) -> Result<Self, Fault> {
        let include = path_patterns(&pages)?;
        let entries = pages.into_iter().map(|page| (page.get_ref().clone(), page.span())).collect();
        Ok(PageSet { entries, include, except: path_patterns(except)? })
    }

    /// Returns whether the set contains a page, by the path of its file below the root. `html` has the addresses of pages
    /// on the host.
    pub fn contains(&self, page: &[u8], html: AddedHtml) -> bool {
        self.include.has_file(page, html) && !self.except.has_file(page, html)
    }

    /// Returns whether an entry is the path of this page, not a pattern.
    pub fn names(&self, page: &[u8], html: AddedHtml) -> bool {
        let is_file = |path: &String| path.as_bytes()[1..] == *page;
        self.entries.iter().any(|(entry, _)| PathPatterns::file_patterns(entry, html).iter().any(is_file))
    }

    /// Returns whether `except` removes all of these pages that the entries match. False if they match none.
    pub fn excludes_all<'p>(&self, pages: impl Iterator<Item = &'p [u8]>, html: AddedHtml) -> bool {
        let mut included = pages.filter(|page| self.include.has_file(page, html)).peekable();
        !self.except.is_empty()
            && included.peek().is_some()
            && included.all(|page| self.except.has_file(page, html))
    }

    /// Returns the entries that match none of these pages, with their spans.
    pub fn unmatched<'p>(
        &self,
        pages: impl Iterator<Item = &'p [u8]>,
        html: AddedHtml,
    ) -> Vec<&(String, Range<usize>)> {
        let mut met = vec![false; self.entries.len()];
        for page in pages {
            if met.iter().all(|met| *met) {
                break;
            }
            for index in self.include.matching(page, html) {
                met[index] = true;
            }
        }
        self.entries.iter().zip(met).filter(|(_, met)| !met).map(|(entry, _)| entry).collect()
    }
}
