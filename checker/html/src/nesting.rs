//! The nesting of a page's elements as events, in the order of its text: elements open and close, also those that the
//! HTML standard implies. The steps of tree construction (13.2.6) report them, so there is no second algorithm.
//!
//! If nothing was [`Moved`], the events describe the tree of browsers.

use std::ops::Range;

use crate::element::Name;
use crate::raw_text::RawText;
use crate::syntax::PageSyntax;
use crate::tokenizer::Token;
pub use crate::tree::events::{Moved, NestedElement, NestingEvents};
use crate::tree::{Builder, TooDeep, TreeOptions};

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

    use super::{Moved, NestedElement, Nesting, NestingEvents, Range, read_nesting};
    use crate::syntax::PageSyntax;
    use crate::tag_reader::{ReadTag, TagReader};
    use crate::tokenizer::{Tag, Token};

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
