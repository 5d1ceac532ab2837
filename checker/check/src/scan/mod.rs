//! Scans a site: reads and parses files in parallel, joins their facts into an index, and applies the rules.
//!
//! This module knows no single rule and no file format.

mod addresses;
pub(crate) mod cache;
mod error;
pub mod options;
mod references;
mod scripts;
mod second_pass;
mod worker;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;
use sitegate_address::inventory::{Inventory, InventoryError};

use crate::external::ExternalHosts;
use crate::file_digest::FileDigest;
use crate::index::Index;
use crate::index::fragments::Anchors;
use crate::index::join::Joined;
use crate::index::scripts::Scripts;
use crate::index::site::Site;
use crate::index::usage::Usage;
use crate::parse::{Format, InlineIgnore};
use crate::raw_finding::{DocumentId, RawFinding};
use crate::rules::ruleset::Ruleset;
use crate::walk::FileId;
use options::{Progress, ScanOptions};
use scripts::{EarlyScripts, Threads};
use worker::{PrefetchScripts, ScanResults, SharedState, Worker};

/// The output of a scan.
pub(crate) struct ScanOutput {
    pub findings: Vec<RawFinding>,
    pub links: usize,
    pub unreadable: Vec<String>,
    /// The ignores written in the files, in the order of their locations.
    pub ignores: Vec<(FileId, InlineIgnore)>,
    /// The digest of each file; empty unless [`ScanOptions::digest`] is set.
    pub digests: Vec<FileDigest>,
    /// For each file, how many other files refer to it.
    pub inbound: Vec<u32>,
    /// The scripts that were followed.
    pub scripts: Scripts,
    /// The inventory, if [`ScanOptions::inventory`] is set.
    pub inventory: Option<Result<Inventory, InventoryError>>,
    /// The results of external hosts, if external links were checked.
    pub external: Option<ExternalHosts>,
}

/// Logs how long the stages of a scan take.
struct StageClock(Instant);

impl StageClock {
    fn start() -> StageClock {
        StageClock(Instant::now())
    }

    /// Logs the stage that has ended, and starts the next.
    fn end(&mut self, name: &str, count: usize) {
        let began = std::mem::replace(&mut self.0, Instant::now());
        tracing::info!(count, elapsed = ?began.elapsed(), "{name}");
    }
}

/// Maximum number of files that a worker takes at a time. With few files it takes fewer, so that all workers stay busy.
const CHUNK: usize = 16;

/// Scans all files of the site.
pub(crate) fn scan(site: &Site<'_>, rules: &Ruleset, options: &ScanOptions<'_>) -> ScanOutput {
    let (cache, mut needs) = (options.cache, rules.needs());
    needs.inventory = options.inventory;
    needs.content.anchor_names = options.inventory;
    needs.content.ignore_attributes.clone_from(&site.contract.ignore_attributes);
    let own_anchors = Anchors::new(if cache.is_some() { 0 } else { site.tree.len() });
    let anchors = cache.map_or(&own_anchors, |cache| &cache.anchors);
    let shared = SharedState {
        site,
        rules,
        needs: &needs,
        anchors,
        options,
        huge: &Mutex::new(()),
        findings: AtomicUsize::new(0),
    };
    let mut stage = StageClock::start();
    let (threads, early) = (scripts::threads(), EarlyScripts::new(site));
    let (joined, mut results) = join_all(&shared, &threads, &early);
    stage.end("read the files", site.tree.len());
    let (mut index, unsettled) = joined.index(site, shared.anchors);
    second_pass::complete_index(
        &mut index,
        unsettled,
        &needs,
        (&threads, &early, cache),
        &mut results.unreadable,
    );
    stage.end("indexed the links", index.links);
    tracing::info!(count = index.scripts.read, "followed the scripts");
    if let Some(external) = options.external {
        index.external = std::mem::take(&mut results.external).answered_by(external);
        stage.end("waited for external links", index.external.summarize().hosts.len());
    }
    let site_findings = rules.active().par_iter().map(|rule| {
        let mut found = Vec::new();
        rule.check_site(&index, &mut found);
        shared.limit_findings(&mut found);
        found
    });
    site_findings.collect::<Vec<_>>().into_iter().for_each(|more| results.add(more));
    stage.end("applied the rules", rules.active().len());
    results.unreadable.extend(shared.limit_message());
    results.findings.retain(|finding| !is_in_image(finding, &index));
    results.unreadable.sort();
    // Several stages may have failed to read the same file.
    results.unreadable.dedup();
    results.digests.sort_unstable_by_key(|(file, _)| *file);
    let inventory =
        options.inventory.then(|| addresses::list_addresses(&mut index, &site.contract.inventory));
    ScanOutput {
        inventory,
        findings: results.findings,
        links: index.links,
        unreadable: results.unreadable,
        inbound: index.usage.into_inbound(),
        ignores: index.ignores,
        scripts: index.scripts,
        external: options.external.map(|_| index.external.summarize()),
        digests: results.digests.into_iter().map(|(_, digest)| digest).collect(),
    }
}

/// Reads all files that are not cached, and joins all files.
fn join_all<'s>(
    shared: &SharedState<'s>,
    threads: &'s Threads,
    early: &'s EarlyScripts<'s>,
) -> (Joined, ScanResults) {
    let SharedState { site, options, .. } = *shared;
    let unobserved = Progress::default();
    let progress = options.progress.unwrap_or(&unobserved);
    let next = AtomicUsize::new(0);
    let chunk = (site.tree.len() / (rayon::current_num_threads() * CHUNK)).clamp(1, CHUNK);
    progress.total.store(site.tree.len(), Ordering::Relaxed);
    let read_pages = |prefetch: &PrefetchScripts<'_>| {
        rayon::broadcast(|_| {
            let mut worker = Worker::new(shared);
            loop {
                let start = next.fetch_add(chunk, Ordering::Relaxed);
                if start >= site.tree.len() {
                    return worker.finish();
                }
                for file in start..(start + chunk).min(site.tree.len()) {
                    worker.process_file(file as FileId, prefetch);
                    progress.done.fetch_add(1, Ordering::Relaxed);
                }
            }
        })
    };
    let results = match threads {
        // With a cache, most scripts need not be read.
        Ok(threads) if options.cache.is_none() => {
            threads.in_place_scope(|scope| read_pages(&|view| early.prefetch(view, scope)))
        }
        _ => read_pages(&|_| ()),
    };
    let mut results = results.into_iter();
    let Some((mut join, mut merged)) = results.next() else {
        unreachable!("there is at least one thread");
    };
    for (other_join, other) in results {
        join.merge(other_join);
        merged.merge(other);
    }
    (join.finish(), merged)
}

/// Whether a finding is about a reference in an SVG that is only used as an image.
///
/// Its links cannot be followed there, and it loads no other file (SVG 2, 2.7, secure static mode). References to its
/// own elements still count.
fn is_in_image(finding: &RawFinding, index: &Index<'_>) -> bool {
    match finding.location.document {
        DocumentId::File(file) if finding.is_reference => {
            index.site.format(file) == Format::Svg
                && !index.usage.has(file, Usage::OPENED)
                && !index.dangling.is_svg_use(file, finding.location.span.start)
        }
        _ => false,
    }
}
