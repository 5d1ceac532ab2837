//! Collects references of well-known custom elements, and of attributes that libraries define: htmx, Turbo, AMP,
//! model-viewer, Lottie and reveal.js.

use super::{Builder, lossy};
use crate::parse::character_references::decode_references;
use crate::parse::names::{Attribute, Tag};
use crate::parse::reference_kind::ReferenceKind;

impl Builder<'_, '_> {
    pub(super) fn custom_element(&mut self, tag: Tag) {
        match tag {
            Tag::AmpImg => {
                self.push_url(ReferenceKind::AmpImg, Attribute::Src);
                self.push_srcset(ReferenceKind::AmpImg, Attribute::Srcset);
            }
            Tag::LottiePlayer => self.push_url(ReferenceKind::LottiePlayer, Attribute::Src),
            Tag::ModelViewer => {
                let files = [
                    Attribute::Src,
                    Attribute::IosSrc,
                    Attribute::Poster,
                    Attribute::SkyboxImage,
                    Attribute::EnvironmentImage,
                ];
                for name in files {
                    // Keywords for light that needs no image.
                    if !matches!(self.text_of(name).as_deref(), Some("legacy" | "neutral")) {
                        self.push_url(ReferenceKind::ModelViewer, name);
                    }
                }
            }
            Tag::TurboFrame => self.push_url(ReferenceKind::TurboFrame, Attribute::Src),
            _ => {}
        }
    }

    /// Adds an attribute of an element, if it is a URL and not a template or data.
    fn push_url(&mut self, kind: ReferenceKind, name: Attribute) {
        if let Some(index) = self.attributes.iter().position(|attribute| attribute.name == name) {
            self.push_request(kind, index);
        }
    }

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
