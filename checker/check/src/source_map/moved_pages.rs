//! Maps renames of sources to the pages that have moved with them.

use super::front_matter::stated_address;
use super::page_sources::{PageSources, StatedPages};
use super::source_files::SourceFiles;
use crate::contract::SourceSettings;
use crate::walk::{FileId, Tree};

/// The sources of an earlier revision, and their renames since then. Paths are relative to the contract's folder, with
/// `/`.
#[derive(Clone, Debug, Default)]
pub struct SourceHistory {
    /// All files of that revision.
    pub paths: Vec<String>,
    /// The renames.
    pub renames: Vec<SourceRename>,
}

/// A rename of a source.
#[derive(Clone, Debug)]
pub struct SourceRename {
    /// The earlier path.
    pub from: String,
    /// The present path.
    pub to: String,
    /// Equal content in per cent.
    pub similarity: u8,
    /// The earlier content.
    pub content: Vec<u8>,
}

/// A page whose source was renamed.
pub(crate) struct MovedPage<'h> {
    /// The page in the earlier export.
    pub from: FileId,
    /// The page in the present export.
    pub to: FileId,
    /// The rename.
    pub rename: &'h SourceRename,
}

/// Returns the pages whose only source was renamed, in the order of the renames. `old` lists the files of the earlier
/// export.
pub(crate) fn moved_pages<'h>(
    history: &'h SourceHistory,
    settings: &SourceSettings,
    old: &Tree,
    new: &Tree,
) -> Vec<MovedPage<'h>> {
    let new_files = SourceFiles::list(settings, new.root());
    let old_files = SourceFiles::of_paths(history.paths.clone(), settings);
    let renames = || history.renames.iter();
    let new_contents = renames().map(|rename| {
        let content = new_files.find(&rename.to).and_then(|source| new_files.read(source));
        (rename.to.as_str(), content.unwrap_or_default())
    });
    let new_pages = map_sources(&new_files, settings, new, new_contents);
    let old_contents = renames().map(|rename| (rename.from.as_str(), &rename.content));
    let old_pages = map_sources(&old_files, settings, old, old_contents);
    let only_page = |files: &SourceFiles, pages: &PageSources, path: &str| {
        let source = files.find(path)?;
        pages.page(source).filter(|page| pages.sources(*page) == [source])
    };
    let moved = renames().filter_map(|rename| {
        let from = only_page(&old_files, &old_pages, &rename.from)?;
        let to = only_page(&new_files, &new_pages, &rename.to)?;
        Some(MovedPage { from, to, rename })
    });
    moved.collect()
}

/// Maps sources to pages, with the front matter of some.
fn map_sources<'c, C: AsRef<[u8]>>(
    files: &SourceFiles,
    settings: &SourceSettings,
    tree: &Tree,
    contents: impl Iterator<Item = (&'c str, C)>,
) -> PageSources {
    let mut pages = PageSources::new(files, settings, tree);
    let stated = contents.filter_map(|(path, content)| {
        let source = files.find(path)?;
        let address = stated_address(path, content.as_ref())?;
        Some(pages.stated(source, path, &address, tree))
    });
    let stated: Vec<StatedPages> = stated.collect();
    pages.add_stated_pages(stated, tree);
    pages
}
