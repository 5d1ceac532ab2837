//! The state of tree construction, and the steps that its insertion modes share (HTML standard, 13.2.4 and 13.2.6.1).

use std::ops::Range;

use super::events::{Moved, NestingEvents};
use super::{NodeId, NodeKind, TooDeep, Tree, TreeOptions};
use crate::element::{Name, Namespace};
use crate::raw_text::RawText;
use crate::scan::is_space;
use crate::syntax::PageSyntax;
use crate::tokenizer::{AttributeSet, Tag, Token, Tokenizer, section_content};

/// Steps of work for each byte of a page, and in addition. Parsers need a step for each open element that a tag is
/// compared with, and for each formatting element that they repeat; both multiply on hostile pages. Chosen: the pages of
/// the largest documentation sites need less than one step for each byte.
const STEPS_PER_BYTE: usize = 16;
const MORE_STEPS: usize = 1 << 16;

/// The insertion modes (13.2.4.1). "text" needs none, as the tokenizer reads such text at once, up to its end tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    /// The text of an element whose content is not markup.
    Text,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// Whether a token was handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Done,
    /// Handle it again, in the mode that was set.
    Again,
}

/// The boundaries of a search for an open element (13.2.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Default,
    Button,
    ListItem,
    Table,
}

/// An entry of the list of active formatting elements (13.2.4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Formatting {
    Element(NodeId),
    /// Separates the content of a cell, an object or a template.
    Marker,
}

/// Tree construction in progress.
pub(crate) struct Builder<'t, E> {
    pub text: &'t [u8],
    pub tree: Tree<'t>,
    pub mode: Mode,
    /// The mode after the text of an element.
    pub mode_after_text: Mode,
    pub template_modes: Vec<Mode>,
    /// The open elements, outermost first. [`Builder::record_open`] and [`Builder::record_closed`] follow each change.
    pub open: Vec<NodeId>,
    /// Number of open HTML elements with each name, so that most searches end before they begin.
    open_by_name: [u32; Name::COUNT],
    /// Number of open templates whose content is inert.
    pub inert_templates: usize,
    pub formatting: Vec<Formatting>,
    pub head: Option<NodeId>,
    pub form: Option<NodeId>,
    pub options: TreeOptions,
    /// Receives the nesting.
    pub events: E,
    /// Whether elements and texts are put into the tree. The steps depend on the open elements only, so without it they
    /// have the same effects.
    pub builds_tree: bool,
    /// The current token, if it is an end tag.
    pub end_tag: Option<Tag>,
    /// The last moved markup, which is reported once.
    pub last_moved: Option<(Moved, usize)>,
    /// Number of reported events.
    pub changes: usize,
    pub allows_frameset: bool,
    /// Whether misplaced content of a table goes before it.
    pub moves_out_of_table: bool,
    /// The content that a start tag made text.
    pub raw: Option<RawText>,
    /// The attributes of the current tag, or those that it may have.
    pub attributes: AttributeSet,
    /// Whether a line break is dropped if it is the next token: after `<pre>` and `<listing>`.
    pub drops_line_break: bool,
    /// Whether the page has a `selectedcontent`.
    pub has_selected_content: bool,
    /// The start of the current token.
    pub at: usize,
    steps_left: usize,
    /// Whether the steps were used up.
    is_too_deep: bool,
}

impl<'t, E: NestingEvents> Builder<'t, E> {
    /// Starts before the first token. Without a tree, elements are only reported.
    pub fn new(text: &'t [u8], options: TreeOptions, events: E) -> Self {
        let mut tree =
            Tree { text, nodes: Vec::new(), merged: Vec::new(), comments: Vec::new(), is_quirks: false };
        tree.create(NodeKind::Document, Name::Other, Namespace::Html, 0..0);
        Builder {
            text,
            tree,
            mode: Mode::Initial,
            mode_after_text: Mode::InBody,
            template_modes: Vec::new(),
            open: Vec::new(),
            open_by_name: [0; Name::COUNT],
            inert_templates: 0,
            formatting: Vec::new(),
            head: None,
            form: None,
            options,
            events,
            builds_tree: false,
            end_tag: None,
            last_moved: None,
            changes: 0,
            allows_frameset: true,
            moves_out_of_table: false,
            raw: None,
            attributes: AttributeSet::ANY,
            drops_line_break: false,
            has_selected_content: false,
            at: 0,
            steps_left: text.len().saturating_mul(STEPS_PER_BYTE).saturating_add(MORE_STEPS),
            is_too_deep: false,
        }
    }

    /// Reads the page and returns its tree.
    pub fn build(mut self) -> Result<Tree<'t>, TooDeep> {
        self.builds_tree = true;
        self.read()?;
        if self.has_selected_content {
            self.tree.fill_selected_contents();
        }
        Ok(self.tree)
    }

    /// Reads the page.
    pub fn read(&mut self) -> Result<(), TooDeep> {
        let mut tokenizer = Tokenizer::new(self.text).with_syntax(self.options.syntax);
        loop {
            let mut from = tokenizer.offset();
            // Text in SVG or `MathML` may open formatting elements of HTML again, in which sections are comments. It opens
            // no element of SVG, so in HTML the tokenizer need not stop at texts.
            if self.is_in_foreign() {
                self.text(tokenizer.text());
                from = tokenizer.offset();
            }
            let Some(token) = self.next_token(&mut tokenizer) else {
                self.text(from..tokenizer.text_end());
                break;
            };
            self.text(from..token.range().start);
            self.token(&token);
            if let Some(kind) = self.raw.take()
                && let Token::Start(tag) = &token
            {
                self.raw_text(tag.name, tokenizer.raw_text(kind, tag));
            }
            self.check_steps()?;
        }
        self.end_of_file();
        self.check_steps()
    }

    fn next_token(&mut self, tokenizer: &mut Tokenizer<'_>) -> Option<Token> {
        let allows_sections = self.is_in_foreign();
        if !self.builds_tree {
            return tokenizer.next(allows_sections, &mut ());
        }
        let mut attributes = AttributeSet::default();
        let token = tokenizer.next(allows_sections, &mut attributes);
        self.attributes = attributes;
        token
    }

    /// Returns an error if the steps were used up.
    pub fn check_steps(&self) -> Result<(), TooDeep> {
        if self.is_too_deep { Err(TooDeep) } else { Ok(()) }
    }

    /// Handles the text between two tokens, which may be empty.
    pub fn text(&mut self, mut range: Range<usize>) {
        if std::mem::take(&mut self.drops_line_break) && !range.is_empty() {
            range.start += self.line_break(range.start);
        }
        if !range.is_empty() {
            self.at = range.start;
            if self.options.syntax == PageSyntax::Xml {
                return self.insert_text(range, NodeKind::Text);
            }
            self.any_text(range);
        }
    }

    /// Handles the content of an element that is not markup.
    pub fn raw_text(&mut self, name: Name, content: Range<usize>) {
        // The text of `plaintext` is text of the body, except that it has no markup.
        if name == Name::Plaintext && !content.is_empty() {
            self.reconstruct_formatting();
        }
        let has_references = matches!(name, Name::Title | Name::Textarea);
        self.insert_text(content, if has_references { NodeKind::Text } else { NodeKind::Verbatim });
    }

    /// Handles a token.
    pub fn token(&mut self, token: &Token) {
        if self.options.syntax == PageSyntax::Xml {
            return self.xml_token(token);
        }
        match token {
            Token::Section(range) => {
                self.at = range.start;
                let content = section_content(self.text, range);
                if !self.is_foreign_text() && !content.is_empty() {
                    self.reconstruct_formatting();
                }
                self.allows_frameset &= self.text[content.clone()].iter().all(|byte| is_space(*byte));
                self.insert_text(content, NodeKind::Verbatim);
            }
            Token::Start(tag) => {
                self.at = tag.range.start;
                self.events.tag(tag, false);
                let changes = self.changes;
                while self.start_tag(tag) == Step::Again {}
                if self.changes == changes {
                    self.events.ignored(&tag.range);
                }
            }
            Token::End(tag) => {
                self.at = tag.range.start;
                self.events.tag(tag, true);
                if self.end_current(tag) {
                    return;
                }
                let (changes, mode) = (self.changes, self.mode);
                self.end_tag = Some(tag.clone());
                while self.end_tag(tag) == Step::Again {}
                self.end_tag = None;
                // The body and the root stay open after their end tags.
                if self.changes == changes && self.mode == mode {
                    self.events.ignored(&tag.range);
                }
            }
            Token::Comment(range) if self.builds_tree => self.tree.comments.push(range.clone()),
            Token::Comment(range) => self.events.comment(range),
            Token::Doctype(range) => {
                if self.mode == Mode::Initial {
                    self.tree.is_quirks = super::quirks::selects_quirks(&self.text[range.clone()]);
                    self.mode = Mode::BeforeHtml;
                }
            }
        }
    }

    /// Handles an end tag that closes the current element and has no other effect, as nearly all do: the short way
    /// through [`Builder::end_tag`]. Returns false for other tags.
    fn end_current(&mut self, tag: &Tag) -> bool {
        let Some(current) = self.current() else { return false };
        let has_one_effect = matches!(self.mode, Mode::InBody | Mode::InCell) && tag.name.only_closes();
        if !has_one_effect || self.html_name(current) != tag.name {
            return false;
        }
        if tag.name.is_formatting() {
            let is_last = |entry: &mut Formatting| *entry == Formatting::Element(current);
            if self.formatting.pop_if(is_last).is_none() {
                return false;
            }
        }
        self.open.pop();
        self.record_closed(current);
        self.report_closed(current, tag.range.clone());
        true
    }

    /// Returns the length of the line break at an offset, or 0.
    fn line_break(&self, at: usize) -> usize {
        match &self.text[at..] {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        }
    }

    /// Counts steps, for [`TooDeep`].
    pub fn count_steps(&mut self, steps: usize) {
        match self.steps_left.checked_sub(steps) {
            Some(left) => self.steps_left = left,
            None => self.is_too_deep = true,
        }
    }

    // The open elements.

    pub fn current(&self) -> Option<NodeId> {
        self.open.last().copied()
    }

    /// Whether the current element is one of SVG or `MathML`.
    pub fn is_in_foreign(&self) -> bool {
        self.current().is_some_and(|current| self.tree.namespace(current) != Namespace::Html)
    }

    /// Returns the name of an HTML element; [`Name::Other`] for SVG and `MathML`.
    pub fn html_name(&self, element: NodeId) -> Name {
        match self.tree.namespace(element) {
            Namespace::Html => self.tree.name(element),
            Namespace::Svg | Namespace::MathMl => Name::Other,
        }
    }

    /// Returns the name of the current element, if it is one of HTML.
    pub fn current_name(&self) -> Name {
        self.current().map_or(Name::Other, |current| self.html_name(current))
    }

    pub fn pop(&mut self) -> Option<NodeId> {
        let element = self.open.pop()?;
        self.record_closed(element);
        self.report_closed(element, self.end_of(element));
        Some(element)
    }

    pub fn push(&mut self, element: NodeId) {
        self.open.push(element);
        self.record_open(element);
    }

    /// Records that an element is open now.
    pub fn record_open(&mut self, element: NodeId) {
        self.tree.node_mut(element).is_open = true;
        let name = self.html_name(element);
        self.open_by_name[name as usize] += 1;
        self.inert_templates += usize::from(name == Name::Template && self.tree.is_inert_template(element));
    }

    /// Records that an element is open no longer, and where its content ends.
    pub fn record_closed(&mut self, element: NodeId) {
        let end = self.at as u32;
        let node = self.tree.node_mut(element);
        (node.is_open, node.end) = (false, end);
        let name = self.html_name(element);
        self.open_by_name[name as usize] -= 1;
        self.inert_templates -= usize::from(name == Name::Template && self.tree.is_inert_template(element));
    }

    /// Closes all elements up to the innermost one for which this holds.
    pub fn pop_until(&mut self, is_last: impl Fn(Name) -> bool) {
        while let Some(element) = self.pop() {
            if is_last(self.html_name(element)) {
                return;
            }
        }
    }

    pub fn pop_until_named(&mut self, name: Name) {
        self.pop_until(|other| other == name);
    }

    /// Closes all elements inside of the innermost one for which this holds.
    pub fn clear_to(&mut self, is_context: impl Fn(Name) -> bool) {
        while self.current().is_some() && !is_context(self.current_name()) {
            self.pop();
        }
    }

    /// Takes an element out of the open ones. If others in it stay open, they move out of it.
    pub fn remove_open(&mut self, element: NodeId, how: Moved) {
        if let Some(index) = self.open.iter().rposition(|other| *other == element) {
            self.open.remove(index);
            self.record_closed(element);
            if index < self.open.len() {
                self.report_moved(how);
            }
            self.report_closed(element, self.end_of(element));
        }
    }

    /// Whether an HTML element with this name is open.
    pub fn has_open(&self, name: Name) -> bool {
        self.open_by_name[name as usize] > 0
    }

    /// Whether an element that `is_wanted` is open within a scope.
    pub fn is_in_scope(&mut self, scope: Scope, is_wanted: impl Fn(&Self, NodeId) -> bool) -> bool {
        for index in (0..self.open.len()).rev() {
            let element = self.open[index];
            if is_wanted(self, element) {
                self.count_steps(self.open.len() - index);
                return true;
            }
            if self.bounds(scope, element) {
                self.count_steps(self.open.len() - index);
                return false;
            }
        }
        false
    }

    pub fn has_in_scope(&mut self, scope: Scope, name: Name) -> bool {
        self.has_open(name) && self.is_in_scope(scope, |builder, element| builder.html_name(element) == name)
    }

    /// Whether an element is the boundary of a scope.
    fn bounds(&self, scope: Scope, element: NodeId) -> bool {
        let name = self.tree.name(element);
        match self.tree.namespace(element) {
            Namespace::Html if scope == Scope::Table => {
                matches!(name, Name::Html | Name::Table | Name::Template)
            }
            Namespace::Html => match name {
                Name::Ol | Name::Ul => scope == Scope::ListItem,
                Name::Button => scope == Scope::Button,
                name => name.bounds_scope(),
            },
            foreign => scope != Scope::Table && name.is_special(foreign),
        }
    }

    /// Closes the elements whose end tags can be omitted here (13.2.6.3).
    pub fn imply_ends(&mut self, except: Name) {
        self.clear_to(|name| !name.has_implied_end() || name == except);
    }

    /// Closes the elements whose end tags can be omitted at the end of a template.
    pub fn imply_all_ends(&mut self) {
        self.clear_to(|name| !name.has_implied_end_in_template());
    }

    pub fn close_paragraph(&mut self) {
        if self.has_in_scope(Scope::Button, Name::P) {
            self.imply_ends(Name::P);
            self.pop_until_named(Name::P);
        }
    }

    /// Returns the start of the text after white space, which may be written as character references.
    pub fn after_space(&self, range: &Range<usize>) -> usize {
        let mut at = range.start;
        loop {
            at += self.text[at..range.end].iter().take_while(|byte| is_space(**byte)).count();
            match self.space_reference(at..range.end) {
                Some(length) => at += length,
                None => return at,
            }
        }
    }

    /// Returns the length of the reference to a white space character that begins here: `&#10;`, `&#x20;`, `&Tab;`.
    fn space_reference(&self, range: Range<usize>) -> Option<usize> {
        let rest = self.text[range].strip_prefix(b"&")?;
        let length = match rest.strip_prefix(b"#") {
            Some(number) => 1 + number.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count(),
            None => rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count(),
        };
        let length = 1 + length + usize::from(rest.get(length) == Some(&b';'));
        let written = std::str::from_utf8(&rest[..length - 1]).ok()?;
        let decoded = htmlize::unescape(format!("&{written}")).into_owned();
        decoded.bytes().all(is_space).then_some(length)
    }
}
