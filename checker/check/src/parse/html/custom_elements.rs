//! Collects references of well-known custom elements, and of attributes that libraries define: htmx, Turbo, AMP,
//! model-viewer, Lottie and reveal.js.

use super::{Builder, lossy};
use crate::parse::character_references::decode_references;
use crate::parse::reference_kind::ReferenceKind;

impl Builder<'_, '_> {
    /// Adds an attribute of a library, if it is a URL and not a template or data.
    pub(super) fn push_request(&mut self, kind: ReferenceKind, index: usize) {
        let Some(range) = self.attributes[index].value.clone() else { return };
        let value = lossy(&self.text[range]);
        let url = decode_references(&value);
        let is_odd = |c: char| c.is_whitespace() || "{}<>$`\"'".contains(c);
        let url = url.trim();
        if !url.is_empty() && !url.starts_with('#') && !url.contains(is_odd) {
            self.push_at(kind, index);
        }
    }

    /// Adds the slides of reveal.js: `<section data-markdown="slides.md">`.
    pub(super) fn push_markdown(&mut self, index: usize) {
        let Some(range) = self.attributes[index].value.clone() else { return };
        let name = self.text[range].to_ascii_lowercase();
        if name.ends_with(b".md") || name.ends_with(b".markdown") {
            self.push_request(ReferenceKind::Markdown, index);
        }
    }
}
