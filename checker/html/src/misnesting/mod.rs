//! Finds markup that the parser does not nest as it is written: elements that close too early, tags without effect, and
//! content that moves. Tree construction decides; this compares its events with the tags.
//!
//! Omitted end tags are no fault. `<p>a<ul>` is a paragraph before a list, `<p>a<ul></ul></p>` was meant as a list in
//! it.

use std::ops::Range;

use crate::element::{Name, Namespace};
use crate::nesting::{Moved, NestedElement, NestingEvents, read_nesting};
use crate::syntax::PageSyntax;
use crate::tokenizer::Tag;
use crate::tree::NodeId;

#[cfg(test)]
mod tests;

/// Maximum number of faults to find on a page. Chosen: those of one template are far fewer.
pub(crate) const MAX_FOUND: usize = 16;

/// Maximum number of open elements to compare an end tag with. Parsers of browsers nest no deeper than 512.
const MAX_COMPARED: usize = 1024;

/// The effect of misnested markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misnesting {
    /// The tag closes the element around it, whose end tag comes later: a block in `<p>`, a link in a link.
    ClosesParent,
    /// The tag has no effect here: a form in a form, a cell outside of a table.
    TagIgnored,
    /// Content of a table that is no part of it goes before the table.
    LeavesTable,
    /// The form ends with its own start tag, because it is no part of the table around it.
    FormEnds,
    /// The parser adds an element that is not written: the `tbody` around a row. Reported in marked elements only.
    ParentAdded(Name),
    /// The head ends, although more of it follows. Has the names of the metadata that falls out of it.
    HeadEnds(Vec<&'static str>),
    /// The head ends in a `noscript` for readers that run no scripts. Has the names of the metadata after it.
    HeadEndsWithoutScripts(Vec<&'static str>),
}

/// A place where the parser does not nest markup as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misnested {
    /// The effect.
    pub how: Misnesting,
    /// The tag that causes it; an empty range at the start of a text.
    pub cause: Range<usize>,
    /// The start tag of the element that is closed, or that the tag is in; empty if there is none.
    pub parent: Range<usize>,
    /// The start tag of the innermost marked element around it.
    pub marked: Option<Range<usize>>,
}

/// Finds the misnested markup of a page: the first of each kind. `is_marked` marks elements by their start tags.
/// `metadata` returns the name of a tag that has an effect in the head only.
///
/// Returns nothing for a page whose nesting would take too much time.
pub fn find_misnested(
    text: &[u8],
    is_marked: impl Fn(&Range<usize>) -> bool,
    metadata: impl Fn(&Range<usize>) -> Option<&'static str>,
) -> Vec<Misnested> {
    let events = Comparison::new(text, is_marked, metadata);
    read_nesting(text, PageSyntax::Html, true, events).map(|events| events.found).unwrap_or_default()
}

/// Finds markup in a `noscript` of a head that ends it for readers that run no scripts, if metadata follows. `head` is the
/// text up to the end of the head, [`as browsers with scripts read
/// it`](crate::nesting_filter::NestingFilter::head_with_noscript), so that only a `noscript` can end it before.
///
/// `metadata` returns the name of a tag that has an effect in the head only.
pub fn find_head_end_without_scripts(
    head: &[u8],
    metadata: impl Fn(&Range<usize>) -> Option<&'static str>,
) -> Option<Misnested> {
    let events = Comparison::new(head, |_: &Range<usize>| false, metadata);
    let LeftHead { at, lost } = read_nesting(head, PageSyntax::Html, false, events).ok()?.left_head?;
    if lost.is_empty() {
        return None;
    }
    let how = Misnesting::HeadEndsWithoutScripts(lost);
    Some(Misnested { how, cause: at, parent: 0..0, marked: None })
}

/// An element that is open by its tags.
struct Written {
    id: NodeId,
    name: Name,
    tag: Range<usize>,
    /// The start tag of the innermost marked element: its own, or one around it.
    marked: Option<Range<usize>>,
    /// The start tag that closed it, as an index of [`Comparison::closures`].
    closed_by: Option<usize>,
}

/// A start tag that closed elements.
struct Closure {
    tag: Range<usize>,
    /// The outermost of them.
    outermost: Range<usize>,
    marked: Option<Range<usize>>,
}

/// The head after the parser left it.
struct LeftHead {
    /// The tag, or the start of the text, that ended it.
    at: Range<usize>,
    lost: Vec<&'static str>,
}

/// A tag while it is handled.
#[derive(Clone)]
struct CurrentTag {
    range: Range<usize>,
    name: Name,
    is_end: bool,
}

/// Compares the events of tree construction with the tags.
struct Comparison<'t, M, H> {
    text: &'t [u8],
    is_marked: M,
    metadata: H,
    /// The elements that are open by their tags, outermost first.
    written: Vec<Written>,
    /// Number of them with each name.
    written_by_name: [u32; Name::COUNT],
    current: Option<CurrentTag>,
    closures: Vec<Closure>,
    open_head: Option<NodeId>,
    left_head: Option<LeftHead>,
    /// Whether a frame set replaces the body, so that its nesting does not matter.
    is_frameset: bool,
    found: Vec<Misnested>,
}

impl<'t, M: Fn(&Range<usize>) -> bool, H: Fn(&Range<usize>) -> Option<&'static str>> Comparison<'t, M, H> {
    /// Starts before the first tag.
    fn new(text: &'t [u8], is_marked: M, metadata: H) -> Self {
        Comparison {
            text,
            is_marked,
            metadata,
            written: Vec::new(),
            written_by_name: [0; Name::COUNT],
            current: None,
            closures: Vec::new(),
            open_head: None,
            left_head: None,
            is_frameset: false,
            found: Vec::new(),
        }
    }

    /// Adds a fault, unless one of its kind with the same elements is known.
    fn add(&mut self, fault: Misnested) {
        let name = |tag: &Range<usize>| written_name(self.text, tag);
        let is_same = |known: &Misnested| {
            known.cause == fault.cause
                || std::mem::discriminant(&known.how) == std::mem::discriminant(&fault.how)
                    && known.marked.is_some() == fault.marked.is_some()
                    && name(&known.cause).eq_ignore_ascii_case(name(&fault.cause))
                    && name(&known.parent).eq_ignore_ascii_case(name(&fault.parent))
        };
        if !self.is_frameset && self.found.len() < MAX_FOUND && !self.found.iter().any(is_same) {
            self.found.push(fault);
        }
    }

    fn push_written(&mut self, element: &NestedElement) {
        self.written_by_name[element.name as usize] += 1;
        let NestedElement { id, name, ref tag, .. } = *element;
        let marked = if (self.is_marked)(tag) { Some(tag.clone()) } else { self.marked() };
        self.written.push(Written { id, name, tag: tag.clone(), marked, closed_by: None });
    }

    fn pop_written(&mut self) -> Option<Written> {
        let last = self.written.pop()?;
        self.written_by_name[last.name as usize] -= 1;
        Some(last)
    }

    /// Returns the innermost marked element.
    fn marked(&self) -> Option<Range<usize>> {
        self.written.last()?.marked.clone()
    }

    /// Returns the start tag of the innermost open element with this name; empty if there is none.
    fn innermost(&self, name: Name) -> Range<usize> {
        let found = self.written.iter().rev().take(MAX_COMPARED).find(|element| element.name == name);
        found.map_or(0..0, |element| element.tag.clone())
    }

    /// Ends the element of an end tag, and those in it without end tags.
    fn end_written(&mut self, tag: &CurrentTag) {
        if self.written_by_name[tag.name as usize] == 0 {
            return;
        }
        let (name, end) = (written_name(self.text, &tag.range), tag.range.start);
        let is_ended = |element: &Written| {
            element.name == tag.name
                && (tag.name != Name::Other
                    || written_name(self.text, &element.tag).eq_ignore_ascii_case(name))
        };
        let Some(above) = self.written.iter().rev().take(MAX_COMPARED).position(is_ended) else { return };
        for _ in 0..above {
            self.pop_written();
        }
        if let Some(closed_by) = self.pop_written().and_then(|ended| ended.closed_by) {
            let Closure { tag: cause, outermost, marked } = &self.closures[closed_by];
            let is_own = cause == outermost;
            // Nothing leaves an empty form.
            if is_own && self.text[cause.end..end].trim_ascii().is_empty() {
                return;
            }
            let how = if is_own { Misnesting::FormEnds } else { Misnesting::ClosesParent };
            let (cause, marked) = (cause.clone(), marked.clone());
            let parent = if is_own { self.innermost(Name::Table) } else { outermost.clone() };
            self.add(Misnested { how, cause, parent, marked });
        }
    }

    /// Handles an element that a start tag closes.
    fn closed_by_start(&mut self, id: NodeId, by: &CurrentTag) {
        let open = self.written.iter().rposition(|element| element.id == id);
        let Some(index) = open else { return };
        let outermost = self.written[index].tag.clone();
        if let Some(closure) = self.closures.last_mut().filter(|closure| closure.tag == by.range) {
            closure.outermost = outermost;
        } else {
            let marked = self.marked();
            self.closures.push(Closure { tag: by.range.clone(), outermost, marked });
        }
        self.written[index].closed_by = Some(self.closures.len() - 1);
    }

    /// Handles a tag after the parser left the head.
    fn after_left_head(&mut self, tag: &CurrentTag) {
        let Some(left) = &mut self.left_head else { return };
        match (tag.name, tag.is_end) {
            (Name::Head, true) | (Name::Body, false) => {
                if let Some(LeftHead { at, lost }) = self.left_head.take() {
                    self.add(Misnested {
                        how: Misnesting::HeadEnds(lost),
                        cause: at,
                        parent: 0..0,
                        marked: None,
                    });
                }
            }
            (_, false) => left.lost.extend((self.metadata)(&tag.range)),
            (_, true) => {}
        }
    }

    /// Returns the current tag, or the start of the text.
    fn current_or(&self, at: usize) -> Range<usize> {
        let current = self.current.as_ref().filter(|tag| tag.range.start == at);
        current.map_or(at..at, |tag| tag.range.clone())
    }
}

impl<M: Fn(&Range<usize>) -> bool, H: Fn(&Range<usize>) -> Option<&'static str>> NestingEvents
    for Comparison<'_, M, H>
{
    fn tag(&mut self, tag: &Tag, is_end: bool) {
        let tag = CurrentTag { range: tag.range.clone(), name: tag.name, is_end };
        self.after_left_head(&tag);
        if is_end {
            self.end_written(&tag);
        }
        self.current = Some(tag);
    }

    fn open(&mut self, element: &NestedElement) {
        let Some(current) = &self.current else { return };
        self.is_frameset |= element.name == Name::Frameset;
        if !element.tag.is_empty() {
            // A formatting element that opens again has the tag of another one.
            if element.tag == current.range {
                self.push_written(element);
            }
            if element.name == Name::Head && element.namespace == Namespace::Html {
                self.open_head = Some(element.id);
            }
            return;
        }
        match element.name {
            Name::Head => self.open_head = Some(element.id),
            Name::Tbody | Name::Tr | Name::Colgroup => {
                let (cause, marked) = (current.range.clone(), self.marked());
                if marked.is_some() {
                    let parent = self.innermost(Name::Table);
                    self.add(Misnested { how: Misnesting::ParentAdded(element.name), cause, parent, marked });
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, element: &NestedElement, end: &Range<usize>) {
        if !end.is_empty() {
            return;
        }
        let current = self.current.clone();
        let by_start =
            current.filter(|tag| !tag.is_end && (tag.range.start == end.start || tag.range.end == end.start));
        if self.open_head == Some(element.id) {
            self.open_head = None;
            let is_body =
                by_start.as_ref().is_some_and(|tag| matches!(tag.name, Name::Body | Name::Frameset));
            if !is_body && end.start < self.text.len() {
                let at = by_start.map_or(end.start..end.start, |tag| tag.range);
                self.left_head = Some(LeftHead { at, lost: Vec::new() });
            }
            return;
        }
        let Some(tag) = by_start else { return };
        // An element without content closes after its tag.
        if end.start == tag.range.end && element.tag == tag.range {
            if self.written.last().is_some_and(|last| last.id == element.id) {
                self.pop_written();
            }
        } else if end.start == tag.range.start {
            self.closed_by_start(element.id, &tag);
        }
    }

    fn moved(&mut self, how: Moved, at: usize) {
        if how == Moved::Frameset {
            self.is_frameset = true;
        }
        if how == Moved::OutOfTable {
            let (cause, parent, marked) = (self.current_or(at), self.innermost(Name::Table), self.marked());
            self.add(Misnested { how: Misnesting::LeavesTable, cause, parent, marked });
        }
    }

    fn ignored(&mut self, range: &Range<usize>) {
        use Name::{Caption, Col, Colgroup, Form, Tbody, Td, Tfoot, Th, Thead, Tr};
        let Some(tag) = self.current.as_ref().filter(|tag| !tag.is_end && tag.range == *range) else {
            return;
        };
        let parent = match tag.name {
            Form => self.innermost(Form),
            Caption | Col | Colgroup | Tbody | Td | Tfoot | Th | Thead | Tr => 0..0,
            _ => return,
        };
        let (cause, marked) = (range.clone(), self.marked());
        self.add(Misnested { how: Misnesting::TagIgnored, cause, parent, marked });
    }
}

/// Returns the name in a tag as written; empty if there is no tag.
#[must_use]
pub fn written_name<'t>(text: &'t [u8], tag: &Range<usize>) -> &'t [u8] {
    let tag = text.get(tag.clone()).unwrap_or_default();
    let name = tag.strip_prefix(b"<").unwrap_or_default();
    let name = name.strip_prefix(b"/").unwrap_or(name);
    &name[..name.iter().position(|byte| crate::scan::ends_name(*byte)).unwrap_or(name.len())]
}
