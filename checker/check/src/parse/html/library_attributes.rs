//! Collects references in attributes that libraries define. Lazy loaders load them when an element becomes visible: no
//! standard defines those, but nearly all loaders read `data-src`, `data-srcset` and similar attributes.

use super::{Builder, lossy};
use crate::parse::html_text::decode_references;
use crate::parse::reference_kind::ReferenceKind;
use sitegate_address::{SitePath, UrlReference};
use sitegate_html::attribute_name::Attribute;
use sitegate_html::srcset;
use sitegate_html::url_attribute::{UrlAttribute, UrlSyntax};

impl Builder<'_, '_> {
    /// Adds the references that an element loads later, by each of the attributes with the meaning of a row.
    pub(super) fn push_lazy_row(&mut self, lazy: ReferenceKind, row: &UrlAttribute) {
        if !self.has(row.attribute) {
            return;
        }
        // If there is an image already, it may have another purpose, such as a light box.
        let loads = self.text_of(Attribute::Src).is_some_and(|src| !is_placeholder(&src))
            || self.text_of(Attribute::Srcset).is_some_and(|srcset| !is_placeholder(&srcset));
        let kind = if loads { ReferenceKind::LazySpare } else { lazy };
        for index in 0..self.attributes.len() {
            if self.attributes[index].name == row.attribute {
                match row.syntax {
                    UrlSyntax::Srcset => self.push_lazy_srcset(kind, index),
                    _ => self.push_lazy(kind, index),
                }
            }
        }
    }

    /// Adds an attribute of a lazy loader if it contains a path or a URL, not a name, a color or a template.
    pub(super) fn push_lazy(&mut self, kind: ReferenceKind, index: usize) {
        let Some(range) = self.attributes[index].value.clone() else { return };
        if is_url(&decode_references(&lossy(&self.text[range]))) {
            self.push_at(kind, index);
        }
    }

    fn push_lazy_srcset(&mut self, kind: ReferenceKind, index: usize) {
        let Some(range) = self.attributes[index].value.clone() else { return };
        let value = self.mapped(&range);
        let urls = srcset::urls(&value.text).into_iter();
        for url in urls.filter(|url| is_url(&value.text[url.clone()])) {
            self.push_part(kind, &value, url);
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

/// Whether an image is only a placeholder for the one that is loaded later.
fn is_placeholder(src: &str) -> bool {
    let src = src.trim();
    src.is_empty() || src.starts_with('#') || src.starts_with("data:") || src.starts_with("about:")
}

/// Whether a text is a URL, a path, or a name with an extension.
fn is_url(text: &str) -> bool {
    let text = text.trim();
    if text.contains(|c: char| c.is_whitespace() || "{}<>[]$`\"'()".contains(c)) {
        return false;
    }
    let file = SitePath::new(UrlReference::new(text).path());
    let has_extension = file.extension().is_some_and(|extension| {
        let is_alphanumeric = |byte: u8| byte.is_ascii_alphanumeric();
        !file.stem().is_empty()
            && (2..=5).contains(&extension.len())
            && extension.bytes().all(is_alphanumeric)
            && extension.bytes().any(|byte| byte.is_ascii_alphabetic())
    });
    has_extension || text.starts_with("https://") || text.starts_with("http://") || text.starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::is_url;

    #[test]
    fn distinguishes_urls_from_names_colors_and_templates() {
        for text in ["a.jpg", "/img/a.webp?v=1", "../a.mp4", "https://x.example/photo", "//x.example/a"] {
            assert!(is_url(text), "{text}");
        }
        for text in
            ["", "photo", "#ddd", "1.5", "v1.0", "{{ src }}", "url(a.png)", "/api/photo", "a.b c.d", ".png"]
        {
            assert!(!is_url(text), "{text}");
        }
    }
}
