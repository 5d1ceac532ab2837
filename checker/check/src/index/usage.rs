//! How each file of the export is referred to, and by how many others.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::parse::{Kind, Reference, Role};
use crate::resolve::Route;
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
pub struct Usage {
    marks: Vec<u8>,
    inbound: Vec<u32>,
    /// The last file that each target was counted for, so that a file counts once however often it refers.
    counted_for: Vec<FileId>,
    /// The first link to each directory that spells out `index.html`, by the file it leads to.
    pub index_links: BTreeMap<FileId, IndexLink>,
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
            marks: vec![0; files],
            inbound: vec![0; files],
            counted_for: vec![FileId::MAX; files],
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
        self.marks[target as usize] |= mark(reference.kind, route);
        if self.counted_for[target as usize] != file {
            self.counted_for[target as usize] = file;
            self.inbound[target as usize] += 1;
        }
        if route == Route::Exact && reference.kind.role == Role::Navigate {
            let end = memchr::memchr2(b'?', b'#', text.as_bytes()).unwrap_or(text.len());
            if text[..end].ends_with("index.html") {
                let span = reference.span.clone();
                self.index_links.entry(target).or_insert(IndexLink { file, span });
            }
        }
    }

    /// Takes in what a script loads. It is counted once for each file, by whoever calls.
    pub(super) fn add_load(&mut self, file: FileId, kind: &Kind, (target, route): (FileId, Route)) {
        if target != file {
            self.marks[target as usize] |= mark(kind, route);
            self.inbound[target as usize] += 1;
        }
    }

    /// Takes in what another thread has counted, of other files.
    pub(super) fn merge(&mut self, other: Usage) {
        for (mark, more) in self.marks.iter_mut().zip(other.marks) {
            *mark |= more;
        }
        for (count, more) in self.inbound.iter_mut().zip(other.inbound) {
            *count += more;
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
        self.marks[file as usize] & mark != 0
    }

    /// For each file, how many other files refer to it.
    pub fn into_inbound(self) -> Vec<u32> {
        self.inbound
    }
}

/// What a reference makes of the file that it leads to.
fn mark(kind: &Kind, route: Route) -> u8 {
    let mut mark = Usage::USED;
    match kind.role {
        _ if kind.element == "sitemap" && kind.attribute == "loc" => mark |= Usage::LISTED,
        Role::Navigate | Role::Load | Role::Perhaps => mark |= Usage::LINKED,
        Role::Cite if kind.element.starts_with("form") || kind.element.starts_with("button") => {
            mark |= Usage::LINKED
        }
        _ => {}
    }
    let is_frame = matches!(kind.element, "iframe" | "frame" | "object" | "embed");
    if is_frame {
        mark |= Usage::FRAMED;
    }
    if kind.role == Role::Navigate || is_frame || matches!(kind.element, "use" | "js") {
        mark |= Usage::OPENED;
    }
    if kind.role == Role::Navigate && route == Route::Index {
        mark |= Usage::AS_FOLDER;
    }
    mark
}
