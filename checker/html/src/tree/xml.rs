//! Tree construction for XML (HTML standard, 14.2): each start tag begins an element, and its end tag ends it.

use super::builder::Builder;
use super::events::NestingEvents;
use super::{NodeId, NodeKind};
use crate::element::{Name, Namespace};
use crate::tokenizer::{Tag, Token, section_content};

/// The namespace of HTML in XML.
const XHTML: &[u8] = b"http://www.w3.org/1999/xhtml";

impl<E: NestingEvents> Builder<'_, E> {
    /// Handles a token.
    pub fn xml_token(&mut self, token: &Token) {
        self.at = token.range().start;
        match token {
            Token::Start(tag) => self.xml_start(tag),
            Token::End(tag) => self.xml_end(tag),
            Token::Section(range) => self.insert_text(section_content(self.text, range), NodeKind::Verbatim),
            Token::Comment(range) if self.builds_tree => self.tree.comments.push(range.clone()),
            Token::Comment(range) => self.events.comment(range),
            // XML has no quirks mode.
            Token::Doctype(_) => {}
        }
    }

    fn xml_start(&mut self, tag: &Tag) {
        self.events.tag(tag, false);
        let namespace = self.xml_namespace(tag);
        let is_lower = !self.text[tag.name_range.clone()].iter().any(u8::is_ascii_uppercase);
        // Names are case-sensitive: `<A>` is no element of HTML.
        let name = if namespace == Namespace::Html && !is_lower { Name::Other } else { tag.name };
        let tag = Tag { name, ..tag.clone() };
        self.insert_tag(&tag, namespace);
        if tag.is_empty {
            self.pop_empty(&tag);
        }
    }

    /// Ends the innermost element of the name. Of a well-formed page, that is the current one.
    fn xml_end(&mut self, tag: &Tag) {
        self.events.tag(tag, true);
        let name = &self.text[tag.name_range.clone()];
        let is_own = |element: &NodeId| self.tree.written_name(*element) == name;
        let Some(index) = self.open.iter().rposition(is_own) else {
            self.count_steps(self.open.len());
            return self.events.ignored(&tag.range);
        };
        self.count_steps(self.open.len() - index);
        self.end_tag = Some(tag.clone());
        while self.open.len() > index {
            self.pop();
        }
        self.end_tag = None;
    }

    /// Returns the namespace of the element that a tag begins: that of its parent, or the one that it declares. SVG and
    /// `MathML` are known by their names, too.
    fn xml_namespace(&self, tag: &Tag) -> Namespace {
        let around = self.current().map_or(Namespace::Html, |current| self.tree.namespace(current));
        match tag.name {
            Name::Svg => Namespace::Svg,
            Name::Math => Namespace::MathMl,
            _ if around != Namespace::Html && tag.attribute(self.text, b"xmlns") == Some(XHTML) => {
                Namespace::Html
            }
            _ => around,
        }
    }
}
