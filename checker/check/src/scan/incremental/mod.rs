//! Checks an export again, and reads only the files that have changed since the last check. If only a few have, it
//! replaces their contributions to the join.

pub mod cache;

use self::cache::{CachedFacts, CachedScan, FileCache, has_findings};
use crate::index::replace::FileState;
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::scan::worker::{ScanResults, SharedState, Worker};
use crate::walk::FileId;

/// Returns the updated scan, with the findings of rules that see one file at a time. `None` if there is no cached
/// scan, or if the change affects other files too.
pub(super) fn rejoin(shared: &SharedState<'_>, cache: &FileCache) -> Option<(CachedScan, ScanResults)> {
    let mut scan = cache.take_scan()?;
    let mut worker = Worker::new(shared);
    cache.changed().iter().for_each(|(file, _)| worker.process_file(*file, &|_| ()));
    let (join, mut results) = worker.finish();
    if !results.unreadable.is_empty() {
        return None;
    }
    let mut replaced = Vec::new();
    let mut has_same_scripts = true;
    for (file, old) in cache.changed() {
        let (old, new) = (old.as_ref()?, cache.get(*file)?);
        has_same_scripts &= old.script.get().is_none();
        scan.second_pass.near.remove(file);
        match (&old.cached_facts, &new.cached_facts) {
            (None, None) => {}
            (Some(old), Some(new)) => {
                scan.files_with_findings.remove(file);
                if new.resolved.get().is_some_and(has_findings) {
                    scan.files_with_findings.insert(*file);
                }
                replaced.push((share(shared.site, *file, old)?, share(shared.site, *file, new)?));
            }
            _ => return None,
        }
    }
    let share_of_file = |file| share(shared.site, file, cache.get(file)?.cached_facts.as_ref()?);
    has_same_scripts &= scan.joined.replace(shared.site, &replaced, join, &share_of_file)?;
    if !has_same_scripts {
        scan.second_pass.scripts = None;
    }
    let resolved = scan
        .files_with_findings
        .iter()
        .filter_map(|file| cache.get(*file)?.cached_facts.as_ref()?.resolved.get());
    results.findings = resolved.flat_map(|resolved| &resolved.findings).cloned().collect();
    Some((scan, results))
}

fn share<'s>(site: &'s Site<'s>, file: FileId, cached_facts: &'s CachedFacts) -> Option<FileState<'s>> {
    let resolved = cached_facts.resolved.get()?;
    let (facts, links, base) = (&cached_facts.facts, &resolved.links, &resolved.base);
    Some(FileState {
        view: FileView { file, facts, links, site, base, selected: &[] },
        summary: &resolved.sum,
    })
}
