//! Finds the page of a moved source, and predicts its new path in the export.

use crate::generator::join_route;
use crate::source_map::{PageSources, SourceFiles, StatedAddress, as_slugs, page_form, without_order};
use crate::walk::{FileId, Tree};
use sitegate_address::INDEX;

/// Returns the exported file of a source, and its path after the move; `None` if the move does not change its address.
/// Returns the reason if the address is not known.
pub(super) fn new_page(
    tree: &Tree,
    (files, pages): (&SourceFiles, &PageSources),
    (old, new): (&str, &str),
    address: Option<&StatedAddress>,
) -> Result<Option<(FileId, String)>, &'static str> {
    let Some((source, page)) = files.find(old).and_then(|source| Some((source, pages.page(source)?))) else {
        if let Some(copied) = copy(tree, old, new) {
            return Ok(Some(copied));
        }
        let is_page = files.find(old).is_some_and(|source| pages.is_unassigned(source));
        return if is_page { Err("the export has no page that is certainly its own") } else { Ok(None) };
    };
    if pages.sources(page) != [source] {
        return Err("its page has several sources");
    }
    if date(old) != date(new) {
        return Err("the date in its name is part of its address");
    }
    let slug = match address {
        Some(StatedAddress::Whole(_)) => return Ok(None),
        Some(StatedAddress::Slug(slug)) if slug.starts_with('/') => return Ok(None),
        Some(StatedAddress::Slug(slug)) => Some(slug.trim_matches('/')),
        None => None,
    };
    let exported = tree.display(page).into_owned();
    let is_in_folder =
        if is_index(old) { uses_folders(tree, files, pages) } else { exported.ends_with(INDEX) };
    let new_form =
        renamed_form(old, new, page_form(&exported), slug).ok_or("its new address is not known")?;
    let is_file =
        exported != INDEX && (!is_in_folder && !is_index(new) || is_index(old) && !exported.ends_with(INDEX));
    let path = if is_file && !new_form.is_empty() {
        format!("{new_form}.html")
    } else {
        join_route(&[&new_form, INDEX])
    };
    Ok((path != exported).then_some((page, path)))
}

/// Returns the file of the export that is a copy of a source, and its path after the move.
fn copy(tree: &Tree, old: &str, new: &str) -> Option<(FileId, String)> {
    copy_at(tree, old, new, str::to_owned)
}

/// Returns the copy of a source that Sphinx shows next to its pages, and its path after the move.
pub(super) fn shown_source(tree: &Tree, old: &str, new: &str) -> Option<(FileId, String)> {
    copy_at(tree, old, new, |below| format!("_sources/{below}.txt"))
}

/// Returns the copy of a source and its path after the move. `exported` converts the path of the source, below any of its
/// folders, to that of the copy.
fn copy_at(tree: &Tree, old: &str, new: &str, exported: impl Fn(&str) -> String) -> Option<(FileId, String)> {
    let starts = old.match_indices('/').map(|(at, _)| at + 1);
    std::iter::once(0).chain(starts).find_map(|start| {
        let file = tree.find(exported(&old[start..]).as_bytes())?;
        Some((file, exported(new.strip_prefix(&old[..start])?)))
    })
}

/// Returns the date at the start of the name of a post, as Jekyll has it: `2020-01-02-name.md`.
fn date(path: &str) -> Option<&str> {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let (date, rest) = name.split_at_checked("2020-01-02".len())?;
    let is_date = date.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    (is_date && rest.starts_with('-')).then_some(date)
}

fn is_index(path: &str) -> bool {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    page_form(path) != stem
}

/// Whether most pages are `page/index.html`, by the sources that are no indexes.
fn uses_folders(tree: &Tree, files: &SourceFiles, pages: &PageSources) -> bool {
    let plain = (0..files.paths.len() as u32).filter(|source| !is_index(&files.paths[*source as usize]));
    let exported = plain.filter_map(|source| pages.page(source));
    let (folders, others): (Vec<FileId>, Vec<FileId>) =
        exported.partition(|page| tree.display(*page).ends_with("/index.html"));
    folders.len() > others.len()
}

/// Returns the new form of a page, which differs from the old one as the source does. `slug` replaces the last name of
/// both sources.
fn renamed_form(old: &str, new: &str, page: &str, slug: Option<&str>) -> Option<String> {
    let form = |path: &str| match slug {
        Some(slug) => {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            join_route(&[folder, slug])
        }
        None => page_form(path).to_owned(),
    };
    let plain = |path: &str| path.to_owned();
    let variants: [&dyn Fn(&str) -> String; 4] =
        [&plain, &without_order, &as_slugs, &|path| as_slugs(&without_order(path))];
    variants.iter().find_map(|variant| {
        let (old, new) = (variant(&form(old)), variant(&form(new)));
        if page.is_empty() {
            return match old.as_str() {
                "" => Some(new),
                old => new.strip_prefix(old)?.strip_prefix('/').map(str::to_owned),
            };
        }
        let (from, to): (Vec<&str>, Vec<&str>) = (old.split('/').collect(), page.split('/').collect());
        let common = from.iter().rev().zip(to.iter().rev()).take_while(|(a, b)| a == b).count();
        if common == 0 {
            return None;
        }
        let before = from[..from.len() - common].iter().flat_map(|name| [*name, "/"]).collect::<String>();
        let route = to[..to.len() - common].join("/");
        Some(join_route(&[
            &route,
            new.strip_prefix(&before).or_else(|| (new == before.trim_end_matches('/')).then_some(""))?,
        ]))
    })
}

#[cfg(test)]
mod tests {
    use super::{is_index, renamed_form};

    #[test]
    fn pages_move_as_their_sources() {
        let form = |old, new, page, slug| renamed_form(old, new, page, slug);
        assert_eq!(form("docs/a.md", "docs/x/b.md", "a", None).as_deref(), Some("x/b"));
        assert_eq!(form("docs/g/a.md", "docs/a.md", "g/a", None).as_deref(), Some("a"));
        assert_eq!(form("docs/1-g/02-a.md", "docs/1-g/3-b.md", "g/a", None).as_deref(), Some("g/b"));
        assert_eq!(form("content/A b.md", "content/C d.md", "a-b", None).as_deref(), Some("c-d"));
        assert_eq!(
            form("versioned_docs/version-1/a.md", "versioned_docs/version-1/b.md", "docs/1/a", None)
                .as_deref(),
            Some("docs/1/b")
        );
        assert_eq!(form("docs/g/a.md", "docs/h/b.md", "g/s", Some("s")).as_deref(), Some("h/s"));
        assert_eq!(form("docs/g/a.md", "docs/g/index.md", "g/a", None).as_deref(), Some("g"));
        assert_eq!(form("docs/index.md", "docs/home.md", "", None).as_deref(), Some("home"));
        assert_eq!(form("docs/a.md", "other/a.md", "a", None), None);
        assert_eq!(form("docs/a.md", "docs/b.md", "c", None), None);
        assert!(is_index("docs/_index.md") && is_index("README.md") && !is_index("docs/a.md"));
    }
}
