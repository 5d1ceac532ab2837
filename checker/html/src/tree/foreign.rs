//! SVG and `MathML` in HTML (HTML standard, 13.2.6.5).

use super::NodeId;
use super::builder::{Builder, Step};
use super::events::NestingEvents;
use crate::element::{Name, Namespace};
use crate::tokenizer::Tag;

impl<E: NestingEvents> Builder<'_, E> {
    /// Whether a start tag is handled as content of SVG or `MathML`.
    pub fn is_foreign_start(&self, tag: &Tag) -> bool {
        let Some(current) = self.current() else { return false };
        match self.tree.namespace(current) {
            namespace if namespace == Namespace::Html || self.holds_html(current) => false,
            Namespace::MathMl if self.tree.name(current).is_math_text() => {
                matches!(tag.name, Name::Mglyph | Name::Malignmark)
            }
            Namespace::MathMl => !(self.tree.name(current) == Name::AnnotationXml && tag.name == Name::Svg),
            _ => true,
        }
    }

    /// Whether text is handled as content of SVG or `MathML`.
    pub fn is_foreign_text(&self) -> bool {
        let Some(current) = self.current() else { return false };
        self.is_in_foreign() && !self.holds_html(current) && !self.is_math_text_element(current)
    }

    /// Whether an element is an HTML integration point.
    fn holds_html(&self, element: NodeId) -> bool {
        let encoding = || self.tree.attribute(element, b"encoding");
        self.tree.name(element).is_integration_point(self.tree.namespace(element), encoding)
    }

    fn is_math_text_element(&self, element: NodeId) -> bool {
        self.tree.namespace(element) == Namespace::MathMl && self.tree.name(element).is_math_text()
    }

    pub fn foreign_start(&mut self, tag: &Tag) -> Step {
        if tag.ends_foreign(self.text) {
            self.leave_foreign();
            return Step::Again;
        }
        let namespace = self.current().map_or(Namespace::Html, |current| self.tree.namespace(current));
        self.insert_foreign(tag, namespace);
        Step::Done
    }

    /// Inserts an element of SVG or `MathML`.
    pub fn insert_foreign(&mut self, tag: &Tag, namespace: Namespace) {
        self.insert_tag(tag, namespace);
        if tag.is_empty {
            self.pop_empty(tag);
        }
    }

    /// Handles an end tag in SVG or `MathML`. Returns `None` if it belongs to the HTML around.
    pub fn foreign_end(&mut self, tag: &Tag) -> Option<Step> {
        if matches!(tag.name, Name::Br | Name::P) {
            self.leave_foreign();
            return None;
        }
        for index in (0..self.open.len()).rev() {
            let element = self.open[index];
            self.count_steps(1);
            if self.tree.namespace(element) == Namespace::Html {
                return None;
            }
            if self.is_named_like(element, tag) {
                while self.open.len() > index {
                    self.pop();
                }
                return Some(Step::Done);
            }
        }
        Some(Step::Done)
    }

    /// Whether an element has the name of an end tag.
    pub fn is_named_like(&self, element: NodeId, tag: &Tag) -> bool {
        let name = self.tree.name(element);
        if name != Name::Other || tag.name != Name::Other {
            return name == tag.name;
        }
        let written = &self.text[tag.name_range.clone()];
        self.tree.written_name(element).eq_ignore_ascii_case(written)
    }

    /// Closes SVG and `MathML` up to an element that contains HTML.
    fn leave_foreign(&mut self) {
        while let Some(current) = self.current()
            && self.is_in_foreign()
            && !self.holds_html(current)
            && !self.is_math_text_element(current)
        {
            self.pop();
        }
    }
}
