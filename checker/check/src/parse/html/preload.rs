//! Reads preloads, and why browsers do not use one.

use sitegate_html::attribute_name::Attribute;
use sitegate_html::attributes::attribute_value;

use super::{Builder, ReadTag};
use crate::parse::page_metadata::{ElementNote, NoteKind};

/// The values of `as` with which some browser preloads (HTML 4.6.8.20, and earlier versions of it).
const DESTINATIONS: [&str; 13] = [
    "audio", "document", "embed", "fetch", "font", "image", "json", "object", "script", "style", "track",
    "video", "worker",
];

impl Builder<'_, '_> {
    /// Notes a preload. Its reference has index `first`.
    pub(super) fn read_preload(&mut self, token: &ReadTag, first: usize) {
        if !self.is_main_document() || !self.has(Attribute::Href) || !self.has_word(Attribute::Rel, "preload")
        {
            return;
        }
        let destination = self.text_of(Attribute::As).map(|own| own.trim().to_ascii_lowercase());
        // A tag that a script changes later is no plain preload.
        if self.attribute(token, b"onload").is_some() {
            return;
        }
        let fault = match destination.as_deref() {
            None | Some("") => Some("it has no `as`".to_owned()),
            Some("font") if self.attribute(token, b"crossorigin").is_none() => Some(
                "it has no `crossorigin`, with which browsers load fonts, so that they load it twice"
                    .to_owned(),
            ),
            Some(known) if DESTINATIONS.contains(&known) => None,
            Some(other) => Some(format!("`as` has no value `{other}`")),
        };
        let span = self.span(&token.range);
        self.page.facts.metadata.notes.push(ElementNote { kind: NoteKind::Preload(first, fault), span });
    }

    /// Returns the value of an attribute of the current tag as written.
    pub(super) fn attribute(&self, token: &ReadTag, name: &[u8]) -> Option<&[u8]> {
        attribute_value(self.text, token.name_range.end, name)
    }
}
