//! Tracks the open `template` elements of a document. Declarative shadow DOM is live; the content of others is inert until
//! a script uses it.

use std::ops::Range;

use crate::attributes::decoded_value;

/// The place of a tag, as to templates whose content is inert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inertness {
    /// It is in none.
    Live,
    /// It begins the outermost one.
    Begins,
    /// It is in one.
    Inside,
    /// It ends the outermost one.
    Ends(InertContent),
}

/// The inert content of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InertContent {
    /// The start tag of the template.
    pub tag: Range<usize>,
    /// The end of its content.
    pub end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Template {
    Inert,
    /// It has its own ids: the number of the shadow tree, from 1.
    Shadow(u32),
}

/// The open `template` elements of HTML.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenTemplates {
    open: Vec<Template>,
    /// Number of shadow trees so far.
    shadow_trees: u32,
    /// Start tag of the outermost inert template.
    inert: Option<Range<usize>>,
}

impl OpenTemplates {
    /// Returns the place of a tag that belongs to no template.
    pub fn inertness(&self) -> Inertness {
        if self.inert.is_some() { Inertness::Inside } else { Inertness::Live }
    }

    /// Whether a template is open.
    pub fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Opens a template, by its start tag and its `shadowrootmode`.
    pub fn open(&mut self, tag: &Range<usize>, shadow_mode: Option<&[u8]>) -> Inertness {
        let place = self.inertness();
        if place == Inertness::Live && shadow_mode.is_some_and(is_shadow_mode) {
            self.shadow_trees += 1;
            self.open.push(Template::Shadow(self.shadow_trees));
            return place;
        }
        self.open.push(Template::Inert);
        if place == Inertness::Live {
            self.inert = Some(tag.clone());
            return Inertness::Begins;
        }
        place
    }

    /// Closes the innermost template, whose end tag begins at `end`.
    pub fn close(&mut self, end: usize) -> Inertness {
        let place = self.inertness();
        self.open.pop();
        // Everything inside an inert template is inert.
        if self.open.last() == Some(&Template::Inert) {
            place
        } else {
            self.end(end).map_or(place, Inertness::Ends)
        }
    }

    /// Returns the inert content that ends at `end`, with a template or with the text.
    pub fn end(&mut self, end: usize) -> Option<InertContent> {
        self.inert.take().map(|tag| InertContent { tag, end })
    }

    /// Returns the innermost open shadow tree; 0 for the page itself.
    pub fn shadow_tree(&self) -> u32 {
        let tree = |template: &Template| match template {
            Template::Shadow(tree) => Some(*tree),
            Template::Inert => None,
        };
        self.open.iter().rev().find_map(tree).unwrap_or(0)
    }
}

/// Whether a `shadowrootmode`, as written, makes a template a shadow root (HTML standard, 4.12.3). With any other value,
/// its content is inert.
#[must_use]
pub fn is_shadow_mode(mode: &[u8]) -> bool {
    let mode = decoded_value(mode);
    ["open", "closed"].iter().any(|known| mode.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::{InertContent, Inertness, OpenTemplates, is_shadow_mode};

    #[test]
    fn shadow_trees_are_live_outside_of_inert_templates() {
        let mut templates = OpenTemplates::default();
        assert_eq!(templates.open(&(0..1), Some(b"open")), Inertness::Live);
        assert_eq!(templates.shadow_tree(), 1);
        assert_eq!(templates.open(&(1..2), Some(b"other")), Inertness::Begins);
        assert_eq!(templates.open(&(2..3), Some(b"open")), Inertness::Inside);
        assert_eq!((templates.shadow_tree(), templates.inertness()), (1, Inertness::Inside));
        assert_eq!(templates.close(4), Inertness::Inside);
        assert_eq!(templates.close(5), Inertness::Ends(InertContent { tag: 1..2, end: 5 }));
        assert_eq!(templates.close(6), Inertness::Live);
        assert_eq!(templates.shadow_tree(), 0);
        assert_eq!(templates.close(7), Inertness::Live);
    }

    #[test]
    fn other_modes_leave_the_content_inert() {
        let is_shadow = |mode: &&str| is_shadow_mode(mode.as_bytes());
        assert!(["open", "closed", "OPEN", "o&#112;en"].iter().all(is_shadow));
        assert!(!["", "x", " open", "open closed", "true"].iter().any(is_shadow));
    }
}
