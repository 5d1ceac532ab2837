//! A check of which all but a few files are as they were: those are read, and take the place of what they were in what was
//! joined.

use super::cache::{CachedFacts, CachedScan, FileCache};
use crate::index::replace::Share;
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::scan::worker::{ScanResults, SharedState, Worker};
use crate::walk::FileId;

/// What the last check made of all files, with those in their places that are others now, and what rules found in each file by
/// itself. `None` where nothing is known, or other files have to be asked too.
pub(crate) fn rejoin(shared: &SharedState<'_>, cache: &FileCache) -> Option<(CachedScan, ScanResults)> {
    let mut last = cache.take_scan()?;
    let mut worker = Worker::new(shared);
    cache.changed().iter().for_each(|(file, _)| worker.file(*file, &|_| ()));
    let (now, mut found) = worker.finish();
    if !found.unreadable.is_empty() {
        return None;
    }
    let mut replaced = Vec::new();
    let mut runs_the_same = true;
    for (file, was) in cache.changed() {
        let (was, is) = (was.as_ref()?, cache.get(*file)?);
        runs_the_same &= was.script.get().is_none();
        last.second_pass.near.remove(file);
        match (&was.facts_of_file, &is.facts_of_file) {
            (None, None) => {}
            (Some(was), Some(is)) => {
                last.files_with_findings.remove(file);
                if is.resolved.get().is_some_and(|resolved| !resolved.found.is_empty()) {
                    last.files_with_findings.insert(*file);
                }
                replaced.push((share(shared.site, *file, was)?, share(shared.site, *file, is)?));
            }
            _ => return None,
        }
    }
    let ask = |file| share(shared.site, file, cache.get(file)?.facts_of_file.as_ref()?);
    runs_the_same &= last.joined.replace(shared.site, &replaced, now, &ask)?;
    if !runs_the_same {
        last.second_pass.scripts = None;
    }
    let resolved = last
        .files_with_findings
        .iter()
        .filter_map(|file| cache.get(*file)?.facts_of_file.as_ref()?.resolved.get());
    found.findings = resolved.flat_map(|resolved| &resolved.found).cloned().collect();
    Some((last, found))
}

fn share<'s>(site: &'s Site<'s>, file: FileId, facts_of_file: &'s CachedFacts) -> Option<Share<'s>> {
    let resolved = facts_of_file.resolved.get()?;
    let (facts, links, base) = (&facts_of_file.facts, &resolved.links, &resolved.base);
    Some(Share {
        view: FileView { file, facts, links, site, base, path: "", selected: &[] },
        sum: &resolved.sum,
    })
}
