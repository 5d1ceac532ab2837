//! Drives a check through its stages: files are read and parsed in parallel, rules see each file, and what files have
//! in common is joined. Nothing here knows a single rule, or how a format is read.

mod early_scripts;
mod error;
mod finding_locator;
pub(crate) mod incremental;
pub(crate) mod options;
pub mod progress;
mod scripts;
mod second_pass;
mod worker;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::external::ExternalSummary;
use crate::index::Index;
use crate::index::anchors::Anchors;
use crate::index::scripts::Scripts;
use crate::index::site::Site;
use crate::index::usage::Usage;
use crate::parse::{Format, InlineIgnore};
use crate::raw_finding::{DocumentId, RawFinding};
use crate::report::FileDigest;
use crate::report::stages::LocatedFinding;
use crate::rules::ruleset::Ruleset;
use crate::walk::FileId;
use early_scripts::EarlyScripts;
use incremental::cache::{CachedScan, FileCache, SecondPass};
use options::ScanOptions;
use progress::Progress;
use scripts::Threads;
use worker::{PrefetchScripts, ScanResults, SharedState, Worker};

/// What a scan yields.
pub(crate) struct ScanOutput {
    pub findings: Vec<LocatedFinding>,
    pub links: usize,
    pub unreadable: Vec<String>,
    /// The exceptions written in the files, in the order of places.
    pub ignores: Vec<(FileId, InlineIgnore)>,
    /// One for each file, where they were asked for.
    pub digests: Vec<FileDigest>,
    /// For each file, how many other files refer to it.
    pub inbound: Vec<u32>,
    /// What was learnt of scripts.
    pub scripts: Scripts,
    /// What other hosts said, where they were asked.
    pub external: Option<ExternalSummary>,
}

/// Logs how long the stages of a scan take.
struct StageClock(Instant);

impl StageClock {
    fn begin() -> StageClock {
        StageClock(Instant::now())
    }

    /// Logs a stage that has ended, and begins the next.
    fn end(&mut self, name: &str, count: usize) {
        let began = std::mem::replace(&mut self.0, Instant::now());
        tracing::info!(count, elapsed = ?began.elapsed(), "{name}");
    }
}

/// Files that a worker takes at a time, at the most: of few files fewer, so that all workers have something to do to the end.
const CHUNK: usize = 16;

/// Scans all files of the site.
pub(crate) fn scan(site: &Site<'_>, rules: &Ruleset, options: &ScanOptions<'_>) -> ScanOutput {
    let (cache, needs) = (options.cache, rules.needs());
    let own = Anchors::new(if cache.is_some() { 0 } else { site.tree.len() });
    let dangling = cache.map(FileCache::dangling).unwrap_or_default();
    let shared = SharedState {
        site,
        rules,
        needs: &needs,
        anchors: cache.map_or(&own, |cache| &cache.anchors),
        options,
        dangling: &dangling,
        huge: &Mutex::new(()),
    };
    let mut stage = StageClock::begin();
    let (threads, early) = (scripts::threads(), EarlyScripts::new(site, cache));
    let again = cache.and_then(|cache| incremental::rejoin::rejoin(&shared, cache));
    let (CachedScan { joined, files_with_findings, mut second_pass }, mut found) =
        again.unwrap_or_else(|| join_all(&shared, &threads, &early));
    stage.end("read the files", site.tree.len());
    let for_the_next = cache.map(|cache| (cache, joined.clone()));
    let (mut index, open) = joined.index(site);
    second_pass::complete_index(
        &mut index,
        open,
        &needs,
        (&threads, &early, cache),
        &mut second_pass,
        &mut found.unreadable,
    );
    stage.end("indexed the links", index.links);
    tracing::info!(count = index.scripts.read, "followed the scripts");
    if let Some(external) = options.external {
        index.external = std::mem::take(&mut found.external).answered_by(external);
        stage.end("waited for external links", index.external.tally().hosts.len());
    }
    let of_site = rules.active().par_iter().map(|rule| {
        let mut found = Vec::new();
        rule.check_site(&index, &mut found);
        found.into_iter().map(LocatedFinding::from).collect()
    });
    of_site.collect::<Vec<_>>().into_iter().for_each(|more| found.add(more));
    stage.end("applied the rules", rules.active().len());
    found.findings.retain(|finding| !is_in_image(&finding.raw, &index));
    found.unreadable.sort();
    // A file may have been looked for more than once.
    found.unreadable.dedup();
    found.digests.sort_unstable_by_key(|(file, _)| *file);
    // What could not be read is read again.
    if let Some((cache, joined)) = for_the_next {
        cache.cache_dangling(&joined);
        if found.unreadable.is_empty() {
            cache.cache_scan(CachedScan { joined, files_with_findings, second_pass });
        }
    }
    ScanOutput {
        findings: found.findings,
        links: index.links,
        unreadable: found.unreadable,
        inbound: index.usage.into_inbound(),
        ignores: index.ignores,
        scripts: index.scripts,
        external: options.external.map(|_| index.external.tally()),
        digests: found.digests.into_iter().map(|(_, digest)| digest).collect(),
    }
}

/// Reads all files but those that are kept, and joins all.
fn join_all<'s>(
    shared: &SharedState<'s>,
    threads: &'s Threads,
    early: &'s EarlyScripts<'s>,
) -> (CachedScan, ScanResults) {
    let SharedState { site, options, .. } = *shared;
    let own = Progress::default();
    let progress = options.progress.unwrap_or(&own);
    let next = AtomicUsize::new(0);
    let chunk = (site.tree.len() / (rayon::current_num_threads() * CHUNK)).clamp(1, CHUNK);
    progress.total.store(site.tree.len(), Ordering::Relaxed);
    let read_pages = |ask: &PrefetchScripts<'_>| {
        rayon::broadcast(|_| {
            let mut worker = Worker::new(shared);
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
    let results = match threads {
        // What is kept need not be read once more.
        Ok(threads) if options.cache.is_none() => {
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
    let files_with_findings = options.cache.map(FileCache::files_with_findings).unwrap_or_default();
    (CachedScan { joined: join.finish(), files_with_findings, second_pass: SecondPass::default() }, found)
}

/// Whether a finding is about a reference in a drawing that is only ever shown as a picture: nobody can follow its
/// links there, and no other file is loaded (SVG 2, 2.7, secure static mode). What it draws of itself still counts.
fn is_in_image(finding: &RawFinding, index: &Index<'_>) -> bool {
    match finding.location.place {
        DocumentId::File(file) if finding.is_reference => {
            index.site.format(file) == Format::Svg
                && !index.usage.has(file, Usage::OPENED)
                && !index.dangling.is_drawn(file, finding.location.span.start)
        }
        _ => false,
    }
}
