//! Drives a check through its stages: files are read and parsed in parallel, rules see each file, and what files have
//! in common is joined. Nothing here knows a single rule, or how a format is read.

mod early_scripts;
pub mod kept;
mod notes;
pub(crate) mod options;
pub mod progress;
mod scripts;
mod second_look;
mod worker;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::diagnostic::{Diagnostic, Place};
use crate::index::Index;
use crate::index::anchors::Anchors;
use crate::index::scripts::Scripts;
use crate::index::site::Site;
use crate::index::usage::Usage;
use crate::parse::{Format, WrittenException};
use crate::report::FileDigest;
use crate::rules::ruleset::Ruleset;
use crate::walk::FileId;
use early_scripts::EarlyScripts;
use kept::KeptFiles;
use options::ScanOptions;
use progress::Progress;
use worker::{AskForScripts, Shared, Worker};

/// What a scan yields.
pub(crate) struct Scan {
    pub diagnostics: Vec<Diagnostic>,
    pub links: usize,
    pub unread: Vec<String>,
    /// The exceptions written in the files, in the order of places.
    pub exceptions: Vec<(FileId, WrittenException)>,
    /// One for each file, where they were asked for.
    pub digests: Vec<FileDigest>,
    /// For each file, how many other files refer to it.
    pub inbound: Vec<u32>,
    /// What was learnt of scripts.
    pub scripts: Scripts,
}

/// Files that a worker takes at a time, at the most: of few files fewer, so that all workers have something to do to the end.
const CHUNK: usize = 16;

/// Scans all files of the site.
pub(crate) fn scan(site: &Site<'_>, rules: &Ruleset, options: &ScanOptions<'_>) -> Scan {
    let own = Progress::default();
    let progress = options.progress.unwrap_or(&own);
    let anchors = Anchors::new(site.tree.len());
    let needs = rules.needs();
    let next = AtomicUsize::new(0);
    let chunk = (site.tree.len() / (rayon::current_num_threads() * CHUNK)).clamp(1, CHUNK);
    progress.total.store(site.tree.len(), Ordering::Relaxed);
    let dangling = options.kept.map(KeptFiles::dangling).unwrap_or_default();
    let (threads, early) = (scripts::threads(), EarlyScripts::new(site, options.kept));
    let shared = Shared {
        site,
        rules,
        needs: &needs,
        anchors: &anchors,
        options,
        dangling: &dangling,
        huge: &Mutex::new(()),
    };
    let read_pages = |ask: &AskForScripts<'_>| {
        rayon::broadcast(|_| {
            let mut worker = Worker::new(&shared);
            loop {
                let start = next.fetch_add(chunk, Ordering::Relaxed);
                if start >= site.tree.len() {
                    return worker.finish();
                }
                for file in start..(start + chunk).min(site.tree.len()) {
                    worker.file(file as FileId, ask);
                    progress.done.fetch_add(1, Ordering::Relaxed);
                }
            }
        })
    };
    let results = match &threads {
        // What is kept need not be read once more.
        Ok(threads) if options.kept.is_none() => {
            threads.in_place_scope(|scope| read_pages(&|view| early.ask(view, scope)))
        }
        _ => read_pages(&|_| ()),
    };
    let mut results = results.into_iter();
    let Some((mut join, mut found)) = results.next() else {
        unreachable!("there is at least one thread");
    };
    for (more, others) in results {
        join.merge(more);
        found.merge(others);
    }
    let (mut index, open) = join.finish();
    if let Some(kept) = options.kept {
        kept.keep_dangling(&index.dangling);
    }
    second_look::look(&mut index, open, &needs, (&threads, &early, options.kept), &mut found.unread);
    let of_site = rules.active().par_iter().map(|rule| {
        let mut found = Vec::new();
        rule.check_site(&index, &mut found);
        found
    });
    of_site.collect::<Vec<_>>().into_iter().for_each(|more| found.add(more));
    found.diagnostics.retain(|diagnostic| !is_in_picture(diagnostic, &index));
    found.unread.sort();
    // A file may have been looked for more than once.
    found.unread.dedup();
    found.digests.sort_unstable_by_key(|(file, _)| *file);
    Scan {
        diagnostics: found.diagnostics,
        links: index.links,
        unread: found.unread,
        inbound: index.usage.into_inbound(),
        exceptions: index.exceptions,
        scripts: index.scripts,
        digests: found.digests.into_iter().map(|(_, digest)| digest).collect(),
    }
}

/// Whether a finding is about a reference in a drawing that is only ever shown as a picture: nobody can follow its
/// links there, and no other file is loaded (SVG 2, 2.7, secure static mode). What it draws of itself still counts.
fn is_in_picture(diagnostic: &Diagnostic, index: &Index<'_>) -> bool {
    match diagnostic.location.place {
        Place::File(file) if diagnostic.is_reference => {
            index.site.format(file) == Format::Svg
                && !index.usage.has(file, Usage::OPENED)
                && !index.dangling.is_drawn(file, diagnostic.location.span.start)
        }
        _ => false,
    }
}
