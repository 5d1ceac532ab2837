//! Finds what the Content-Security-Policy of each page blocks. Pages without a policy are not read again.

mod blocked;
mod loads;
mod page;
mod policy_set;

use std::collections::HashSet;

use rayon::prelude::*;

use super::scripts::Scripts;
use super::site::Site;
use crate::walk::FileId;
pub use blocked::{Blocked, BlockedSource, PolicyPlace, PolicyViolations};
use loads::{ScriptChecks, blocked_in_style_sheets, check_scripts, check_workers};
use page::check_page;
pub use policy_set::HeaderPolicies;
use policy_set::PageResults;

/// Returns what policies block. `with_meta` are the pages that may have a policy of their own, in order.
pub(crate) fn violations(
    site: &Site<'_>,
    headers: &HeaderPolicies,
    with_meta: &[FileId],
    scripts: &Scripts,
    unreadable: &mut Vec<String>,
) -> PolicyViolations {
    let pages: Vec<FileId> = if headers.is_empty() { with_meta.to_vec() } else { site.pages().collect() };
    let check = |mut results: PageResults, page| {
        let has_meta = with_meta.binary_search(&page).is_ok();
        let values = headers.of_file(site, page);
        if has_meta || !values.is_empty() {
            check_page(site, page, &values, &mut results);
        }
        results
    };
    let check_all = |files: Vec<FileId>| {
        let results = files.into_par_iter().fold(PageResults::default, check);
        results.reduce(PageResults::default, PageResults::merge)
    };
    let mut results = check_all(pages);
    let svg_documents = std::mem::take(&mut results.svg_documents).into_iter().collect();
    let PageResults { mut violations, unreadable: failed, loads, .. } =
        results.merge(check_all(svg_documents));
    unreadable.extend(failed);
    let mut checks = ScriptChecks::default();
    for page_loads in loads.values() {
        violations.blocked.extend(blocked_in_style_sheets(site, page_loads));
        check_scripts(&scripts.requests, page_loads, &mut checks);
    }
    check_workers(site, headers, &scripts.requests, &mut checks);
    violations.blocked.extend(checks.blocked);
    violations.blocked.sort_by_key(|a| (a.file, a.span.start, a.directive));
    let mut known = HashSet::new();
    violations.blocked.retain(|one| known.insert((one.file, one.directive, one.source.key())));
    violations.static_nonces.sort_by_key(|(file, span)| (*file, span.start));
    violations
}
