//! Follows redirect pages: pages that a refresh replaces at once. With the redirects of the host they are one graph,
//! because the target of a refresh is resolved as the host answers it.

use super::messages::shorten;
use crate::index::Index;
use crate::index::pages::PageEntry;
use crate::raw_finding::{Cause, RawFinding, RuleInfo};
use crate::walk::FileId;
use sitegate_host::redirects::MAX_HOPS;

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
        let redirects_again = |page: FileId| Some(index.pages.get(page)?.immediate_refresh.as_ref()?.0);
        let is_looping = || (0..MAX_HOPS).try_fold(*next, |page, _| redirects_again(page)).is_some();
        if *next != entry.file && redirects_again(*next).is_some() && !is_looping() {
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
    let mut pages = vec![entry.file];
    let mut next = entry.immediate_refresh.as_ref()?.0;
    // Browsers give up after some redirects; a longer loop is of generated pages.
    while next != entry.file && pages.len() <= MAX_HOPS {
        if next < entry.file {
            return None;
        }
        pages.push(next);
        next = index.pages.get(next)?.immediate_refresh.as_ref()?.0;
    }
    pages.push(next);
    (next == entry.file).then_some(pages)
}

fn served(index: &Index<'_>, page: FileId) -> String {
    index.site.resolver.served_path(&index.site.tree.display(page))
}
