//! Counts how often each file is referenced, and in which ways.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use sitegate_address::{SitePath, UrlReference};

use super::view::FileView;
use crate::parse::{Format, Reference, ReferenceKind, Role};
use crate::resolve::Route;
use crate::walk::FileId;

/// A link that names `index.html`.
#[derive(Clone, Debug)]
pub struct IndexLink {
    /// The page that links.
    pub file: FileId,
    /// The reference there.
    pub span: Range<u32>,
}

/// The usage of each file. References of a file to itself do not count.
#[derive(Clone)]
pub struct Usage {
    targets: Vec<Inbound>,
    /// The first link to each folder that names `index.html`, by target.
    pub index_links: BTreeMap<FileId, IndexLink>,
    /// Pages and addresses (decoded, below the root) at which links open them, although relative references resolve from
    /// another folder there.
    pub shifted: BTreeSet<(FileId, Box<[u8]>)>,
}

/// The usage of one file. Lookups on a large site miss the cache, so it is one small value.
#[derive(Clone, Copy)]
struct Inbound {
    /// The last file that was counted, so that a file counts once.
    last_counted: FileId,
    /// Number of files that refer to it, and flags in the bits above [`Inbound::COUNT`].
    count_and_flags: u32,
}

impl Inbound {
    /// Bits of the count, which saturates.
    const COUNT: u32 = (1 << 25) - 1;

    fn count(self) -> u32 {
        self.count_and_flags & Self::COUNT
    }

    fn add(&mut self, more: u32) {
        self.count_and_flags += more.min(Self::COUNT - self.count());
    }

    fn flags(self) -> u8 {
        (self.count_and_flags >> Self::COUNT.count_ones()) as u8
    }

    fn set_flags(&mut self, flags: u8) {
        self.count_and_flags |= u32::from(flags) << Self::COUNT.count_ones();
    }
}

impl Usage {
    /// A reader or a page can get there by a reference.
    pub const LINKED: u8 = 1;
    /// It is referenced at all, even if only in metadata.
    pub const USED: u8 = 2;
    /// A link names its folder.
    pub const AS_FOLDER: u8 = 4;
    /// A sitemap lists it.
    pub const LISTED: u8 = 8;
    /// It is opened as a document: by a reader, or as a part of a page. Not only shown as an image.
    pub const OPENED: u8 = 16;
    /// A page shows it in a frame.
    pub const FRAMED: u8 = 32;
    /// An element or a style sheet shows it as an image.
    pub const SHOWN: u8 = 64;

    pub(super) fn new(files: usize) -> Self {
        Usage {
            targets: vec![Inbound { last_counted: FileId::MAX, count_and_flags: 0 }; files],
            index_links: BTreeMap::new(),
            shifted: BTreeSet::new(),
        }
    }

    /// Adds the references of a file.
    pub(super) fn add(&mut self, file: FileId, uses: &FileUses) {
        for &(target, flags) in &uses.targets {
            let inbound = &mut self.targets[target as usize];
            inbound.set_flags(flags);
            if inbound.last_counted != file {
                inbound.last_counted = file;
                inbound.add(1);
            }
        }
        for (target, span) in &uses.index_links {
            self.index_links.entry(*target).or_insert_with(|| IndexLink { file, span: span.clone() });
        }
        self.shifted.extend(uses.shifted.iter().cloned());
    }

    /// Adds a load of a script. The caller counts it once for each file.
    pub(super) fn add_load(&mut self, file: FileId, kind: ReferenceKind, (target, route): (FileId, Route)) {
        if target != file {
            self.targets[target as usize].set_flags(flags_for(kind, route));
            self.targets[target as usize].add(1);
        }
    }

    /// Adds the counts of another thread.
    pub(super) fn merge(&mut self, other: Usage) {
        for (inbound, more) in self.targets.iter_mut().zip(other.targets) {
            inbound.set_flags(more.flags());
            inbound.add(more.count());
        }
        self.shifted.extend(other.shifted);
        for (target, link) in other.index_links {
            let first = self.index_links.entry(target).or_insert_with(|| link.clone());
            if (link.file, link.span.start) < (first.file, first.span.start) {
                *first = link;
            }
        }
    }

    /// Whether a file has this flag.
    pub fn has(&self, file: FileId, flags: u8) -> bool {
        self.targets[file as usize].flags() & flags != 0
    }

    /// Returns the number of other files that refer to each file.
    pub fn into_inbound(self) -> Vec<u32> {
        self.targets.into_iter().map(Inbound::count).collect()
    }
}

/// The other files that one file refers to.
#[derive(Debug, Default)]
pub(super) struct FileUses {
    /// Files, with their flags.
    targets: Vec<(FileId, u8)>,
    /// Links to folders that name `index.html`.
    index_links: Vec<(FileId, Range<u32>)>,
    /// Addresses, see [`Usage::shifted`].
    shifted: BTreeSet<(FileId, Box<[u8]>)>,
}

impl FileUses {
    /// Removes all.
    pub fn clear(&mut self) {
        self.targets.clear();
        self.index_links.clear();
        self.shifted.clear();
    }

    /// Adds a reference to a file, with its text.
    pub fn add(
        &mut self,
        view: &FileView<'_>,
        reference: &Reference,
        text: &str,
        (target, route): (FileId, Route),
    ) {
        self.shifted.extend(shifted_address(view, reference, text, target));
        if target != view.file {
            self.targets.push((target, flags_for(reference.kind, route)));
            if names_index_file(reference, text, route) {
                self.index_links.push((target, reference.span.clone()));
            }
        }
    }

    /// Returns a copy with each file once.
    pub fn distinct(&self) -> FileUses {
        let mut flags = BTreeMap::new();
        for (target, more) in &self.targets {
            *flags.entry(*target).or_default() |= more;
        }
        FileUses {
            targets: flags.into_iter().collect(),
            index_links: self.index_links.clone(),
            shifted: self.shifted.clone(),
        }
    }
}

/// Returns the target of a link with its address, if relative references of the target resolve from another folder there.
fn shifted_address(
    view: &FileView<'_>,
    reference: &Reference,
    text: &str,
    target: FileId,
) -> Option<(FileId, Box<[u8]>)> {
    let resolver = &view.site.resolver;
    let kind = reference.kind;
    let opens = || kind.role() == Role::Navigate || kind == ReferenceKind::SitemapLoc || is_frame(kind);
    if !resolver.may_shift() || !opens() || view.site.format(target) != Format::Html {
        return None;
    }
    Some((target, resolver.shifted_address(view.base, text, target)?.into()))
}

/// Whether a link to the page of a folder names `index.html`.
fn names_index_file(reference: &Reference, text: &str, route: Route) -> bool {
    route == Route::Exact
        && reference.kind.role() == Role::Navigate
        && SitePath::new(UrlReference::new(text).path()).is_index()
}

/// Whether a page shows the target in a frame.
fn is_frame(kind: ReferenceKind) -> bool {
    matches!(
        kind,
        ReferenceKind::Iframe
            | ReferenceKind::Frame
            | ReferenceKind::Object
            | ReferenceKind::Embed
            | ReferenceKind::HxGet
            | ReferenceKind::TurboFrame
    )
}

/// Returns the flags that a reference sets for its target.
fn flags_for(kind: ReferenceKind, route: Route) -> u8 {
    let mut flags = Usage::USED;
    match kind.role() {
        _ if kind == ReferenceKind::SitemapLoc => flags |= Usage::LISTED,
        Role::Navigate | Role::Load | Role::Deferred => flags |= Usage::LINKED,
        Role::Cite if kind.is_form() => flags |= Usage::LINKED,
        _ => {}
    }
    let is_frame = is_frame(kind);
    if is_frame {
        flags |= Usage::FRAMED;
    }
    if kind.role() == Role::Navigate || is_frame || kind == ReferenceKind::SvgUse || kind.is_script() {
        flags |= Usage::OPENED;
    }
    let is_image = matches!(
        kind,
        ReferenceKind::CssUrl
            | ReferenceKind::Img
            | ReferenceKind::ImgSrcset
            | ReferenceKind::Input
            | ReferenceKind::LinkIcon
            | ReferenceKind::Poster
            | ReferenceKind::SourceSrcset
            | ReferenceKind::SvgImage
    );
    if is_image {
        flags |= Usage::SHOWN;
    }
    if kind.role() == Role::Navigate && route == Route::Index {
        flags |= Usage::AS_FOLDER;
    }
    flags
}
