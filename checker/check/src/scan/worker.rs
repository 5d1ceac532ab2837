//! One thread of a scan: reads files one by one, resolves their references, applies the rules, and joins the facts.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Cursor, Seek};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

use sha2::{Digest, Sha256};

use super::error::ScanError;
use crate::contract::Assertion;
use crate::file_digest::FileDigest;
use crate::index::external_references::ExternalReferences;
use crate::index::fragments::Anchors;
use crate::index::join::{FileReferences, Join};
use crate::index::needs::Needs;
use crate::index::site::Site;
use crate::index::view::{FileView, Links};
use crate::parse::{
    self, Algorithm, Facts, Format, Page, ParseOptions, detect_damage, detect_leak, is_searched,
};
use crate::raw_finding::{DocumentId, RawFinding};
use crate::report::locator::OpenDocument;
use crate::resolve::Memo;
use crate::resolve::suggestion::Suggestion;
use crate::rules::ruleset::Ruleset;
use crate::walk::FileId;
use sitegate_base::chunks::{each_chunk, read_whole};
use sitegate_base::hex::hex;
use sitegate_base::lock::lock;
use sitegate_base::plural::thousands;
use sitegate_base::sanitize::visible;

use super::cache::{CachedFacts, FileStamp, ResolvedFile};
use super::options::ScanOptions;
use super::references::resolve_references;

/// Size in bytes from which a page's buffers are freed at once. Smaller pages reuse them.
const LARGE: usize = 1 << 20;

/// Size in bytes from which only one page is in memory at a time.
const HUGE: u64 = 8 << 20;

/// Maximum number of findings that a worker locates and keeps in memory. For the others, files are read again for the
/// report.
const MAX_LOCATED: usize = 1 << 12;

/// A callback that starts reading the scripts of a page.
pub(super) type PrefetchScripts<'a> = dyn Fn(&FileView<'_>) + Sync + 'a;

/// The state that all workers share.
pub(super) struct SharedState<'w> {
    pub site: &'w Site<'w>,
    pub rules: &'w Ruleset,
    pub needs: &'w Needs,
    pub anchors: &'w Anchors,
    pub options: &'w ScanOptions<'w>,
    /// Lock of the worker that has a page larger than [`HUGE`] in memory.
    pub huge: &'w Mutex<()>,
    /// The findings so far.
    pub findings: AtomicUsize,
}

impl SharedState<'_> {
    /// Drops the findings that exceed the limit of a live site. An export has no limit.
    pub fn limit_findings(&self, found: &mut Vec<RawFinding>) {
        let earlier = self.findings.fetch_add(found.len(), Ordering::Relaxed);
        found.truncate(self.max_findings().saturating_sub(earlier));
    }

    /// Returns the reason why findings are missing, if there were too many.
    pub fn limit_message(&self) -> Option<String> {
        let limit = self.max_findings();
        (self.findings.load(Ordering::Relaxed) > limit).then(|| {
            let limit = thousands(limit);
            format!("the site: it has more than {limit} findings, and only these are reported; raise `--max-pages`")
        })
    }

    fn max_findings(&self) -> usize {
        self.options.live.map_or(usize::MAX, |live| live.max_findings)
    }
}

/// The results of a worker, apart from its join.
#[derive(Default)]
pub(super) struct ScanResults {
    pub findings: Vec<RawFinding>,
    pub unreadable: Vec<String>,
    pub digests: Vec<(FileId, FileDigest)>,
    pub external: ExternalReferences,
}

impl ScanResults {
    pub fn merge(&mut self, other: ScanResults) {
        self.add(other.findings);
        self.unreadable.extend(other.unreadable);
        self.digests.extend(other.digests);
        self.external.merge(other.external);
    }

    /// Adds findings without copying the longer list.
    pub fn add(&mut self, mut more: Vec<RawFinding>) {
        if more.len() > self.findings.len() {
            std::mem::swap(&mut more, &mut self.findings);
        }
        self.findings.append(&mut more);
    }
}

/// A parsed file, read by this or an earlier check.
struct ParsedFile<'f> {
    file: FileId,
    facts: &'f Facts,
    /// The assertions that apply to it, with their indices.
    selected: &'f [(usize, &'f Assertion)],
    /// Its content, if it is in memory.
    source: Option<&'f [u8]>,
    /// The slot in the cache for the file resolved against the paths of the site; filled if an earlier check has done
    /// that.
    cached: Option<&'f OnceLock<ResolvedFile>>,
}

/// One thread of a scan, with buffers that it reuses for each file.
pub(super) struct Worker<'w> {
    shared: &'w SharedState<'w>,
    join: Join<'w>,
    results: ScanResults,
    /// The findings of the current file.
    raw_findings: Vec<RawFinding>,
    /// Number of findings located so far.
    located: usize,
    /// Whether the text of the current file has other bytes than the file.
    is_transcoded: bool,
    page: Page,
    links: Links,
    references: FileReferences,
    memo: Memo,
    /// Suggestions for missing paths. Many pages often share one mistake.
    suggestions: HashMap<Vec<u8>, Option<Suggestion>>,
}

impl<'w> Worker<'w> {
    pub fn new(shared: &'w SharedState<'w>) -> Self {
        Worker {
            shared,
            join: Join::new(shared.site, shared.needs, shared.anchors),
            results: ScanResults::default(),
            raw_findings: Vec::new(),
            located: 0,
            is_transcoded: false,
            page: Page::default(),
            links: Links::default(),
            references: FileReferences::default(),
            memo: Memo::default(),
            suggestions: HashMap::new(),
        }
    }

    pub fn finish(self) -> (Join<'w>, ScanResults) {
        (self.join, self.results)
    }

    /// Processes one file up to the join. A cached file is not read again.
    pub fn process_file(&mut self, file: FileId, prefetch: &PrefetchScripts<'_>) {
        let SharedState { site, options: ScanOptions { cache, .. }, .. } = self.shared;
        let assertions = &site.contract.assertions;
        if let Some(cache) = *cache
            && let Some(known) = cache.get(file)
        {
            if let Some(CachedFacts { facts, selected, resolved }) = &known.cached_facts {
                let selected = selected.iter().filter_map(|&at| Some((at, assertions.get(at)?)));
                let selected = &selected.collect::<Vec<_>>();
                let (source, cached) = (None, Some(resolved));
                self.process(&ParsedFile { file, facts, selected, source, cached }, prefetch);
            }
            return;
        }
        tracing::debug!("reading {}", visible(&site.tree.display(file)));
        let assertions = assertions.iter().enumerate();
        let selected: &Vec<(usize, &Assertion)> = &match site.format(file) {
            Format::Html => {
                let (path, html) = (site.tree.path(file), site.added_html());
                assertions.filter(|(_, assertion)| assertion.pages.contains(path, html)).collect()
            }
            _ => Vec::new(),
        };
        let read = match site.format(file) {
            Format::Other => self.read_binary(file),
            _ => self.read(file, selected),
        };
        let mut page = std::mem::take(&mut self.page);
        match (read, *cache) {
            (Err(error), _) => self.results.unreadable.push(error.to_string()),
            (Ok((_, has_facts)), None) => {
                let (facts, source) = (&page.facts, Some(&*page.source));
                if has_facts {
                    self.process(&ParsedFile { file, facts, selected, source, cached: None }, prefetch);
                }
            }
            (Ok((stamp, has_facts)), Some(cache)) => {
                let cached_facts = has_facts.then(|| CachedFacts {
                    facts: std::mem::take(&mut page.facts),
                    selected: selected.iter().map(|(at, _)| *at).collect(),
                    resolved: OnceLock::new(),
                });
                let stored = cache.insert(file, stamp, cached_facts);
                if let Some(CachedFacts { facts, resolved, .. }) = &stored.cached_facts {
                    let (source, cached) = (Some(&*page.source), Some(resolved));
                    self.process(&ParsedFile { file, facts, selected, source, cached }, prefetch);
                }
            }
        }
        if page.source.len() <= LARGE {
            self.page = page;
        }
    }

    /// Reads and parses a file. Returns its stamp from before, and that it has facts.
    fn read(
        &mut self,
        file: FileId,
        selected: &[(usize, &Assertion)],
    ) -> Result<(FileStamp, bool), ScanError> {
        let SharedState { site, needs, options, .. } = *self.shared;
        let path = || site.tree.path_from_here(file);
        let mut huge_guard = None;
        let (content, stamp) = self
            .read_content(file, &mut huge_guard)
            .map_err(|source| ScanError::File { path: path(), source })?;
        if options.digest {
            let digest = FileDigest { size: content.len() as u64, sha256: Sha256::digest(&content).into() };
            self.results.digests.push((file, digest));
        }
        let damage = needs.damage.then(|| {
            let length = content.len() as u64;
            detect_damage(site.tree.path(file), &mut Cursor::new(&content), length)
        });
        let digest = needs.content.digest_for(site.tree.path(file));
        let format = site.format(file);
        // It is searched like the JSON files that are not parsed.
        let is_leak_possible = needs.leaks && format == Format::MkDocsIndex;
        let leak = (is_leak_possible && is_searched(site.tree.path(file), content.len() as u64))
            .then(|| detect_leak(site.tree.path(file), &mut Cursor::new(&content)));
        let request =
            ParseOptions { path: site.tree.path(file), format, selected, needs: &needs.content, digest };
        parse::read(&mut self.page, content, &request)
            .map_err(|source| ScanError::Parse { path: path(), source })?;
        self.is_transcoded = self.page.is_transcoded;
        self.page.facts.damage = damage.and_then(Result::ok).flatten();
        self.page.facts.leak = leak.and_then(Result::ok).flatten();
        Ok((stamp, true))
    }

    /// Reads a file of a format without references: its first bytes, or all of it in chunks if it must be hashed.
    /// Returns its stamp, and whether it has facts.
    fn read_binary(&mut self, file: FileId) -> Result<(FileStamp, bool), ScanError> {
        let SharedState { site, needs, options: &ScanOptions { digest, .. }, .. } = *self.shared;
        let has_content = site.tree.has_content(file);
        let name_algorithm = if has_content { needs.content.digest_for(site.tree.path(file)) } else { None };
        let inspect = || -> io::Result<_> {
            let mut opened = File::open(site.tree.disk_path(file))?;
            let metadata = opened.metadata()?;
            let mut length = metadata.len();
            let (mut seal_hash, mut name_hash) = (Sha256::new(), name_algorithm.map(Algorithm::hasher));
            if digest || name_hash.is_some() {
                length = each_chunk(&mut opened, |chunk| {
                    if digest {
                        seal_hash.update(chunk);
                    }
                    if let Some(name_hash) = &mut name_hash {
                        name_hash.update(chunk);
                    }
                })?;
                opened.rewind()?;
            }
            let damage = if needs.damage && has_content {
                detect_damage(site.tree.path(file), &mut opened, length)?
            } else {
                None
            };
            let leak = if needs.leaks && has_content && is_searched(site.tree.path(file), length) {
                opened.rewind()?;
                detect_leak(site.tree.path(file), &mut opened)?
            } else {
                None
            };
            let digest = digest.then(|| FileDigest { size: length, sha256: seal_hash.finalize().into() });
            let name_hash = name_hash.map(|hash| hex(&hash.finalize()));
            Ok((FileStamp::new(&metadata), digest, name_hash, damage, leak))
        };
        let (stamp, file_digest, name_hash, damage, leak) =
            inspect().map_err(|source| ScanError::File { path: site.tree.path_from_here(file), source })?;
        self.results.digests.extend(file_digest.map(|sealed| (file, sealed)));
        let has_facts = name_hash.is_some() || damage.is_some() || leak.is_some();
        self.page.clear();
        self.page.facts.damage = damage;
        self.page.facts.leak = leak;
        self.page.facts.digest = name_hash;
        Ok((stamp, has_facts))
    }

    /// Reads a file into the buffer of the previous file. `huge_guard` keeps other huge files out of memory.
    fn read_content(
        &mut self,
        file: FileId,
        huge_guard: &mut Option<MutexGuard<'w, ()>>,
    ) -> io::Result<(Vec<u8>, FileStamp)> {
        let content = self.page.source.take_bytes();
        let mut opened = File::open(self.shared.site.tree.disk_path(file))?;
        let metadata = opened.metadata()?;
        let length = metadata.len();
        if length > HUGE {
            *huge_guard = Some(lock(self.shared.huge));
        }
        let content = read_whole(&mut opened, length, content)?;
        Ok((content, FileStamp::new(&metadata)))
    }

    /// Resolves the references of a file, joins it, and applies the rules to it. With a cache, does the
    /// first and the last only once.
    fn process(&mut self, parsed: &ParsedFile<'_>, prefetch: &PrefetchScripts<'_>) {
        let SharedState { site, rules, options, .. } = *self.shared;
        let ParsedFile { file, facts, selected, source, cached } = *parsed;
        if let Some(ResolvedFile { base, links, references, findings }) = cached.and_then(OnceLock::get) {
            self.join.add(&FileView { file, facts, links, site, base, selected }, references);
            return self.results.findings.extend_from_slice(findings);
        }
        let base = site.resolver.base(file, facts.base.map(|href| facts.text(href)));
        let mut links = std::mem::take(&mut self.links);
        resolve_references(site, (file, facts), &base, &mut links, &mut self.memo, &mut self.suggestions);
        let view = FileView { file, facts, links: &links, site, base: &base, selected };
        prefetch(&view);
        self.references.collect(&view);
        self.join.add(&view, &self.references);
        if let Some(external) = options.external {
            self.results.external.add(&view, external);
        }
        for rule in rules.active() {
            rule.check_file(&view, &mut self.raw_findings);
        }
        self.shared.limit_findings(&mut self.raw_findings);
        self.raw_findings.sort_by_key(|finding| finding.location.span.start);
        if let Some(source) = source {
            self.locate_findings(&view, source);
        }
        if let Some(resolved) = cached {
            let (references, findings) = (self.references.compact(), self.raw_findings.clone());
            let _ = resolved.set(ResolvedFile { base, links, references, findings });
        } else {
            self.links = links;
        }
        self.results.findings.append(&mut self.raw_findings);
    }

    /// Locates the findings of the current file while it is in memory.
    fn locate_findings(&mut self, view: &FileView<'_>, text: &[u8]) {
        let site = view.site;
        if self.raw_findings.is_empty() || site.format(view.file) == Format::Other {
            return;
        }
        let mut document = OpenDocument::of_scan(view, text, self.is_transcoded);
        for found in &mut self.raw_findings {
            if self.located < MAX_LOCATED && found.location.document == DocumentId::File(view.file) {
                found.located = document.locate_shown(found, site.tree, &site.resolver);
                self.located += usize::from(found.located.is_some());
            }
        }
    }
}
