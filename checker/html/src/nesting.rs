//! The nesting of a page's elements as events, in the order of its text: elements open and close, also those that the
//! HTML standard implies. The steps of tree construction (13.2.6) report them, so there is no second algorithm.
//!
//! If nothing was [`Moved`], the events describe the tree of browsers.

use std::ops::Range;

use crate::element::{Name, Namespace};
use crate::raw_text::RawText;
use crate::syntax::PageSyntax;
use crate::tokenizer::{Tag, Token};
use crate::tree::{Builder, NodeId, TooDeep, TreeOptions};

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

/// Finds the nesting of tokens that another consumer reads, so that pages are read once.
pub struct Nesting<'t, E> {
    builder: Builder<'t, E>,
}

impl<'t, E: NestingEvents> Nesting<'t, E> {
    /// Starts before the first token. If scripts run, the content of `noscript` is text.
    pub fn new(text: &'t [u8], syntax: PageSyntax, runs_scripts: bool, events: E) -> Self {
        let options = TreeOptions { syntax, runs_scripts, keeps_text: false };
        Nesting { builder: Builder::new(text, options, events) }
    }

    /// Handles the text between two tokens, which may be empty.
    pub fn text(&mut self, text: Range<usize>) {
        self.builder.text(text);
    }

    /// Handles a token. Returns the kind of the content that follows if the token begins an element whose content is not
    /// markup.
    ///
    /// # Errors
    /// If the time would be out of proportion to the length of the page.
    pub fn token(&mut self, token: &Token) -> Result<Option<RawText>, TooDeep> {
        self.builder.token(token);
        self.builder.check_steps()?;
        Ok(self.builder.raw.take())
    }

    /// Handles the content that is not markup after a start tag.
    pub fn raw_text(&mut self, name: Name, content: Range<usize>) {
        self.builder.raw_text(name, content);
    }

    /// Handles the end of the page. Returns the receiver of the events.
    ///
    /// # Errors
    /// If the time would be out of proportion to the length of the page.
    pub fn finish(mut self) -> Result<E, TooDeep> {
        self.builder.end_of_file();
        self.builder.check_steps()?;
        Ok(self.builder.events)
    }
}

/// Reads a page and reports its nesting. If scripts run, the content of `noscript` is text.
///
/// # Errors
/// If the time would be out of proportion to the length of the page.
pub fn read_nesting<E: NestingEvents>(
    text: &[u8],
    syntax: PageSyntax,
    runs_scripts: bool,
    events: E,
) -> Result<E, TooDeep> {
    let Nesting { mut builder } = Nesting::new(text, syntax, runs_scripts, events);
    builder.read()?;
    Ok(builder.events)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Moved, NestedElement, Nesting, NestingEvents, Range, Tag, Token, read_nesting};
    use crate::syntax::PageSyntax;
    use crate::tag_reader::{ReadTag, TagReader};

    /// Lists the events.
    #[derive(Default)]
    struct List(Vec<String>);

    impl NestingEvents for List {
        fn open(&mut self, element: &NestedElement) {
            self.0.push(format!("open {} {:?}", element.name.as_str(), element.tag));
        }

        fn close(&mut self, element: &NestedElement, end: &Range<usize>) {
            self.0.push(format!("close {} {end:?}", element.name.as_str()));
        }

        fn text(&mut self, text: &Range<usize>, is_verbatim: bool) {
            self.0.push(format!("text {text:?} {is_verbatim}"));
        }

        fn moved(&mut self, how: Moved, at: usize) {
            self.0.push(format!("moved {how:?} {at}"));
        }
    }

    #[test]
    fn tokens_of_another_reader_have_the_same_nesting() {
        let html =
            b"<title>a</title><ul><li>b<li>c<svg><title><b>d</b></title></svg></ul><script>'<p>'</script>\
            <table><tr>e<td>f</table>g";
        let mut nesting = Nesting::new(html, PageSyntax::Html, true, List::default());
        let mut reader = TagReader::<true>::new(html, true);
        let mut end = 0;
        while let Some(read) = reader.next(&mut Vec::new(), &mut ()) {
            nesting.text(end..read.range.start);
            end = reader.offset();
            let ReadTag { range, name_range, name, is_end, is_empty, .. } = read;
            let tag = Tag { range, name_range, key: 0, name, is_empty };
            let token = if is_end { Token::End(tag) } else { Token::Start(tag) };
            assert_eq!(nesting.token(&token).unwrap().is_some(), read.raw.is_some());
            if let Some(raw) = read.raw {
                nesting.raw_text(name, raw);
            }
        }
        nesting.text(end..reader.text_end());
        let expected = read_nesting(html, PageSyntax::Html, true, List::default()).unwrap().0;
        assert_eq!(nesting.finish().unwrap().0, expected);
        assert!(expected.contains(&"moved OutOfTable 102".to_owned()), "{expected:?}");
    }
}
