//! The insertion mode of the body (HTML standard, 13.2.6.4.7).

use std::ops::Range;

use super::builder::{Builder, Formatting, Mode, Scope, Step};
use super::events::{Moved, NestingEvents};
use super::{NodeId, NodeKind};
use crate::element::Name;
use crate::raw_text::RawText;
use crate::tokenizer::Tag;

impl<E: NestingEvents> Builder<'_, E> {
    pub fn text_in_body(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        // The standard drops NUL.
        if self.text[range.clone()].iter().all(|byte| *byte == 0) {
            return;
        }
        self.reconstruct_formatting();
        self.allows_frameset = self.allows_frameset && self.after_space(&range) == range.end;
        self.insert_text(range, NodeKind::Text);
    }

    pub fn start_in_body(&mut self, tag: &Tag) -> Step {
        use Name::{
            A, Applet, Area, Body, Br, Button, Caption, Col, Colgroup, Dd, Dt, Embed, Form, Frame, Frameset,
            Head, Hr, Html, Iframe, Image, Img, Input, Keygen, Li, Listing, Marquee, Math, Nobr, Noembed,
            Noscript, Object, Optgroup, Option, Param, Plaintext, Pre, Rb, Rp, Rt, Rtc, Select, Source, Svg,
            Table, Tbody, Td, Template, Textarea, Tfoot, Th, Thead, Tr, Track, Wbr, Xmp,
        };
        match tag.name {
            Html if !self.has_open(Template) => self.merge_attributes(self.open.first().copied(), tag),
            Body => self.second_body(tag),
            name if name.is_head_content() => {
                return self.start_in_head(tag);
            }
            Frameset => self.frameset_in_body(tag),
            name if name.is_block_start() => self.insert_block(tag),
            name if name.is_heading() => {
                self.close_paragraph();
                if self.current_name().is_heading() {
                    self.pop();
                }
                self.insert_html(tag);
            }
            Pre | Listing => {
                self.insert_block(tag);
                self.drops_line_break = true;
                self.allows_frameset = false;
            }
            Form => self.start_form(tag),
            Li | Dd | Dt => self.start_item(tag),
            Plaintext => {
                self.insert_block(tag);
                self.raw = Some(RawText::Endless);
            }
            Button => {
                if self.has_in_scope(Scope::Default, Button) {
                    self.imply_ends(Name::Other);
                    self.pop_until_named(Button);
                }
                self.insert_inline(tag);
                self.allows_frameset = false;
            }
            A => self.start_link(tag),
            Nobr => {
                self.reconstruct_formatting();
                if self.has_in_scope(Scope::Default, Nobr) {
                    self.end_formatting(tag);
                    self.reconstruct_formatting();
                }
                self.insert_formatting(tag);
            }
            name if name.is_formatting() => {
                self.reconstruct_formatting();
                self.insert_formatting(tag);
            }
            Applet | Marquee | Object => {
                self.insert_inline(tag);
                self.formatting.push(Formatting::Marker);
                self.allows_frameset = false;
            }
            Table => {
                if !self.tree.is_quirks {
                    self.close_paragraph();
                }
                self.insert_html(tag);
                self.allows_frameset = false;
                self.mode = Mode::InTable;
            }
            Area | Br | Embed | Img | Keygen | Wbr => self.insert_void_inline(tag),
            Image => self.insert_void_inline(&Tag { name: Img, ..tag.clone() }),
            Input => self.start_input(tag),
            Param | Source | Track => self.insert_void(tag),
            Hr => {
                self.close_paragraph();
                if self.has_in_scope(Scope::Default, Select) {
                    self.imply_ends(Name::Other);
                }
                self.insert_void(tag);
                self.allows_frameset = false;
            }
            Textarea => {
                self.insert_raw(tag, RawText::Plain);
                self.allows_frameset = false;
            }
            Xmp => {
                self.close_paragraph();
                self.reconstruct_formatting();
                self.allows_frameset = false;
                self.insert_raw(tag, RawText::Plain);
            }
            Iframe => {
                self.allows_frameset = false;
                self.insert_raw(tag, RawText::Plain);
            }
            Noembed => self.insert_raw(tag, RawText::Plain),
            Noscript if self.options.runs_scripts => self.insert_raw(tag, RawText::Plain),
            Select if self.has_in_scope(Scope::Default, Select) => self.pop_until_named(Select),
            Select => {
                self.insert_inline(tag);
                self.allows_frameset = false;
            }
            Option | Optgroup => self.start_option(tag),
            Rb | Rtc => self.start_ruby(tag, Name::Other),
            Rp | Rt => self.start_ruby(tag, Rtc),
            Math | Svg => self.insert_foreign_root(tag),
            Html | Caption | Col | Colgroup | Frame | Head | Tbody | Td | Tfoot | Th | Thead | Tr => {}
            _ => self.insert_inline(tag),
        }
        Step::Done
    }

    pub fn end_in_body(&mut self, tag: &Tag) -> Step {
        use Name::{Applet, Body, Br, Dd, Dt, Form, Html, Li, Marquee, Object, P, Template};
        match tag.name {
            Template => return self.end_template(),
            Body | Html => {
                if self.has_in_scope(Scope::Default, Body) {
                    self.mode = Mode::AfterBody;
                    if tag.name == Html {
                        return Step::Again;
                    }
                }
            }
            name if name.is_block_end() => {
                self.end_in_scope(tag.name, Scope::Default, Name::Other);
            }
            Form => self.end_form(),
            P => {
                if !self.has_in_scope(Scope::Button, P) {
                    self.insert_implied(P);
                }
                self.close_paragraph();
            }
            Li => drop(self.end_in_scope(Li, Scope::ListItem, Li)),
            Dd | Dt => drop(self.end_in_scope(tag.name, Scope::Default, tag.name)),
            name if name.is_heading() => {
                let is_heading = |builder: &Self, element| builder.html_name(element).is_heading();
                if self.is_in_scope(Scope::Default, is_heading) {
                    self.imply_ends(Name::Other);
                    self.pop_until(Name::is_heading);
                }
            }
            name if name.is_formatting() => self.end_formatting(tag),
            Applet | Marquee | Object => {
                if self.end_in_scope(tag.name, Scope::Default, Name::Other) {
                    self.clear_formatting();
                }
            }
            Br => self.insert_void_inline(tag),
            _ => self.end_other(tag),
        }
        Step::Done
    }

    fn insert_block(&mut self, tag: &Tag) {
        self.close_paragraph();
        self.insert_html(tag);
    }

    fn insert_inline(&mut self, tag: &Tag) {
        self.reconstruct_formatting();
        self.insert_html(tag);
    }

    fn insert_void_inline(&mut self, tag: &Tag) {
        self.reconstruct_formatting();
        self.insert_void(tag);
        self.allows_frameset = false;
    }

    /// Returns the body, if no template and no frame set is around.
    fn body(&self) -> Option<NodeId> {
        let body = self.open.get(1).copied()?;
        (self.html_name(body) == Name::Body && !self.has_open(Name::Template)).then_some(body)
    }

    fn second_body(&mut self, tag: &Tag) {
        if let Some(body) = self.body() {
            self.allows_frameset = false;
            self.merge_attributes(Some(body), tag);
        }
    }

    fn frameset_in_body(&mut self, tag: &Tag) {
        let Some(body) = self.open.get(1).copied() else { return };
        if self.html_name(body) != Name::Body || !self.allows_frameset {
            return;
        }
        self.report_moved(Moved::Frameset);
        self.tree.detach(body);
        while self.open.len() > 1 {
            self.pop();
        }
        self.insert_html(tag);
        self.mode = Mode::InFrameset;
    }

    fn start_form(&mut self, tag: &Tag) {
        let in_template = self.has_open(Name::Template);
        if self.form.is_some() && !in_template {
            return;
        }
        self.insert_block(tag);
        if !in_template {
            self.form = self.current();
        }
    }

    fn end_form(&mut self) {
        if self.has_open(Name::Template) {
            self.end_in_scope(Name::Form, Scope::Default, Name::Other);
            return;
        }
        let Some(form) = self.form.take() else { return };
        if self.is_in_scope(Scope::Default, |_, element| element == form) {
            self.imply_ends(Name::Other);
            self.remove_open(form, Moved::Form);
        }
    }

    /// Inserts an item of a list, after the one that it ends.
    fn start_item(&mut self, tag: &Tag) {
        self.allows_frameset = false;
        let is_ended = |name| match tag.name {
            Name::Li => name == Name::Li,
            _ => matches!(name, Name::Dd | Name::Dt),
        };
        let ended = (0..self.open.len()).rev().find_map(|index| {
            let element = self.open[index];
            let name = self.html_name(element);
            let is_end = self.tree.name(element).is_special(self.tree.namespace(element))
                && !matches!(name, Name::Address | Name::Div | Name::P);
            (is_ended(name) || is_end).then_some((index, name))
        });
        if let Some((index, name)) = ended {
            self.count_steps(self.open.len() - index);
            if is_ended(name) {
                self.imply_ends(name);
                self.pop_until_named(name);
            }
        }
        self.insert_block(tag);
    }

    fn start_link(&mut self, tag: &Tag) {
        if let Some((_, link)) = self.innermost_formatting(Name::A) {
            self.end_formatting(tag);
            self.formatting.retain(|entry| *entry != Formatting::Element(link));
            self.remove_open(link, Moved::Formatting);
        }
        self.reconstruct_formatting();
        self.insert_formatting(tag);
    }

    fn start_input(&mut self, tag: &Tag) {
        if self.has_in_scope(Scope::Default, Name::Select) {
            self.pop_until_named(Name::Select);
        }
        self.reconstruct_formatting();
        self.insert_void(tag);
        self.allows_frameset &= self.is_hidden_input(tag);
    }

    fn start_option(&mut self, tag: &Tag) {
        if self.has_in_scope(Scope::Default, Name::Select) {
            self.imply_ends(if tag.name == Name::Option { Name::Optgroup } else { Name::Other });
        } else if self.current_name() == Name::Option {
            self.pop();
        }
        self.insert_inline(tag);
    }

    fn start_ruby(&mut self, tag: &Tag, except: Name) {
        if self.has_in_scope(Scope::Default, Name::Ruby) {
            self.imply_ends(except);
        }
        self.insert_html(tag);
    }

    /// Closes an element and those in it. Returns false if none with this name is in scope.
    fn end_in_scope(&mut self, name: Name, scope: Scope, except: Name) -> bool {
        let is_open = self.has_in_scope(scope, name);
        if is_open {
            self.imply_ends(except);
            self.pop_until_named(name);
        }
        is_open
    }

    /// Handles the end tag of an element without rules of its own.
    pub fn end_other(&mut self, tag: &Tag) {
        for index in (0..self.open.len()).rev() {
            let element = self.open[index];
            self.count_steps(1);
            let is_html = self.tree.namespace(element) == crate::element::Namespace::Html;
            if is_html && self.is_named_like(element, tag) {
                self.imply_ends(tag.name);
                while self.pop().is_some_and(|other| other != element) {}
                return;
            }
            if self.tree.name(element).is_special(self.tree.namespace(element)) {
                return;
            }
        }
    }
}
