//! Parses lists of pages: paths, patterns and groups.

use std::collections::BTreeMap;
use std::ops::Range;

use globset::GlobSet;
use serde::Deserialize;
use toml::Spanned;

use super::error::Fault;
use super::pattern::globs;
use sitegate_base::nearest::nearest;

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a string or a list of strings")]
pub(super) enum OneOrMany {
    One(String),
    Many(Vec<String>),
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
            Some((_, Some(group))) => {
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
    /// Whether an entry is `/**`, which matches every page without glob matching.
    includes_all: bool,
    include: GlobSet,
    except: GlobSet,
}

impl PageSet {
    pub(super) fn build(pages: Vec<Spanned<String>>, except: &[Spanned<String>]) -> Result<Self, Fault> {
        let include = globs(&pages)?;
        let entries: Vec<_> = pages.into_iter().map(|page| (page.get_ref().clone(), page.span())).collect();
        let includes_all = entries.iter().any(|(entry, _)| entry == "/**");
        Ok(PageSet { entries, includes_all, include, except: globs(except)? })
    }

    /// Returns whether the set contains the page with this path (see [`page_path`]).
    pub fn contains(&self, page: &str) -> bool {
        // Fast path: even an empty glob set parses the path first.
        (self.includes_all || self.include.is_match(page))
            && (self.except.is_empty() || !self.except.is_match(page))
    }

    /// Returns whether `except` removes all of these pages that the entries match. False if they match none.
    pub fn excludes_all<'p>(&self, pages: impl Iterator<Item = &'p str>) -> bool {
        let mut included = pages.filter(|page| self.include.is_match(page)).peekable();
        !self.except.is_empty()
            && included.peek().is_some()
            && included.all(|page| self.except.is_match(page))
    }

    /// Returns the entries that match none of these pages, with their spans.
    pub fn unmatched<'p>(&self, pages: impl Iterator<Item = &'p str>) -> Vec<&(String, Range<usize>)> {
        let mut met = vec![false; self.entries.len()];
        for page in pages {
            if met.iter().all(|met| *met) {
                break;
            }
            for index in self.include.matches(page) {
                met[index] = true;
            }
        }
        self.entries.iter().zip(met).filter(|(_, met)| !met).map(|(entry, _)| entry).collect()
    }
}

/// Returns a page's path in the contract: `/terms` for `terms/index.html`, `/` for `index.html`, and the file's path
/// with a leading slash for any other file.
pub fn page_path(file: &str) -> String {
    match file.strip_suffix("index.html") {
        Some("") => "/".to_owned(),
        Some(folder) if folder.ends_with('/') => format!("/{}", &folder[..folder.len() - 1]),
        _ => format!("/{file}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{PageSet, Spanned};

    #[test]
    fn every_page_matches_as_the_glob_does() {
        let everything = PageSet::build(vec![Spanned::new(0..0, "/**".to_owned())], &[]).unwrap();
        for page in ["/", "/a", "/a/b/c.html", "/a b/\u{e9}", "/.x/y", "/a\n"] {
            assert!(everything.includes_all && everything.include.is_match(page), "{page}");
        }
    }
}
