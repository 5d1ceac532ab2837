//! The insertion modes of tables (HTML standard, 13.2.6.4.9 to 13.2.6.4.15).

use std::ops::Range;

use super::NodeKind;
use super::builder::{Builder, Formatting, Mode, Scope, Step};
use super::events::NestingEvents;
use crate::attributes::decoded_value;
use crate::element::{Name, Namespace};
use crate::tokenizer::Tag;

impl<E: NestingEvents> Builder<'_, E> {
    /// Whether text belongs to a table, in which only white space has a place.
    pub fn is_table_text(&self) -> bool {
        use Name::{Table, Tbody, Template, Tfoot, Thead, Tr};
        matches!(self.mode, Mode::InTable | Mode::InTableBody | Mode::InRow)
            && matches!(self.current_name(), Table | Tbody | Template | Tfoot | Thead | Tr)
    }

    /// Handles text in a table: if some of it is no white space, all of it goes before the table.
    pub fn table_text(&mut self, range: Range<usize>) {
        if self.after_space(&range) == range.end {
            self.insert_text(range, NodeKind::Text);
        } else {
            self.outside_of_table(|builder| builder.text_in_body(range));
        }
    }

    /// Handles misplaced content of a table, which goes before it.
    fn outside_of_table<T>(&mut self, handle: impl FnOnce(&mut Self) -> T) -> T {
        self.moves_out_of_table = true;
        let handled = handle(self);
        self.moves_out_of_table = false;
        handled
    }

    pub fn start_in_table(&mut self, tag: &Tag) -> Step {
        let is_context = |name| matches!(name, Name::Table | Name::Template | Name::Html);
        match tag.name {
            Name::Caption => {
                self.clear_to(is_context);
                self.formatting.push(Formatting::Marker);
                self.insert_html(tag);
                self.done_in(Mode::InCaption)
            }
            Name::Colgroup => {
                self.clear_to(is_context);
                self.insert_html(tag);
                self.done_in(Mode::InColumnGroup)
            }
            Name::Col => {
                self.clear_to(is_context);
                self.insert_implied(Name::Colgroup);
                self.again_in(Mode::InColumnGroup)
            }
            Name::Tbody | Name::Tfoot | Name::Thead => {
                self.clear_to(is_context);
                self.insert_html(tag);
                self.done_in(Mode::InTableBody)
            }
            Name::Td | Name::Th | Name::Tr => {
                self.clear_to(is_context);
                self.insert_implied(Name::Tbody);
                self.again_in(Mode::InTableBody)
            }
            Name::Table if self.has_in_scope(Scope::Table, Name::Table) => {
                self.pop_until_named(Name::Table);
                self.reset_mode();
                Step::Again
            }
            Name::Table => Step::Done,
            Name::Style | Name::Script | Name::Template => self.start_in_head(tag),
            Name::Input if self.is_hidden_input(tag) => {
                self.insert_void(tag);
                Step::Done
            }
            Name::Form => {
                if self.form.is_none() && !self.has_open(Name::Template) {
                    self.form = Some(self.insert_html(tag));
                    self.pop();
                }
                Step::Done
            }
            _ => self.outside_of_table(|builder| builder.start_in_body(tag)),
        }
    }

    pub fn end_in_table(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Table => {
                if self.has_in_scope(Scope::Table, Name::Table) {
                    self.pop_until_named(Name::Table);
                    self.reset_mode();
                }
                Step::Done
            }
            Name::Body
            | Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Html
            | Name::Tbody
            | Name::Td
            | Name::Tfoot
            | Name::Th
            | Name::Thead
            | Name::Tr => Step::Done,
            Name::Template => self.end_template(),
            _ => self.outside_of_table(|builder| builder.end_in_body(tag)),
        }
    }

    pub fn start_in_caption(&mut self, tag: &Tag) -> Step {
        if !is_table_part(tag.name) {
            return self.start_in_body(tag);
        }
        if self.close_caption() { Step::Again } else { Step::Done }
    }

    pub fn end_in_caption(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Caption => {
                self.close_caption();
                Step::Done
            }
            Name::Table if self.close_caption() => Step::Again,
            name if name == Name::Table || is_ignored_end(name) || is_row_part(name) => Step::Done,
            _ => self.end_in_body(tag),
        }
    }

    /// Closes the caption. Returns false if none is open.
    fn close_caption(&mut self) -> bool {
        if !self.has_in_scope(Scope::Table, Name::Caption) {
            return false;
        }
        self.imply_ends(Name::Other);
        self.pop_until_named(Name::Caption);
        self.clear_formatting();
        self.mode = Mode::InTable;
        true
    }

    pub fn start_in_column_group(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Html => self.start_in_body(tag),
            Name::Col => {
                self.insert_void(tag);
                Step::Done
            }
            Name::Template => self.start_in_head(tag),
            _ if self.close_column_group() => Step::Again,
            _ => Step::Done,
        }
    }

    pub fn end_in_column_group(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Template => self.end_template(),
            Name::Col => Step::Done,
            Name::Colgroup => {
                self.close_column_group();
                Step::Done
            }
            _ if self.close_column_group() => Step::Again,
            _ => Step::Done,
        }
    }

    /// Closes the column group. Returns false if none is the current element.
    pub fn close_column_group(&mut self) -> bool {
        if self.current_name() != Name::Colgroup {
            return false;
        }
        self.pop();
        self.mode = Mode::InTable;
        true
    }

    pub fn start_in_table_body(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Tr => {
                self.clear_to(is_body_context);
                self.insert_html(tag);
                self.done_in(Mode::InRow)
            }
            Name::Th | Name::Td => {
                self.clear_to(is_body_context);
                self.insert_implied(Name::Tr);
                self.again_in(Mode::InRow)
            }
            Name::Caption | Name::Col | Name::Colgroup | Name::Tbody | Name::Tfoot | Name::Thead => {
                self.close_table_body(None)
            }
            _ => self.start_in_table(tag),
        }
    }

    pub fn end_in_table_body(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Tbody | Name::Tfoot | Name::Thead => self.close_table_body(Some(tag.name)),
            Name::Table => self.close_table_body(None),
            Name::Tr | Name::Td | Name::Th => Step::Done,
            name if is_ignored_end(name) => Step::Done,
            _ => self.end_in_table(tag),
        }
    }

    /// Closes the table body: of its own name by its end tag, or any by a tag that is handled again.
    fn close_table_body(&mut self, by_end: Option<Name>) -> Step {
        let closes = |builder: &Self, element| match by_end {
            Some(name) => builder.html_name(element) == name,
            None => matches!(builder.html_name(element), Name::Tbody | Name::Thead | Name::Tfoot),
        };
        if !self.is_in_scope(Scope::Table, closes) {
            return Step::Done;
        }
        self.clear_to(is_body_context);
        self.pop();
        self.mode = Mode::InTable;
        if by_end.is_some() { Step::Done } else { Step::Again }
    }

    pub fn start_in_row(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Th | Name::Td => {
                self.clear_to(is_row_context);
                self.insert_html(tag);
                self.formatting.push(Formatting::Marker);
                self.done_in(Mode::InCell)
            }
            Name::Caption
            | Name::Col
            | Name::Colgroup
            | Name::Tbody
            | Name::Tfoot
            | Name::Thead
            | Name::Tr => {
                if self.close_row() {
                    Step::Again
                } else {
                    Step::Done
                }
            }
            _ => self.start_in_table(tag),
        }
    }

    pub fn end_in_row(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Tr => {
                self.close_row();
                Step::Done
            }
            Name::Table if self.close_row() => Step::Again,
            Name::Tbody | Name::Tfoot | Name::Thead
                if self.has_in_scope(Scope::Table, tag.name) && self.close_row() =>
            {
                Step::Again
            }
            Name::Table | Name::Tbody | Name::Tfoot | Name::Thead | Name::Td | Name::Th => Step::Done,
            name if is_ignored_end(name) => Step::Done,
            _ => self.end_in_table(tag),
        }
    }

    /// Closes the row. Returns false if none is open.
    fn close_row(&mut self) -> bool {
        if !self.has_in_scope(Scope::Table, Name::Tr) {
            return false;
        }
        self.clear_to(is_row_context);
        self.pop();
        self.mode = Mode::InTableBody;
        true
    }

    pub fn start_in_cell(&mut self, tag: &Tag) -> Step {
        if !is_table_part(tag.name) {
            return self.start_in_body(tag);
        }
        if self.close_cell() { Step::Again } else { Step::Done }
    }

    pub fn end_in_cell(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Td | Name::Th => {
                if self.has_in_scope(Scope::Table, tag.name) {
                    self.imply_ends(Name::Other);
                    self.pop_until_named(tag.name);
                    self.clear_formatting();
                    self.mode = Mode::InRow;
                }
                Step::Done
            }
            Name::Table | Name::Tbody | Name::Tfoot | Name::Thead | Name::Tr
                if self.has_in_scope(Scope::Table, tag.name) && self.close_cell() =>
            {
                Step::Again
            }
            name if name == Name::Table || is_ignored_end(name) || is_row_part(name) => Step::Done,
            _ => self.end_in_body(tag),
        }
    }

    /// Closes the cell. Returns false if none is open.
    fn close_cell(&mut self) -> bool {
        let is_cell = |name| matches!(name, Name::Td | Name::Th);
        if !self.is_in_scope(Scope::Table, |builder, element| is_cell(builder.html_name(element))) {
            return false;
        }
        self.imply_ends(Name::Other);
        self.pop_until(is_cell);
        self.clear_formatting();
        self.mode = Mode::InRow;
        true
    }

    /// Whether an `input` is hidden.
    pub fn is_hidden_input(&self, tag: &Tag) -> bool {
        let kind = tag.attribute(self.text, b"type");
        kind.is_some_and(|kind| decoded_value(kind).eq_ignore_ascii_case("hidden"))
    }

    /// Inserts an element of SVG or `MathML` into HTML.
    pub fn insert_foreign_root(&mut self, tag: &Tag) {
        self.reconstruct_formatting();
        let namespace = if tag.name == Name::Svg { Namespace::Svg } else { Namespace::MathMl };
        self.insert_foreign(tag, namespace);
    }
}

fn is_body_context(name: Name) -> bool {
    matches!(name, Name::Tbody | Name::Tfoot | Name::Thead | Name::Template | Name::Html)
}

fn is_row_context(name: Name) -> bool {
    matches!(name, Name::Tr | Name::Template | Name::Html)
}

/// Whether a start tag ends a caption or a cell.
fn is_table_part(name: Name) -> bool {
    matches!(name, Name::Caption | Name::Col | Name::Colgroup) || is_row_part(name)
}

fn is_row_part(name: Name) -> bool {
    use Name::{Tbody, Td, Tfoot, Th, Thead, Tr};
    matches!(name, Tbody | Td | Tfoot | Th | Thead | Tr)
}

/// Whether an end tag is ignored everywhere in a table.
fn is_ignored_end(name: Name) -> bool {
    matches!(name, Name::Body | Name::Caption | Name::Col | Name::Colgroup | Name::Html)
}
