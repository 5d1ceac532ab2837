//! How each file of the export is referred to, and by how many others.

use std::collections::BTreeMap;
use std::ops::Range;

use super::view::FileView;
use crate::parse::{Reference, ReferenceKind, Role};
use crate::resolve::{Route, Target};
use crate::walk::FileId;

/// A link that spells out `index.html`.
#[derive(Clone, Debug)]
pub struct IndexLink {
    /// The page that links.
    pub file: FileId,
    /// The reference there.
    pub span: Range<u32>,
}

/// How each file is referred to. A file's references to itself do not count.
#[derive(Clone)]
pub struct Usage {
    targets: Vec<Inbound>,
    /// The first link to each directory that spells out `index.html`, by the file it leads to.
    pub index_links: BTreeMap<FileId, IndexLink>,
}

/// What is known of one target. On a large site each is looked up where no cache has it: so all is in one place, and small.
#[derive(Clone, Copy)]
struct Inbound {
    /// The last file that it was counted for, so that a file counts once however often it refers.
    counted_for: FileId,
    /// How many files refer to it, and its marks behind [`Inbound::COUNT`].
    count_and_marks: u32,
}

impl Inbound {
    /// The bits of the count, which goes no further than what they hold.
    const COUNT: u32 = (1 << 26) - 1;

    fn count(self) -> u32 {
        self.count_and_marks & Self::COUNT
    }

    fn add(&mut self, more: u32) {
        self.count_and_marks += more.min(Self::COUNT - self.count());
    }

    fn marks(self) -> u8 {
        (self.count_and_marks >> Self::COUNT.count_ones()) as u8
    }

    fn mark(&mut self, marks: u8) {
        self.count_and_marks |= u32::from(marks) << Self::COUNT.count_ones();
    }
}

impl Usage {
    /// A reader or a page gets there by a reference.
    pub const LINKED: u8 = 1;
    /// Something refers to it, even if only in metadata.
    pub const USED: u8 = 2;
    /// A link leads there by its directory's name.
    pub const AS_FOLDER: u8 = 4;
    /// A sitemap lists it.
    pub const LISTED: u8 = 8;
    /// It is shown as a document, and not only as a picture: a reader goes there, or it is a part of a page.
    pub const OPENED: u8 = 16;
    /// A page shows it in a frame.
    pub const FRAMED: u8 = 32;

    pub(super) fn new(files: usize) -> Self {
        Usage {
            targets: vec![Inbound { counted_for: FileId::MAX, count_and_marks: 0 }; files],
            index_links: BTreeMap::new(),
        }
    }

    /// Takes in a reference to a file, with its text.
    pub(super) fn add(
        &mut self,
        file: FileId,
        reference: &Reference,
        text: &str,
        (target, route): (FileId, Route),
    ) {
        if target == file {
            return;
        }
        let inbound = &mut self.targets[target as usize];
        inbound.mark(mark(reference.kind, route));
        if inbound.counted_for != file {
            inbound.counted_for = file;
            inbound.add(1);
        }
        if spells_out_index(reference, text, route) {
            let span = reference.span.clone();
            self.index_links.entry(target).or_insert(IndexLink { file, span });
        }
    }

    /// Takes in all references of a file, as they were summed up.
    pub(super) fn add_again(&mut self, file: FileId, uses: &FileUses) {
        for &(target, marks) in &uses.targets {
            let inbound = &mut self.targets[target as usize];
            inbound.mark(marks);
            inbound.add(1);
        }
        for (target, span) in &uses.index_links {
            self.index_links.entry(*target).or_insert_with(|| IndexLink { file, span: span.clone() });
        }
    }

    /// Puts what a file refers to in the place of what it did before. Says false and does nothing where it refers to other files
    /// than before, so that all have to be asked.
    pub(super) fn replace(&mut self, file: FileId, old: &FileUses, new: &FileUses) -> bool {
        let targets =
            |uses: &FileUses| uses.index_links.iter().map(|(target, _)| *target).collect::<Vec<_>>();
        if old.targets != new.targets || targets(old) != targets(new) {
            return false;
        }
        for ((target, old), (_, new)) in old.index_links.iter().zip(&new.index_links) {
            if let Some(first) = self.index_links.get_mut(target)
                && (first.file, &first.span) == (file, old)
            {
                first.span = new.clone();
            }
        }
        true
    }

    /// Takes in what a script loads. It is counted once for each file, by whoever calls.
    pub(super) fn add_load(&mut self, file: FileId, kind: ReferenceKind, (target, route): (FileId, Route)) {
        if target != file {
            self.targets[target as usize].mark(mark(kind, route));
            self.targets[target as usize].add(1);
        }
    }

    /// Takes in what another thread has counted, of other files.
    pub(super) fn merge(&mut self, other: Usage) {
        for (inbound, more) in self.targets.iter_mut().zip(other.targets) {
            inbound.mark(more.marks());
            inbound.add(more.count());
        }
        for (target, link) in other.index_links {
            let first = self.index_links.entry(target).or_insert_with(|| link.clone());
            if (link.file, link.span.start) < (first.file, first.span.start) {
                *first = link;
            }
        }
    }

    /// Whether a file has this mark.
    pub fn has(&self, file: FileId, mark: u8) -> bool {
        self.targets[file as usize].marks() & mark != 0
    }

    /// For each file, how many other files refer to it.
    pub fn into_inbound(self) -> Vec<u32> {
        self.targets.into_iter().map(Inbound::count).collect()
    }
}

/// What the references of one file come to: the other files that they lead to, each once.
#[derive(Debug)]
pub(super) struct FileUses {
    targets: Box<[(FileId, u8)]>,
    /// The links to directories that spell out `index.html`.
    index_links: Box<[(FileId, Range<u32>)]>,
}

impl FileUses {
    pub fn of(view: &FileView<'_>) -> FileUses {
        let mut targets: Vec<(FileId, u8)> = Vec::new();
        let mut index_links = Vec::new();
        for (reference, target) in view.references() {
            let Target::File { file: target, route } = target else { continue };
            if target != view.file {
                targets.push((target, mark(reference.kind, route)));
                let text = reference.value.map_or("", |value| view.text(value));
                if spells_out_index(reference, text, route) {
                    index_links.push((target, reference.span.clone()));
                }
            }
        }
        targets.sort_unstable();
        targets.dedup_by(|more, known| {
            let is_same = more.0 == known.0;
            known.1 |= if is_same { more.1 } else { 0 };
            is_same
        });
        FileUses { targets: targets.into(), index_links: index_links.into() }
    }
}

/// Whether a link to a directory's page says `index.html`.
fn spells_out_index(reference: &Reference, text: &str, route: Route) -> bool {
    route == Route::Exact && reference.kind.role() == Role::Navigate && {
        let end = memchr::memchr2(b'?', b'#', text.as_bytes()).unwrap_or(text.len());
        text[..end].ends_with("index.html")
    }
}

/// What a reference makes of the file that it leads to.
fn mark(kind: ReferenceKind, route: Route) -> u8 {
    let mut mark = Usage::USED;
    match kind.role() {
        _ if kind == ReferenceKind::SitemapLoc => mark |= Usage::LISTED,
        Role::Navigate | Role::Load | Role::Perhaps => mark |= Usage::LINKED,
        Role::Cite if kind.is_form() => mark |= Usage::LINKED,
        _ => {}
    }
    let is_frame = matches!(
        kind,
        ReferenceKind::Iframe | ReferenceKind::Frame | ReferenceKind::Object | ReferenceKind::Embed
    );
    if is_frame {
        mark |= Usage::FRAMED;
    }
    if kind.role() == Role::Navigate || is_frame || kind == ReferenceKind::SvgUse || kind.is_script() {
        mark |= Usage::OPENED;
    }
    if kind.role() == Role::Navigate && route == Route::Index {
        mark |= Usage::AS_FOLDER;
    }
    mark
}
