//! The nesting of a page's elements as events, in the order of its text: elements open and close, also those that the
//! HTML standard implies. The steps of tree construction (13.2.6) report them, so there is no second algorithm.
//!
//! If nothing was [`Moved`], the events describe the tree of browsers.

use std::ops::Range;

use crate::element::Name;
use crate::raw_text::RawText;
use crate::tokenizer::{Token, Tokenizer};
pub use crate::tree::events::{Moved, NestedElement, NestingEvents};
use crate::tree::{Builder, TooDeep, TreeOptions};

/// Finds the nesting of tokens that are read elsewhere.
pub struct Nesting<'t, E> {
    builder: Builder<'t, E>,
}

impl<'t, E: NestingEvents> Nesting<'t, E> {
    /// Starts before the first token. If scripts run, the content of `noscript` is text.
    pub fn new(text: &'t [u8], runs_scripts: bool, events: E) -> Self {
        let options = TreeOptions { runs_scripts, keeps_text: false };
        Nesting { builder: Builder::new(text, options, events) }
    }

    /// Whether the current element is one of SVG or `MathML`, so that `<![CDATA[` begins a section.
    pub fn allows_sections(&self) -> bool {
        self.builder.is_in_foreign()
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
pub fn read_nesting<E: NestingEvents>(text: &[u8], runs_scripts: bool, events: E) -> Result<E, TooDeep> {
    let mut nesting = Nesting::new(text, runs_scripts, events);
    let mut tokenizer = Tokenizer::new(text);
    loop {
        nesting.text(tokenizer.text());
        let Some(token) = tokenizer.next(nesting.allows_sections(), &mut ()) else {
            return nesting.finish();
        };
        let raw = nesting.token(&token)?;
        if let Some(kind) = raw
            && let Token::Start(tag) = &token
        {
            nesting.raw_text(tag.name, tokenizer.raw_text(kind, tag));
        }
    }
}
