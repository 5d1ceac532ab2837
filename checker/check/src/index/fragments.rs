//! Finds fragments of references that the target page does not define.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use foldhash::quality::FixedState;
use sitegate_host::redirects::follow;

use super::view::FileView;
use crate::parse::anchors::hash;
use crate::parse::{Facts, Format, Reference, ReferenceKind};
use crate::resolve::fragment;
use crate::resolve::target::{is_route, is_settings};
use crate::walk::FileId;

/// Minimum number of pending references before they are decided early.
const MIN_PENDING: usize = 4096;

/// Prefixes of the number in ids of lines.
const LINES: [&str; 6] = ["line", "line-", "lineno-", "L", "l", "n"];

/// A reference with a fragment, as hashes (see [`BrokenFragments::text`]).
#[derive(Clone, Debug)]
pub struct FragmentReference {
    /// The page that refers.
    pub file: FileId,
    /// The page that the reference resolves to.
    pub target: FileId,
    /// The reference.
    pub span: Range<u32>,
    /// Whether it is an SVG `use` of a part of the same file, not a link.
    is_svg_use: bool,
    /// Whether it names a line, and the page has no id for line 1: a script may add the ids.
    pub is_line: bool,
    raw: u64,
    decoded: u64,
}

/// Ids of each file, shared by all threads while they read. `--watch` keeps those of files that have not changed.
#[derive(Default)]
pub(crate) struct Anchors {
    by_file: Vec<OnceLock<Box<[u64]>>>,
}

impl Anchors {
    pub fn new(files: usize) -> Self {
        Anchors { by_file: (0..files).map(|_| OnceLock::new()).collect() }
    }

    /// Removes the ids of a file that is read again.
    pub fn forget(&mut self, file: FileId) {
        self.by_file[file as usize] = OnceLock::new();
    }

    /// Whether a file defines an id.
    fn has(&self, file: FileId, id: &str) -> bool {
        let defined = self.by_file.get(file as usize).and_then(OnceLock::get);
        defined.is_some_and(|defined| defined.binary_search(&hash(id.as_bytes())).is_ok())
    }
}

/// The first and the last line of fragments that are ranges of lines, by the hash of the fragment.
#[derive(Default)]
struct LineRanges(HashMap<u64, Option<[u64; 2]>, FixedState>);

impl LineRanges {
    /// Whether a page with sorted ids defines a fragment, or all of a range of lines.
    fn are_in<'t>(
        &mut self,
        defined: &[u64],
        reference: &FragmentReference,
        text: impl FnOnce() -> Cow<'t, str>,
    ) -> bool {
        reference.is_in(defined) || {
            let ends = *self.0.entry(reference.decoded).or_insert_with(|| line_range(&text()));
            ends.is_some_and(|ends| ends.iter().all(|line| defined.binary_search(line).is_ok()))
        }
    }
}

/// References with a fragment that is missing, or whose page is not read yet.
pub struct FragmentCheck<'a> {
    anchors: &'a Anchors,
    broken: Vec<FragmentReference>,
    /// References whose pages were not read yet when they were added.
    pending: Vec<FragmentReference>,
    /// Number of pending references at which they are decided.
    decide_at: usize,
    /// Text of the hashed fragments.
    texts: HashMap<u64, Box<str>, FixedState>,
    ranges: LineRanges,
    /// Redirect pages that keep the fragment, and their targets.
    redirects: HashMap<FileId, FileId, FixedState>,
}

impl<'a> FragmentCheck<'a> {
    pub(super) fn new(anchors: &'a Anchors) -> Self {
        FragmentCheck {
            anchors,
            broken: Vec::new(),
            pending: Vec::new(),
            decide_at: MIN_PENDING,
            texts: HashMap::default(),
            ranges: LineRanges::default(),
            redirects: HashMap::default(),
        }
    }

    /// Adds a page that redirects readers and keeps the fragment.
    pub(super) fn add_redirect(&mut self, file: FileId, target: FileId) {
        self.redirects.insert(file, target);
    }

    /// Adds the ids that a file defines.
    pub(super) fn define(&mut self, file: FileId, facts: &Facts) {
        self.anchors.by_file[file as usize].get_or_init(|| facts.anchors.as_slice().into());
        if self.pending.len() >= self.decide_at {
            self.decide_pending();
        }
    }

    /// Adds a reference. `decoded_text` returns its fragment.
    pub(super) fn add(&mut self, reference: &FragmentReference, decoded_text: impl Fn() -> Box<str>) {
        let defined = self.anchors.by_file[reference.target as usize].get();
        let text = || Cow::Owned(decoded_text().into());
        if defined.is_some_and(|defined| self.ranges.are_in(defined, reference, text)) {
            return;
        }
        self.texts.entry(reference.decoded).or_insert_with(&decoded_text);
        match defined {
            Some(_) => self.broken.push(reference.clone()),
            None => self.pending.push(reference.clone()),
        }
    }

    /// Decides the references whose pages were read since, so that not all must be kept to the end.
    fn decide_pending(&mut self) {
        let FragmentCheck { anchors, broken, pending, texts, ranges, .. } = self;
        pending.retain(|reference| {
            let Some(defined) = anchors.by_file[reference.target as usize].get() else { return true };
            if !ranges.are_in(defined, reference, || text_in(texts, reference).into()) {
                broken.push(reference.clone());
            }
            false
        });
        self.decide_at = (self.pending.len() * 2).max(MIN_PENDING);
    }

    pub(super) fn merge(&mut self, other: FragmentCheck<'_>) {
        self.broken.extend(other.broken);
        self.pending.extend(other.pending);
        self.texts.extend(other.texts);
        self.redirects.extend(other.redirects);
    }

    /// Decides the remaining references, after all files were read. A file that was never read defines nothing.
    pub(super) fn finish(mut self) -> BrokenFragments {
        self.decide_pending();
        let FragmentCheck { anchors, broken: mut references, pending, texts, mut ranges, redirects, .. } =
            self;
        references.extend(pending);
        references.retain_mut(|reference| {
            let read = |target| anchors.by_file[target as usize].get();
            let mut is_defined = |target| {
                let text = || text_in(&texts, reference).into();
                read(target).is_some_and(|defined| ranges.are_in(defined, reference, text))
            };
            if follow(reference.target, |target| redirects.get(target).copied()).any(&mut is_defined) {
                return false;
            }
            let first = first_line_ids(text_in(&texts, reference));
            reference.is_line = first.is_some_and(|mut first| {
                read(reference.target)
                    .is_some_and(|defined| first.all(|id| defined.binary_search(&id).is_err()))
            });
            true
        });
        references.sort_unstable_by_key(|reference| (reference.file, reference.span.start));
        BrokenFragments {
            references,
            texts,
            suggestions: BTreeMap::new(),
            redirects,
            for_script: BTreeSet::new(),
            reads_settings: BTreeSet::new(),
            paths: BTreeMap::new(),
        }
    }
}

/// Returns the decoded fragment of a reference.
fn text_in<'t>(texts: &'t HashMap<u64, Box<str>, FixedState>, reference: &FragmentReference) -> &'t str {
    texts.get(&reference.decoded).map_or("", |text| text)
}

/// References whose fragment does not exist.
#[derive(Clone)]
pub struct BrokenFragments {
    /// References, in the order of locations.
    pub references: Vec<FragmentReference>,
    texts: HashMap<u64, Box<str>, FixedState>,
    /// Suggested id, by index of the reference.
    pub suggestions: BTreeMap<usize, Arc<str>>,
    /// Pages whose scripts handle all fragments that no element has.
    pub for_script: BTreeSet<FileId>,
    /// Pages whose scripts read fragments that are settings.
    pub reads_settings: BTreeSet<FileId>,
    /// Fragments that are paths for the scripts of a page.
    pub paths: BTreeMap<FileId, BTreeSet<Box<str>>>,
    /// Redirect pages that keep the fragment, and their targets.
    redirects: HashMap<FileId, FileId, FixedState>,
}

impl BrokenFragments {
    /// Whether the reference at a location is a broken SVG `use` of its own file.
    pub(crate) fn is_svg_use(&self, file: FileId, start: u32) -> bool {
        let first = self
            .references
            .partition_point(|reference| (reference.file, reference.span.start) < (file, start));
        self.references.get(first).is_some_and(|reference| {
            (reference.file, reference.span.start) == (file, start) && reference.is_svg_use
        })
    }

    /// Whether a page redirects readers and keeps the fragment.
    pub fn keeps_fragment(&self, file: FileId) -> bool {
        self.redirects.contains_key(&file)
    }

    /// Whether a page, or the page that it redirects to, has an id.
    pub(super) fn has_anchor(&self, anchors: &Anchors, file: FileId, id: &str) -> bool {
        follow(file, |page| self.redirects.get(page).copied()).any(|page| anchors.has(page, id))
    }

    /// Whether only a script of the target page can handle the fragment.
    pub fn is_for_script(&self, reference: &FragmentReference) -> bool {
        let text = self.text(reference);
        is_route(text)
            || self.for_script.contains(&reference.target)
            || self.reads_settings.contains(&reference.target) && is_settings(text)
            || self.paths.get(&reference.target).is_some_and(|paths| paths.contains(text))
    }

    /// Returns the decoded fragment of a reference.
    pub fn text(&self, reference: &FragmentReference) -> &str {
        text_in(&self.texts, reference)
    }
}

/// Returns the first and the last line of a range, as hashes of their ids: `10-20`, `L10-L20` or `L10-20`, also padded
/// with zeros. Pages that show source code give an id to each line, and a script marks the range (rustdoc, and viewers
/// like GitHub's).
fn line_range(fragment: &str) -> Option<[u64; 2]> {
    let (first, last) = fragment.split_once('-')?;
    let prefix = if first.starts_with('L') { "L" } else { "" };
    let (first, last) = (first.strip_prefix(prefix)?, last.strip_prefix(prefix).unwrap_or(last));
    let number =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u32>().ok())?;
    (number(first)? < number(last)?)
        .then(|| [first, last].map(|line| hash(format!("{prefix}{line}").as_bytes())))
}

/// Number of lines of which one has an id if the page has ids of lines.
const FIRST_LINES: usize = 9;

/// Maximum number of digits of a line.
const MAX_DIGITS: usize = 12;

/// Returns the hashes of the ids that the first lines may have if a fragment is the id of a line, as documentation
/// generators write it: `line1573`, `L12`, `lineno-7`. Doxygen pads the numbers with zeros: `l00670`. Haddock gives no id to a
/// line without code, which the first one often is.
fn first_line_ids(fragment: &str) -> Option<impl Iterator<Item = u64>> {
    let prefix = fragment.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = fragment.len() - prefix.len();
    let is_line = (1..=MAX_DIGITS).contains(&digits) && LINES.contains(&prefix);
    let id = move |width, line| hash(format!("{prefix}{line:0>width$}").as_bytes());
    is_line.then(|| (1..=digits).flat_map(move |width| (1..=FIRST_LINES).map(move |line| id(width, line))))
}

impl FragmentReference {
    /// Returns the reference of a file to another, with its text; `None` if it has no fragment, or one that the file
    /// itself defines.
    pub(super) fn new(
        view: &FileView<'_>,
        reference: &Reference,
        text: &str,
        target: FileId,
    ) -> Option<FragmentReference> {
        if !reference.kind.follows_fragment() {
            return None;
        }
        let written = fragment(text).filter(|written| !written.is_top())?;
        if !matches!(view.site.format(target), Format::Html | Format::Svg) {
            return None;
        }
        let decoded = hash(written.decoded.as_bytes());
        let raw = if written.raw == written.decoded { decoded } else { hash(written.raw.as_bytes()) };
        let (file, span, is_own) = (view.file, reference.span.clone(), target == view.file);
        let is_svg_use = is_own && reference.kind == ReferenceKind::SvgUse;
        let found = FragmentReference { file, target, span, is_svg_use, is_line: false, raw, decoded };
        (!is_own || !found.is_in(&view.facts.anchors)).then_some(found)
    }

    /// Whether sorted ids have the fragment.
    fn is_in(&self, anchors: &[u64]) -> bool {
        let has = |hash| anchors.binary_search(&hash).is_ok();
        has(self.raw) || (self.raw != self.decoded && has(self.decoded))
    }
}

#[cfg(test)]
mod tests {
    use super::{first_line_ids, hash, line_range};

    #[test]
    fn line_1_may_be_padded() {
        let has = |fragment: &str, id: &str| {
            first_line_ids(fragment).is_some_and(|mut ids| ids.any(|known| known == hash(id.as_bytes())))
        };
        for (fragment, id) in [
            ("l00670", "l00001"),
            ("l12345", "l00001"),
            ("l00670", "l1"),
            ("L12", "L1"),
            ("line1573", "line1"),
            ("lineno-0007", "lineno-0001"),
            ("line-93", "line-4"),
        ] {
            assert!(has(fragment, id), "{fragment} {id}");
        }
        for (fragment, id) in [("l9", "l01"), ("x00670", "x00001"), ("l", "l1"), ("l0000000000001", "l1")] {
            assert!(!has(fragment, id), "{fragment} {id}");
        }
    }

    #[test]
    fn ranges_of_lines_may_be_padded() {
        let ids = |first: &str, last: &str| Some([first, last].map(|id| hash(id.as_bytes())));
        assert_eq!(line_range("L10-L20"), ids("L10", "L20"));
        assert_eq!(line_range("L010-020"), ids("L010", "L020"));
        assert_eq!(line_range("0010-0020"), ids("0010", "0020"));
        assert_eq!((line_range("20-10"), line_range("a-b"), line_range("-5")), (None, None, None));
    }
}
