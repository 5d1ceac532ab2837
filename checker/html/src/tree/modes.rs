//! The insertion modes outside of the body and of tables (HTML standard, 13.2.6.4).

use std::ops::Range;

use super::builder::{Builder, Formatting, Mode, Step};
use super::events::{Moved, NestingEvents};
use super::{NodeId, NodeKind};
use crate::element::{Name, Namespace};
use crate::raw_text::RawText;
use crate::syntax::PageSyntax;
use crate::tokenizer::Tag;

impl<E: NestingEvents> Builder<'_, E> {
    /// Handles a start tag in the current mode.
    pub fn start_tag(&mut self, tag: &Tag) -> Step {
        if self.is_foreign_start(tag) {
            return self.foreign_start(tag);
        }
        match self.mode {
            Mode::Initial => self.without_doctype(),
            Mode::BeforeHtml => self.start_before_html(tag),
            Mode::BeforeHead => self.start_before_head(tag),
            Mode::InHead => self.start_in_head(tag),
            Mode::InHeadNoscript => self.start_in_noscript(tag),
            Mode::AfterHead => self.start_after_head(tag),
            Mode::InBody | Mode::Text => self.start_in_body(tag),
            Mode::InTable => self.start_in_table(tag),
            Mode::InCaption => self.start_in_caption(tag),
            Mode::InColumnGroup => self.start_in_column_group(tag),
            Mode::InTableBody => self.start_in_table_body(tag),
            Mode::InRow => self.start_in_row(tag),
            Mode::InCell => self.start_in_cell(tag),
            Mode::InTemplate => self.start_in_template(tag),
            Mode::AfterBody | Mode::AfterAfterBody => match tag.name {
                Name::Html => self.start_in_body(tag),
                _ => self.again_in(Mode::InBody),
            },
            Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => self.start_in_frameset(tag),
        }
    }

    /// Handles an end tag in the current mode.
    pub fn end_tag(&mut self, tag: &Tag) -> Step {
        if self.is_in_foreign()
            && let Some(step) = self.foreign_end(tag)
        {
            return step;
        }
        match self.mode {
            Mode::Initial => self.without_doctype(),
            Mode::BeforeHtml | Mode::BeforeHead | Mode::AfterHead => self.end_around_head(tag),
            Mode::InHead => self.end_in_head(tag),
            Mode::InHeadNoscript => self.end_in_noscript(tag),
            Mode::InBody => self.end_in_body(tag),
            Mode::Text => {
                self.pop();
                self.mode = self.mode_after_text;
                Step::Done
            }
            Mode::InTable => self.end_in_table(tag),
            Mode::InCaption => self.end_in_caption(tag),
            Mode::InColumnGroup => self.end_in_column_group(tag),
            Mode::InTableBody => self.end_in_table_body(tag),
            Mode::InRow => self.end_in_row(tag),
            Mode::InCell => self.end_in_cell(tag),
            Mode::InTemplate => match tag.name {
                Name::Template => self.end_template(),
                _ => Step::Done,
            },
            Mode::AfterBody => match tag.name {
                Name::Html => self.done_in(Mode::AfterAfterBody),
                _ => self.again_in(Mode::InBody),
            },
            Mode::AfterAfterBody => self.again_in(Mode::InBody),
            Mode::InFrameset => self.end_in_frameset(tag),
            Mode::AfterFrameset => match tag.name {
                Name::Html => self.done_in(Mode::AfterAfterFrameset),
                _ => Step::Done,
            },
            Mode::AfterAfterFrameset => Step::Done,
        }
    }

    /// Handles text outside of tables.
    pub fn any_text(&mut self, range: Range<usize>) {
        if self.is_foreign_text() {
            self.allows_frameset &= self.after_space(&range) == range.end;
            return self.insert_text(range, NodeKind::Text);
        }
        let mut range = range;
        loop {
            match self.mode {
                _ if self.is_table_text() => return self.table_text(range),
                Mode::InBody
                | Mode::Text
                | Mode::InTable
                | Mode::InCaption
                | Mode::InTableBody
                | Mode::InRow
                | Mode::InCell
                | Mode::InTemplate => return self.text_in_body(range),
                // White space there opens formatting elements again, as in the body.
                Mode::AfterAfterFrameset => return self.text_in_body(range.start..self.after_space(&range)),
                Mode::InFrameset | Mode::AfterFrameset => return,
                _ => {}
            }
            let text = self.after_space(&range);
            let space = std::mem::replace(&mut range.start, text).min(text)..text;
            match self.mode {
                Mode::InHead | Mode::InHeadNoscript | Mode::AfterHead | Mode::InColumnGroup => {
                    self.insert_text(space, NodeKind::Text);
                }
                Mode::AfterBody | Mode::AfterAfterBody => self.text_in_body(space),
                _ => {}
            }
            let is_ignored = self.mode == Mode::InColumnGroup && self.current_name() != Name::Colgroup;
            if range.is_empty() || is_ignored {
                return;
            }
            self.at = range.start;
            self.leave_for_content();
        }
    }

    /// Leaves a mode that has no place for text.
    fn leave_for_content(&mut self) {
        match self.mode {
            Mode::Initial => drop(self.without_doctype()),
            Mode::BeforeHtml => {
                self.insert_implied(Name::Html);
                self.mode = Mode::BeforeHead;
            }
            Mode::BeforeHead => {
                self.head = Some(self.insert_implied(Name::Head));
                self.mode = Mode::InHead;
            }
            Mode::InHead => {
                self.pop();
                self.mode = Mode::AfterHead;
            }
            Mode::InHeadNoscript => {
                self.pop();
                self.mode = Mode::InHead;
            }
            Mode::AfterHead => {
                self.insert_implied(Name::Body);
                self.mode = Mode::InBody;
            }
            Mode::InColumnGroup => {
                self.close_column_group();
            }
            _ => self.mode = Mode::InBody,
        }
    }

    /// Leaves a mode for a tag that has no place in it, and handles the tag again.
    fn leave_for_tag(&mut self) -> Step {
        self.leave_for_content();
        Step::Again
    }

    pub fn again_in(&mut self, mode: Mode) -> Step {
        self.mode = mode;
        Step::Again
    }

    pub fn done_in(&mut self, mode: Mode) -> Step {
        self.mode = mode;
        Step::Done
    }

    fn without_doctype(&mut self) -> Step {
        self.tree.is_quirks = true;
        self.again_in(Mode::BeforeHtml)
    }

    fn start_before_html(&mut self, tag: &Tag) -> Step {
        if tag.name != Name::Html {
            return self.leave_for_tag();
        }
        self.insert_html(tag);
        self.done_in(Mode::BeforeHead)
    }

    fn start_before_head(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Html => self.start_in_body(tag),
            Name::Head => {
                self.head = Some(self.insert_html(tag));
                self.done_in(Mode::InHead)
            }
            _ => self.leave_for_tag(),
        }
    }

    /// Handles an end tag before the head or after it.
    fn end_around_head(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Head if self.mode != Mode::AfterHead => self.leave_for_tag(),
            Name::Body | Name::Html | Name::Br => self.leave_for_tag(),
            Name::Template if self.mode == Mode::AfterHead => self.end_template(),
            _ => Step::Done,
        }
    }

    /// Handles a start tag in the head, or one with the same rules in another mode.
    pub fn start_in_head(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Html => return self.start_in_body(tag),
            Name::Base | Name::Basefont | Name::Bgsound | Name::Link | Name::Meta => self.insert_void(tag),
            Name::Title | Name::Noframes | Name::Style => self.insert_raw(tag, RawText::Plain),
            Name::Noscript if self.options.runs_scripts => self.insert_raw(tag, RawText::Plain),
            Name::Noscript => {
                self.insert_html(tag);
                self.mode = Mode::InHeadNoscript;
            }
            Name::Script => self.insert_raw(tag, RawText::Script),
            Name::Template => {
                self.insert_html(tag);
                self.formatting.push(Formatting::Marker);
                self.allows_frameset = false;
                self.mode = Mode::InTemplate;
                self.template_modes.push(Mode::InTemplate);
            }
            Name::Head => {}
            _ => return self.leave_for_tag(),
        }
        Step::Done
    }

    fn end_in_head(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Head => {
                self.pop();
                self.done_in(Mode::AfterHead)
            }
            Name::Body | Name::Html | Name::Br => self.leave_for_tag(),
            Name::Template => self.end_template(),
            _ => Step::Done,
        }
    }

    pub fn end_template(&mut self) -> Step {
        if self.has_open(Name::Template) {
            self.imply_all_ends();
            self.leave_template();
        }
        Step::Done
    }

    fn leave_template(&mut self) {
        self.pop_until_named(Name::Template);
        self.clear_formatting();
        self.template_modes.pop();
        self.reset_mode();
    }

    fn start_in_noscript(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Html => self.start_in_body(tag),
            Name::Basefont | Name::Bgsound | Name::Link | Name::Meta | Name::Noframes | Name::Style => {
                self.start_in_head(tag)
            }
            Name::Head | Name::Noscript => Step::Done,
            _ => self.leave_for_tag(),
        }
    }

    fn end_in_noscript(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Noscript => {
                self.pop();
                self.done_in(Mode::InHead)
            }
            Name::Br => self.leave_for_tag(),
            _ => Step::Done,
        }
    }

    fn start_after_head(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Html => self.start_in_body(tag),
            Name::Body => {
                self.insert_html(tag);
                self.allows_frameset = false;
                self.done_in(Mode::InBody)
            }
            Name::Frameset => {
                self.insert_html(tag);
                self.done_in(Mode::InFrameset)
            }
            name if name.is_head_content() => {
                let Some(head) = self.head else { return Step::Done };
                self.report_moved(Moved::IntoHead);
                self.report_open(head);
                self.push(head);
                let step = self.start_in_head(tag);
                self.remove_open(head, Moved::IntoHead);
                step
            }
            Name::Head => Step::Done,
            _ => self.leave_for_tag(),
        }
    }

    fn start_in_template(&mut self, tag: &Tag) -> Step {
        let mode = match tag.name {
            name if name.is_head_content() => return self.start_in_head(tag),
            Name::Caption | Name::Colgroup | Name::Tbody | Name::Tfoot | Name::Thead => Mode::InTable,
            Name::Col => Mode::InColumnGroup,
            Name::Tr => Mode::InTableBody,
            Name::Td | Name::Th => Mode::InRow,
            _ => Mode::InBody,
        };
        if let Some(last) = self.template_modes.last_mut() {
            *last = mode;
        }
        self.again_in(mode)
    }

    fn start_in_frameset(&mut self, tag: &Tag) -> Step {
        match tag.name {
            Name::Html => self.start_in_body(tag),
            Name::Noframes => self.start_in_head(tag),
            Name::Frameset if self.mode == Mode::InFrameset => {
                self.insert_html(tag);
                Step::Done
            }
            Name::Frame if self.mode == Mode::InFrameset => {
                self.insert_void(tag);
                Step::Done
            }
            _ => Step::Done,
        }
    }

    fn end_in_frameset(&mut self, tag: &Tag) -> Step {
        if tag.name == Name::Frameset && self.open.len() > 1 {
            self.pop();
            if self.current_name() != Name::Frameset {
                self.mode = Mode::AfterFrameset;
            }
        }
        Step::Done
    }

    /// Handles the end of the page. Elements that are still open end there.
    pub fn end_of_file(&mut self) {
        self.at = self.text.len();
        if self.options.syntax == PageSyntax::Xml {
            while self.pop().is_some() {}
            return;
        }
        if self.mode == Mode::Text {
            self.pop();
            self.mode = self.mode_after_text;
        }
        // A page without markup has a head and a body, too. A template that is open ends here.
        loop {
            let is_around_head = matches!(
                self.mode,
                Mode::Initial
                    | Mode::BeforeHtml
                    | Mode::BeforeHead
                    | Mode::InHead
                    | Mode::InHeadNoscript
                    | Mode::AfterHead
            );
            if is_around_head {
                self.leave_for_content();
            } else if !self.template_modes.is_empty() {
                self.leave_template();
            } else {
                break;
            }
        }
        while self.pop().is_some() {}
    }

    /// Selects the mode for the current element (13.2.4.1).
    pub fn reset_mode(&mut self) {
        self.mode = self.mode_for_open();
    }

    fn mode_for_open(&self) -> Mode {
        let is_html = |element: &NodeId| self.tree.namespace(*element) == Namespace::Html;
        for element in self.open.iter().rev().filter(|element| is_html(element)) {
            match self.tree.name(*element) {
                Name::Td | Name::Th => return Mode::InCell,
                Name::Tr => return Mode::InRow,
                Name::Tbody | Name::Thead | Name::Tfoot => return Mode::InTableBody,
                Name::Caption => return Mode::InCaption,
                Name::Colgroup => return Mode::InColumnGroup,
                Name::Table => return Mode::InTable,
                Name::Template => return self.template_modes.last().copied().unwrap_or(Mode::InTemplate),
                Name::Head => return Mode::InHead,
                Name::Body => return Mode::InBody,
                Name::Frameset => return Mode::InFrameset,
                Name::Html if self.head.is_none() => return Mode::BeforeHead,
                Name::Html => return Mode::AfterHead,
                _ => {}
            }
        }
        Mode::InBody
    }
}
