//! One thread of a scan: reads file after file, resolves what each says, lets rules see it, and hands it to the join.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

use crate::contract::{Assertion, page_path};
use crate::diagnostic::Diagnostic;
use crate::hex::hex;
use crate::index::anchors::Anchors;
use crate::index::join::Join;
use crate::index::links::Links;
use crate::index::needs::Needs;
use crate::index::site::Site;
use crate::index::view::FileView;
use crate::parse::{self, Algorithm, Facts, Format, Kind, Page, Request, Role, damage};
use crate::pieces::each_piece;
use crate::report::FileDigest;
use crate::resolve::near::Near;
use crate::resolve::{Base, Memo, Reason, Route, Target};
use crate::rules::ruleset::Ruleset;
use crate::walk::FileId;

/// From this many bytes on, a page's memory is given back at once, since few pages are as large.
const LARGE: usize = 1 << 20;

/// From this many bytes on, only one page is in memory at a time.
const HUGE: u64 = 8 << 20;

/// Bytes of the largest file that is read for references.
const LARGEST: u64 = 2 << 30;

/// Missing paths whose suggestions a worker keeps.
const MAX_SUGGESTED: usize = 10_000;

/// Has the scripts read that a page runs.
pub(super) type AskForScripts<'a> = dyn Fn(&FileView<'_>) + Sync + 'a;

/// What all workers share.
pub(super) struct Shared<'w> {
    pub site: &'w Site<'w>,
    pub rules: &'w Ruleset,
    pub needs: &'w Needs,
    pub anchors: &'w Anchors,
    /// Whether every file is hashed for a seal.
    pub digest: bool,
    /// Held by the worker that has a page of [`HUGE`] size.
    pub huge: &'w Mutex<()>,
}

/// What a worker found beside the index.
#[derive(Default)]
pub(super) struct Gathered {
    pub diagnostics: Vec<Diagnostic>,
    pub unread: Vec<String>,
    pub digests: Vec<(FileId, FileDigest)>,
}

impl Gathered {
    pub fn merge(&mut self, other: Gathered) {
        self.add(other.diagnostics);
        self.unread.extend(other.unread);
        self.digests.extend(other.digests);
    }

    /// Adds findings; the longer of the two lists is not copied.
    pub fn add(&mut self, mut more: Vec<Diagnostic>) {
        if more.len() > self.diagnostics.len() {
            std::mem::swap(&mut more, &mut self.diagnostics);
        }
        self.diagnostics.append(&mut more);
    }
}

/// One thread of a scan, with the memory that it uses again from file to file.
pub(super) struct Worker<'w> {
    shared: &'w Shared<'w>,
    join: Join<'w>,
    found: Gathered,
    page: Page,
    links: Links,
    memo: Memo,
    /// What was suggested for paths that are not there, since many pages often share one mistake.
    suggested: HashMap<Vec<u8>, Option<Near>>,
}

impl<'w> Worker<'w> {
    pub fn new(shared: &'w Shared<'w>) -> Self {
        Worker {
            shared,
            join: Join::new(shared.site, shared.needs, shared.anchors),
            found: Gathered::default(),
            page: Page::default(),
            links: Links::default(),
            memo: Memo::default(),
            suggested: HashMap::new(),
        }
    }

    pub fn finish(self) -> (Join<'w>, Gathered) {
        (self.join, self.found)
    }

    /// Takes one file through all stages up to the join.
    pub fn file(&mut self, file: FileId, ask: &AskForScripts<'_>) {
        let Shared { site, needs, digest, .. } = *self.shared;
        let format = site.format(file);
        let named_by = needs.wanted.digest_of(site.tree.path(file));
        if format == Format::Other {
            return self.opaque(file, named_by, ask);
        }
        let mut alone = None;
        let content = match self.content(file, &mut alone) {
            Ok(content) => content,
            Err(error) => return self.unread(file, &error),
        };
        if digest {
            let digest = FileDigest { size: content.len() as u64, sha256: Sha256::digest(&content).into() };
            self.found.digests.push((file, digest));
        }
        let assertions = &site.contract.assertions;
        let path = match format {
            Format::Html if !assertions.is_empty() => page_path(&site.tree.display(file)),
            _ => String::new(),
        };
        let selected: Vec<(usize, &Assertion)> = match format {
            Format::Html => assertions.iter().enumerate().filter(|(_, a)| a.pages.contains(&path)).collect(),
            _ => Vec::new(),
        };
        let damage = needs.damage.then(|| {
            let length = content.len() as u64;
            damage(site.tree.path(file), &mut Cursor::new(&content), length)
        });
        let request = Request { format, selected: &selected, wanted: &needs.wanted, digest: named_by };
        let read = parse::read(&mut self.page, content, &request);
        self.page.facts.damage = damage.and_then(Result::ok).flatten();
        match read {
            Ok(()) => self.see(file, &path, &selected, ask),
            Err(reason) => self.unread(file, &reason),
        }
        if self.page.source.len() > LARGE {
            self.page = Page::default();
        }
    }

    /// Looks at a file that says nothing: at its first bytes, and where its digest is asked for, at all of them, a piece
    /// at a time.
    fn opaque(&mut self, file: FileId, named_by: Option<Algorithm>, ask: &AskForScripts<'_>) {
        let Shared { site, needs, digest, .. } = *self.shared;
        let look = || {
            let mut opened = File::open(site.tree.disk_path(file))?;
            let mut length = opened.metadata()?.len();
            let (mut sealed, mut named) = (Sha256::new(), named_by.map(Algorithm::begin));
            if digest || named.is_some() {
                length = each_piece(&mut opened, |piece| {
                    if digest {
                        sealed.update(piece);
                    }
                    if let Some(named) = &mut named {
                        named.update(piece);
                    }
                })?;
                opened.rewind()?;
            }
            let damage = match needs.damage {
                true => damage(site.tree.path(file), &mut opened, length)?,
                false => None,
            };
            let digest = digest.then(|| FileDigest { size: length, sha256: sealed.finalize().into() });
            Ok((digest, named.map(|named| hex(&named.finalize())), damage))
        };
        let look: io::Result<_> = look();
        match look {
            Ok((digest, named, damage)) => {
                self.found.digests.extend(digest.map(|digest| (file, digest)));
                if named.is_some() || damage.is_some() {
                    self.page.clear();
                    self.page.facts.damage = damage;
                    self.page.facts.digest = named;
                    self.see(file, "", &[], ask);
                }
            }
            Err(error) => self.unread(file, &error),
        }
    }

    /// Reads a file into the room of the one before. Of huge ones only one is in memory at a time: `alone` is held
    /// for as long.
    fn content(&mut self, file: FileId, alone: &mut Option<MutexGuard<'w, ()>>) -> io::Result<Vec<u8>> {
        let mut content = self.page.source.take();
        let mut opened = File::open(self.shared.site.tree.disk_path(file))?;
        let length = opened.metadata()?.len();
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
        Ok(content)
    }

    fn unread(&mut self, file: FileId, error: &dyn std::fmt::Display) {
        self.found.unread.push(format!("{}: {error}", self.shared.site.tree.display(file)));
    }

    /// Resolves what the file at hand says, joins it, and lets the rules see it.
    fn see(&mut self, file: FileId, path: &str, selected: &[(usize, &Assertion)], ask: &AskForScripts<'_>) {
        let Shared { site, rules, .. } = *self.shared;
        let facts = &self.page.facts;
        let base = site.resolver.base(file, facts.base.map(|href| facts.text(href)));
        resolve(site, (file, facts), &base, &mut self.links, &mut self.memo, &mut self.suggested);
        let view = FileView { file, facts, links: &self.links, site, base: &base, path, selected };
        ask(&view);
        self.join.add(&view);
        for rule in rules.active() {
            rule.check_file(&view, &mut self.found.diagnostics);
        }
    }
}

/// Gives every reference its target, and suggests another to those that lead nowhere.
fn resolve(
    site: &Site<'_>,
    (file, facts): (FileId, &Facts),
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
            _ if reference.kind.role == Role::Connect => Target::Unchecked,
            None => Target::Empty,
            Some(_) => {
                links.resolved += 1;
                match target(site, reference.kind, text, base, memo) {
                    // It has no address of its own, whatever a generator makes it say.
                    Target::Missing(_) if is_error_page && reference.kind.role == Role::Relate => {
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
fn target(site: &Site<'_>, kind: &Kind, text: &str, base: &Base, memo: &mut Memo) -> Target {
    match text.bytes().find(|byte| *byte > b' ') {
        None if kind.role.needs_value() => return Target::Empty,
        // In a style sheet `url(#id)` means an element of the document that uses it.
        Some(b'#') if kind.element == "css" => return Target::Unchecked,
        _ => {}
    }
    match memo.resolve(text, |paths| site.resolver.resolve(base, text, paths)) {
        Target::Missing(_) if kind.is_posted() => Target::Unchecked,
        target => site.unless_page(target, kind, base, text),
    }
}
