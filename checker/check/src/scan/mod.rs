//! Reads and parses every file in parallel, lets rules see each page, and joins what they have in common.

pub mod progress;

use std::collections::BTreeMap;
use std::fs::File;
use std::hash::BuildHasher;
use std::io::Read;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::quality::FixedState;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::contract::{Assertion, page_path};
use crate::diagnostic::Diagnostic;
use crate::index::FileView;
use crate::index::facts::{self, Alternate, BrokenClaim, Canonical, Claim, IndexLink, PageFacts, Usage};
use crate::index::{Anchors, Fragments, Index, Jump, PageView, SharedValue, Site, TextJump};
use crate::nearest::nearest_id;
use crate::parse::ignores::{self, Note};
use crate::parse::{self, Format, Kind, Malformed, Noticed, Page, Role, Source, kinds};
use crate::report::FileDigest;
use crate::resolve::{self, Base, Route, Target};
use crate::rules::Ruleset;
use crate::rules::rule::Keeps;
use crate::walk::FileId;

/// What a scan yields.
pub(crate) struct Scan {
    pub diagnostics: Vec<Diagnostic>,
    pub links: usize,
    pub unread: Vec<String>,
    /// The exceptions written in the files, in the order of places.
    pub notes: Vec<(FileId, Note)>,
    /// One for each file, where they were asked for.
    pub digests: Vec<FileDigest>,
    /// For each file, how many other files refer to it.
    pub inbound: Vec<u32>,
}

/// Files that a worker takes at a time.
const CHUNK: usize = 16;

/// Bytes of a page whose room is given back at once, since few are as large.
const LARGE: usize = 1 << 20;

/// Bytes of a page from which on only one is in memory at a time.
const HUGE: u64 = 8 << 20;

/// Suggestions for fragments cost a second look at their targets, so only so many get one.
const MAX_SUGGESTIONS: usize = 100;

/// Fewer fragments that wait for their pages are not worth another look at them.
const MIN_PENDING: usize = 4096;

/// One thread's share.
#[derive(Default)]
struct Share {
    diagnostics: Vec<Diagnostic>,
    /// Fragments that lead nowhere.
    dangling: Vec<Jump>,
    /// Fragments of pages that were not parsed yet when they were met.
    pending: Vec<Jump>,
    fragments: Fragments,
    texts: Vec<TextJump>,
    loads: BTreeMap<FileId, Vec<FileId>>,
    shared: Vec<SharedValue>,
    facts: Vec<PageFacts>,
    alternates: Vec<Alternate>,
    index_links: BTreeMap<FileId, IndexLink>,
    claims: Vec<Claim>,
    links: usize,
    unread: Vec<String>,
    notes: Vec<(FileId, Note)>,
    digests: Vec<(FileId, FileDigest)>,
}

/// Scans all files of the site. With `digest`, every file's content is hashed from the very bytes that are
/// checked.
pub(crate) fn scan(site: &Site<'_>, rules: &Ruleset, digest: bool, progress: &progress::Progress) -> Scan {
    let anchors = Anchors::new(site.tree.len());
    let inbound: Vec<AtomicU32> = site.tree.ids().map(|_| AtomicU32::new(0)).collect();
    let usage = Usage::new(site.tree.len());
    let next = AtomicUsize::new(0);
    let huge = Mutex::new(());
    progress.total.store(site.tree.len(), Ordering::Relaxed);
    let shares = rayon::broadcast(|_| {
        let mut worker = Worker {
            site,
            rules,
            anchors: &anchors,
            inbound: &inbound,
            counted_for: vec![FileId::MAX; site.tree.len()],
            usage: &usage,
            digest,
            keeps: rules.keeps(),
            page: Page::default(),
            buffer: Vec::new(),
            share: Share::default(),
            settle_at: MIN_PENDING,
            huge: &huge,
            alone: None,
        };
        loop {
            let start = next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= site.tree.len() {
                return worker.share;
            }
            for file in start..(start + CHUNK).min(site.tree.len()) {
                worker.file(file as FileId);
                if worker.page.source.len() > LARGE {
                    worker.page = Page::default();
                }
                worker.alone = None;
                progress.done.fetch_add(1, Ordering::Relaxed);
            }
        }
    });

    let mut all = Share::default();
    for share in shares {
        all.diagnostics.extend(share.diagnostics);
        all.dangling.extend(share.dangling);
        all.dangling.extend(share.pending.into_iter().filter(|jump| anchors.answers(jump) != Some(true)));
        all.fragments.extend(share.fragments);
        all.texts.extend(share.texts);
        all.loads.extend(share.loads);
        all.shared.extend(share.shared);
        all.facts.extend(share.facts);
        all.alternates.extend(share.alternates);
        all.claims.extend(share.claims);
        for (target, link) in share.index_links {
            let first = all.index_links.entry(target).or_insert_with(|| link.clone());
            if (link.file, link.span.start) < (first.file, first.span.start) {
                *first = link;
            }
        }
        all.links += share.links;
        all.unread.extend(share.unread);
        all.notes.extend(share.notes);
        all.digests.extend(share.digests);
    }
    drop(anchors);
    all.dangling.sort_unstable_by_key(|jump| (jump.file, jump.span.start));
    all.texts.sort_by_key(|jump| (jump.file, jump.span.start));
    all.shared.sort_by_key(|value| (value.assertion, value.file, value.span.start));
    all.facts.sort_unstable_by_key(|facts| facts.file);
    all.alternates.sort_by_key(|alternate| (alternate.file, alternate.span.start));
    let broken_claims = verify(site, all.claims, &mut all.unread);
    all.unread.sort();
    all.notes.sort_by_key(|(file, note)| (*file, note.span.start, note.span.end));
    all.digests.sort_unstable_by_key(|(file, _)| *file);
    let near = suggest_anchors(site, &all.dangling, &all.fragments);

    let index = Index {
        site,
        dangling: all.dangling,
        near,
        fragments: all.fragments,
        texts: all.texts,
        loads: all.loads,
        shared: all.shared,
        facts: all.facts,
        alternates: all.alternates,
        index_links: all.index_links,
        broken_claims,
        usage,
    };
    let rules = rules.active();
    let found: Vec<Vec<Diagnostic>> = rules
        .par_iter()
        .map(|rule| {
            let mut found = Vec::new();
            rule.check_site(&index, &mut found);
            found
        })
        .collect();
    // The longest list is not copied.
    for mut found in found {
        if found.len() > all.diagnostics.len() {
            std::mem::swap(&mut found, &mut all.diagnostics);
        }
        all.diagnostics.append(&mut found);
    }
    Scan {
        diagnostics: all.diagnostics,
        links: all.links,
        unread: all.unread,
        notes: all.notes,
        digests: all.digests.into_iter().map(|(_, digest)| digest).collect(),
        inbound: inbound.into_iter().map(AtomicU32::into_inner).collect(),
    }
}

struct Worker<'w> {
    site: &'w Site<'w>,
    rules: &'w Ruleset,
    anchors: &'w Anchors,
    inbound: &'w [AtomicU32],
    /// The last file that each target was counted for, so that a file counts once however often it refers.
    counted_for: Vec<FileId>,
    usage: &'w Usage,
    digest: bool,
    keeps: Keeps,
    page: Page,
    buffer: Vec<u8>,
    share: Share,
    /// How many pending fragments are worth another look.
    settle_at: usize,
    /// Held by who has a page of [`HUGE`] size.
    huge: &'w Mutex<()>,
    alone: Option<MutexGuard<'w, ()>>,
}

impl Worker<'_> {
    fn file(&mut self, file: FileId) {
        let format = self.site.format(file);
        let readers = self.rules.readers(self.site.tree.path(file));
        if format == Format::Other && !self.digest && readers.is_empty() {
            return;
        }
        self.page.clear(file);
        let mut content = self.page.source.take();
        let read = File::open(self.site.tree.disk_path(file)).and_then(|mut opened| {
            if format != Format::Other && opened.metadata()?.len() > HUGE {
                self.alone = Some(self.huge.lock().unwrap_or_else(PoisonError::into_inner));
            }
            content.clear();
            opened.read_to_end(&mut content)
        });
        if let Err(error) = read {
            self.unread(file, &error);
            return;
        }
        if self.digest {
            let digest = FileDigest { size: content.len() as u64, sha256: Sha256::digest(&content).into() };
            self.share.digests.push((file, digest));
        }
        let view = FileView { site: self.site, file, content: &content };
        for rule in readers {
            rule.check_file(&view, &mut self.share.diagnostics);
        }
        if format == Format::Other {
            self.page.source = Source::Bytes(content);
            return;
        }
        if content.len() > u32::MAX as usize / 2 {
            self.unread(file, &"larger than 2 GiB");
            return;
        }
        self.page.about.has_bom = parse::has_bom(&content);
        self.page.source = Source::decoded(content);
        let notes = ignores::notes(format, &self.page.source);
        self.share.notes.extend(notes.into_iter().map(|note| (file, note)));
        match format {
            Format::Html => self.html(),
            Format::Css => self.css(),
            Format::Svg => self.data("SVG", parse::parse_xml),
            Format::Xml => self.data("XML", parse::parse_xml),
            Format::Manifest => self.data("manifest", parse::parse_manifest),
            Format::Robots => {
                parse::parse_robots(&mut self.page);
                self.beside_pages();
            }
            Format::Other => {}
        }
    }

    fn unread(&mut self, file: FileId, error: &dyn std::fmt::Display) {
        self.share.unread.push(format!("{}: {error}", self.site.tree.display(file)));
    }

    fn html(&mut self) {
        let file = self.page.file;
        let assertions = &self.site.contract.assertions;
        let path = match assertions.is_empty() {
            true => String::new(),
            false => page_path(&self.site.tree.display(file)),
        };
        let selected: Vec<(usize, &Assertion)> =
            assertions.iter().enumerate().filter(|(_, a)| a.pages.contains(&path)).collect();
        if let Err(error) = parse::parse_html(&mut self.page, &selected) {
            self.unread(file, &error);
            return;
        }
        self.page.about.repeats_ids = self.anchors.define(&self.page);
        let document = self.site.resolver.document(file);
        let base = match self.page.base.map(|href| self.page.str(href)) {
            Some(href) => self.site.resolver.with_base_element(&document, href),
            None => document,
        };
        self.resolve(&base);
        self.compare(&selected);
        self.rules(&base, &path, &selected);
        self.keep_facts();
    }

    fn css(&mut self) {
        let source = std::mem::take(&mut self.page.source);
        let sheet = String::from_utf8_lossy(&source);
        let page = &mut self.page;
        parse::css::urls(&sheet, |css_use, url, span| {
            page.push_css(kinds::css(css_use), url, span.start as u32..span.end as u32);
        });
        drop(sheet);
        self.page.source = source;
        self.beside_pages();
    }

    /// A file that a parser of its own takes references from.
    fn data(&mut self, what: &'static str, parse: fn(&mut Page) -> Result<(), (String, u32)>) {
        if let Err((reason, at)) = parse(&mut self.page) {
            self.page.malformed.push(Malformed { what, reason, span: at..at });
        }
        self.anchors.define(&self.page);
        self.beside_pages();
    }

    /// What follows the parse of a file that is no page.
    fn beside_pages(&mut self) {
        let base = self.site.resolver.document(self.page.file);
        self.resolve(&base);
        self.rules(&base, "", &[]);
    }

    /// Gives every reference its target, and looks its fragment up.
    fn resolve(&mut self, base: &Base) {
        let mut references = std::mem::take(&mut self.page.references);
        for reference in &mut references {
            let Some(value) = reference.value else { continue };
            if reference.kind.role == Role::Connect {
                continue;
            }
            self.share.links += 1;
            let text = self.page.str(value);
            reference.target = target(self.site, reference.kind, text, base, &mut self.buffer);
            if let Target::File { file, .. } = reference.target {
                count_inbound(self.inbound, &mut self.counted_for, self.page.file, file);
            }
            mark(self.usage, &mut self.share.index_links, self.page.file, reference, text);
            if let Target::File { file, .. } = reference.target
                && reference.kind.follows_fragment()
                && matches!(self.site.format(file), Format::Html | Format::Svg)
                && let Some(fragment) = resolve::fragment(text)
            {
                let jump = self.anchors.jump(self.page.file, reference.span.clone(), file, &fragment);
                let answer = self.anchors.answers(&jump);
                if answer == Some(true) || fragment.is_top() {
                    continue;
                }
                jump.keep(&fragment, &mut self.share.fragments);
                match answer {
                    Some(_) => self.share.dangling.push(jump),
                    None => self.share.pending.push(jump),
                }
            }
        }
        self.page.references = references;
        if self.share.pending.len() >= self.settle_at {
            self.settle();
        }
    }

    /// Decides the fragments whose pages were parsed meanwhile, so that not all have to be kept to the end.
    fn settle(&mut self) {
        let Share { pending, dangling, .. } = &mut self.share;
        pending.retain(|jump| {
            let answer = self.anchors.answers(jump);
            if answer == Some(false) {
                dangling.push(jump.clone());
            }
            answer.is_none()
        });
        self.settle_at = (pending.len() * 2).max(MIN_PENDING);
    }

    /// Keeps what the page says of itself, for rules that compare pages.
    fn keep_facts(&mut self) {
        let page = &self.page;
        let (file, about) = (page.file, &page.about);
        let target_of = |index: usize| match page.references.get(index).map(|reference| reference.target) {
            Some(Target::File { file, .. }) => Some(file),
            _ => None,
        };
        let span_of = |index: usize| page.references.get(index).map_or(0..0, |r| r.span.clone());
        for (index, language) in &about.alternates {
            let (target, span) = (target_of(*index), span_of(*index));
            self.share.alternates.push(Alternate { file, language: language.clone(), target, span });
        }
        for note in &about.notes {
            if let Noticed::Integrity(index, value) = &note.what
                && let Some(target) = target_of(*index)
            {
                let (span, value) = (note.span.clone(), value.as_str().into());
                self.share.claims.push(Claim { file, span, target, value });
            }
        }
        let canonical = match about.canonicals.first() {
            None => Canonical::None,
            Some(&index) => match target_of(index) {
                Some(target) => Canonical::Own(target, span_of(index)),
                None => Canonical::Elsewhere,
            },
        };
        let title = page.title();
        let redirects = |reference: &parse::Reference| {
            std::ptr::eq(reference.kind, &kinds::REFRESH)
                && !matches!(reference.target, Target::File { file: target, .. } if target == file)
        };
        self.share.facts.push(PageFacts {
            file,
            title: (!title.is_empty())
                .then(|| (FixedState::default().hash_one(&title), about.title.clone().unwrap_or_default())),
            canonical,
            noindex: about.noindex,
            redirects: about.refreshes && page.references.iter().any(redirects),
            is_part: page.is_part(),
        });
    }

    /// Keeps the values that the contract compares across pages.
    fn compare(&mut self, selected: &[(usize, &Assertion)]) {
        for (index, assertion) in selected {
            for attribute in &assertion.same {
                for found in self.page.matches.iter().filter(|found| found.assertion == *index) {
                    let value = found.attributes.iter().find(|(name, _)| name == attribute);
                    self.share.shared.push(SharedValue {
                        assertion: *index,
                        attribute: attribute.clone(),
                        value: value.map(|(_, value)| value.clone()),
                        file: self.page.file,
                        span: found.span.clone(),
                    });
                }
            }
        }
    }

    /// Keeps what only some rules need.
    fn keep(&mut self) {
        let Keeps { loads, texts } = self.keeps;
        let page = &self.page;
        let leads = page.references.iter().filter_map(|reference| match reference.target {
            Target::File { file, .. } => Some((reference, file)),
            _ => None,
        });
        if loads {
            let loaded = leads.clone().filter(|(reference, _)| reference.kind.is_loaded());
            let mut files: Vec<FileId> =
                loaded.map(|(_, file)| file).filter(|file| *file != page.file).collect();
            files.sort_unstable();
            files.dedup();
            if !files.is_empty() {
                self.share.loads.insert(page.file, files);
            }
        }
        if texts {
            let jumps = leads.filter(|(reference, target)| {
                reference.kind.role == Role::Navigate && self.site.format(*target) == Format::Html
            });
            self.share.texts.extend(jumps.filter_map(|(reference, target)| {
                let (_, directive) = page.str(reference.value?).split_once(":~:")?;
                let span = reference.span.clone();
                Some(TextJump { file: page.file, target, span, directive: directive.trim_end().into() })
            }));
        }
    }

    fn rules(&mut self, base: &Base, path: &str, selected: &[(usize, &Assertion)]) {
        self.keep();
        let view = PageView { page: &self.page, site: self.site, base, path, selected };
        for rule in self.rules.active() {
            rule.check_page(&view, &mut self.share.diagnostics);
        }
    }
}

/// Keeps what cross-page rules ask of a reference: marks on its target, nothing for itself.
fn mark(
    usage: &Usage,
    index_links: &mut BTreeMap<FileId, IndexLink>,
    file: FileId,
    reference: &parse::Reference,
    text: &str,
) {
    let Target::File { file: target, route } = reference.target else { return };
    if target == file {
        return;
    }
    usage.mark(reference.kind, &reference.target);
    if route == Route::Exact && reference.kind.role == Role::Navigate {
        let end = memchr::memchr2(b'?', b'#', text.as_bytes()).unwrap_or(text.len());
        if text[..end].ends_with("index.html") {
            let span = reference.span.clone();
            index_links.entry(target).or_insert(IndexLink { file, span });
        }
    }
}

/// Counts a file once for each other file that refers to it; `last` remembers which of them did so last.
fn count_inbound(inbound: &[AtomicU32], last: &mut [FileId], file: FileId, target: FileId) {
    let last = &mut last[target as usize];
    if target != file && *last != file {
        *last = file;
        inbound[target as usize].fetch_add(1, Ordering::Relaxed);
    }
}

/// Where a reference leads, from what kind it is and what it says.
fn target(site: &Site<'_>, kind: &Kind, text: &str, base: &Base, buffer: &mut Vec<u8>) -> Target {
    let trimmed = text.trim_matches(|c: char| c <= ' ');
    if trimmed.is_empty() && kind.role.needs_value() {
        return Target::Empty;
    }
    // In a style sheet `url(#id)` means an element of the document that uses it.
    if kind.element == "css" && trimmed.starts_with('#') {
        return Target::Unchecked;
    }
    site.resolver.resolve(base, text, buffer)
}

/// Reads a whole file into a buffer that is kept from file to file.
fn read(site: &Site<'_>, file: FileId, buffer: &mut Vec<u8>) -> std::io::Result<()> {
    buffer.clear();
    File::open(site.tree.disk_path(file))?.read_to_end(buffer)?;
    Ok(())
}

/// Hashes each file that an `integrity` attribute is about, once, and gives the claims that do not hold.
fn verify(site: &Site<'_>, mut claims: Vec<Claim>, unread: &mut Vec<String>) -> Vec<BrokenClaim> {
    claims.sort_by_key(|claim| (claim.target, claim.file, claim.span.start));
    let mut broken = Vec::new();
    let mut content = Vec::new();
    for claims in claims.chunk_by(|a, b| a.target == b.target) {
        if let Err(error) = read(site, claims[0].target, &mut content) {
            unread.push(format!("{}: {error}", site.tree.display(claims[0].target)));
            continue;
        }
        let mut known: BTreeMap<&str, Result<(), Option<String>>> = BTreeMap::new();
        for claim in claims {
            let result = known.entry(&claim.value).or_insert_with(|| facts::verify(&claim.value, &content));
            if let Err(actual) = result {
                broken.push(BrokenClaim { claim: claim.clone(), actual: actual.clone() });
            }
        }
    }
    broken.sort_by_key(|broken| (broken.claim.file, broken.claim.span.start));
    broken
}

/// Finds the id that a dangling fragment most likely means, by a second look at its target.
fn suggest_anchors(site: &Site<'_>, dangling: &[Jump], fragments: &Fragments) -> BTreeMap<usize, String> {
    let first = &dangling[..dangling.len().min(MAX_SUGGESTIONS)];
    let near = |page: &mut Page, (at, jump): (usize, &Jump)| {
        if page.file != jump.target || page.source.is_empty() {
            site.load(jump.target, page).ok()?;
            parse::parse_html(page, &[]).ok()?;
        }
        let ids = page.ids.iter().map(|(id, _)| page.str(*id));
        Some((at, nearest_id(fragments.get(&jump.decoded)?, ids)?.to_owned()))
    };
    first.par_iter().enumerate().map_init(Page::default, near).flatten().collect()
}
