//! The events that tree construction reports.

use std::ops::Range;

use super::NodeId;
use crate::element::{Name, Namespace};
use crate::tokenizer::Tag;

/// An element that opens or closes.
#[derive(Clone, Debug)]
pub struct NestedElement {
    /// Identifies the element among those of its page.
    pub id: NodeId,
    /// Its name.
    pub name: Name,
    /// Its namespace.
    pub namespace: Namespace,
    /// Its start tag. For an element without one, an empty range at the markup that implied it.
    pub tag: Range<usize>,
    /// The name of the innermost open element around it; [`Name::Other`] for SVG and `MathML`.
    pub parent: Name,
    /// Whether it is in a `template` whose content is inert until a script uses it.
    pub is_inert: bool,
}

/// Why the tree differs from the nesting of the markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// Content of a table that has no place in it goes before the table: "foster parenting".
    OutOfTable,
    /// A formatting element ends inside of a block that it contains, and is split: the "adoption agency algorithm".
    Formatting,
    /// A form ends inside of an element that it contains.
    Form,
    /// An element between the head and the body goes to the head.
    IntoHead,
    /// A second `<html>` or `<body>` adds its attributes to the first.
    Merged,
    /// A frame set replaces the body.
    Frameset,
    /// The selected option of a `select` is copied.
    Copied,
    /// Elements below the maximum depth become siblings.
    TooDeep,
}

/// Receives the events of a page. After something was moved, an element may also close before those in it.
pub trait NestingEvents {
    /// Receives a tag before its effects.
    fn tag(&mut self, _tag: &Tag, _is_end: bool) {}

    /// Receives an element that opens. One that was closed by a block opens again with the same tag.
    fn open(&mut self, _element: &NestedElement) {}

    /// Receives an element that closes, and its end tag. If that is missing, an empty range at the end of the content.
    fn close(&mut self, _element: &NestedElement, _end: &Range<usize>) {}

    /// Receives an element that is open, with a second `<html>` or `<body>` as its tag: it gets the attributes that it does
    /// not have yet.
    fn merged(&mut self, _element: &NestedElement) {}

    /// Receives text of the current element, and whether it is written without character references.
    fn text(&mut self, _text: &Range<usize>, _is_verbatim: bool) {}

    /// Receives a comment.
    fn comment(&mut self, _comment: &Range<usize>) {}

    /// Receives the start of markup or text that the parser moves.
    fn moved(&mut self, _how: Moved, _at: usize) {}

    /// Receives a tag that has no effect.
    fn ignored(&mut self, _tag: &Range<usize>) {}
}

/// Ignores all events.
impl NestingEvents for () {}
