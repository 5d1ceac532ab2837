//! Fragments, and whether the pages that they lead to answer them.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use foldhash::quality::FixedState;

use super::site::Site;
use crate::parse::anchors::hash;
use crate::parse::{Facts, Format, Reference, ReferenceKind};
use crate::resolve::{Fragment, fragment};
use crate::walk::FileId;

/// With fewer fragments than this waiting for their pages, another look at them is not worth it.
const MIN_PENDING: usize = 4096;

/// Pages that only send readers on, one after the other, that are followed.
const MAX_HOPS: usize = 5;

/// What stands before the number in ids of lines.
const LINES: [&str; 6] = ["line", "line-", "lineno-", "L", "l", "n"];

/// A fragment that a reference asks for, as hashes (see [`Dangling::text`]).
#[derive(Clone, Debug)]
pub struct Jump {
    /// The page that refers.
    pub file: FileId,
    /// The page it leads to.
    pub target: FileId,
    /// The reference.
    pub span: Range<u32>,
    /// Whether it draws a part of the same file, and leads nobody anywhere.
    is_drawn: bool,
    /// Whether it is a line of a listing whose page has no id for a line at all: a script may give them out.
    pub is_line: bool,
    raw: u64,
    decoded: u64,
}

/// What fragments can reach in each file, told by all threads as they read.
#[derive(Default)]
pub(crate) struct Anchors {
    by_file: Vec<OnceLock<Box<[u64]>>>,
}

impl Anchors {
    pub fn new(files: usize) -> Self {
        Anchors { by_file: (0..files).map(|_| OnceLock::new()).collect() }
    }

    /// Forgets what a file has: it is another now.
    pub fn forget(&mut self, file: FileId) {
        self.by_file[file as usize] = OnceLock::new();
    }

    /// Whether the page that a fragment leads to answers it; `None` where that page is not read yet.
    fn answers(&self, jump: &Jump) -> Option<bool> {
        let defined = self.by_file[jump.target as usize].get()?;
        let has = |hash| defined.binary_search(&hash).is_ok();
        Some(has(jump.raw) || (jump.raw != jump.decoded && has(jump.decoded)))
    }
}

/// Files, of which many are looked up.
pub(super) type FileSet = HashSet<FileId, FixedState>;

/// The fragments that pages ask for and that are not answered, or not yet.
pub struct Fragments<'a> {
    anchors: &'a Anchors,
    dangling: Vec<Jump>,
    /// Those whose pages were not read yet when they were met.
    pending: Vec<Jump>,
    /// How many of those are worth another look.
    settle_at: usize,
    /// The fragments that are kept as hashes, as text.
    texts: HashMap<u64, Box<str>, FixedState>,
    /// Pages that only send readers on, fragment and all, and where to.
    handed_on: HashMap<FileId, FileId, FixedState>,
}

impl<'a> Fragments<'a> {
    pub(super) fn new(anchors: &'a Anchors) -> Self {
        Fragments {
            anchors,
            dangling: Vec::new(),
            pending: Vec::new(),
            settle_at: MIN_PENDING,
            texts: HashMap::default(),
            handed_on: HashMap::default(),
        }
    }

    /// Takes in a page that sends readers to another, with the fragment that they came with.
    pub(super) fn hand_on(&mut self, file: FileId, target: FileId) {
        self.handed_on.insert(file, target);
    }

    /// Takes in what one file defines: before what it asks for, which may be of itself.
    pub(super) fn define(&mut self, file: FileId, facts: &Facts) {
        self.anchors.by_file[file as usize].get_or_init(|| facts.anchors.as_slice().into());
        if self.pending.len() >= self.settle_at {
            self.settle();
        }
    }

    /// Takes in a reference to a file, with its text.
    pub(super) fn add(
        &mut self,
        file: FileId,
        reference: &Reference,
        text: &str,
        target: FileId,
        site: &Site<'_>,
    ) {
        if !reference.kind.follows_fragment() {
            return;
        }
        let Some(asked) = fragment(text) else { return };
        if !matches!(site.format(target), Format::Html | Format::Svg) {
            return;
        }
        let mut jump = jump(file, reference.span.clone(), target, &asked);
        jump.is_drawn = target == file && reference.kind == ReferenceKind::SvgUse;
        let answer = self.anchors.answers(&jump);
        if answer == Some(true) || asked.is_top() {
            return;
        }
        let text = || Cow::as_ref(&asked.decoded).into();
        self.texts.entry(jump.decoded).or_insert_with(text);
        match answer {
            Some(_) => self.dangling.push(jump),
            None => self.pending.push(jump),
        }
    }

    /// Decides the fragments whose pages were read meanwhile, so that not all have to be kept to the end.
    fn settle(&mut self) {
        let Fragments { anchors, dangling, pending, .. } = self;
        pending.retain(|jump| {
            let answer = anchors.answers(jump);
            if answer == Some(false) {
                dangling.push(jump.clone());
            }
            answer.is_none()
        });
        self.settle_at = (self.pending.len() * 2).max(MIN_PENDING);
    }

    pub(super) fn merge(&mut self, other: Fragments<'_>) {
        self.dangling.extend(other.dangling);
        self.pending.extend(other.pending);
        self.texts.extend(other.texts);
        self.handed_on.extend(other.handed_on);
    }

    /// Decides the rest, once every file has been read. What was never read answers nothing.
    pub(super) fn finish(self) -> Dangling {
        let Fragments { anchors, dangling: mut jumps, pending, texts, handed_on, .. } = self;
        jumps.extend(pending.into_iter().filter(|jump| anchors.answers(jump) != Some(true)));
        let mut ranges = HashMap::<u64, Option<[u64; 2]>, FixedState>::default();
        jumps.retain_mut(|jump| {
            let text = || texts.get(&jump.decoded).and_then(|text| range_of_lines(text));
            let ends = *ranges.entry(jump.decoded).or_insert_with(text);
            let read = |target| anchors.by_file[target as usize].get();
            let answered = |target| {
                let has =
                    |hash: u64| read(target).is_some_and(|defined| defined.binary_search(&hash).is_ok());
                has(jump.raw) || has(jump.decoded) || ends.is_some_and(|ends| ends.into_iter().all(has))
            };
            let first = texts.get(&jump.decoded).and_then(|text| first_line(text));
            jump.is_line = first.is_some_and(|first| {
                read(jump.target).is_some_and(|defined| defined.binary_search(&first).is_err())
            });
            let hops = std::iter::successors(Some(jump.target), |target| handed_on.get(target).copied());
            !hops.take(MAX_HOPS).any(answered)
        });
        jumps.sort_unstable_by_key(|jump| (jump.file, jump.span.start));
        Dangling { jumps, texts, near: BTreeMap::new(), handed_on }
    }
}

/// The fragments that lead nowhere.
#[derive(Clone)]
pub struct Dangling {
    /// In the order of places.
    pub jumps: Vec<Jump>,
    texts: HashMap<u64, Box<str>, FixedState>,
    /// For some of them, by their place in the list: the id that was most likely meant.
    pub near: BTreeMap<usize, Arc<str>>,
    /// Pages that only send readers on, fragment and all, and where to.
    handed_on: HashMap<FileId, FileId, FixedState>,
}

impl Dangling {
    /// Some files, with the pages that hand readers on to them.
    pub(super) fn with_who_hands_on(&self, mut files: FileSet) -> FileSet {
        for _ in 0..MAX_HOPS {
            let handing_on = self.handed_on.iter().filter(|(_, target)| files.contains(target));
            let handing_on: Vec<FileId> = handing_on.map(|(page, _)| *page).collect();
            files.extend(handing_on);
        }
        files
    }

    /// Puts other fragments in the place of those that were asked for again; nobody hands on to other pages than before.
    pub(super) fn replace(&mut self, is_asked_again: impl Fn(&Jump) -> bool, mut new: Fragments<'_>) {
        new.handed_on = std::mem::take(&mut self.handed_on);
        let new = new.finish();
        self.handed_on = new.handed_on;
        self.jumps.retain(|jump| !is_asked_again(jump));
        self.jumps.extend(new.jumps);
        self.jumps.sort_by_key(|jump| (jump.file, jump.span.start));
        self.texts.extend(new.texts);
        let asked: HashSet<u64> = self.jumps.iter().map(|jump| jump.decoded).collect();
        self.texts.retain(|fragment, _| asked.contains(fragment));
    }

    /// Whether the reference at a place would have drawn a part of its own file.
    pub(crate) fn is_drawn(&self, file: FileId, start: u32) -> bool {
        let first = self.jumps.partition_point(|jump| (jump.file, jump.span.start) < (file, start));
        self.jumps
            .get(first)
            .is_some_and(|jump| (jump.file, jump.span.start) == (file, start) && jump.is_drawn)
    }

    /// The fragment that a reference asks for, decoded.
    pub fn text(&self, jump: &Jump) -> &str {
        self.texts.get(&jump.decoded).map_or("", |text| text)
    }
}

/// The first and the last line of a range, as hashes of their ids: `10-20`, `L10-L20` or `L10-20`. Pages that show sources
/// give an id to each line, and a script marks the range (rustdoc, and viewers after GitHub's manner).
fn range_of_lines(fragment: &str) -> Option<[u64; 2]> {
    let (first, last) = fragment.split_once('-')?;
    let prefix = if first.starts_with('L') { "L" } else { "" };
    let number =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u32>().ok())?;
    let from = number(first.strip_prefix(prefix)?)?;
    let to = number(last.strip_prefix(prefix).unwrap_or(last))?;
    (from < to).then(|| [from, to].map(|line| hash(format!("{prefix}{line}").as_bytes())))
}

/// The hash of the id that the first line of a listing would have, where a fragment is the id of a line, as documentation
/// generators write it: `line1573`, `L12`, `lineno-7`.
fn first_line(fragment: &str) -> Option<u64> {
    let prefix = fragment.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_line = prefix.len() < fragment.len() && LINES.contains(&prefix);
    is_line.then(|| hash(format!("{prefix}1").as_bytes()))
}

/// Makes a fragment ready to be looked up.
fn jump(file: FileId, span: Range<u32>, target: FileId, asked: &Fragment<'_>) -> Jump {
    let decoded = hash(asked.decoded.as_bytes());
    let raw = if asked.raw == asked.decoded { decoded } else { hash(asked.raw.as_bytes()) };
    Jump { file, target, span, is_drawn: false, is_line: false, raw, decoded }
}
