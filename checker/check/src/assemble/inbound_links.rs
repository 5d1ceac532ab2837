//! Counts the files that refer to each page.

use std::cmp::Reverse;

use crate::parse::Format;
use crate::report::result::CheckResult;
use crate::report::{InboundLinks, LinkedPage};
use crate::walk::FileId;

/// Maximum number of pages in each list.
const MOST_LINKED: usize = 15;
const UNLINKED: usize = 200;

/// Returns the pages that most files refer to, and the pages that no file refers to.
pub(super) fn inbound_links(result: &CheckResult) -> InboundLinks {
    let tree = &result.tree;
    let not_found = result.deployment.settings.not_found_file().as_bytes();
    let inbound = |page: FileId| result.inbound.get(page as usize).copied().unwrap_or(0);
    let name = |page: FileId| tree.display(page).into_owned();
    let mut pages: Vec<FileId> =
        tree.ids().filter(|&page| Format::of(tree.path(page)) == Format::Html).collect();
    let is_unlinked =
        |page: FileId| inbound(page) == 0 && tree.path(page) != b"index.html" && tree.path(page) != not_found;
    let unlinked = || pages.iter().copied().filter(|&page| is_unlinked(page));
    let (count, first) = (unlinked().count(), unlinked().take(UNLINKED).map(name).collect());
    pages.sort_by_key(|&page| (Reverse(inbound(page)), page));
    pages.truncate(MOST_LINKED);
    pages.retain(|&page| inbound(page) > 0);
    let linked = pages.into_iter().map(|page| LinkedPage { file: name(page), files: inbound(page) });
    InboundLinks { most_linked: linked.collect(), unlinked: count, unlinked_pages: first }
}
