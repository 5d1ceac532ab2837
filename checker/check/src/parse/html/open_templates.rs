//! Tracks the open `template` elements of a document. Declarative shadow DOM is live; the content of others is inert until
//! a script uses it.

use std::ops::Range;

use sitegate_html::shadow_mode::is_shadow_mode;

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
    /// Start of the outermost inert template.
    inert_from: Option<usize>,
}

impl OpenTemplates {
    /// Opens a template, by its `shadowrootmode`. `start` is where its inert range begins. Returns whether its content is
    /// live.
    pub fn open(&mut self, shadow_mode: Option<&[u8]>, start: usize) -> bool {
        let is_shadow = !self.is_inert() && shadow_mode.is_some_and(is_shadow_mode);
        if is_shadow {
            self.shadow_trees += 1;
            self.open.push(Template::Shadow(self.shadow_trees));
        } else {
            self.inert_from.get_or_insert(start);
            self.open.push(Template::Inert);
        }
        is_shadow
    }

    /// Closes the innermost template. Returns the inert range if nothing around it is inert.
    pub fn close(&mut self, end: usize) -> Option<Range<usize>> {
        self.open.pop();
        // Everything inside an inert template is inert.
        if self.open.last() == Some(&Template::Inert) { None } else { self.end(end) }
    }

    /// Returns the inert range that is open at the end of the text.
    pub fn end(&mut self, end: usize) -> Option<Range<usize>> {
        self.inert_from.take().map(|start| start..end)
    }

    /// Whether no template is open.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether the current element is inert.
    pub fn is_inert(&self) -> bool {
        self.inert_from.is_some()
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

#[cfg(test)]
mod tests {
    use super::OpenTemplates;

    #[test]
    fn shadow_trees_are_live_outside_of_inert_templates() {
        let mut templates = OpenTemplates::default();
        assert!(templates.open(Some(b"open"), 1));
        assert_eq!((templates.shadow_tree(), templates.is_inert()), (1, false));
        assert!(!templates.open(Some(b"other"), 2) && templates.is_inert());
        assert!(!templates.open(Some(b"open"), 3));
        assert_eq!(templates.shadow_tree(), 1);
        assert_eq!(templates.close(4), None);
        assert_eq!(templates.close(5), Some(2..5));
        assert_eq!(templates.close(6), None);
        assert!(templates.is_empty());
        assert_eq!(templates.close(7), None);
    }
}
