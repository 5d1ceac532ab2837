//! Finds the pages of a moved folder that have no source of their own: the list of its pages, the feeds, and the further
//! pages of the list.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sitegate_address::relative::join_segments;
use sitegate_address::variants::is_language;
use sitegate_address::{INDEX, SitePath};

use super::plan::MovePlan;
use crate::source_map::{PageSources, SourceFiles, as_slugs, page_form, without_order};
use crate::walk::{FileId, Tree};

/// The start of the names that Hugo gives to the outputs of a list: `index.html`, `index.xml`, `index.json`.
const OUTPUT: &str = "index.";

/// The folder of the first page of a list, which Hugo redirects to the list.
const FIRST_PAGE: &str = "page/1";

/// The exported files of moved folders that have no source.
#[derive(Default)]
pub(super) struct ListPages {
    /// Files that move along, with their new paths.
    pub moved: Vec<(FileId, String)>,
    /// Redirect pages that move along, with their new paths and the new path of their list.
    pub aliases: Vec<(String, String, String)>,
    /// Files whose new path is not known.
    pub lost: Vec<(FileId, &'static str)>,
}

impl ListPages {
    /// `new_pages` are the new paths of pages with sources.
    pub fn find(
        tree: &Tree,
        (files, pages): (&SourceFiles, &PageSources),
        plan: &MovePlan,
        new_pages: &HashMap<FileId, String>,
        is_hugo: bool,
    ) -> ListPages {
        let mut found = ListPages::default();
        for (old, new) in folders(tree, (files, pages), plan, new_pages) {
            let unsourced = |file: &FileId| pages.sources(*file).is_empty() && !new_pages.contains_key(file);
            let below = tree.below(old.as_bytes());
            // The list of the pages that stay.
            if below.clone().any(|file| !unsourced(&file) && !new_pages.contains_key(&file)) {
                continue;
            }
            for file in below.filter(unsourced) {
                let path = tree.display(file);
                let Some(rest) = path.strip_prefix(&old).and_then(|rest| rest.strip_prefix('/')) else {
                    continue;
                };
                let end = format!("/{path}");
                let is_copy = || files.paths.iter().any(|source| source.ends_with(&end));
                let (folder, name) = SitePath::new(rest).split();
                if !name.starts_with(OUTPUT) || is_copy() {
                    continue;
                }
                let section = section_of(folder);
                if !is_hugo {
                    if folder.is_empty() {
                        found.lost.push((file, "no source is certainly its own"));
                    }
                } else if !is_section(plan, &new, section) {
                    if folder == section {
                        found
                            .lost
                            .push((file, "Hugo makes it only of a folder with `_index.md`, or at the top"));
                    }
                } else if folder.ends_with(FIRST_PAGE) && name == INDEX {
                    let list = join_segments(&[&new, section, INDEX]);
                    found.aliases.push((path.clone().into_owned(), format!("{new}/{rest}"), list));
                } else {
                    found.moved.push((file, format!("{new}/{rest}")));
                }
            }
        }
        found
    }
}

/// Returns the folders of the export that a move of a source folder moves, with their new paths.
fn folders(
    tree: &Tree,
    (files, pages): (&SourceFiles, &PageSources),
    plan: &MovePlan,
    new_pages: &HashMap<FileId, String>,
) -> Vec<(String, String)> {
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let names = [&plan.from, &without_order(&plan.from)].map(|path| as_slugs(SitePath::new(&**path).name()));
    for (source, _) in &plan.renames {
        let Some(rest) = source.strip_prefix(&plan.from).and_then(|rest| rest.strip_prefix('/')) else {
            return Vec::new();
        };
        let Some(page) = files.find(source).and_then(|source| pages.page(source)) else { continue };
        let Some(new) = new_pages.get(&page) else { continue };
        let levels = page_form(rest).split('/').filter(|name| !name.is_empty()).count();
        let exported = tree.display(page);
        let (Some(old), Some(new)) = (above(page_form(&exported), levels), above(page_form(new), levels))
        else {
            continue;
        };
        // Dates in addresses are further folders.
        if names.iter().any(|name| name.eq_ignore_ascii_case(SitePath::new(old).name())) {
            known.entry(old.to_owned()).or_default().insert(new.to_owned());
        }
    }
    if known.is_empty() {
        // The addresses of the pages may have other folders than the list.
        let list = |form: &&str| tree.find(join_segments(&[form, INDEX]).as_bytes()).is_some();
        let form = SitePath::new(&*plan.from).suffixes().find(list);
        let moved = form.and_then(|form| Some((form, plan.to.strip_prefix(plan.from.strip_suffix(form)?)?)));
        known.extend(moved.map(|(old, new)| (old.to_owned(), BTreeSet::from([new.to_owned()]))));
    }
    let only = |(old, new): (String, BTreeSet<String>)| {
        Some((old, (new.len() == 1).then(|| new.into_iter().next())??))
    };
    known.into_iter().filter_map(only).filter(|(old, new)| old != new && !new.is_empty()).collect()
}

/// Returns the folder that is this many levels above a path; `None` for the root.
fn above(form: &str, levels: usize) -> Option<&str> {
    let folder = (0..levels).try_fold(form, |path, _| path.rsplit_once('/').map(|(folder, _)| folder))?;
    (!folder.is_empty()).then_some(folder)
}

/// Returns the folder of the list that an output is of, without `page/2`.
fn section_of(folder: &str) -> &str {
    let is_number = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    let Some((before, _)) = folder.rsplit_once('/').filter(|(_, name)| is_number(name)) else {
        return folder;
    };
    let above = before.strip_suffix("page").filter(|above| above.is_empty() || above.ends_with('/'));
    above.map_or(folder, |above| above.trim_end_matches('/'))
}

/// Whether Hugo makes a list of a folder below the new one: at the top of the content, or with an `_index`.
fn is_section(plan: &MovePlan, new: &str, section: &str) -> bool {
    let address = join_segments(&[new, section]);
    let own = address.split('/').enumerate().filter(|(at, name)| *at > 0 || !is_language(name)).count();
    let folder = join_segments(&[&plan.to, section]);
    let is_index = |path: &str| {
        SitePath::new(path).folder() == folder && SitePath::new(path).name().starts_with("_index.")
    };
    own == 1 || plan.renames.iter().any(|(_, path)| is_index(path))
}

#[cfg(test)]
mod tests {
    use super::{above, section_of};

    #[test]
    fn finds_the_folder_of_a_list() {
        assert_eq!(above("posts/one", 1), Some("posts"));
        assert_eq!(above("de/posts/a/one", 2), Some("de/posts"));
        assert_eq!(above("posts", 0), Some("posts"));
        assert_eq!(above("posts", 1), None);
        for (folder, section) in
            [("", ""), ("page/2", ""), ("a/page/2", "a"), ("page/x", "page/x"), ("a/2", "a/2")]
        {
            assert_eq!(section_of(folder), section, "{folder}");
        }
    }
}
