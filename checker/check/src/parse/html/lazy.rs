//! What lazy loaders put into place once an element comes into view: no standard says so, but `data-src`, `data-srcset` and their
//! like are what nearly all of them read.

use super::{Builder, lossy};
use crate::parse::names::Attribute;
use crate::parse::reference_kind::ReferenceKind;
use crate::parse::srcset;
use crate::parse::text::decode_references;

impl Builder<'_, '_> {
    /// Takes what an element is to load later. Says whether there is anything, so that it needs nothing to load at once.
    pub(super) fn lazy(&mut self) -> bool {
        if !self.has(Attribute::DataSrc) && !self.has(Attribute::DataSrcset) {
            return false;
        }
        // Beside a picture that is there already, it may be for something else, such as a light box.
        let loads = self.text_of(Attribute::Src).is_some_and(|src| !is_stand_in(&src))
            || self.text_of(Attribute::Srcset).is_some_and(|srcset| !is_stand_in(&srcset));
        let kind = if loads { ReferenceKind::LazySpare } else { ReferenceKind::Lazy };
        for index in 0..self.attributes.len() {
            match self.attributes[index].name {
                Attribute::DataSrc => self.push_lazy(kind, index),
                Attribute::DataSrcset => self.push_lazy_srcset(kind, index),
                _ => {}
            }
        }
        true
    }

    /// Takes an attribute of a lazy loader, where it holds a path or a URL, and not a name, a colour or a template.
    pub(super) fn push_lazy(&mut self, kind: ReferenceKind, index: usize) {
        let Some(range) = self.attributes[index].value.clone() else { return };
        if is_address(&decode_references(&lossy(&self.text[range]))) {
            self.push_at(kind, index);
        }
    }

    fn push_lazy_srcset(&mut self, kind: ReferenceKind, index: usize) {
        let Some(range) = self.attributes[index].value.clone() else { return };
        let value = self.mapped(&range);
        let urls = srcset::urls(&value.text).into_iter();
        for url in urls.filter(|url| is_address(&value.text[url.clone()])) {
            self.push_part(kind, &value, url);
        }
    }
}

/// Whether a picture stands only for the one that comes later.
fn is_stand_in(src: &str) -> bool {
    let src = src.trim();
    src.is_empty() || src.starts_with('#') || src.starts_with("data:") || src.starts_with("about:")
}

/// Whether a text is an address: a URL, a path from the root or from here, or a name with an ending.
fn is_address(text: &str) -> bool {
    let text = text.trim();
    if text.contains(|c: char| c.is_whitespace() || "{}<>[]$`\"'()".contains(c)) {
        return false;
    }
    let path = text.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let has_ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric();
        !stem.is_empty()
            && (2..=5).contains(&ending.len())
            && ending.bytes().all(is_letter)
            && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
    });
    has_ending || text.starts_with("https://") || text.starts_with("http://") || text.starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn addresses_are_told_from_names_colours_and_templates() {
        for text in ["a.jpg", "/img/a.webp?v=1", "../a.mp4", "https://x.example/photo", "//x.example/a"] {
            assert!(is_address(text), "{text}");
        }
        for text in
            ["", "photo", "#ddd", "1.5", "v1.0", "{{ src }}", "url(a.png)", "/api/photo", "a.b c.d", ".png"]
        {
            assert!(!is_address(text), "{text}");
        }
    }
}
