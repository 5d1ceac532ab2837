//! Finds the page of a moved source and predicts its new path in the export. Writes paths as an author would: relative
//! to a folder, in the shape and the encoding of another path.

use super::conventions::PageConventions;
use crate::index::site::Site;
use crate::resolve::Base;
use crate::resolve::address_forms::AddressForm;
use crate::source_map::{PageSources, SourceFiles, StatedAddress, as_slugs, page_form, without_order};
use crate::walk::{FileId, Tree};
use sitegate_address::extension::is_document_extension;
use sitegate_address::inventory::{AnswerKind, Inventory, Via};
use sitegate_address::percent::escape_path;
use sitegate_address::relative::join_segments;
use sitegate_address::{INDEX, SitePath};
use sitegate_sources::Manner;

/// Returns the exported file of a source, and its path after the move; `None` if the move does not change its address.
/// Returns the reason if the address is not known.
pub(super) fn new_page(
    tree: &Tree,
    (files, pages): (&SourceFiles, &PageSources),
    (old, new): (&str, &str),
    address: Option<&StatedAddress>,
    conventions: &PageConventions<'_>,
) -> Result<Option<(FileId, String)>, &'static str> {
    let Some((source, page)) = files.find(old).and_then(|source| Some((source, pages.page(source)?))) else {
        match copy(tree, old, new) {
            Some((file, Some(path))) if conventions.copies(&tree.display(file), &path) => {
                return Ok(Some((file, path)));
            }
            Some(_) => return Err("the generator may not copy it from its new folder"),
            None => {}
        }
        let is_page = files.find(old).is_some_and(|source| {
            pages.is_unassigned(source) || !pages.is_page(source) && conventions.is_in_collection(old)
        });
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
        Some(StatedAddress::Slug(slug)) => Some(LastName::Slug(slug.trim_matches('/'))),
        Some(StatedAddress::Id(id)) => Some(LastName::Id(id)),
        None => None,
    };
    let exported = tree.display(page).into_owned();
    let was_index = exported.ends_with(INDEX);
    let is_file = match is_index(old) {
        true if !was_index => true,
        _ if is_index(new) => false,
        // An index does not show how the generator names other pages.
        true => !uses_folders(tree, (files, pages), old).ok_or("its new address is not known")?,
        false => !was_index,
    };
    let strips = |path: &str| conventions.without_numbers(path);
    let (old, new) = (&*conventions.rewritten(old), &*conventions.rewritten(new));
    let new_form = renamed_form((old, new), page_form(&exported), slug, &strips)
        .ok_or("its new address is not known")?;
    let path = if is_file && !new_form.is_empty() {
        format!("{new_form}.html")
    } else {
        join_segments(&[&new_form, INDEX])
    };
    Ok((path != exported).then_some((page, path)))
}

/// Returns the addresses of a page that a move changes, with the new ones: that of its file, and those that links use.
/// A host that adds `.html` applies a redirect from `/page.html` only to that address, and answers 404 for `/page`.
pub(super) fn moved_addresses(
    site: &Site<'_>,
    inventory: Option<&Inventory>,
    (old, new): (&str, &str),
) -> Vec<(String, String)> {
    let is_used = |path: &str| {
        let address = inventory.and_then(|inventory| inventory.get(path));
        address
            .is_some_and(|address| !matches!(address.kind, AnswerKind::Redirect { via: Via::Status(_), .. }))
    };
    let resolver = &site.resolver;
    let forms = resolver.address_forms(old).into_iter();
    let moves = forms.map(|form| (form, resolver.served_in_form(old, form)));
    moves
        .filter(|(form, before)| *form == AddressForm::File || is_used(before))
        .map(|(form, before)| (before, resolver.served_in_form(new, form)))
        .filter(|(before, after)| before != after)
        .collect()
}

/// Returns the file of the export that is a copy of a source, and its path after the move, if that is known.
fn copy(tree: &Tree, old: &str, new: &str) -> Option<(FileId, Option<String>)> {
    let known = copy_at(tree, old, new, str::to_owned).map(|(file, path)| (file, Some(path)));
    known.or_else(|| {
        // Of a document, it may be the page of another one.
        let is_document = SitePath::new(old).extension().is_some_and(is_document_extension);
        let mut below = SitePath::new(old).suffixes().filter(|below| !is_document && below.contains('/'));
        let unknown = |path: &str| Some((tree.find(path.as_bytes())?, None));
        let name = SitePath::new(old).name();
        // Sphinx copies the images that pages show.
        let is_renamed = name != SitePath::new(new).name();
        below.find_map(unknown).or_else(|| is_renamed.then(|| unknown(&format!("_images/{name}")))?)
    })
}

/// Returns the copy of a source that Sphinx shows next to its pages, and its path after the move.
pub(super) fn shown_source(tree: &Tree, old: &str, new: &str) -> Option<(FileId, String)> {
    copy_at(tree, old, new, |below| format!("_sources/{below}.txt"))
}

/// Returns the copy of a source and its path after the move. `exported` converts the path of the source, below any of its
/// folders, to that of the copy.
fn copy_at(tree: &Tree, old: &str, new: &str, exported: impl Fn(&str) -> String) -> Option<(FileId, String)> {
    SitePath::new(old).suffixes().find_map(|below| {
        let file = tree.find(exported(below).as_bytes())?;
        Some((file, exported(new.strip_prefix(old.strip_suffix(below)?)?)))
    })
}

/// Returns the date at the start of the name of a post, as Jekyll has it: `2020-01-02-name.md`.
fn date(path: &str) -> Option<&str> {
    let name = SitePath::new(path).name();
    let (date, rest) = name.split_at_checked("2020-01-02".len())?;
    let is_date = date.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    (is_date && rest.starts_with('-')).then_some(date)
}

fn is_index(path: &str) -> bool {
    page_form(path) != SitePath::new(path).without_extension()
}

/// Whether a page is the index document of a folder below the root.
fn is_in_folder(page: &str) -> bool {
    SitePath::new(page).index_folder().is_some_and(|folder| !folder.is_empty())
}

/// Whether most pages are `page/index.html`, by the sources that are no indexes: those with the extension of a source, or
/// all if there are none. `None` if no such page is known.
fn uses_folders(tree: &Tree, (files, pages): (&SourceFiles, &PageSources), source: &str) -> Option<bool> {
    let extension = |path: &str| SitePath::new(path).extension().map(str::to_owned);
    let plain = files.paths.iter().filter(|path| !is_index(path));
    let known: Vec<(bool, bool)> = plain
        .filter_map(|path| {
            let page = tree.display(pages.page(files.find(path)?)?);
            Some((extension(path) == extension(source), is_in_folder(&page)))
        })
        .collect();
    let has_same = known.iter().any(|(is_same, _)| *is_same);
    let counted = || known.iter().filter(|(is_same, _)| *is_same || !has_same);
    let in_folders = counted().filter(|(_, is_in_folder)| *is_in_folder).count();
    (!known.is_empty()).then(|| 2 * in_folders > counted().count())
}

/// The last name of a page, which front matter states.
#[derive(Clone, Copy)]
enum LastName<'s> {
    Slug(&'s str),
    /// Not of an index.
    Id(&'s str),
}

/// Returns the new form of a page, which differs from the old one as the source does. `stated` replaces the last name of
/// both sources, and `strips` removes what the generator is known to leave out.
fn renamed_form(
    (old, new): (&str, &str),
    page: &str,
    stated: Option<LastName<'_>>,
    strips: &dyn Fn(&str) -> String,
) -> Option<String> {
    let form = |path: &str| match stated {
        Some(LastName::Id(_)) if is_index(path) => page_form(path).to_owned(),
        Some(LastName::Slug(name) | LastName::Id(name)) => {
            join_segments(&[SitePath::new(path).folder(), name])
        }
        None => page_form(path).to_owned(),
    };
    let plain = |path: &str| path.to_owned();
    // A collection of Jekyll has the name of its folder, without the first character.
    let collection = |path: &str| path.strip_prefix('_').unwrap_or(path).replace("/_", "/");
    let variants: [&dyn Fn(&str) -> String; 6] =
        [strips, &plain, &without_order, &as_slugs, &|path| as_slugs(&without_order(path)), &collection];
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
        Some(join_segments(&[
            &route,
            new.strip_prefix(&before).or_else(|| (new == before.trim_end_matches('/')).then_some(""))?,
        ]))
    })
}

/// Whether a reference is the name of a file or a document, and not a URL.
pub(super) fn is_name(manner: Manner) -> bool {
    matches!(manner, Manner::Document | Manner::File | Manner::FileBelow | Manner::Id)
}

/// Returns the end of the path of a reference: the start of its query or fragment.
pub(super) fn path_end(text: &str) -> usize {
    let is_end = |(at, c): &(usize, char)| *c == '?' || *c == '#' && !text[..*at].ends_with('&');
    text.char_indices().find(is_end).map_or(text.len(), |(at, _)| at)
}

/// Returns a path below the root of the export with the shape that `local` has for `exported`.
pub(super) fn with_shape(local: &str, exported: &str, new: &str) -> String {
    if local == exported {
        return new.to_owned();
    }
    let is_folder = local.is_empty() || local.ends_with('/');
    match SitePath::new(new).index_folder() {
        Some(folder) if is_folder => folder.to_owned(),
        Some(folder) => folder.trim_end_matches('/').to_owned(),
        None => {
            let stem = new.strip_suffix(".html");
            // The host serves a file without `.html` only if it does so already.
            match (stem, exported.strip_suffix(".html")) {
                (Some(stem), Some(old)) if local == old => stem.to_owned(),
                _ => new.to_owned(),
            }
        }
    }
}

pub(super) fn base_folder(base: &Base) -> Option<String> {
    Some(std::str::from_utf8(base.folder()?).ok()?.to_owned())
}

pub(super) fn folder_of_served(address: &str) -> String {
    SitePath::new(address.trim_start_matches('/')).folder_with_slash().to_owned()
}

/// Encodes a path as `written` is in its source, where its target is `target`: percent-encoding, if it has any or the path
/// needs it, character references, and `\/` of JSON.
pub(super) fn encoded(written: &str, target: &str, new: &str, manner: Manner) -> String {
    let special = [' ', '<', '>', '"', '(', ')'];
    let needs = new.contains(special) && !target.contains(special);
    // These would end the path.
    let ends = new.contains(['#', '?', '%']);
    // Sphinx, MkDocs and mdBook read such names as they are.
    let is_url = !is_name(manner) && (manner != Manner::Value || new.starts_with('/') || new.contains("://"));
    let text = if target.contains('%') || is_url && (needs || ends) {
        escape_path(new).replace('(', "%28").replace(')', "%29")
    } else {
        new.to_owned()
    };
    let has_references = written.contains('&') && written != target;
    let text = if has_references { text.replace('&', "&amp;") } else { text };
    if written.contains("\\/") { text.replace('/', "\\/") } else { text }
}

#[cfg(test)]
mod tests {
    use super::{LastName, Manner, encoded, is_index, path_end, renamed_form, with_shape};

    #[test]
    fn pages_move_as_their_sources() {
        let plain = |path: &str| path.to_owned();
        let form = |old, new, page, slug: Option<&'static str>| {
            renamed_form((old, new), page, slug.map(LastName::Slug), &plain)
        };
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
        assert_eq!(form("_guide/a.md", "_manual/b.md", "guide/a", None).as_deref(), Some("manual/b"));
        assert_eq!(form("docs/a.md", "docs/b.md", "c", None), None);
        assert!(is_index("docs/_index.md") && is_index("README.md") && !is_index("docs/a.md"));
        assert!(!is_index("v1.2/about"));
    }

    #[test]
    fn keeps_shape_and_encoding() {
        for (local, exported, new, expected) in [
            ("a/", "a/index.html", "b/c/index.html", "b/c/"),
            ("a", "a/index.html", "b/index.html", "b"),
            ("a.html", "a.html", "b.html", "b.html"),
            ("a", "a.html", "b.html", "b"),
            ("a/index.html", "a/index.html", "b/index.html", "b/index.html"),
            ("a/", "a/index.html", "b/myindex.html", "b/myindex.html"),
        ] {
            assert_eq!(with_shape(local, exported, new), expected, "{local}");
        }
        assert_eq!(encoded("a%20b.md", "a%20b.md", "x/a b.md", Manner::Link), "x/a%20b.md");
        assert_eq!(encoded("a b.md", "a b.md", "x/a b.md", Manner::Link), "x/a b.md");
        assert_eq!(encoded("a.md", "a.md", "a (1).md", Manner::Link), "a%20%281%29.md");
        assert_eq!(encoded("a b.md", "a b.md", "x/a#b c.md", Manner::Link), "x/a%23b%20c.md");
        assert_eq!(encoded("a&amp;b.md", "a&b.md", "x/a&b.md", Manner::Link), "x/a&amp;b.md");
        assert_eq!(encoded("ä.md", "ä.md", "x/ä.md", Manner::Link), "x/ä.md");
        assert_eq!(encoded("a\\/b.md", "a/b.md", "c/d.md", Manner::Link), "c\\/d.md");
        assert_eq!(path_end("a&#38;b.md#x"), 10);
        assert_eq!(path_end("a.md?x#y"), 4);
    }
}
