//! One thread of a scan: reads file after file, resolves what each says, lets rules see it, and hands it to the join.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use sha2::{Digest, Sha256};

use super::error::ScanError;
use super::finding_locator::FindingLocator;
use crate::contract::{Assertion, page_path};
use crate::index::anchors::Anchors;
use crate::index::external_references::ExternalReferences;
use crate::index::join::{Join, JoinedSum};
use crate::index::links::Links;
use crate::index::needs::Needs;
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::parse::{self, Algorithm, Facts, Format, Page, ReferenceKind, Request, Role, damage};
use crate::raw_finding::RawFinding;
use crate::report::FileDigest;
use crate::report::finding_reader::is_utf16;
use crate::report::stages::LocatedFinding;
use crate::resolve::near::Near;
use crate::resolve::{Base, Memo, Reason, Route, Target};
use crate::rules::ruleset::Ruleset;
use crate::walk::FileId;
use sitegate_base::chunks::each_chunk;
use sitegate_base::hex::hex;
use sitegate_base::sanitize::visible;

use super::incremental::cache::{CachedFacts, FileCache, FileStamp, ResolvedFile};
use super::options::ScanOptions;

/// From this many bytes on, a page's memory is given back at once, since few pages are as large.
const LARGE: usize = 1 << 20;

/// From this many bytes on, only one page is in memory at a time.
const HUGE: u64 = 8 << 20;

/// Bytes of the largest file that is read for references.
const LARGEST: u64 = 2 << 30;

/// Missing paths whose suggestions a worker keeps.
const MAX_SUGGESTED: usize = 10_000;

/// Has the scripts read that a page runs.
pub(super) type PrefetchScripts<'a> = dyn Fn(&FileView<'_>) + Sync + 'a;

/// What all workers share.
pub(super) struct SharedState<'w> {
    pub site: &'w Site<'w>,
    pub rules: &'w Ruleset,
    pub needs: &'w Needs,
    pub anchors: &'w Anchors,
    pub options: &'w ScanOptions<'w>,
    /// The fragments that the last check found unanswered, by files and places.
    pub dangling: &'w [(FileId, u32)],
    /// Held by the worker that has a page of [`HUGE`] size.
    pub huge: &'w Mutex<()>,
}

/// What a worker found beside the index.
#[derive(Default)]
pub(super) struct ScanResults {
    pub findings: Vec<LocatedFinding>,
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

    /// Adds findings; the longer of the two lists is not copied.
    pub fn add(&mut self, mut more: Vec<LocatedFinding>) {
        if more.len() > self.findings.len() {
            std::mem::swap(&mut more, &mut self.findings);
        }
        self.findings.append(&mut more);
    }
}

/// A file that was read, now or by an earlier check.
struct ParsedFile<'f> {
    file: FileId,
    facts: &'f Facts,
    /// Its path in the contract's terms.
    path: &'f str,
    /// The assertions about it.
    selected: &'f [(usize, &'f Assertion)],
    /// Its content, if it is in memory.
    source: Option<&'f [u8]>,
}

/// One thread of a scan, with the memory that it uses again from file to file.
pub(super) struct Worker<'w> {
    shared: &'w SharedState<'w>,
    join: Join<'w>,
    found: ScanResults,
    /// The findings of the current file.
    raw_findings: Vec<RawFinding>,
    locator: FindingLocator,
    /// Whether the file at hand is UTF-16.
    is_utf16: bool,
    page: Page,
    links: Links,
    memo: Memo,
    /// What was suggested for paths that are not there, since many pages often share one mistake.
    suggested: HashMap<Vec<u8>, Option<Near>>,
}

impl<'w> Worker<'w> {
    pub fn new(shared: &'w SharedState<'w>) -> Self {
        Worker {
            shared,
            join: Join::new(shared.site, shared.needs, shared.anchors),
            found: ScanResults::default(),
            raw_findings: Vec::new(),
            locator: FindingLocator::default(),
            is_utf16: false,
            page: Page::default(),
            links: Links::default(),
            memo: Memo::default(),
            suggested: HashMap::new(),
        }
    }

    pub fn finish(self) -> (Join<'w>, ScanResults) {
        (self.join, self.found)
    }

    /// Takes one file through all stages up to the join. A cached file is not read again.
    pub fn file(&mut self, file: FileId, ask: &PrefetchScripts<'_>) {
        let SharedState { site, options: ScanOptions { cache, .. }, .. } = *self.shared;
        if let Some((cache, known)) = cache.and_then(|cache| Some((cache, cache.get(file)?))) {
            return known
                .facts_of_file
                .iter()
                .for_each(|facts_of_file| self.process_cached(file, facts_of_file, cache, ask));
        }
        tracing::debug!("reading {}", visible(&site.tree.display(file)));
        let path = contract_path(site, file);
        let assertions = site.contract.assertions.iter().enumerate();
        let selected: Vec<(usize, &Assertion)> = match site.format(file) {
            Format::Html => assertions.filter(|(_, assertion)| assertion.pages.contains(&path)).collect(),
            _ => Vec::new(),
        };
        let read = match site.format(file) {
            Format::Other => self.read_binary(file),
            _ => self.read(file, &selected),
        };
        let mut page = std::mem::take(&mut self.page);
        match (read, cache) {
            (Err(error), _) => self.found.unreadable.push(error.to_string()),
            (Ok((_, false)), None) => {}
            (Ok((_, true)), None) => {
                let (facts, source) = (&page.facts, Some(&*page.source));
                self.process(
                    &ParsedFile { file, facts, path: &path, selected: &selected, source },
                    None,
                    ask,
                );
            }
            (Ok((stamp, says_something)), Some(cache)) => {
                let facts_of_file = says_something.then(|| CachedFacts {
                    facts: std::mem::take(&mut page.facts),
                    selected: selected.iter().map(|(at, _)| *at).collect(),
                    resolved: OnceLock::new(),
                });
                if let Some(CachedFacts { facts, resolved, .. }) =
                    &cache.keep(file, stamp, facts_of_file).facts_of_file
                {
                    let source = Some(&*page.source);
                    let parsed = ParsedFile { file, facts, path: &path, selected: &selected, source };
                    self.process(&parsed, Some(resolved), ask);
                }
            }
        }
        if page.source.len() <= LARGE {
            self.page = page;
        }
    }

    /// Reads a file. Gives how it was before, and that it says something.
    fn read(
        &mut self,
        file: FileId,
        selected: &[(usize, &Assertion)],
    ) -> Result<(FileStamp, bool), ScanError> {
        let SharedState { site, needs, options, .. } = *self.shared;
        let path = || site.tree.display(file).into_owned();
        let mut alone = None;
        let (content, stamp) =
            self.content(file, &mut alone).map_err(|source| ScanError::File { path: path(), source })?;
        self.is_utf16 = is_utf16(&content);
        if options.digest {
            let digest = FileDigest { size: content.len() as u64, sha256: Sha256::digest(&content).into() };
            self.found.digests.push((file, digest));
        }
        let damage = needs.damage.then(|| {
            let length = content.len() as u64;
            damage(site.tree.path(file), &mut Cursor::new(&content), length)
        });
        let digest = needs.wanted.digest_of(site.tree.path(file));
        let request = Request { format: site.format(file), selected, wanted: &needs.wanted, digest };
        parse::read(&mut self.page, content, &request)
            .map_err(|source| ScanError::Parse { path: path(), source })?;
        self.page.facts.damage = damage.and_then(Result::ok).flatten();
        Ok((stamp, true))
    }

    /// Looks at a file that says nothing: at its first bytes, and where its digest is asked for, at all of them, a piece
    /// at a time. Gives how it was before, and whether there is something to say of it all the same.
    fn read_binary(&mut self, file: FileId) -> Result<(FileStamp, bool), ScanError> {
        let SharedState { site, needs, options: &ScanOptions { digest, .. }, .. } = *self.shared;
        let has_content = site.tree.has_content(file);
        let named_by = needs.wanted.digest_of(site.tree.path(file)).filter(|_| has_content);
        let look = || {
            let mut opened = File::open(site.tree.disk_path(file))?;
            let metadata = opened.metadata()?;
            let mut length = metadata.len();
            let (mut sealed, mut named) = (Sha256::new(), named_by.map(Algorithm::begin));
            if digest || named.is_some() {
                length = each_chunk(&mut opened, |piece| {
                    if digest {
                        sealed.update(piece);
                    }
                    if let Some(named) = &mut named {
                        named.update(piece);
                    }
                })?;
                opened.rewind()?;
            }
            let damage = if needs.damage && has_content {
                damage(site.tree.path(file), &mut opened, length)?
            } else {
                None
            };
            let digest = digest.then(|| FileDigest { size: length, sha256: sealed.finalize().into() });
            Ok((FileStamp::of(&metadata), digest, named.map(|named| hex(&named.finalize())), damage))
        };
        let look: io::Result<_> = look();
        let (stamp, digest, named, damage) =
            look.map_err(|source| ScanError::File { path: site.tree.display(file).into_owned(), source })?;
        self.found.digests.extend(digest.map(|digest| (file, digest)));
        let says_something = named.is_some() || damage.is_some();
        self.page.clear();
        self.page.facts.damage = damage;
        self.page.facts.digest = named;
        Ok((stamp, says_something))
    }

    /// Reads a file into the room of the one before. Of huge ones only one is in memory at a time: `alone` is held
    /// for as long.
    fn content(
        &mut self,
        file: FileId,
        alone: &mut Option<MutexGuard<'w, ()>>,
    ) -> io::Result<(Vec<u8>, FileStamp)> {
        let mut content = self.page.source.take();
        let mut opened = File::open(self.shared.site.tree.disk_path(file))?;
        let metadata = opened.metadata()?;
        let length = metadata.len();
        if length > LARGEST {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 2 GiB"));
        }
        if length > HUGE {
            *alone = Some(self.shared.huge.lock().unwrap_or_else(PoisonError::into_inner));
        }
        // What is in the room already is written over, so that only what is longer has to be filled first.
        content.resize(usize::try_from(length).unwrap_or(usize::MAX), 0);
        let mut read = 0;
        while read < content.len() {
            match opened.read(&mut content[read..]) {
                Ok(0) => break,
                Ok(more) => read += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        content.truncate(read);
        Ok((content, FileStamp::of(&metadata)))
    }

    /// Resolves the references of a file, joins it, and applies the rules to it. The results are kept in `seen`.
    fn process(
        &mut self,
        parsed: &ParsedFile<'_>,
        resolved: Option<&OnceLock<ResolvedFile>>,
        ask: &PrefetchScripts<'_>,
    ) {
        let SharedState { site, rules, options, .. } = *self.shared;
        let ParsedFile { file, facts, path, selected, source } = *parsed;
        let base = site.resolver.base(file, facts.base.map(|href| facts.text(href)));
        let mut links = std::mem::take(&mut self.links);
        resolve(site, parsed, &base, &mut links, &mut self.memo, &mut self.suggested);
        let view = FileView { file, facts, links: &links, site, base: &base, path, selected };
        ask(&view);
        self.join.add(&view);
        if let Some(external) = options.external {
            self.found.external.add(&view, external);
        }
        for rule in rules.active() {
            rule.check_file(&view, &mut self.raw_findings);
        }
        self.raw_findings.sort_by_key(|found| found.location.span.start);
        let before = self.found.findings.len();
        let source = source.map(|source| (source, self.is_utf16));
        let located = self.locator.locate(&view, source, self.raw_findings.drain(..));
        self.found.findings.extend(located);
        match resolved {
            Some(resolved) => {
                let (found, sum) = (self.found.findings[before..].to_vec(), JoinedSum::of(&view));
                let _ = resolved.set(ResolvedFile { base, links, found, sum });
            }
            None => self.links = links,
        }
    }

    /// Joins a cached file. Its references are only resolved again if paths have changed.
    fn process_cached(
        &mut self,
        file: FileId,
        facts_of_file: &CachedFacts,
        cache: &FileCache,
        ask: &PrefetchScripts<'_>,
    ) {
        let SharedState { site, dangling, .. } = *self.shared;
        let CachedFacts { facts, selected, resolved } = facts_of_file;
        let assertions = &site.contract.assertions;
        let selected: Vec<(usize, &Assertion)> =
            selected.iter().filter_map(|&at| Some((at, assertions.get(at)?))).collect();
        let Some(ResolvedFile { base, links, found, sum }) = resolved.get() else {
            let path = contract_path(site, file);
            let parsed = ParsedFile { file, facts, path: &path, selected: &selected, source: None };
            return self.process(&parsed, Some(resolved), ask);
        };
        let view = FileView { file, facts, links, site, base, path: "", selected: &selected };
        if cache.is_read(file) {
            self.join.add(&view);
        } else {
            let first = dangling.partition_point(|(before, _)| *before < file);
            let here = dangling[first..].iter().take_while(|(here, _)| *here == file);
            let here: Vec<u32> = here.map(|(_, start)| *start).collect();
            self.join.add_again(&view, sum, |target| cache.may_differ(target), &here);
        }
        self.found.findings.extend_from_slice(found);
    }
}

/// A page's path in the contract's terms; empty where there are no assertions.
fn contract_path(site: &Site<'_>, file: FileId) -> String {
    match site.format(file) {
        Format::Html if !site.contract.assertions.is_empty() => page_path(&site.tree.display(file)),
        _ => String::new(),
    }
}

/// Gives every reference its target, and suggests another to those that lead nowhere.
fn resolve(
    site: &Site<'_>,
    &ParsedFile { file, facts, .. }: &ParsedFile<'_>,
    base: &Base,
    links: &mut Links,
    memo: &mut Memo,
    suggested: &mut HashMap<Vec<u8>, Option<Near>>,
) {
    links.targets.clear();
    links.unusual.clear();
    links.near = BTreeMap::new();
    links.resolved = 0;
    memo.begin(base);
    let is_error_page = site.is_error_page(file);
    for (index, reference) in facts.references.iter().enumerate() {
        let text = reference.value.map_or("", |value| facts.text(value));
        let target = match reference.value {
            _ if reference.kind.role() == Role::Connect => Target::Unchecked,
            None => Target::Empty,
            Some(_) => {
                links.resolved += 1;
                match target(site, reference.kind, text, base, memo) {
                    // It has no address of its own, whatever a generator makes it say.
                    Target::Missing(_) if is_error_page && reference.kind.role() == Role::Relate => {
                        Target::Unchecked
                    }
                    target => target,
                }
            }
        };
        if let Target::Missing(Reason::NoFile | Reason::NoIndex) = target {
            let wanted = site.resolver.local_path(base, text).unwrap_or_default();
            if suggested.len() >= MAX_SUGGESTED {
                suggested.clear();
            }
            let near = suggested.entry(wanted).or_insert_with_key(|wanted| site.near(wanted));
            let is_itself = |near: &Near| near.path().as_bytes() == site.tree.path(file);
            links.near.extend(near.clone().filter(|near| !is_itself(near)).map(|near| (index, near)));
        }
        if !is_usual(target, text, site) {
            links.unusual.push(index as u32);
        }
        links.targets.push(target);
    }
}

/// Whether a reference is no more than the path of a file that answers it at once: it names no scheme and no host, holds no
/// spaces and backslashes, and asks a directory's page for nothing.
fn is_usual(target: Target, text: &str, site: &Site<'_>) -> bool {
    let bytes = text.as_bytes();
    let leads_there = match target {
        Target::File { route: Route::Exact, .. } => true,
        Target::File { route: Route::Index, .. } => {
            site.resolver.host().keeps_slash() && memchr::memchr(b'?', bytes).is_none()
        }
        _ => false,
    };
    leads_there
        && bytes.first().is_some_and(|first| *first > b' ')
        && !bytes.starts_with(b"//")
        && memchr::memchr3(b' ', b':', b'\\', bytes).is_none()
}

/// Where a reference leads, from what kind it is and what it says.
fn target(site: &Site<'_>, kind: ReferenceKind, text: &str, base: &Base, memo: &mut Memo) -> Target {
    match text.bytes().find(|byte| *byte > b' ') {
        None if kind.role().needs_value() => return Target::Empty,
        // In a style sheet `url(#id)` means an element of the document that uses it.
        Some(b'#') if kind.is_css() => return Target::Unchecked,
        _ => {}
    }
    // A live site is not asked for what a form posts to.
    if kind.is_posted() && site.live().is_some() {
        return Target::Unchecked;
    }
    match memo.resolve(text, |paths| site.resolver.resolve(base, text, paths)) {
        Target::Missing(_) if kind.is_posted() => Target::Unchecked,
        target => site.unless_page(target, kind, base, text),
    }
}
