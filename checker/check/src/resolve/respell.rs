//! Writes references to other files in the style of present references: relative or absolute, with or without
//! `index.html`, with the same query and fragment.

use super::redirect_walk::FinalAddress;
use super::{Base, Resolver, Route, Target};
use crate::walk::FileId;
use sitegate_address::percent::{decode, escape_path};
use sitegate_address::relative::relative;
use sitegate_address::{INDEX, SitePath, UrlReference};

/// A reference that points to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Respelled {
    /// The reference.
    pub text: String,
    /// The path of the file in the export.
    pub path: String,
}

/// The parts of a reference.
struct ReferenceParts<'r> {
    /// Scheme and host, if it has them.
    origin: &'r str,
    path: &'r str,
    /// Query and fragment.
    end: &'r str,
}

impl<'r> ReferenceParts<'r> {
    fn of(text: &'r str) -> ReferenceParts<'r> {
        let (reference, end) = (UrlReference::new(text).path(), UrlReference::new(text).query_and_fragment());
        let host = reference.find("//").filter(|at| *at == 0 || reference[..*at].ends_with(':'));
        let path = host.map_or(0, |at| {
            let from = at + 2;
            reference[from..].find('/').map_or(reference.len(), |slash| from + slash)
        });
        ReferenceParts { origin: &reference[..path], path: &reference[path..], end }
    }
}

impl Resolver<'_> {
    /// Returns a reference to a file, in the style of `text`. Changes no more segments of its path than necessary.
    /// Returns `None` if the host does not serve the file for it without a redirect.
    pub(crate) fn respell(&self, base: &Base, text: &str, file: FileId) -> Option<Respelled> {
        let text = text.trim_matches(|c: char| c <= ' ');
        let local = String::from_utf8(self.local_path(base, text)?).ok()?;
        let path = self.tree.display(file).into_owned();
        let mut spellings =
            forms(&local, &path).into_iter().flat_map(|form| self.spellings(base, text, &local, form));
        let found = spellings.find(|other| self.points_to(base, other) == Some(file))?;
        drop(spellings);
        Some(Respelled { text: found, path })
    }

    /// Returns a reference to the address at which the redirects of `text` end, in its style, see [`Resolver::respell`].
    pub(crate) fn respell_final(&self, base: &Base, text: &str, end: &FinalAddress) -> Option<Respelled> {
        let Target::File { file, .. } = end.target else { return None };
        if !end.is_rewritten
            && let Some(found) = self.respell(base, text, file)
        {
            return Some(found);
        }
        let text = text.trim_matches(|c: char| c <= ' ');
        let local = String::from_utf8(self.local_path(base, text)?).ok()?;
        let base_path = std::str::from_utf8(&self.base_path).ok()?;
        let form = end.path.strip_prefix('/')?.strip_prefix(base_path)?;
        let is_final = |other: &String| {
            let found = self.final_address(base, other);
            found.is_some_and(|found| found.hops == 0 && found.path == end.path && found.target == end.target)
        };
        let found = self.spellings(base, text, &local, form).find(is_final)?;
        Some(Respelled { text: found, path: form.to_owned() })
    }

    /// Returns references to a path below the root, in the style of one to another path. The first changes no more
    /// segments than necessary.
    fn spellings<'r>(
        &self,
        base: &Base,
        text: &'r str,
        local: &str,
        form: &str,
    ) -> impl Iterator<Item = String> + use<'r> {
        let parts = ReferenceParts::of(text);
        let paths = [replace_segments(parts.path, local, form), self.write_path(base, parts.path, form)];
        let paths = paths.into_iter().flatten().filter(|path| !path.is_empty());
        paths.map(move |path| format!("{}{path}{}", parts.origin, parts.end))
    }

    /// Returns a relative reference with another number of `../` that points to a file, if all such references that do
    /// point to the same file.
    pub(crate) fn with_right_depth(&self, base: &Base, text: &str) -> Option<Respelled> {
        /// Maximum number of `../` to add or remove.
        const MAX_LEVELS: usize = 2;
        let text = text.trim_matches(|c: char| c <= ' ');
        let ReferenceParts { origin: "", path, end } = ReferenceParts::of(text) else { return None };
        let (levels, rest) = split_levels(path)?;
        let others = levels.saturating_sub(MAX_LEVELS)..=levels + MAX_LEVELS;
        let mut others: Vec<usize> = others.filter(|other| *other != levels).collect();
        others.sort_by_key(|other| other.abs_diff(levels));
        let texts = others.into_iter().map(|other| format!("{}{rest}{end}", "../".repeat(other)));
        let mut found = texts.filter_map(|other| Some((self.points_to(base, &other)?, other)));
        let (file, first) = found.next()?;
        let is_only = found.all(|(other, _)| other == file);
        is_only.then(|| Respelled { text: first, path: self.tree.display(file).into_owned() })
    }

    /// Returns the file that a reference points to, if the host does not redirect it.
    fn points_to(&self, base: &Base, text: &str) -> Option<FileId> {
        match self.resolve(base, text, &mut Vec::new()) {
            Target::File { route: Route::Redirect | Route::EncodedSlash, .. } => None,
            Target::File { route: Route::Directory, .. } if self.host.redirects_folders() => None,
            Target::File { file, .. } => Some(file),
            _ => None,
        }
    }

    /// Writes a path below the root of the export: from the root of the host if `like` is, else relative to the base.
    fn write_path(&self, base: &Base, like: &str, form: &str) -> Option<String> {
        let base_path = std::str::from_utf8(&self.base_path).ok()?;
        let form = format!("{base_path}{form}");
        if like.starts_with('/') {
            return Some(format!("/{}", escape_path(&form)));
        }
        let folder = std::str::from_utf8(base.folder()?).ok()?;
        let path = escape_path(&relative(folder, &form));
        let starts_with_dots = path.starts_with("./") || path.starts_with("../");
        let start = if like.starts_with("./") && !starts_with_dots { "./" } else { "" };
        Some(format!("{start}{path}"))
    }
}

/// Splits a relative path after its `./` or `../`: returns the number of levels up, and the rest.
pub fn split_levels(path: &str) -> Option<(usize, &str)> {
    let mut rest = path.strip_prefix("./").unwrap_or(path);
    let mut levels = 0;
    while let Some(after) = rest.strip_prefix("../") {
        (rest, levels) = (after, levels + 1);
    }
    let is_path = !rest.starts_with('/') && rest.split('/').all(|name| !matches!(name, "." | ".."));
    (is_path && !rest.is_empty()).then_some((levels, rest))
}

/// Returns the paths that may be those of a file, the one with the ending of the present path first.
fn forms<'t>(local: &str, target: &'t str) -> Vec<&'t str> {
    let folder = SitePath::new(target).index_folder();
    let names_page = local.ends_with(".html");
    // An author who writes `indx.html` means `index.html`, not `./`.
    let folder_of = |path| SitePath::new(path).folder_with_slash();
    let is_same_folder = || folder_of(local) == folder_of(target);
    match (folder, target.strip_suffix(".html")) {
        (Some(_), _) if local.ends_with(INDEX) => vec![target],
        (Some(folder), _) if names_page && is_same_folder() => vec![target, folder],
        (Some(folder), _) if local.is_empty() || local.ends_with('/') || names_page => vec![folder, target],
        (Some(folder), _) => vec![folder.trim_end_matches('/'), folder, target],
        (None, Some(stem)) if !names_page => vec![stem, target],
        _ => vec![target],
    }
}

/// Replaces the segments of a path in which the path that it points to differs from another. Returns `None` if the
/// number of segments differs, or if a differing segment is not in the path.
fn replace_segments(path: &str, local: &str, form: &str) -> Option<String> {
    let (local, form): (Vec<&str>, Vec<&str>) = (local.split('/').collect(), form.split('/').collect());
    let mut segments: Vec<String> = path.split('/').map(str::to_owned).collect();
    if local.len() != form.len() {
        return None;
    }
    // Aligned at the end: the path may be relative.
    for behind in 1..=local.len() {
        let (was, is) = (local[local.len() - behind], form[form.len() - behind]);
        if was == is {
            continue;
        }
        let at = segments.len().checked_sub(behind)?;
        let written = decode(&segments[at])?;
        if written != was {
            return None;
        }
        segments[at] = escape_path(is);
    }
    Some(segments.join("/"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::Arc;

    use super::super::Resolver;
    use crate::contract::SiteSettings;
    use crate::walk::Tree;

    fn with_site(base_path: &str, files: &[&str], test: impl Fn(&Resolver<'_>, &Tree)) {
        let tree = Tree::of_paths(files.iter().map(|&file| file.to_owned()));
        let site = SiteSettings { base_path: base_path.to_owned(), ..SiteSettings::default() };
        test(&Resolver::new(&tree, &site, Arc::default()), &tree);
    }

    #[test]
    fn keeps_the_manner_of_the_reference() {
        let files =
            ["index.html", "guide/index.html", "guide/set up.html", "guide/setup/index.html", "a.png"];
        with_site("/docs/", &files, |resolver, tree| {
            let page = |path: &str| resolver.document(tree.find(path.as_bytes()).unwrap());
            let guide = page("guide/index.html");
            for (text, target, expected) in [
                ("setpu/", "guide/setup/index.html", "setup/"),
                ("./setpu/index.html?a#b", "guide/setup/index.html", "./setup/index.html?a#b"),
                ("../guide/setpu/#b", "guide/setup/index.html", "../guide/setup/#b"),
                ("/docs/guide/Setup/", "guide/setup/index.html", "/docs/guide/setup/"),
                (
                    "https://sitegate.invalid/docs/gide/setup/",
                    "guide/setup/index.html",
                    "https://sitegate.invalid/docs/guide/setup/",
                ),
                ("se%20tup.html", "guide/set up.html", "set%20up.html"),
                ("setup.html", "guide/setup/index.html", "setup/"),
                ("a.pgn", "a.png", "../a.png"),
                ("indx.html", "guide/index.html", "index.html"),
                ("gone/", "guide/index.html", "./"),
                ("gone/deep/", "index.html", "../"),
            ] {
                let file = tree.find(target.as_bytes()).unwrap();
                let found = resolver.respell(&guide, text, file).unwrap();
                assert_eq!((found.text.as_str(), found.path.as_str()), (expected, target), "{text}");
            }
        });
    }

    #[test]
    fn finds_the_right_depth_if_it_is_the_only_one() {
        let files = ["a/b/c.html", "a/x.png", "y.png", "a/y.png", "z/z.png"];
        with_site("/", &files, |resolver, tree| {
            let base = resolver.document(tree.find(b"a/b/c.html").unwrap());
            let found = |text: &str| resolver.with_right_depth(&base, text).map(|found| found.text);
            assert_eq!(found("x.png#f").as_deref(), Some("../x.png#f"));
            assert_eq!(found("../../x.png").as_deref(), Some("../x.png"));
            assert_eq!(found("./z/z.png").as_deref(), Some("../../z/z.png"));
            for ambiguous_or_unknown in ["y.png", "gone.png", "/x.png", "https://e.example/x.png", "", "../"]
            {
                assert_eq!(found(ambiguous_or_unknown), None, "{ambiguous_or_unknown}");
            }
        });
    }
}
