//! The text that an element shows.

use super::{NodeId, NodeKind, Tree};
use crate::element::Name;

impl Tree<'_> {
    /// Returns the text that browsers show of an element, with a space at each start and end of a block: without
    /// scripts, styles and inert templates. Needs [`super::TreeOptions::keeps_text`].
    #[must_use]
    pub fn element_text(&self, element: NodeId) -> String {
        let mut text = String::new();
        let mut at = element;
        loop {
            let enters = self.node(at).kind == NodeKind::Element && self.has_shown_text(at);
            let next = self.next_inside(at, element, enters, |left| self.separate_words(left, &mut text));
            let Some(next) = next else { return text };
            at = next;
            let node = self.node(at);
            let written =
                || String::from_utf8_lossy(&self.text[node.range.start as usize..node.range.end as usize]);
            match node.kind {
                NodeKind::Text => text.push_str(&htmlize::unescape(written())),
                NodeKind::Verbatim => text.push_str(&written()),
                NodeKind::Document | NodeKind::Element => self.separate_words(at, &mut text),
            }
        }
    }

    fn separate_words(&self, node: NodeId, text: &mut String) {
        let node = self.node(node);
        if node.kind == NodeKind::Element && node.name.separates_words() {
            text.push(' ');
        }
    }

    /// Whether browsers show the text in an element.
    fn has_shown_text(&self, element: NodeId) -> bool {
        let is_hidden = match self.name(element) {
            Name::Script | Name::Style | Name::Iframe | Name::Noembed | Name::Noframes | Name::Noscript => {
                true
            }
            Name::Template => self.is_inert_template(element),
            _ => false,
        };
        !is_hidden
    }
}
