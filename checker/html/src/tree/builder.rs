//! The state of tree construction, and the steps that its insertion modes share (HTML standard, 13.2.4 and 13.2.6.1).

use std::ops::Range;

use super::{NodeId, NodeKind, Place, TooDeep, Tree, TreeOptions};
use crate::element::{Name, Namespace};
use crate::lexer::{Lexer, Tag, Token};
use crate::raw_text::RawText;
use crate::scan::is_space;

/// Steps of work for each byte of a page, and in addition. Parsers need a step for each open element that a tag is
/// compared with, and for each formatting element that they repeat; both multiply on hostile pages. Chosen: the pages of
/// the largest documentation sites need less than one step for each byte.
const STEPS_PER_BYTE: usize = 16;
const MORE_STEPS: usize = 1 << 16;

/// The depth up to which elements become children of the innermost open one; deeper ones become its siblings. Chromium and
/// Safari do so (`kMaximumHTMLParserDOMTreeDepth`), and it bounds the time of a selector that looks for ancestors.
const MAX_DEPTH: usize = 512;

/// The insertion modes (13.2.4.1). "text" needs none, as the lexer reads such text at once, up to its end tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
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
pub(super) enum Step {
    Done,
    /// Handle it again, in the mode that was set.
    Again,
}

/// The boundaries of a search for an open element (13.2.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Default,
    Button,
    ListItem,
    Table,
}

/// An entry of the list of active formatting elements (13.2.4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Formatting {
    Element(NodeId),
    /// Separates the content of a cell, an object or a template.
    Marker,
}

/// Tree construction in progress.
pub(super) struct Builder<'t> {
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
    pub formatting: Vec<Formatting>,
    pub head: Option<NodeId>,
    pub form: Option<NodeId>,
    pub options: TreeOptions,
    pub allows_frameset: bool,
    /// Whether misplaced content of a table goes before it.
    pub moves_out_of_table: bool,
    /// The content that a start tag made text.
    pub raw: Option<(RawText, Name)>,
    /// Whether a line break is dropped if it is the next token: after `<pre>` and `<listing>`.
    pub drops_line_break: bool,
    /// Whether the page has a `selectedcontent`.
    has_selected_content: bool,
    /// The start of the current token.
    pub at: usize,
    steps_left: usize,
    /// Whether the steps were used up.
    is_too_deep: bool,
}

impl<'t> Builder<'t> {
    pub fn new(text: &'t [u8], options: TreeOptions) -> Self {
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
            formatting: Vec::new(),
            head: None,
            form: None,
            options,
            allows_frameset: true,
            moves_out_of_table: false,
            raw: None,
            drops_line_break: false,
            has_selected_content: false,
            at: 0,
            steps_left: text.len().saturating_mul(STEPS_PER_BYTE).saturating_add(MORE_STEPS),
            is_too_deep: false,
        }
    }

    pub fn build(mut self) -> Result<Tree<'t>, TooDeep> {
        let mut lexer = Lexer::new(self.text);
        let mut table_text = Vec::new();
        loop {
            let mut token = lexer.next(self.is_in_foreign());
            if std::mem::take(&mut self.drops_line_break)
                && let Some(Token::Text(range)) = &mut token
            {
                range.start += self.line_break(range.start);
                if range.start == range.end {
                    continue;
                }
            }
            if let Some(Token::Text(range)) = &token
                && self.is_table_text()
            {
                table_text.push(range.clone());
                continue;
            }
            if !table_text.is_empty() {
                self.table_text(&table_text);
                table_text.clear();
            }
            let Some(token) = token else { break };
            self.token(&token);
            if let Some((kind, name)) = self.raw.take() {
                let content = lexer.raw_text(kind, name);
                // The text of `plaintext` is text of the body, except that it has no markup.
                if name == Name::Plaintext && !content.is_empty() {
                    self.reconstruct_formatting();
                }
                let has_references = matches!(name, Name::Title | Name::Textarea);
                self.insert_text(content, if has_references { NodeKind::Text } else { NodeKind::Verbatim });
            }
            if self.is_too_deep {
                return Err(TooDeep);
            }
        }
        self.at = self.text.len();
        self.end_of_file();
        if self.is_too_deep {
            return Err(TooDeep);
        }
        if self.has_selected_content {
            self.tree.fill_selected_contents();
        }
        Ok(self.tree)
    }

    fn token(&mut self, token: &Token) {
        match token {
            Token::Text(range) => {
                self.at = range.start;
                self.any_text(range.clone());
            }
            Token::Section(range) => {
                self.at = range.start;
                if !self.is_foreign_text() && !range.is_empty() {
                    self.reconstruct_formatting();
                }
                self.allows_frameset &= self.text[range.clone()].iter().all(|byte| is_space(*byte));
                self.insert_text(range.clone(), NodeKind::Verbatim);
            }
            Token::Start(tag) => {
                self.at = tag.range.start;
                while self.start_tag(tag) == Step::Again {}
            }
            Token::End(tag) => {
                self.at = tag.range.start;
                while self.end_tag(tag) == Step::Again {}
            }
            Token::Comment(range) => self.tree.comments.push(range.clone()),
            Token::Doctype(range) => {
                if self.mode == Mode::Initial {
                    self.tree.is_quirks = super::quirks::selects_quirks(&self.text[range.clone()]);
                    self.mode = Mode::BeforeHtml;
                }
            }
        }
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
        Some(element)
    }

    pub fn push(&mut self, element: NodeId) {
        self.open.push(element);
        self.record_open(element);
    }

    /// Records that an element is open now.
    pub fn record_open(&mut self, element: NodeId) {
        self.tree.node_mut(element).is_open = true;
        self.open_by_name[self.html_name(element) as usize] += 1;
    }

    /// Records that an element is open no longer, and where its content ends.
    pub fn record_closed(&mut self, element: NodeId) {
        let end = self.at as u32;
        let node = self.tree.node_mut(element);
        (node.is_open, node.end) = (false, end);
        self.open_by_name[self.html_name(element) as usize] -= 1;
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

    /// Takes an element out of the open ones.
    pub fn remove_open(&mut self, element: NodeId) {
        if let Some(index) = self.open.iter().rposition(|other| *other == element) {
            self.open.remove(index);
            self.record_closed(element);
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
        use Name::{
            AnnotationXml, Applet, Button, Caption, Desc, ForeignObject, Html, Marquee, Mi, Mn, Mo, Ms,
            Mtext, Object, Ol, Select, Table, Td, Template, Th, Title, Ul,
        };
        let name = self.tree.name(element);
        match self.tree.namespace(element) {
            Namespace::Html if scope == Scope::Table => matches!(name, Html | Table | Template),
            Namespace::Html => match name {
                Applet | Caption | Html | Table | Td | Th | Marquee | Object | Select | Template => true,
                Ol | Ul => scope == Scope::ListItem,
                Button => scope == Scope::Button,
                _ => false,
            },
            Namespace::Svg => scope != Scope::Table && matches!(name, ForeignObject | Desc | Title),
            Namespace::MathMl => {
                scope != Scope::Table && matches!(name, Mi | Mn | Mo | Ms | Mtext | AnnotationXml)
            }
        }
    }

    /// Closes the elements whose end tags can be omitted here (13.2.6.3).
    pub fn imply_ends(&mut self, except: Name) {
        use Name::{Dd, Dt, Li, Optgroup, Option, P, Rb, Rp, Rt, Rtc};
        let is_implied = |name| {
            matches!(name, Dd | Dt | Li | Optgroup | Option | P | Rb | Rp | Rt | Rtc) && name != except
        };
        self.clear_to(|name| !is_implied(name));
    }

    /// Closes the elements whose end tags can be omitted at the end of a template.
    pub fn imply_all_ends(&mut self) {
        use Name::{
            Caption, Colgroup, Dd, Dt, Li, Optgroup, Option, P, Rb, Rp, Rt, Rtc, Tbody, Td, Tfoot, Th, Thead,
            Tr,
        };
        #[rustfmt::skip] // one line for each would be half of the function
        self.clear_to(|name| !matches!(
            name,
            Caption | Colgroup | Dd | Dt | Li | Optgroup | Option | P | Rb | Rp | Rt | Rtc | Tbody | Td | Tfoot | Th
                | Thead | Tr
        ));
    }

    pub fn close_paragraph(&mut self) {
        if self.has_in_scope(Scope::Button, Name::P) {
            self.imply_ends(Name::P);
            self.pop_until_named(Name::P);
        }
    }

    // Insertion.

    /// Returns the place for a new node: the end of `target`, or before the table around it (13.2.6.1).
    pub fn place_in(&mut self, target: NodeId) -> Place {
        use Name::{Table, Tbody, Template, Tfoot, Thead, Tr};
        let is_misplaced =
            self.moves_out_of_table && matches!(self.html_name(target), Table | Tbody | Tfoot | Thead | Tr);
        if !is_misplaced {
            return Place::last_in(target);
        }
        self.count_steps(self.open.len());
        let innermost = |name| self.open.iter().rposition(|element| self.html_name(*element) == name);
        let template = innermost(Template);
        let Some(table) = innermost(Table).filter(|table| template.is_none_or(|template| template < *table))
        else {
            return Place::last_in(template.map_or(self.open[0], |template| self.open[template]));
        };
        let before = self.open[table];
        match self.tree.node(before).parent.some() {
            Some(parent) => Place { parent, before },
            None => Place::last_in(self.open[table - 1]),
        }
    }

    /// Returns the place for a new node in the current element.
    fn place(&mut self) -> Place {
        let target = self.current().unwrap_or(NodeId::DOCUMENT);
        let mut place = self.place_in(target);
        if self.open.len() > MAX_DEPTH
            && let Some(parent) = self.tree.node(place.parent).parent.some()
        {
            place = Place::last_in(parent);
        }
        place
    }

    /// Inserts an element and makes it the current one.
    pub fn insert_element(&mut self, name: Name, namespace: Namespace, tag: Range<usize>) -> NodeId {
        let element = self.tree.create(NodeKind::Element, name, namespace, tag);
        self.insert_created(element);
        element
    }

    /// Inserts an element that is not in the tree yet, and makes it the current one.
    pub fn insert_created(&mut self, element: NodeId) {
        let place = self.place();
        self.tree.insert(element, place);
        self.push(element);
    }

    pub fn insert_html(&mut self, tag: &Tag) -> NodeId {
        self.insert_tag(tag, Namespace::Html)
    }

    /// Inserts the element of a tag.
    pub fn insert_tag(&mut self, tag: &Tag, namespace: Namespace) -> NodeId {
        let element = self.insert_element(tag.name, namespace, tag.range.clone());
        self.has_selected_content |= tag.name == Name::Selectedcontent;
        self.tree.node_mut(element).attributes = tag.attributes;
        element
    }

    /// Inserts an element that the current token implies.
    pub fn insert_implied(&mut self, name: Name) -> NodeId {
        self.insert_element(name, Namespace::Html, self.at..self.at)
    }

    /// Inserts an element without content.
    pub fn insert_void(&mut self, tag: &Tag) {
        self.insert_html(tag);
        self.pop_empty(tag);
    }

    /// Closes the element that a tag opened, which has no content.
    pub fn pop_empty(&mut self, tag: &Tag) {
        self.at = tag.range.end;
        self.pop();
        self.at = tag.range.start;
    }

    /// Inserts an element whose content is not markup.
    pub fn insert_raw(&mut self, tag: &Tag, kind: RawText) {
        self.insert_html(tag);
        self.raw = Some((kind, tag.name));
        self.mode_after_text = self.mode;
        self.mode = Mode::Text;
    }

    pub fn insert_text(&mut self, range: Range<usize>, kind: NodeKind) {
        if !self.options.keeps_text || range.is_empty() {
            return;
        }
        let place = self.place();
        let text = self.tree.create(kind, Name::Other, Namespace::Html, range);
        self.tree.insert(text, place);
    }

    /// Adds the attributes of another tag to an element.
    pub fn merge_attributes(&mut self, element: Option<NodeId>, tag: &Tag) {
        let Some(element) = element else { return };
        self.tree.merged.push((element, tag.range.start as u32..tag.range.end as u32));
        let node = self.tree.node_mut(element);
        node.attributes = node.attributes.with(tag.attributes);
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
