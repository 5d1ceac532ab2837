//! A check of which all but a few files are as they were: those are read, and take the place of what they were in what was
//! joined.

use super::kept::{KeptFiles, LastScan, Said};
use super::worker::{Gathered, Shared, Worker};
use crate::index::replace::FileState;
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::walk::FileId;

/// What the last check made of all files, with those in their places that are others now, and what rules found in each file by
/// itself. `None` where nothing is known, or other files have to be asked too.
pub(super) fn join(shared: &Shared<'_>, kept: &KeptFiles) -> Option<(LastScan, Gathered)> {
    let mut last = kept.take_last()?;
    let mut worker = Worker::new(shared);
    kept.changed().iter().for_each(|(file, _)| worker.file(*file, &|_| ()));
    let (now, mut found) = worker.finish();
    if !found.unreadable.is_empty() {
        return None;
    }
    let mut replaced = Vec::new();
    let mut runs_the_same = true;
    for (file, was) in kept.changed() {
        let (was, is) = (was.as_ref()?, kept.get(*file)?);
        runs_the_same &= was.script.get().is_none();
        last.looks.near.remove(file);
        match (&was.said, &is.said) {
            (None, None) => {}
            (Some(was), Some(is)) => {
                last.finders.remove(file);
                if is.seen.get().is_some_and(|seen| !seen.found.is_empty()) {
                    last.finders.insert(*file);
                }
                replaced.push((share(shared.site, *file, was)?, share(shared.site, *file, is)?));
            }
            _ => return None,
        }
    }
    let ask = |file| share(shared.site, file, kept.get(file)?.said.as_ref()?);
    runs_the_same &= last.joined.replace(shared.site, &replaced, now, &ask)?;
    if !runs_the_same {
        last.looks.scripts = None;
    }
    let seen = last.finders.iter().filter_map(|file| kept.get(*file)?.said.as_ref()?.seen.get());
    found.findings = seen.flat_map(|seen| &seen.found).cloned().collect();
    Some((last, found))
}

fn share<'s>(site: &'s Site<'s>, file: FileId, said: &'s Said) -> Option<FileState<'s>> {
    let seen = said.seen.get()?;
    let (facts, links, base) = (&said.facts, &seen.links, &seen.base);
    Some(FileState {
        view: FileView { file, facts, links, site, base, path: "", selected: &[] },
        summary: &seen.sum,
    })
}
