//! Follows redirect pages: pages that a refresh replaces at once. With the redirects of the host they are one graph,
//! because the target of a refresh is resolved as the host answers it.

use super::messages::shorten;
use crate::index::Index;
use crate::index::pages::PageEntry;
use crate::raw_finding::{Cause, RawFinding, RuleInfo};
use crate::walk::FileId;
use sitegate_host::redirects::{MAX_HOPS, follow};

/// Reports loops of redirect pages, each at its first page.
pub(super) fn report_loops(index: &Index<'_>, rule: &'static RuleInfo, found: &mut Vec<RawFinding>) {
    for entry in &index.pages.entries {
        let Some((_, span)) = &entry.immediate_refresh else { continue };
        let Some(pages) = loop_from(index, entry) else { continue };
        let names: Vec<_> = pages.iter().map(|page| shorten(&served(index, *page))).collect();
        let message = match names.as_slice() {
            [_, _] => format!("redirect loop: the page `{}` is replaced by itself", names[0]),
            names => format!("redirect loop: `{}`", names.join(" → ")),
        };
        let help = "the page was replaced by its own redirect; restore it, or remove the redirect";
        found.push(RawFinding::reference(rule, (entry.file, span), message).help(help));
    }
}

/// Reports redirect pages that redirect to another one, as one cause: usually one plugin writes them all.
pub(super) fn report_chains(index: &Index<'_>, rule: &'static RuleInfo, found: &mut Vec<RawFinding>) {
    for entry in &index.pages.entries {
        let Some((next, span)) = &entry.immediate_refresh else { continue };
        let pages = pages_from(index, *next).count();
        let is_looping = pages > MAX_HOPS;
        if *next != entry.file && pages > 1 && !is_looping {
            let message = format!("redirect chain: `{}` redirects again", shorten(&served(index, *next)));
            let finding = RawFinding::reference(rule, (entry.file, span), message);
            found
                .push(finding.cause(Cause::kind("redirect pages")).help("point it to the final destination"));
        }
    }
}

/// Returns the pages of a loop, which begins and ends with this page; `None` if the page is in no loop, or if another
/// page is the first of it.
fn loop_from(index: &Index<'_>, entry: &PageEntry) -> Option<Vec<FileId>> {
    let pages: Vec<FileId> = pages_from(index, entry.file).collect();
    let length = pages[1..].iter().position(|page| *page == entry.file)? + 1;
    let is_first = pages.iter().all(|page| *page >= entry.file);
    is_first.then(|| pages[..=length].to_vec())
}

/// Returns a page, and the pages that replace it one after the other.
fn pages_from(index: &Index<'_>, page: FileId) -> impl Iterator<Item = FileId> {
    follow(page, |page| Some(index.pages.get(*page)?.immediate_refresh.as_ref()?.0))
}

fn served(index: &Index<'_>, page: FileId) -> String {
    index.site.resolver.served_path(&index.site.tree.display(page))
}
